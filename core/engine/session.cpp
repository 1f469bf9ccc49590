// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Runs recipes tile by tile, and falls back when a device fails.
#include "engine/session.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <deque>
#include <iterator>
#include <thread>
#include <utility>

#include "device/device.hpp"
#include "device/program_cache.hpp"
#include "engine/memory.hpp"
#include "engine/start.hpp"
#include "params/suggest.hpp"

namespace sfumato {
namespace {

constexpr double megabyte = 1024.0 * 1024.0;
constexpr std::size_t program_and_decoder = std::size_t{128} << 20;
constexpr std::size_t drivers_and_compilers = std::size_t{384} << 20;

// A CPU device reports the machine's memory. If this process may use less, drivers and their
// compilers take their share first.
double memory_of(const DeviceInfo& info) {
  const auto all = static_cast<double>(info.global_memory);
  if (!info.cpu) return all;
  return std::min(all, static_cast<double>(memory_beside(drivers_and_compilers)));
}

// The most main memory that can be requested.
double most_of_main_memory() {
  return static_cast<double>(memory_beside(drivers_and_compilers)) / bytes_per_stated_byte;
}

// Tiles of a CPU device share main memory with the picture, so they are kept small.
double default_tile_limit(const DeviceInfo& info) {
  return info.cpu ? 80 * megabyte : 0.6 * static_cast<double>(info.global_memory);
}

}  // namespace

Session::Session(SessionOptions options) : options_(std::move(options)) {
  cache_folder_ = options_.cache_folder ? *options_.cache_folder : default_cache_folder();
  if (options_.device.empty()) {
    const char* wanted = std::getenv("SFUMATO_DEVICE");
    options_.device = wanted != nullptr ? wanted : "auto";
  }
}

Session::~Session() = default;

std::unique_ptr<Renderer> make_session(SessionOptions options) {
  return std::make_unique<Session>(std::move(options));
}

std::unique_ptr<Renderer> make_reference_renderer(std::size_t memory_limit) {
  SessionOptions options;
  options.device = "reference";
  options.cache_folder = std::filesystem::path();
  options.memory_limit = memory_limit;
  return make_session(std::move(options));
}

// Advice for a picture that needs this many bytes, more than the user's limit.
Message Session::with_advice(const Message& why, double needed) const {
  const bool main_memory = candidate_ >= candidates_.size() || candidates_[candidate_].cpu;
  if (!main_memory || needed <= most_of_main_memory()) {
    return message({"engine.raise_limit", "{why}; raise the limit (--memory)"}, why);
  }
  return message({"engine.no_more_memory", "{why}; no more memory is available here"}, why);
}

void Session::log(const Message& line) {
  warnings_.push_back(line);
  if (options_.log) options_.log(line);
}

void Session::log_once(const Message& line) {
  if (std::find(warnings_.begin(), warnings_.end(), line) == warnings_.end()) log(line);
}

// The one place where a device's sizes are looked up, so that all renders of a session agree.
Target Session::target_for(const DeviceInfo& info) {
  const Form form = options_.form.value_or(info.natural_form());
  auto& tuning = tunings_[info.identity()];
  if (!tuning) tuning = options_.tuning;
  if (!tuning) {
    tuning = std::make_shared<const Tuning>(
        load_tuning(info, form, cache_folder_, [this](const Message& sentence) {
          if (!damaged_table_reported_) log(sentence);
          damaged_table_reported_ = true;
        }));
  }
  return target_of(info, form, tuning);
}

// The user's limit cannot exceed the memory that exists.
double Session::limit_of_user(bool main_memory) {
  const auto wanted = static_cast<double>(options_.memory_limit);
  const double most = most_of_main_memory();
  if (!main_memory || wanted <= most) return wanted;
  const auto megabytes = [](double bytes) {
    return std::to_string(static_cast<long long>(bytes / megabyte));
  };
  log_once(message({"engine.limit_too_high",
                    "a memory limit of {limit} MB is more than is available here: {most} MB are "
                    "used, since this program may use {all} MB in total"},
                   megabytes(wanted), megabytes(most),
                   megabytes(static_cast<double>(usable_memory()))));
  return most;
}

// Bytes that a tile may take rather than load most pixels many times.
double Session::most_for_halos() const {
  if (options_.preferred_tile != 0) return 0;
  if (options_.most_tile != 0) return static_cast<double>(options_.most_tile);
  return std::numeric_limits<double>::infinity();
}

// Tiles fit the limit with room for rounding. A picture that cannot be tiled, or tiles with large
// halos, may take more of the device, unless the user set the limit.
MemoryLimits Session::limits_on(const DeviceInfo& info) {
  if (options_.memory_limit != 0) {
    const double limit = limit_of_user(info.cpu);
    return {static_cast<std::size_t>(limit * bytes_per_stated_byte), limit, limit};
  }
  double tile = default_tile_limit(info);
  if (info.cpu && options_.preferred_tile != 0) {
    tile = std::min(tile, static_cast<double>(options_.preferred_tile));
  }
  const double share = info.cpu ? 0.5 : 0.9;
  const double all = std::max(tile * bytes_per_stated_byte, share * memory_of(info));
  return {static_cast<std::size_t>(all), tile, all / 1.25};
}

std::unique_ptr<Backend> Session::open(const DeviceInfo& info) {
  auto device = make_device_backend(info, target_for(info), limits_on(info), cache_folder_,
                                    options_.before_launch);
  if (const auto fault = self_test(*device, cache_folder_)) {
    throw DeviceError(CL_INVALID_DEVICE,
                      message({"device.failed_test", "it failed its self-test: {why}"}, *fault));
  }
  return device;
}

void Session::choose() {
  if (chosen_) return;
  for (const Message& note : std::exchange(options_.notes, {})) log(note);
  try {
    if (options_.device != "reference") {
      const std::vector<DeviceInfo> all = list_devices();
      if (const auto why = too_few_descriptors(); why && all.empty()) log(*why);
      candidates_ = choose_devices(all, options_.device);
    }
  } catch (const NoDeviceFits& e) {
    throw EngineError(e.message());
  }
  if (options_.form == Form::gpu) {
    std::erase_if(candidates_, [](const DeviceInfo& info) { return info.built_in; });
  }
  for (DeviceInfo& info : candidates_) {
    if (options_.local_memory != 0) {
      info.local_memory = std::min(info.local_memory, options_.local_memory);
    }
  }
  candidate_ = std::min(candidates_.size(), static_cast<std::size_t>(options_.passed_over));
  chosen_ = true;
}

int Session::device_count() {
  const std::lock_guard lock(mutex_);
  choose();
  return static_cast<int>(candidates_.size());
}

// Whether a device is left, if need be one of OpenCL that the start has set aside.
bool Session::has_candidate() {
  if (candidate_ >= candidates_.size() && built_in_fits(options_.device)) {
    std::vector<DeviceInfo> more = postponed_devices();
    std::move(more.begin(), more.end(), std::back_inserter(candidates_));
  }
  return candidate_ < candidates_.size();
}

Backend& Session::backend() {
  choose();
  while (!backend_) {
    if (!has_candidate()) {
      const double most = options_.memory_limit != 0
                              ? limit_of_user(true)
                              : 0.5 * static_cast<double>(memory_beside(program_and_decoder));
      const auto tile = static_cast<double>(options_.preferred_tile);
      backend_ = make_reference_backend(most, tile > 0 ? std::min(tile, most) : most);
      break;
    }
    try {
      backend_ = open(candidates_[candidate_]);
    } catch (const DeviceError& e) {
      log(message({"device.not_used", "{device} is not used: {why}"},
                  candidates_[candidate_].title(), e.message()));
      ++candidate_;
    }
  }
  return *backend_;
}

void Session::prepare() noexcept {
  try {
    const std::lock_guard lock(mutex_);
    opening_ = true;
    backend();
  } catch (...) {
    // render() will meet the same error and can report it
  }
  opening_ = false;
}

bool Session::next_backend(const Message& why) {
  if (candidate_ >= candidates_.size()) return false;
  const std::string failed = backend_->name();
  loaded_.clear();
  ceiling_ = std::numeric_limits<double>::infinity();
  backend_.reset();
  ++candidate_;
  const std::string name = backend().name();
  const bool is_reference = candidate_ >= candidates_.size();
  const MessageValue next =
      is_reference ? MessageValue(message({"device.reference", "reference (no OpenCL)"}))
                   : MessageValue(name);
  log(message({"device.failed", "{device} failed ({why}); going on with {next}"}, failed, why,
              next));
  return true;
}

Rect Session::required_region(const Recipe& recipe, const PictureFormat& format,
                              const Rect& region) {
  const std::lock_guard lock(mutex_);
  // Rectangles do not depend on the contents of roles: treat them as bound.
  Recipe bound = recipe;
  for (Step& step : bound.steps) {
    for (const RoleInfo& role : Registry::get().at(step.filter).filter->info().roles) {
      step.values.set(role.parameter, ImageRef{"(bound by the host)", ""});
    }
  }
  const Rect wanted = region.intersected(format.rect());
  if (wanted.empty()) return {};
  // The device may fail between this answer and the render, so the answer covers the needs of the
  // next devices and of the reference.
  std::vector<Target> targets{backend().target(), make_reference_backend(0)->target()};
  for (std::size_t i = candidate_ + 1; i < candidates_.size(); ++i) {
    targets.push_back(target_for(candidates_[i]));
  }
  Rect needed = wanted;
  for (const Target& target : targets) {
    const Plan plan = make_plan(bound, format, format, target, {.prepared = &prepared_});
    // Methods chosen by the pixels need all of them, or regions would differ.
    if (plan.wraps || plan.survey() != nullptr) return format.rect();
    needed = needed.united(plan.windows(wanted).front());
  }
  return needed;
}

std::vector<Message> Session::explain(const Recipe& recipe, const PictureFormat& format) {
  const std::lock_guard lock(mutex_);
  const Plan plan =
      plan_within(backend().whole_limit(), backend().target(), [&](const Target& target) {
        return make_plan(recipe, format, format, target, {.prepared = &prepared_});
      });
  std::vector<Message> lines;
  for (const PlannedStep& s : plan.steps) lines.push_back(s.explained());
  return lines;
}

}  // namespace sfumato
