// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Executes planned passes.
#include "filters/shared/run_plan.hpp"

#include <algorithm>
#include <span>
#include <type_traits>

namespace sfumato {

PlanDevice plan_device(const Target& target) {
  PlanDevice device;
  device.cpu = target.form == Form::cpu;
  device.nvidia = target.device.find("NVIDIA") != std::string::npos;
  device.built_in = target.built_in;
  device.compute_units = target.compute_units;
  device.local_memory = target.local_memory;
  device.images = target.images;
  return device;
}

PixelStorage pixel_storage(const Picture& picture) {
  if (picture.samples == StoredSamples::none) return PixelStorage::f32;
  return picture.samples_packed3 ? PixelStorage::u8_packed3 : PixelStorage::u8;
}

std::size_t scratch_bytes(const PassPlan& plan) {
  std::size_t bytes = 0;
  for (const PlannedScratch& s : plan.scratch) {
    bytes += s.image ? static_cast<std::size_t>(s.width) * static_cast<std::size_t>(s.height) * 16
                     : s.floats * sizeof(float);
  }
  return bytes;
}

std::shared_ptr<const PassPlan> TilePlans::of(const TileJob& job,
                                              const std::function<PassPlan()>& lay) const {
  const Plane &input = job.input.plane, &output = job.output.plane;
  const auto find = [&]() -> std::shared_ptr<const PassPlan> {
    for (const Entry& e : entries_) {
      if (e.input == input && e.output == output && e.edge == job.edge) return e.plan;
    }
    return nullptr;
  };
  {
    const std::lock_guard lock(mutex_);
    if (auto known = find()) return known;
  }
  auto plan = std::make_shared<const PassPlan>(lay());
  const std::lock_guard lock(mutex_);
  if (auto known = find()) return known;
  if (entries_.size() >= most) entries_.clear();
  entries_.push_back({input, output, job.edge, plan});
  return plan;
}

void run_pass_plan(const PassPlan& plan, const TileJob& job, Passes& passes, double work,
                   const DeviceImage& base) {
  std::vector<std::shared_ptr<DeviceMemory>> scratch(plan.scratch.size());
  for (std::size_t i = 0; i < plan.scratch.size(); ++i) {
    const PlannedScratch& s = plan.scratch[i];
    scratch[i] =
        s.image ? passes.image(s.width, s.height) : passes.buffer(s.floats * sizeof(float));
  }
  const auto memory = [&](int id) -> const DeviceMemory* {
    if (id == BufferArg::base) return base.buffer.get();
    if (id == BufferArg::source) return job.input.buffer.get();
    if (id == BufferArg::result) return job.output.buffer.get();
    return scratch[static_cast<std::size_t>(id)].get();
  };
  std::vector<std::shared_ptr<DeviceMemory>> tables;
  for (const std::vector<float>& t : plan.tables) tables.push_back(passes.table(t));

  const auto argument = [&](const auto& a) -> Argument {
    using T = std::decay_t<decltype(a)>;
    if constexpr (std::is_same_v<T, BufferArg>) {
      return Argument::of_memory(memory(a.id));
    } else if constexpr (std::is_same_v<T, ImageArg>) {
      return Argument::of_memory(memory(a.id));
    } else if constexpr (std::is_same_v<T, TableArg>) {
      return Argument::of_memory(tables[static_cast<std::size_t>(a.id)].get());
    } else if constexpr (std::is_same_v<T, ValueArg>) {
      return Argument::of_bytes(
          std::as_bytes(std::span(plan.tables[static_cast<std::size_t>(a.id)])));
    } else if constexpr (std::is_same_v<T, LocalArg>) {
      return Argument::of_local(a.bytes);
    } else {
      return Argument::of(a);
    }
  };
  for (const PlannedPass& pass : plan.passes) {
    std::vector<Argument> arguments;
    for (const PassArg& a : pass.args) arguments.push_back(std::visit(argument, a));
    const double items = static_cast<double>(pass.global[0]) * static_cast<double>(pass.global[1]);
    Launch launch{pass.kernel, pass.options, pass.global, pass.local, 1};
    launch.work = work * static_cast<double>(job.output.plane.rect().area()) / std::max(1.0, items);
    passes.launch_with(launch, arguments);
  }
}

}  // namespace sfumato
