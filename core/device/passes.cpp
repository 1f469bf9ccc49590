// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Launches kernels in pieces short enough to cancel in between.
#include "device/passes.hpp"

#include <algorithm>
#include <cstring>

#include "device/program_cache.hpp"

namespace sfumato {

DeviceContext::DeviceContext(const DeviceInfo& info, Form form, std::size_t memory_limit,
                             std::size_t memory_kept, const std::filesystem::path& cache_folder)
    : info_(info),
      form_(form),
      driver_(open_driver(info, cache_folder)),
      pool_(*driver_, memory_limit, memory_kept),
      pace_((info.cpu ? 1e9 : 2e9) * info.compute_units) {}

DeviceContext::~DeviceContext() = default;

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

std::shared_ptr<DeviceMemory> DeviceContext::table(std::span<const float> values) {
  const std::string_view bytes(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  const std::uint64_t key = fnv1a(bytes);
  auto& entry = tables_[key];
  std::vector<float>& kept = entry.first;
  std::shared_ptr<DeviceMemory>& buffer = entry.second;
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

void DeviceContext::write(DeviceMemory& to, const void* from, std::size_t bytes) {
  driver_->write(to, from, bytes);
  pace_.settled();
}

void DeviceContext::read(const DeviceMemory& from, void* to, std::size_t bytes) {
  driver_->read(from, to, bytes);
  pace_.settled();
}

void DeviceContext::with_mapped(DeviceMemory& memory, std::size_t bytes, Driver::Access access,
                                const std::function<void(void*)>& use) {
  void* mapped = driver_->map(memory, bytes, access);
  pace_.settled();
  try {
    use(mapped);
  } catch (...) {
    driver_->unmap(memory, mapped);
    throw;
  }
  try {
    driver_->unmap(memory, mapped);
  } catch (const DeviceError&) {
    // After a read the data is already delivered and must not be delivered twice; the next call
    // will report the failure.
    if (access != Driver::Access::read) throw;
  }
}

void DeviceContext::finish() {
  driver_->finish();
  pace_.settled();
}

void DeviceContext::check_cancelled() const {
  if (keep_going && !keep_going()) throw Cancelled();
}

void DeviceContext::launch(DeviceKernel& kernel, std::span<const Argument> arguments,
                           const WorkItems& items, double work) {
  // Some drivers return when all is done.
  if (!pace_.busy()) busy_since_ = std::chrono::steady_clock::now();
  driver_->launch(kernel, arguments, items);
  pace_.launched(&kernel, work);
}

void DeviceContext::wait() {
  driver_->finish();
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - busy_since_;
  pace_.waited(spent.count());
  check_cancelled();
}

void Passes::transform(DeviceMemory& data, int width, int height, int batch, bool inverse) {
  context_.finish();
  context_.check_cancelled();
  if (context_.before_launch) context_.before_launch(context_.launches);
  ++context_.launches;
  FourierJob job{width, height, batch, inverse, {}, {}};
  job.take = [this](std::size_t bytes) { return context_.pool().take(bytes); };
  job.between = [this] {
    context_.finish();
    context_.check_cancelled();
  };
  context_.driver().transform(data, job);
}

void Passes::launch_with(const Launch& launch, std::span<const Argument> arguments) {
  DeviceKernel& kernel = context_.driver().kernel(source_, launch.options, launch.kernel);
  context_.check_cancelled();
  if (context_.before_launch) context_.before_launch(context_.launches);
  ++context_.launches;

  const std::size_t step = launch.local[1];
  const std::size_t rows = (launch.global[1] + step - 1) / step;
  const std::size_t columns =
      (launch.global[0] + launch.local[0] - 1) / launch.local[0] * launch.local[0];
  const double row_work = launch.work * static_cast<double>(columns) * static_cast<double>(step);
  // Compute units run side by side, those of GPUs with several groups each.
  const std::size_t across = columns / launch.local[0];
  const std::size_t groups = std::size_t{form() == Form::gpu ? 4u : 1u} * device().compute_units;
  // Rounded up on GPUs, which hide waiting by more groups, but never to a second turn of threads.
  const std::size_t rounded = form() == Form::gpu ? groups + across - 1 : groups;
  const std::size_t together = std::max<std::size_t>(1, rounded / across);
  // Too long for one launch: cut it into pieces and wait for each.
  for (std::size_t done = 0; done < rows;) {
    std::size_t count = context_.pace().fitting(&kernel, row_work, rows - done, together);
    if (device().most_rows > 0) count = std::min(count, device().most_rows);
    if (count == 0) {
      context_.wait();
      continue;
    }
    context_.launch(
        kernel, arguments,
        {{0, done * step}, {columns, (done + count) * step}, {launch.local[0], launch.local[1]}},
        row_work * static_cast<double>(count));
    done += count;
  }
}

}  // namespace sfumato
