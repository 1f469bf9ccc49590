// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Launches kernels in pieces short enough to cancel in between.
#include "device/passes.hpp"

#include <algorithm>
#include <cstring>

#include "device/fft.hpp"
#include "device/opencl.hpp"
#include "device/program_cache.hpp"

namespace sfumato {
namespace {

cl::Context make_context(const DeviceInfo& info) {
  return checked(
      [&] {
        return message({"opencl.opening", "opening {device}"}, info.title());
      },
      [&] { return cl::Context(cl::Device(info.handle, true)); });
}

}  // namespace

struct DeviceContext::Driver {
  cl::Context context;
  cl::CommandQueue queue;
  ProgramCache programs;
  BufferPool pool;
  std::unique_ptr<FftCache> ffts;

  Driver(const DeviceInfo& info, std::size_t memory_limit, std::size_t memory_kept,
         const std::filesystem::path& cache_folder)
      : context(make_context(info)),
        queue(checked(
            [&] {
              return message({"opencl.opening_queue", "opening a queue on {device}"}, info.title());
            },
            [&] { return cl::CommandQueue(context, cl::Device(info.handle, true)); })),
        programs(context, info, cache_folder),
        pool(context, memory_limit, memory_kept) {}
};

DeviceContext::DeviceContext(const DeviceInfo& info, Form form, std::size_t memory_limit,
                             std::size_t memory_kept, const std::filesystem::path& cache_folder)
    : info_(info),
      form_(form),
      driver_(std::make_unique<Driver>(info, memory_limit, memory_kept, cache_folder)),
      pace_((info.cpu ? 1e9 : 2e9) * info.compute_units) {}

DeviceContext::~DeviceContext() {
  // Running launches may still read the buffers; errors do not matter here.
  clFinish(driver_->queue());
}

cl::Context& DeviceContext::context() {
  return driver_->context;
}
cl::CommandQueue& DeviceContext::queue() {
  return driver_->queue;
}
ProgramCache& DeviceContext::programs() {
  return driver_->programs;
}
BufferPool& DeviceContext::pool() {
  return driver_->pool;
}

FftCache& DeviceContext::ffts() {
  Driver& d = *driver_;
  if (!d.ffts) d.ffts = std::make_unique<FftCache>(d.context, info_, d.queue, d.pool);
  return *d.ffts;
}

DeviceImage DeviceContext::image(const Rect& rect, int channels) {
  DeviceImage out;
  out.channels = channels;
  out.plane = {rect.x0, rect.y0, rect.width(), rect.height(), (rect.width() + 15) / 16 * 16, 0};
  // One extra vector after the last row, since wide loads may overrun the end of a row.
  const std::size_t pixels =
      static_cast<std::size_t>(out.plane.stride) * static_cast<std::size_t>(rect.height()) + 16;
  out.buffer = pool().take(pixels * static_cast<std::size_t>(channels) * sizeof(float));
  return out;
}

std::shared_ptr<cl::Buffer> DeviceContext::table(std::span<const float> values) {
  const std::string_view bytes(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  const std::uint64_t key = fnv1a(bytes);
  auto& entry = tables_[key];
  std::vector<float>& kept = entry.first;
  std::shared_ptr<cl::Buffer>& buffer = entry.second;
  if (buffer && kept.size() == values.size() &&
      std::memcmp(kept.data(), values.data(), values.size_bytes()) == 0) {
    return buffer;
  }
  if (tables_.size() > 256) {  // sliders create many tables; each is cheap to recreate
    tables_.clear();
    return table(values);
  }
  kept.assign(values.begin(), values.end());
  buffer = pool().take(std::max<std::size_t>(values.size_bytes(), 4));
  write(*buffer, values.data(), values.size_bytes());
  return buffer;
}

void DeviceContext::write(const cl::Buffer& to, const void* from, std::size_t bytes) {
  checked(
      [&] {
        return message({"opencl.writing", "writing to {device}"}, info_.title());
      },
      [&] { driver_->queue.enqueueWriteBuffer(to, CL_TRUE, 0, bytes, from); });
  pace_.settled();
}

void DeviceContext::read(const cl::Buffer& from, void* to, std::size_t bytes) {
  checked(
      [&] {
        return message({"opencl.reading", "reading from {device}"}, info_.title());
      },
      [&] { driver_->queue.enqueueReadBuffer(from, CL_TRUE, 0, bytes, to); });
  pace_.settled();
}

void DeviceContext::finish() {
  checked(
      [&] {
        return message({"opencl.waiting", "waiting for {device}"}, info_.title());
      },
      [&] { driver_->queue.finish(); });
  pace_.settled();
}

void DeviceContext::check_cancelled() const {
  if (keep_going && !keep_going()) throw Cancelled();
}

void DeviceContext::launched(const void* kernel, double work) {
  if (!pace_.busy()) busy_since_ = std::chrono::steady_clock::now();
  pace_.launched(kernel, work);
}

void DeviceContext::wait() {
  checked(
      [&] {
        return message({"opencl.waiting", "waiting for {device}"}, info_.title());
      },
      [&] { driver_->queue.finish(); });
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - busy_since_;
  pace_.waited(spent.count());
  check_cancelled();
}

Argument Argument::memory(const cl::Buffer& buffer) {
  return value(buffer());
}
Argument Argument::memory(const cl::Image2D& image) {
  return value(image());
}

cl::Kernel& Passes::kernel(const Launch& launch) {
  return context_.programs().kernel(source_, launch.options, launch.kernel);
}

void Passes::set_argument(const Launch& launch, cl::Kernel& kernel, cl_uint index,
                          const std::shared_ptr<cl::Buffer>& buffer) {
  // Without a buffer the kernel gets a null pointer.
  const cl_mem memory = buffer ? (*buffer)() : nullptr;
  set_raw(launch, kernel, index, sizeof memory, &memory);
}

void Passes::set_raw(const Launch& launch, cl::Kernel& kernel, cl_uint index, std::size_t size,
                     const void* value) {
  const cl_int status = clSetKernelArg(kernel(), index, size, value);
  if (status != CL_SUCCESS) {
    throw DeviceError(status, message({"opencl.argument", "{kernel}: argument {number} ({status})"},
                                      launch.kernel, index, status_name(status)));
  }
}

void Passes::launch_with(const Launch& launch, const std::vector<Argument>& arguments) {
  cl::Kernel& kernel = this->kernel(launch);
  std::size_t local = 0;
  for (const Argument& a : arguments) local += a.local;
  // Some drivers end the process instead of reporting this.
  if (local > context_.info().local_memory) {
    throw DeviceError(CL_OUT_OF_RESOURCES,
                      message({"opencl.local_memory", "{kernel}: {count} bytes of local memory"},
                              launch.kernel, local));
  }
  cl_uint index = 0;
  for (const Argument& a : arguments) {
    set_raw(launch, kernel, index++, a.local != 0 ? a.local : a.bytes.size(),
            a.local != 0 ? nullptr : a.bytes.data());
  }
  enqueue(launch, kernel);
}

void Passes::transform(cl::Buffer& data, int width, int height, int batch, bool inverse) {
  context_.finish();
  context_.check_cancelled();
  if (context_.before_launch) context_.before_launch(context_.launches);
  ++context_.launches;
  context_.ffts().transform(data, width, height, batch, inverse, [this] {
    context_.finish();
    context_.check_cancelled();
  });
}

void Passes::enqueue(const Launch& launch, cl::Kernel& kernel) {
  context_.check_cancelled();
  if (context_.before_launch) context_.before_launch(context_.launches);
  ++context_.launches;

  const std::size_t step = launch.local[1];
  const std::size_t rows = (launch.global[1] + step - 1) / step;
  const std::size_t columns =
      (launch.global[0] + launch.local[0] - 1) / launch.local[0] * launch.local[0];
  const double row_work = launch.work * static_cast<double>(columns) * static_cast<double>(step);
  // The GPU's compute units run side by side, each with several groups.
  const std::size_t across = columns / launch.local[0];
  const std::size_t groups = std::size_t{4} * device().compute_units;
  const std::size_t together = form() == Form::gpu ? (groups + across - 1) / across : 1;
  // Too long for one launch: cut it into pieces and wait for each. PoCL compiles a kernel once for
  // launches without an offset and once for others; the unused third dimension has one always.
  for (std::size_t done = 0; done < rows;) {
    const std::size_t count = context_.pace().fitting(kernel(), row_work, rows - done, together);
    if (count == 0) {
      context_.wait();
      continue;
    }
    checked([&] { return launch.kernel; },
            [&] {
              context_.queue().enqueueNDRangeKernel(
                  kernel, cl::NDRange(0, done * step, device().cpu ? 1 : 0),
                  cl::NDRange(columns, count * step, 1),
                  cl::NDRange(launch.local[0], launch.local[1], 1));
            });
    context_.launched(kernel(), row_work * static_cast<double>(count));
    done += count;
  }
}

}  // namespace sfumato
