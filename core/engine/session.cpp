// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Running recipes tile by tile, and going on when a device does not.
#include "engine/session.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <deque>
#include <thread>

#include "engine/survey.hpp"
#include "gpu/device.hpp"
#include "gpu/program_cache.hpp"
#include "params/suggest.hpp"

namespace sfumato {
namespace {

constexpr double megabyte = 1024.0 * 1024.0;

// Tiles of a CPU device live in our own memory beside the picture: small enough to stay polite.
double default_tile_limit(const DeviceInfo& info) {
  return info.cpu ? 80 * megabyte : 0.6 * static_cast<double>(info.global_memory);
}

double physical_memory() {
  const long pages = ::sysconf(_SC_PHYS_PAGES), size = ::sysconf(_SC_PAGESIZE);
  return pages > 0 && size > 0 ? static_cast<double>(pages) * static_cast<double>(size)
                               : 1024 * megabyte;
}

// "That will take minutes" for the reference: one core does some 4e8 of its operations a second.
double reference_seconds(const Plan& plan) {
  double work = 0;
  for (const PlannedStep& s : plan.steps) work += s.needs.reference_work;
  const double pixels = static_cast<double>(plan.input.rect().area());
  return work * pixels * plan.channels / 4e8 / std::max(1u, std::thread::hardware_concurrency());
}

}  // namespace

Session::Session(SessionOptions options) : options_(std::move(options)) {
  cache_folder_ = options_.cache_folder ? *options_.cache_folder : default_cache_folder();
  if (options_.device.empty()) {
    const char* wish = std::getenv("SFUMATO_DEVICE");
    options_.device = wish != nullptr ? wish : "auto";
  }
}

Session::~Session() = default;

void Session::log(const std::string& line) {
  warnings_.push_back(line);
  if (options_.log) options_.log(line);
}

// The one place where a device's sizes are taken: the same for all of the session's renders.
Target Session::target_for(const DeviceInfo& info) {
  const Form form = options_.form.value_or(info.natural_form());
  auto& tuning = tunings_[info.identity()];
  if (!tuning) tuning = options_.tuning;
  if (!tuning) {
    tuning = std::make_shared<const Tuning>(
        load_tuning(info, form, cache_folder_, [this](const std::string& sentence) {
          if (!damaged_table_told_) log(sentence);
          damaged_table_told_ = true;
        }));
  }
  return target_of(info, form, tuning);
}

// Tiles fit the limit, with room for what was rounded up. A picture that cannot be tiled may take
// more of the device, unless the user set the limit.
MemoryLimits Session::limits_on(const DeviceInfo& info) const {
  if (options_.memory_limit != 0) {
    const auto limit = static_cast<double>(options_.memory_limit);
    return {static_cast<std::size_t>(limit * 1.5), limit, limit};
  }
  const double tile = default_tile_limit(info), share = info.cpu ? 0.5 : 0.9;
  const double all = std::max(tile * 1.5, share * static_cast<double>(info.global_memory));
  return {static_cast<std::size_t>(all), tile, all / 1.25};
}

std::unique_ptr<Backend> Session::open(const DeviceInfo& info) {
  auto device = make_device_backend(info, target_for(info), limits_on(info), cache_folder_,
                                    options_.before_launch);
  std::string why;
  if (!self_test(*device, cache_folder_, why)) {
    throw DeviceError(CL_INVALID_DEVICE, "it failed its self-test: " + why);
  }
  return device;
}

Backend& Session::backend() {
  if (!chosen_) {
    try {
      candidates_ = options_.device == "reference"
                        ? std::vector<DeviceInfo>{}
                        : choose_devices(list_devices(), options_.device);
    } catch (const std::invalid_argument& e) {
      throw EngineError(e.what());
    }
    chosen_ = true;
  }
  while (!backend_) {
    if (candidate_ >= candidates_.size()) {
      backend_ = make_reference_backend(options_.memory_limit != 0
                                            ? static_cast<double>(options_.memory_limit)
                                            : 0.5 * physical_memory());
      break;
    }
    try {
      backend_ = open(candidates_[candidate_]);
    } catch (const DeviceError& e) {
      log(candidates_[candidate_].name + " is not used: " + e.what());
      ++candidate_;
    }
  }
  return *backend_;
}

void Session::prepare() noexcept {
  try {
    const std::lock_guard lock(mutex_);
    backend();
  } catch (...) {
    // render() will meet the same trouble, and has someone to tell
  }
}

bool Session::next_backend(const std::string& why) {
  if (candidate_ >= candidates_.size()) return false;
  const std::string failed = backend_->name();
  backend_.reset();
  ++candidate_;
  log(failed + " failed (" + why + "); going on with " + backend().name());
  return true;
}

Rect Session::required_region(const Recipe& recipe, const PictureFormat& format,
                              const Rect& region) {
  const std::lock_guard lock(mutex_);
  // Rectangles do not depend on what is in the roles: take them as bound.
  Recipe bound = recipe;
  for (Step& step : bound.steps) {
    for (const RoleWish& role : Registry::get().at(step.filter).filter->info().roles) {
      step.values.set(role.parameter, ImageRef{"(bound by the host)", ""});
    }
  }
  const Rect wanted = region.intersected(format.rect());
  if (wanted.empty()) return {};
  // The device may fail between this answer and the render: what the next ones and the reference
  // need is in it.
  std::vector<Target> targets{backend().target(), make_reference_backend(0)->target()};
  for (std::size_t i = candidate_ + 1; i < candidates_.size(); ++i) {
    targets.push_back(target_for(candidates_[i]));
  }
  Rect needed = wanted;
  for (const Target& target : targets) {
    const Plan plan = make_plan(bound, format, format, target);
    // What is decided by the picture's pixels needs all of them, or regions would differ.
    const bool surveys = !plan.steps.empty() && plan.steps.front().wish;
    if (plan.wraps || surveys) return format.rect();
    needed = needed.united(plan.windows(wanted).front());
  }
  return needed;
}

std::vector<std::string> Session::explain(const Recipe& recipe, const PictureFormat& format) {
  const std::lock_guard lock(mutex_);
  const Plan plan =
      plan_within(backend().whole_limit(), backend().target(),
                  [&](const Target& target) { return make_plan(recipe, format, format, target); });
  std::vector<std::string> lines;
  for (const PlannedStep& s : plan.steps) {
    lines.push_back(s.filter().info().id + ": " +
                    (s.wish ? "chosen by the picture's pixels"
                            : s.filter().explain(s.values, s.picture, plan.target)));
  }
  return lines;
}

RenderReport Session::render(const Recipe& recipe, PixelSource& source, PixelSink& sink,
                             const RenderOptions& options) {
  const std::lock_guard lock(mutex_);
  const auto start = std::chrono::steady_clock::now();
  // What was said before, as the device was opened, belongs to this render; nothing to the next.
  struct Forget {
    std::vector<std::string>& warnings;
    ~Forget() { warnings.clear(); }
  } forget{warnings_};
  const PictureFormat& format = source.format();

  // Roles first: what is missing or of another size is said before any work is done.
  Recipe bound = recipe;
  const Roles roles = open_roles(bound, format, options.roles);
  for (const std::string& sentence : roles.warnings) log(sentence);

  Backend* on = &backend();
  Learnings learned;
  const auto plan_on = [&](const Backend& device) {
    return plan_within(device.whole_limit(), device.target(), [&](const Target& target) {
      return make_plan(bound, format, sink.format(), target, options.dither, roles.kernels,
                       learned);
    });
  };
  Plan plan = plan_on(*on);
  if (!plan.steps.empty() && plan.steps.front().wish) {
    learned = survey_picture(plan, source);
    plan = plan_on(*on);
  }
  const Rect region =
      options.region.empty() ? format.rect() : options.region.intersected(format.rect());
  if (plan.wraps) {
    source.keep_all();
    roles.keep_all();
  }
  const Rect needed = plan.wraps ? format.rect() : plan.windows(region).front();
  if (!region.empty()) {
    for (const std::string& sentence : gaps_in(roles, format, needed)) log(sentence);
  }
  const auto say_plan = [&] {
    if (options_.verbose && options_.log) {
      bool sized = false;
      for (const PlannedStep& s : plan.steps) {
        options_.log(s.filter().info().id + ": " +
                     s.filter().explain(s.values, s.picture, plan.target));
        sized = sized || !s.filter().info().tunables.empty();
      }
      if (sized && plan.target.tuning) {
        options_.log("sizes of groups and strips: " +
                     std::string(origin_text(plan.target.tuning->origin())));
      }
    }
    if (plan.target.reference && options_.device != "reference") {
      const double seconds = reference_seconds(plan);
      if (seconds > 1) {
        log("no OpenCL device works here: computing without one, which takes about " +
            std::to_string(static_cast<long>(seconds + 1)) + " s");
      }
    }
  };
  const Backend* announced = nullptr;  // whose plan was said

  RenderReport report;
  const double total = static_cast<double>(std::max<std::int64_t>(1, region.area()));
  double done = 0;
  double shown = 0;
  double part_before = 0, part_size = 0;
  const auto tick = [&](double part) {
    if (!options.progress) return true;
    if (part >= 0) shown = std::max(shown, done / total + (part_before + part_size * part) / total);
    return options.progress(std::min(1.0, shown));
  };

  // A band as wide as the region is put together from narrower tiles where the sink wants bands.
  std::vector<char> band;
  const std::size_t pixel_bytes = sink.format().pixel_bytes();
  const auto deliver = [&](const HostView& pixels) {
    if (!sink.wants_bands() || pixels.region.width() == region.width()) {
      sink.write(pixels);
      return;
    }
    const std::size_t pitch = static_cast<std::size_t>(region.width()) * pixel_bytes;
    band.resize(pitch * static_cast<std::size_t>(pixels.region.height()));
    const Rect whole{region.x0, pixels.region.y0, region.x1, pixels.region.y1};
    const HostView view{band.data(), static_cast<std::ptrdiff_t>(pitch), whole};
    MemorySink(sink.format(), view).write(pixels);
    if (pixels.region.x1 == region.x1) sink.write(view);
  };

  std::deque<Rect> pending;
  const auto retile = [&](const Rect& part) {
    while (true) {
      try {
        const double limit = plan.whole ? on->whole_limit() : on->tile_limit();
        const auto tiles = make_tiles(plan, part, limit, options.forced_tile);
        pending.insert(pending.begin(), tiles.begin(), tiles.end());
        if (on != announced) say_plan();
        announced = on;
        return;
      } catch (const DeviceError& e) {
        // A limit that the user set is not the device's failure.
        if (options_.memory_limit != 0) {
          throw EngineError(std::string(e.what()) + "; raise the limit (--memory)");
        }
        if (on->target().reference) throw EngineError(e.what());
        next_backend(e.what());
        on = &backend();
        plan = plan_on(*on);
      }
    }
  };
  // Rows of tiles already begun stay cut as they are: a failure re-cuts what is left of the region
  // from the failed tile's row on, with what was delivered of that row computed again.
  const auto recut = [&](const Rect& failed) {
    pending.clear();
    band.clear();
    done = static_cast<double>(Rect{region.x0, region.y0, region.x1, failed.y0}.area());
    retile({region.x0, failed.y0, region.x1, region.y1});
  };

  retile(region);
  while (!pending.empty()) {
    const Rect tile = pending.front();
    part_before = 0;
    part_size = static_cast<double>(tile.area());
    on->tick = tick;
    try {
      render_tile(*on, plan, tile, source, roles, options, deliver);
      pending.pop_front();
      done += static_cast<double>(tile.area());
      ++report.tiles;
    } catch (const DeviceError& e) {
      on->tick = nullptr;
      const double smaller = on->tile_limit() / 2;
      if (e.memory() && !plan.whole && options.forced_tile == 0 && smaller >= 4 * megabyte) {
        on->set_tile_limit(smaller);
        log(on->name() + " ran out of memory; going on with smaller tiles");
      } else {
        if (!next_backend(e.what())) throw EngineError(e.what());
        on = &backend();
        plan = plan_on(*on);
      }
      recut(tile);
    } catch (...) {
      on->tick = nullptr;
      throw;
    }
  }
  on->tick = nullptr;
  report.device = on->name();
  report.warnings = warnings_;
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (options.progress) options.progress(1.0);
  return report;
}

void Session::render_tile(Backend& on, const Plan& plan, const Rect& tile, PixelSource& source,
                          const Roles& roles, const RenderOptions& options,
                          const std::function<void(const HostView&)>& take) {
  const std::vector<Rect> windows = plan.windows(tile);
  const Rect picture = plan.input.rect();
  const Rect first = windows.front();
  const auto fill_from = [&](PixelSource& from, const Rect& window) {
    return [&from, window](void* to, std::ptrdiff_t stride) {
      read_window(from, window, from.format().rect(), to, stride);
    };
  };

  const double parts = static_cast<double>(plan.steps.size()) + 2;
  double part = 0;
  const auto outer = on.tick;
  on.warn = [this](const std::string& sentence) {
    if (std::find(warnings_.begin(), warnings_.end(), sentence) == warnings_.end()) log(sentence);
  };
  on.tick = [&](double within) { return outer(within < 0 ? -1.0 : (part + within) / parts); };
  struct Restore {
    Backend& backend;
    const std::function<bool(double)>& tick;
    ~Restore() { backend.tick = tick; }
  } restore{on, outer};

  const BackendImagePtr codes = on.take_codes(first, plan.input, fill_from(source, first));
  PixelState state = plan.steps.empty() ? plan.input_state() : plan.steps.front().state;
  BackendImagePtr image =
      plan.on_codes() ? codes : on.load(codes, plan.input, state, plan.channels);
  bool data = false;
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    part = static_cast<double>(i) + 1;
    if (!on.tick(0)) throw Cancelled();
    const PlannedStep& step = plan.steps[i];
    image = plan.on_codes() ? image : on.convert(image, state, step.state);
    state = step.state;

    BoundRoles bound;
    for (const RoleWish& wish : step.filter().info().roles) {
      PixelSource* role = roles.find(step.index, wish.parameter);
      if (role == nullptr) continue;
      const PictureFormat& f = role->format();
      const PixelState role_state =
          wish.data
              ? PixelState{f.coding, f.alpha}
              : PixelState{state.coding, f.has_alpha() ? AlphaKind::straight : AlphaKind::none};
      const Rect window = stands_alone(wish.parameter) ? f.rect() : windows[i];
      const auto role_codes = on.take_codes(window, f, fill_from(*role, window));
      bound.emplace(wish.parameter, on.load(role_codes, f, role_state, wish.channels));
    }
    const Edge edge(plan.wraps && i == 0 ? windows[0] : picture,
                    plan.wraps && i == 0 ? Border::clamp : step.border);
    BackendImagePtr result = on.run(plan, step, image, edge, windows[i + 1], bound);
    PixelSource* mask = step.masked ? roles.find(step.index, "mask") : nullptr;
    if ((step.mix != 1.0 || mask != nullptr) && !step.gives_data) {
      BackendImagePtr weights;
      if (mask != nullptr) {
        const PictureFormat& f = mask->format();
        const Rect& window = windows[i + 1];
        weights = on.load(on.take_codes(window, f, fill_from(*mask, window)), f,
                          // What is transparent in a mask is as if it were black.
                          {f.coding, f.has_alpha() ? AlphaKind::premultiplied : AlphaKind::none},
                          f.channels == 1 ? 1 : 4);
      }
      result = on.blend(image, result, weights, static_cast<float>(step.mix), state.alpha);
    }
    image = std::move(result);
    data = step.gives_data;
  }
  part = parts - 1;
  // Data is written as it is: its numbers are already what the file is to hold.
  if (data) state = plan.output_state();
  on.store(image, state, tile, plan.output, codes, plan.input, options.dither, take);
}

}  // namespace sfumato
