// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What the engine needs of a device, and nothing more: memory, kernels, launches and transforms.
// Nothing above this header knows what answers: OpenCL, or kernels that came with the program.
#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <type_traits>

#include "device/device.hpp"
#include "device/kernel_source.hpp"

namespace sfumato {

/// Bytes on the device, or an image. A driver may need it until launches that use it are done: see
/// BufferPool.
class DeviceMemory {
 public:
  explicit DeviceMemory(std::size_t bytes) : bytes_(bytes) {}
  virtual ~DeviceMemory() = default;
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  std::size_t bytes() const { return bytes_; }

 private:
  std::size_t bytes_;
};

/// A kernel that is ready to be launched; it belongs to its driver.
class DeviceKernel {
 public:
  explicit DeviceKernel(std::string name) : name_(std::move(name)) {}
  virtual ~DeviceKernel() = default;
  DeviceKernel(const DeviceKernel&) = delete;
  DeviceKernel& operator=(const DeviceKernel&) = delete;

  const std::string& name() const { return name_; }

 private:
  std::string name_;
};

/// One argument of a launch. What it points at must live until the launch returns.
struct Argument {
  enum class Kind { value, memory, local };
  Kind kind = Kind::value;
  const void* value = nullptr;           ///< the bytes of a value
  const DeviceMemory* memory = nullptr;  ///< null: the kernel gets a null pointer
  std::size_t bytes = 0;                 ///< of the value, or of the group's local memory

  template <typename T>
  static Argument of(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    return {Kind::value, &value, nullptr, sizeof(T)};
  }
  static Argument of_bytes(std::span<const std::byte> bytes) {
    return {Kind::value, bytes.data(), nullptr, bytes.size()};
  }
  static Argument of_memory(const DeviceMemory* memory) {
    return {Kind::memory, nullptr, memory, 0};
  }
  static Argument of_local(std::size_t bytes) { return {Kind::local, nullptr, nullptr, bytes}; }
};

/// Work-items [begin, end) of two dimensions, in whole groups of `local` items.
struct WorkItems {
  std::array<std::size_t, 2> begin{0, 0}, end{1, 1}, local{1, 1};
};

/// Complex pictures that lie one after another, with unpadded rows and two floats a sample.
struct FourierJob {
  int width = 0, height = 0, batch = 1;
  bool inverse = false;
  /// Lends scratch memory. May throw.
  std::function<std::shared_ptr<DeviceMemory>(std::size_t bytes)> take;
  /// Called after each piece of some milliseconds; may wait and throw.
  std::function<void()> between;
};

/// One device in use by one session. Calls run in the order in which they are made; launches
/// return before they are done. Not thread-safe. All throw DeviceError.
class Driver {
 public:
  Driver() = default;
  /// Waits for all launches.
  virtual ~Driver() = default;
  Driver(const Driver&) = delete;
  Driver& operator=(const Driver&) = delete;

  /// Memory whose content is undefined, aligned to 64 bytes.
  virtual std::unique_ptr<DeviceMemory> allocate(std::size_t bytes) = 0;
  /// An image of four floats a pixel, for sampling.
  virtual std::unique_ptr<DeviceMemory> allocate_image(int width, int height) = 0;

  /// The kernel `name` of `source` built with the -D definitions `options`; later calls return the
  /// same object.
  virtual DeviceKernel& kernel(const kernels::Source& source, const std::string& options,
                               const std::string& name) = 0;
  virtual void launch(DeviceKernel& kernel, std::span<const Argument> arguments,
                      const WorkItems& items) = 0;

  /// Transforms pictures in place, after all launches are done. Neither direction is scaled:
  /// forward and then inverse multiplies by width * height.
  virtual void transform(DeviceMemory& pictures, const FourierJob& job) = 0;

  /// Copies to the start of memory, or from it, after all launches are done; an image as a whole,
  /// without padding.
  virtual void write(DeviceMemory& to, const void* from, std::size_t bytes) = 0;
  virtual void read(const DeviceMemory& from, void* to, std::size_t bytes) = 0;
  /// The first `bytes` as the program's own memory, after all launches are done, until unmap(). For
  /// devices with DeviceInfo::shares_memory. What is mapped to be written is undefined until then.
  enum class Access { read, write };
  virtual void* map(DeviceMemory& memory, std::size_t bytes, Access access) = 0;
  virtual void unmap(DeviceMemory& memory, void* mapped) = 0;
  /// Waits for all launches.
  virtual void finish() = 0;

  /// Number of programs compiled here, and loaded from the disk's cache.
  virtual int compiled() const { return 0; }
  virtual int loaded() const { return 0; }
};

/// Throws DeviceError. `cache_folder` is for compiled programs; empty: they are not kept.
std::unique_ptr<Driver> open_driver(const DeviceInfo& info,
                                    const std::filesystem::path& cache_folder);

}  // namespace sfumato
