// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Launching kernels in pieces short enough to cancel between.
#include "gpu/passes.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>

#include "gpu/fft.hpp"

namespace sfumato {
namespace {

constexpr double piece_seconds = 0.03;  // aimed at; the promise to the user is 0.1

cl::Context make_context(const DeviceInfo& info) {
  return checked("opening " + info.name, [&] { return cl::Context(info.handle); });
}

}  // namespace

DeviceContext::DeviceContext(const DeviceInfo& info, Form form, std::size_t memory_limit,
                             std::size_t memory_kept, std::filesystem::path cache_folder)
    : rate(info.cpu ? 1e9 * info.compute_units : 2e9 * info.compute_units),
      info_(info),
      form_(form),
      context_(make_context(info)),
      queue_(checked("opening a queue on " + info.name,
                     [&] { return cl::CommandQueue(context_, info.handle); })),
      programs_(context_, info, std::move(cache_folder)),
      pool_(context_, memory_limit, memory_kept) {}

DeviceContext::~DeviceContext() {
  // Buffers may still be read by launches under way; a driver's complaint here helps nobody.
  clFinish(queue_());
}

FftCache& DeviceContext::ffts() {
  if (!ffts_) ffts_ = std::make_unique<FftCache>(context_, info_, queue_, pool_);
  return *ffts_;
}

DeviceImage DeviceContext::image(const Rect& rect, int channels) {
  DeviceImage out;
  out.channels = channels;
  out.plane = {rect.x0, rect.y0, rect.width(), rect.height(), (rect.width() + 15) / 16 * 16, 0};
  // One vector beyond the last row: wide loads may run over the end of a row.
  const std::size_t pixels =
      static_cast<std::size_t>(out.plane.stride) * static_cast<std::size_t>(rect.height()) + 16;
  out.buffer = pool_.take(pixels * static_cast<std::size_t>(channels) * sizeof(float));
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
  if (tables_.size() > 256) {  // sliders make many; none is dear
    tables_.clear();
    return table(values);
  }
  kept.assign(values.begin(), values.end());
  buffer = pool_.take(std::max<std::size_t>(values.size_bytes(), 4));
  checked("writing a table", [&] {
    queue_.enqueueWriteBuffer(*buffer, CL_TRUE, 0, values.size_bytes(), values.data());
  });
  return buffer;
}

void DeviceContext::finish() {
  checked("waiting for " + info_.name, [&] { queue_.finish(); });
}

void Passes::set_raw(const Launch& launch, cl::Kernel& kernel, cl_uint index, std::size_t size,
                     const void* value) {
  const cl_int status = clSetKernelArg(kernel(), index, size, value);
  if (status != CL_SUCCESS) {
    throw DeviceError(status, launch.kernel + ": argument " + std::to_string(index) + " (" +
                                  status_name(status) + ")");
  }
}

void Passes::launch_with(const Launch& launch, const std::vector<Argument>& arguments) {
  cl::Kernel& kernel = context_.programs().kernel(source_, launch.options, launch.kernel);
  cl_uint index = 0;
  for (const Argument& a : arguments) {
    set_raw(launch, kernel, index++, a.local != 0 ? a.local : a.bytes.size(),
            a.local != 0 ? nullptr : a.bytes.data());
  }
  enqueue(launch, kernel);
}

void Passes::enqueue(const Launch& launch, cl::Kernel& kernel) {
  using clock = std::chrono::steady_clock;
  if (context_.keep_going && !context_.keep_going()) throw Cancelled();
  if (context_.before_launch) context_.before_launch(context_.launches);
  ++context_.launches;

  const std::size_t step = launch.local[1];
  const std::size_t rows = (launch.global[1] + step - 1) / step;
  const std::size_t columns =
      (launch.global[0] + launch.local[0] - 1) / launch.local[0] * launch.local[0];
  const double row_work = launch.work * static_cast<double>(columns) * static_cast<double>(step);
  const auto run = [&](std::size_t first, std::size_t count) {
    checked(launch.kernel, [&] {
      context_.queue().enqueueNDRangeKernel(kernel, cl::NDRange(0, first * step),
                                            cl::NDRange(columns, count * step),
                                            cl::NDRange(launch.local[0], launch.local[1]));
    });
  };
  if (row_work * static_cast<double>(rows) < context_.rate * piece_seconds) {
    run(0, rows);
    return;
  }
  // Too long for one launch: pieces, each waited for and timed. A CPU device wants several groups
  // at once, so a piece holds at least as many rows as the device has units for one column.
  std::size_t done = 0;
  context_.finish();
  while (done < rows) {
    const double fit = context_.rate * piece_seconds / row_work;
    const std::size_t count =
        std::clamp<std::size_t>(static_cast<std::size_t>(fit), 1, rows - done);
    const auto start = clock::now();
    run(done, count);
    context_.finish();
    const double seconds = std::chrono::duration<double>(clock::now() - start).count();
    const double measured = row_work * static_cast<double>(count) / std::max(seconds, 1e-6);
    // The first launch of a kernel may include compiling it: never fall more than fourfold at once.
    context_.rate = std::clamp(measured, context_.rate / 4, context_.rate * 4);
    done += count;
    if (context_.keep_going && !context_.keep_going()) throw Cancelled();
  }
}

}  // namespace sfumato
