// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A filter's view of a device: kernels to launch and scratch memory, with automatic cleanup.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "device/buffer_pool.hpp"
#include "device/device.hpp"
#include "device/kernel_source.hpp"
#include "device/pace.hpp"
#include "image/format.hpp"
#include "image/parallel_rows.hpp"
#include "image/plane.hpp"

namespace sfumato {

/// A float image, or stored samples, on the device; the handle keeps the buffer on loan.
struct DeviceImage {
  std::shared_ptr<DeviceMemory> buffer;
  Plane plane;
  int channels = 4;
  SampleType type = SampleType::f32;
  bool is_samples = false;  ///< stored samples, not a float image between steps

  explicit operator bool() const { return buffer != nullptr; }
};

/// One device in use by one session: its driver, pooled memory and pace. Not thread-safe.
class DeviceContext {
 public:
  /// `memory_limit` bounds the pool's buffers, in bytes; above `memory_kept`, unused buffers are
  /// freed. `form` overrides the device's natural form of passes (the tests run both). Throws
  /// DeviceError.
  DeviceContext(const DeviceInfo& info, Form form, std::size_t memory_limit,
                std::size_t memory_kept, const std::filesystem::path& cache_folder);
  ~DeviceContext();

  const DeviceInfo& info() const { return info_; }
  Form form() const { return form_; }
  Driver& driver() { return *driver_; }
  BufferPool& pool() { return pool_; }

  /// A float image of `rect` with rows aligned to 64 bytes.
  DeviceImage image(const Rect& rect, int channels);
  /// A small read-only table; equal tables share one upload.
  std::shared_ptr<DeviceMemory> table(std::span<const float> values);
  /// Copies to the start of a buffer, or from it, after all launches are done. Throws DeviceError.
  void write(DeviceMemory& to, const void* from, std::size_t bytes);
  void read(const DeviceMemory& from, void* to, std::size_t bytes);
  /// Calls use(memory) with the first `bytes` as the program's own memory (Driver::map()).
  void with_mapped(DeviceMemory& memory, std::size_t bytes, Driver::Access access,
                   const std::function<void(void*)>& use);
  /// Waits for all launches. Throws DeviceError.
  void finish();

  /// Throws Cancelled if keep_going() returned false.
  void check_cancelled() const;
  /// For Passes: launches work that was found to fit, and waits so that the pace is measured.
  const Pace& pace() const { return pace_; }
  void launch(DeviceKernel& kernel, std::span<const Argument> arguments, const WorkItems& items,
              double work);
  void wait();

  /// Called after each bounded piece of work; returns false to cancel. May be empty.
  std::function<bool()> keep_going;
  /// For tests: called with the number of each launch; may throw to make it fail.
  std::function<void(std::int64_t)> before_launch;
  std::int64_t launches = 0;
  /// Receives a filter's warnings. May be empty.
  std::function<void(const Message&)> warn;

 private:
  DeviceInfo info_;
  Form form_;
  const std::unique_ptr<Driver> driver_;
  BufferPool pool_;
  std::map<std::uint64_t, std::pair<std::vector<float>, std::shared_ptr<DeviceMemory>>> tables_;
  Pace pace_;
  std::chrono::steady_clock::time_point busy_since_;
};

/// One kernel over one range. Dimension 1 may be cut into several launches with a global offset, at
/// multiples of local[1], so that no launch runs long. Kernels therefore use global and local ids,
/// never group ids.
struct Launch {
  std::string kernel;
  std::string options;  ///< -D definitions: structure only, never a size or parameter value
  std::array<std::size_t, 2> global{1, 1};
  std::array<std::size_t, 2> local{1, 1};
  double work = 1;  ///< rough number of scalar operations per work-item; measured rates correct it
};

/// The launches of one filter on one tile.
class Passes {
 public:
  Passes(DeviceContext& context, const kernels::Source& source)
      : context_(context), source_(source) {}

  Form form() const { return context_.form(); }
  const DeviceInfo& device() const { return context_.info(); }
  DeviceContext& context() { return context_; }

  /// A float image for intermediate results; its content is undefined.
  DeviceImage scratch(const Rect& rect, int channels) { return context_.image(rect, channels); }
  std::shared_ptr<DeviceMemory> buffer(std::size_t bytes) { return context_.pool().take(bytes); }
  /// An image of four floats a pixel.
  std::shared_ptr<DeviceMemory> image(int width, int height) {
    return context_.driver().allocate_image(width, height);
  }
  std::shared_ptr<DeviceMemory> table(std::span<const float> values) {
    return context_.table(values);
  }

  /// Runs a kernel with its arguments in order: images and buffers by handle (their Plane is a
  /// separate argument), numbers and structs by value, local memory as Argument::of_local(). Throws
  /// DeviceError or Cancelled.
  template <typename... Arguments>
  void launch(const Launch& launch, const Arguments&... arguments) {
    launch_with(launch, std::array{argument(arguments)...});
  }

  /// The same with arguments built at run time, for filters that plan their passes as data.
  void launch_with(const Launch& launch, std::span<const Argument> arguments);
  void launch_with(const Launch& launch, std::initializer_list<Argument> arguments) {
    launch_with(launch, std::span(arguments.begin(), arguments.size()));
  }

  /// Driver::transform() of `batch` complex pictures, waiting for each piece. Throws DeviceError or
  /// Cancelled.
  void transform(DeviceMemory& data, int width, int height, int batch, bool inverse);

  /// Reports something that the pixels cannot show, such as samples that were not numbers.
  void warn(const Message& sentence) {
    if (context_.warn) context_.warn(sentence);
  }

 private:
  static Argument argument(const DeviceImage& image) { return argument(image.buffer); }
  static Argument argument(const std::shared_ptr<DeviceMemory>& memory) {
    return Argument::of_memory(memory.get());
  }
  static Argument argument(const Argument& made) { return made; }
  template <typename T>
  static Argument argument(const T& value) {
    return Argument::of(value);
  }

  DeviceContext& context_;
  const kernels::Source& source_;
};

}  // namespace sfumato
