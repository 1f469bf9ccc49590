// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "device/opencl_driver.hpp"

#include <map>

#include "device/fft.hpp"
#include "device/fourier_lines.hpp"
#include "device/opencl_memory.hpp"
#include "device/program_cache.hpp"

namespace sfumato {
namespace {

class OpenClKernel final : public DeviceKernel {
 public:
  OpenClKernel(cl::Kernel& kernel, const std::string& name) : DeviceKernel(name), kernel_(kernel) {}

  cl::Kernel& kernel() { return kernel_; }

 private:
  cl::Kernel& kernel_;
};

class OpenClDriver final : public Driver {
 public:
  OpenClDriver(const DeviceInfo& info, const std::filesystem::path& cache_folder)
      : info_(info),
        context_(checked(
            [&] {
              return message({"opencl.opening", "opening {device}"}, info.title());
            },
            [&] { return cl::Context(cl::Device(info.handle, true)); })),
        queue_(checked(
            [&] {
              return message({"opencl.opening_queue", "opening a queue on {device}"}, info.title());
            },
            [&] { return cl::CommandQueue(context_, cl::Device(info.handle, true)); })),
        programs_(context_, info, cache_folder) {}

  // Running launches may still read memory; errors do not matter here.
  ~OpenClDriver() override { clFinish(queue_()); }

  std::unique_ptr<DeviceMemory> allocate(std::size_t bytes) override {
    try {
      return std::make_unique<OpenClMemory>(context_, bytes);
    } catch (const cl::Error& e) {
      throw DeviceError(e.err(),
                        message({"device.refused", "the device refused {size} MB ({status})"},
                                bytes >> 20, status_name(e.err())));
    }
  }

  std::unique_ptr<DeviceMemory> allocate_image(int width, int height) override {
    return checked(
        [] {
          return message({"opencl.making_image", "making an image"});
        },
        [&] {
          return std::make_unique<OpenClMemory>(context_, static_cast<std::size_t>(width),
                                                static_cast<std::size_t>(height));
        });
  }

  DeviceKernel& kernel(const kernels::Source& source, const std::string& options,
                       const std::string& name) override {
    cl::Kernel& found = programs_.kernel(source, options, name);
    return kernels_.try_emplace(&found, found, name).first->second;
  }

  void launch(DeviceKernel& kernel, std::span<const Argument> arguments,
              const WorkItems& items) override {
    cl::Kernel& made = dynamic_cast<OpenClKernel&>(kernel).kernel();
    check_local_memory(kernel, arguments);
    cl_uint index = 0;
    for (const Argument& argument : arguments) set(kernel, made, index++, argument);
    // PoCL compiles a kernel once for launches without an offset and once for others; the unused
    // third dimension has one always.
    checked([&] { return kernel.name(); },
            [&] {
              queue_.enqueueNDRangeKernel(
                  made, cl::NDRange(items.begin[0], items.begin[1], info_.cpu ? 1 : 0),
                  cl::NDRange(items.end[0] - items.begin[0], items.end[1] - items.begin[1], 1),
                  cl::NDRange(items.local[0], items.local[1], 1));
            });
  }

  void transform(DeviceMemory& pictures, const FourierJob& job) override {
    // VkFFT's kernels are for GPUs. (Under Oclgrind, which shares no memory, they would take
    // minutes.)
    if (info_.cpu && info_.shares_memory &&
        fourier_local_bytes(job.width, job.height) <= info_.local_memory) {
      return lines_.transform(pictures, job);
    }
    if (!ffts_) ffts_ = std::make_unique<FftCache>(context_, info_, queue_);
    ffts_->transform(pictures, job);
  }

  void write(DeviceMemory& to, const void* from, std::size_t bytes) override {
    const OpenClMemory& memory = OpenClMemory::of(to);
    checked(
        [&] {
          return message({"opencl.writing", "writing to {device}"}, info_.title());
        },
        [&] {
          memory.is_image() ? queue_.enqueueWriteImage(memory.image(), CL_TRUE, {0, 0, 0},
                                                       memory.size(), 0, 0, from)
                            : queue_.enqueueWriteBuffer(memory.buffer(), CL_TRUE, 0, bytes, from);
        });
  }

  void read(const DeviceMemory& from, void* to, std::size_t bytes) override {
    const OpenClMemory& memory = OpenClMemory::of(from);
    checked(
        [&] {
          return message({"opencl.reading", "reading from {device}"}, info_.title());
        },
        [&] {
          memory.is_image()
              ? queue_.enqueueReadImage(memory.image(), CL_TRUE, {0, 0, 0}, memory.size(), 0, 0, to)
              : queue_.enqueueReadBuffer(memory.buffer(), CL_TRUE, 0, bytes, to);
        });
  }

  void* map(DeviceMemory& memory, std::size_t bytes, Access access) override {
    const cl_map_flags flags =
        access == Access::read ? CL_MAP_READ : CL_MAP_WRITE_INVALIDATE_REGION;
    return checked(
        [] {
          return message({"opencl.mapping", "mapping pixels"});
        },
        [&] {
          return queue_.enqueueMapBuffer(OpenClMemory::of(memory).buffer(), CL_TRUE, flags, 0,
                                         bytes);
        });
  }

  void unmap(DeviceMemory& memory, void* mapped) override {
    checked(
        [] {
          return message({"opencl.unmapping", "unmapping pixels"});
        },
        [&] { queue_.enqueueUnmapMemObject(OpenClMemory::of(memory).buffer(), mapped); });
  }

  void finish() override {
    checked(
        [&] {
          return message({"opencl.waiting", "waiting for {device}"}, info_.title());
        },
        [&] { queue_.finish(); });
  }

  int compiled() const override { return programs_.compiled(); }
  int loaded() const override { return programs_.loaded(); }

 private:
  // Some drivers end the process instead of reporting this.
  void check_local_memory(const DeviceKernel& kernel, std::span<const Argument> arguments) const {
    std::size_t local = 0;
    for (const Argument& a : arguments) local += a.kind == Argument::Kind::local ? a.bytes : 0;
    if (local <= info_.local_memory) return;
    throw DeviceError(CL_OUT_OF_RESOURCES,
                      message({"opencl.local_memory", "{kernel}: {count} bytes of local memory"},
                              kernel.name(), local));
  }

  static void set(const DeviceKernel& kernel, cl::Kernel& made, cl_uint index,
                  const Argument& argument) {
    cl_int status = CL_SUCCESS;
    if (argument.kind == Argument::Kind::memory) {
      const cl_mem memory =
          argument.memory != nullptr ? OpenClMemory::of(*argument.memory).handle() : nullptr;
      status = clSetKernelArg(made(), index, sizeof memory, &memory);
    } else {
      status = clSetKernelArg(made(), index, argument.bytes, argument.value);
    }
    if (status == CL_SUCCESS) return;
    throw DeviceError(status, message({"opencl.argument", "{kernel}: argument {number} ({status})"},
                                      kernel.name(), index, status_name(status)));
  }

  DeviceInfo info_;
  cl::Context context_;
  cl::CommandQueue queue_;
  ProgramCache programs_;
  std::map<const cl::Kernel*, OpenClKernel> kernels_;
  std::unique_ptr<FftCache> ffts_;
  LineTransforms lines_{*this, info_.compute_units};
};

}  // namespace

std::unique_ptr<Driver> open_opencl_driver(const DeviceInfo& info,
                                           const std::filesystem::path& cache_folder) {
  return std::make_unique<OpenClDriver>(info, cache_folder);
}

}  // namespace sfumato
