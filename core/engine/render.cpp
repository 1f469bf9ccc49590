// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// One render of a session: surveys the picture for steps that need it, then runs the recipe tile by
// tile, and falls back when a device fails.
#include <algorithm>
#include <chrono>
#include <deque>

#include "engine/session.hpp"
#include "engine/survey.hpp"
#include "image/processors.hpp"
#include "image/vector_state.hpp"

namespace sfumato {
namespace {

constexpr double smallest_tile = 4.0 * 1024 * 1024;  // bytes

// Estimated duration on the reference, for the warning that it will take minutes.
double reference_seconds(const Plan& plan) {
  double work = 0;
  for (const PlannedStep& s : plan.steps) work += s.needs.reference_work;
  const double pixels = static_cast<double>(plan.input.rect().area());
  return work * pixels * plan.channels / reference_speed / compute_threads();
}

FillRows rows_of(PixelSource& from, const Rect& window) {
  return [&from, window](void* to, std::ptrdiff_t stride) {
    read_window(from, window, from.format().rect(), to, stride);
  };
}

}  // namespace

class Session::Render {
 public:
  /// `recipe` has its roles bound; `surveyed` holds the survey results of its steps so far.
  Render(Session& session, const Recipe& recipe, const Roles& roles, PixelSource& source,
         PixelSink& sink, const RenderOptions& options, SurveyResults surveyed = {});

  /// Runs the surveys that steps need, each after the steps before it.
  void look();
  /// One sentence for each role that lacks pixels the region needs.
  std::vector<Message> gaps() const;
  /// Computes the region and passes it to the sink.
  void run();

  int tiles() const { return tiles_; }
  /// How each step is computed, one line each.
  std::vector<Message> methods() const;

 private:
  Plan make() const;
  PixelState first_state() const {
    return plan_.steps.empty() ? plan_.input_state() : plan_.steps.front().taken;
  }
  double tile_limit() const { return std::max(on_->tile_limit(), raised_); }
  std::shared_ptr<const SurveyResult> survey_after_earlier_steps(const PlannedStep& step);
  void check_cancelled();
  void say_plan();
  void announce_rows();
  void retile(const Rect& part);
  void recut(const Rect& failed);
  void give_way(const DeviceError& error);
  void replace_device(const Message& why);
  bool tick(double part);
  void deliver(const HostView& pixels);
  void run_tile(const Rect& tile);
  LoadedInput load_input(const Rect& window);
  // The image between two steps.
  struct StepImage {
    BackendImagePtr pixels;
    PixelState state;
  };
  // Runs a step on `from`, its window, and leaves its result for `to` in `image`.
  void run_step(std::size_t i, const Rect& from, const Rect& to, StepImage& image);
  BoundRoles load_roles(const PlannedStep& step, const Rect& window);
  BackendImagePtr load_mask(PixelSource& mask, const Rect& window);

  Session& session_;
  const Recipe& recipe_;
  const Roles& roles_;
  PixelSource& source_;
  PixelSink& sink_;
  const RenderOptions& options_;
  SurveyResults surveyed_;
  Backend* on_;
  Plan plan_;
  Rect region_;
  std::deque<Rect> pending_;
  std::vector<char> band_;              // a row of tiles, for sinks that need whole bands
  const Backend* announced_ = nullptr;  // the backend whose plan was logged
  bool quiet_ = false;                  // part of another render, which logs the plan
  double raised_ = 0;                   // tile limit in bytes where the device's own is too small
  bool keep_input_ = true;              // there is memory to spare
  double limit_ = 0;                    // of the tiles being computed, in bytes
  int tiles_ = 0;
  // Progress: the surveys' share; pixels done; pixels of the current tile; last value shown.
  double surveyed_share_ = 0, done_ = 0, tile_size_ = 0, shown_ = 0;
};

Session::Render::Render(Session& session, const Recipe& recipe, const Roles& roles,
                        PixelSource& source, PixelSink& sink, const RenderOptions& options,
                        SurveyResults surveyed)
    : session_(session),
      recipe_(recipe),
      roles_(roles),
      source_(source),
      sink_(sink),
      options_(options),
      surveyed_(std::move(surveyed)),
      on_(&session.backend()),
      plan_(make()) {
  const Rect picture = source.format().rect();
  region_ = options.region.empty() ? picture : options.region.intersected(picture);
}

Plan Session::Render::make() const {
  return plan_within(on_->whole_limit(), on_->target(), [&](const Target& target) {
    return make_plan(recipe_, source_.format(), sink_.format(), target,
                     {options_.dither, roles_.kernels, surveyed_, &session_.prepared_});
  });
}

void Session::Render::look() {
  while (const PlannedStep* step = plan_.survey()) {
    if (step == &plan_.steps.front()) {
      surveyed_.merge(survey_picture(plan_, source_, [this] { check_cancelled(); }));
    } else {
      surveyed_.emplace(step->index, survey_after_earlier_steps(*step));
    }
    on_ = &session_.backend();  // a different one if a device failed on the way
    plan_ = make();
  }
}

std::shared_ptr<const SurveyResult> Session::Render::survey_after_earlier_steps(
    const PlannedStep& step) {
  const PlannedStep& before = *(&step - 1);
  const auto steps_before = static_cast<double>(&step - plan_.steps.data());
  const double share = (1 - surveyed_share_) * steps_before /
                       (steps_before + static_cast<double>(plan_.steps.size()));
  Recipe first = recipe_;
  first.steps.resize(static_cast<std::size_t>(step.index));
  PictureFormat format = plan_.input;
  format.type = SampleType::f32;
  format.channels = plan_.channels == 1 ? 1 : format.has_alpha() ? 4 : 3;
  format.alpha = before.state.alpha;
  format.coding = before.state.coding;
  RenderOptions options = options_;
  options.region = {};
  options.dither = false;
  if (options_.progress) {
    options.progress = [&](double part) {
      return options_.progress(surveyed_share_ + share * part);
    };
  }
  keep_if_small(source_);
  SurveySink samples(format, *step.request);
  Render before_it(session_, first, roles_, source_, samples, options, surveyed_);
  before_it.quiet_ = true;
  before_it.run();
  shown_ = surveyed_share_ += share;
  return survey_step(step, samples, plan_.channels, [this] { check_cancelled(); });
}

std::vector<Message> Session::Render::gaps() const {
  if (region_.empty()) return {};
  const Rect needed = plan_.wraps ? source_.format().rect() : plan_.windows(region_).front();
  return gaps_in(roles_, source_.format(), needed);
}

// Lets the user cancel while nothing runs on the device.
void Session::Render::check_cancelled() {
  if (!tick(-1)) throw Cancelled();
}

std::vector<Message> Session::Render::methods() const {
  std::vector<Message> lines;
  for (const PlannedStep& s : plan_.steps) lines.push_back(s.explained());
  return lines;
}

void Session::Render::say_plan() {
  if (quiet_ || announced_ == on_) return;
  announced_ = on_;
  const SessionOptions& session = session_.options_;
  if (session.verbose && session.log) {
    bool sized = false;
    for (const PlannedStep& s : plan_.steps) {
      if (!s.method().empty()) session.log(s.explained());
      sized = sized || !s.filter().info().tunables.empty();
    }
    if (sized && plan_.target.tuning) {
      session.log(message({"tuning.origin", "sizes of groups and strips: {origin}"},
                          origin_message(plan_.target.tuning->origin())));
    }
  }
  if (plan_.target.reference && session.device != "reference") {
    const double seconds = reference_seconds(plan_);
    if (seconds > 1) {
      session_.log(message({"device.none_can",
                            "no OpenCL device can compute this: going on without one, which takes "
                            "about {seconds} s"},
                           static_cast<long>(seconds + 1)));
    }
  }
}

void Session::Render::replace_device(const Message& why) {
  if (!session_.next_backend(why)) throw EngineError(why);
  on_ = &session_.backend();
  announced_ = nullptr;
  plan_ = make();
  raised_ = 0;
}

void Session::Render::retile(const Rect& part) {
  while (true) {
    const double most = std::min(on_->whole_limit(), session_.ceiling_);
    try {
      const auto across = static_cast<double>(session_.options_.preferred_band);
      limit_ = plan_.whole ? on_->whole_limit() : tile_limit();
      limit_ = limit_beside_halos(plan_, part, limit_, std::min(session_.most_for_halos(), most),
                                  across, options_.streamed);
      const auto tiles =
          make_tiles(plan_, part, limit_, options_.forced_tile, across, options_.streamed);
      pending_.insert(pending_.begin(), tiles.begin(), tiles.end());
      return;
    } catch (const DeviceError& e) {
      // A limit set by the user is not the device's failure.
      if (session_.options_.memory_limit != 0) {
        const double needed =
            plan_.whole ? plan_.tile_bytes(part.width(), part.height()) : plan_.tile_bytes(16, 16);
        throw EngineError(session_.with_advice(e.message(), needed));
      }
      // Tiles are small only out of politeness: larger ones come before another device.
      if (!plan_.whole && tile_limit() < most) {
        raised_ = std::min(2 * tile_limit(), most);
        continue;
      }
      if (on_->target().reference) throw EngineError(e.message());
      replace_device(e.message());
    }
  }
}

// Rows of tiles already started keep their cuts: after a failure the region is cut again from the
// failed tile's row on, recomputing the tiles of that row already delivered.
void Session::Render::recut(const Rect& failed) {
  pending_.clear();
  band_.clear();
  done_ = static_cast<double>(Rect{region_.x0, region_.y0, region_.x1, failed.y0}.area());
  retile({region_.x0, failed.y0, region_.x1, region_.y1});
}

void Session::Render::give_way(const DeviceError& error) {
  keep_input_ = false;
  if (session_.loaded_.clear() && error.memory()) return;
  const double smaller = limit_ / 2;
  const bool can_shrink = !plan_.whole && options_.forced_tile == 0 && smaller >= smallest_tile;
  if (error.memory() && can_shrink) {
    if (smaller < on_->tile_limit()) on_->set_tile_limit(smaller);
    session_.ceiling_ = smaller;
    raised_ = 0;
    session_.log(
        message({"device.smaller_tiles", "{device} ran out of memory; going on with smaller tiles"},
                on_->name()));
  } else {
    replace_device(error.message());
  }
}

bool Session::Render::tick(double part) {
  if (!options_.progress) return true;
  const double all = static_cast<double>(std::max<std::int64_t>(1, region_.area()));
  if (part >= 0) {
    shown_ = std::max(shown_,
                      surveyed_share_ + (1 - surveyed_share_) * (done_ + tile_size_ * part) / all);
  }
  return options_.progress(std::min(1.0, shown_));
}

// Assembles a band as wide as the region from narrower tiles if the sink wants bands.
void Session::Render::deliver(const HostView& pixels) {
  if (!sink_.wants_bands() || pixels.region.width() == region_.width()) {
    sink_.write(pixels);
    return;
  }
  const std::size_t pitch =
      static_cast<std::size_t>(region_.width()) * sink_.format().pixel_bytes();
  band_.resize(pitch * static_cast<std::size_t>(pixels.region.height()));
  const Rect whole{region_.x0, pixels.region.y0, region_.x1, pixels.region.y1};
  const HostView view{band_.data(), static_cast<std::ptrdiff_t>(pitch), whole};
  MemorySink(sink_.format(), view).write(pixels);
  if (pixels.region.x1 == region_.x1) sink_.write(view);
}

// Of a picture of one tile, or before a survey is done, the rows held may be rendered again.
void Session::Render::announce_rows() {
  if (quiet_) return;
  if (pending_.size() > 1) {
    source_.expect(plan_.windows(pending_[1]).front());
  } else if (tiles_ > 0) {
    source_.expect({});
  }
}

void Session::Render::run() {
  if (plan_.wraps) {
    source_.keep_all();
    roles_.keep_all();
  }
  retile(region_);
  while (!pending_.empty()) {
    say_plan();
    const Rect tile = pending_.front();
    tile_size_ = static_cast<double>(tile.area());
    announce_rows();
    try {
      run_tile(tile);
      pending_.pop_front();
      done_ += tile_size_;
      ++tiles_;
    } catch (const DeviceError& e) {
      give_way(e);
      recut(tile);
    }
  }
}

BoundRoles Session::Render::load_roles(const PlannedStep& step, const Rect& window) {
  BoundRoles bound;
  for (const RoleInfo& request : step.filter().info().roles) {
    PixelSource* role = roles_.find(step.index, request.parameter);
    if (role == nullptr) continue;
    const PictureFormat& f = role->format();
    const AlphaKind alpha = f.has_alpha() ? AlphaKind::straight : AlphaKind::none;
    const PixelState state =
        request.data ? PixelState{f.coding, f.alpha} : PixelState{step.state.coding, alpha};
    const Rect held = request.aligned ? window : f.rect();
    const auto samples = on_->take_samples(held, f, rows_of(*role, held));
    bound.emplace(request.parameter, on_->load(samples, f, state, request.channels));
  }
  return bound;
}

BackendImagePtr Session::Render::load_mask(PixelSource& mask, const Rect& window) {
  const PictureFormat& f = mask.format();
  // Transparent parts of a mask count as black.
  const AlphaKind alpha = f.has_alpha() ? AlphaKind::premultiplied : AlphaKind::none;
  return on_->load(on_->take_samples(window, f, rows_of(mask, window)), f, {f.coding, alpha},
                   f.channels == 1 ? 1 : 4);
}

// Only the input of a single tile is kept: those of many would replace one another.
LoadedInput Session::Render::load_input(const Rect& window) {
  const bool kept = keep_input_ && !on_->target().reference && source_.content() != 0 &&
                    tiles_ == 0 && pending_.size() == 1;
  LoadedInputs::Key key{source_.content(), window, plan_.input, {}, plan_.channels, false};
  key.with_samples = keeps_hidden_color(plan_.input, plan_.output);
  if (!plan_.on_samples()) key.state = first_state();
  if (kept) {
    if (const LoadedInput* found = session_.loaded_.find(key)) return *found;
  }
  LoadedInput input;
  input.pixels = on_->take_samples(window, plan_.input, rows_of(source_, window));
  if (!plan_.on_samples()) {
    if (key.with_samples) input.samples = input.pixels;
    input.pixels = on_->load(input.pixels, plan_.input, first_state(), plan_.channels);
  }
  if (kept) session_.loaded_.keep(key, input);
  return input;
}

void Session::Render::run_tile(const Rect& tile) {
  Backend& on = *on_;
  const std::vector<Rect> windows = plan_.windows(tile);
  const Rect first = windows.front();

  const double parts = static_cast<double>(plan_.steps.size()) + 2;
  double part = 0;
  on.warn = [this](const Message& sentence) { session_.log_once(sentence); };
  on.tick = [&](double within) { return tick(within < 0 ? -1.0 : (part + within) / parts); };
  const struct Ticking {
    Backend& backend;
    ~Ticking() { backend.tick = nullptr; }
  } ticking{on};

  LoadedInput input = load_input(first);
  StepImage image{std::move(input.pixels), first_state()};
  for (std::size_t i = 0; i < plan_.steps.size(); ++i) {
    part = static_cast<double>(i) + 1;
    if (!on.tick(0)) throw Cancelled();
    run_step(i, windows[i], windows[i + 1], image);
  }
  part = parts - 1;
  on.store(image.pixels, image.state, tile, plan_.output, input.samples, plan_.input,
           options_.dither, [this](const HostView& pixels) { deliver(pixels); });
}

void Session::Render::run_step(std::size_t i, const Rect& from, const Rect& to, StepImage& image) {
  Backend& on = *on_;
  const PlannedStep& step = plan_.steps[i];
  BackendImagePtr before =
      plan_.on_samples() ? image.pixels : on.convert(image.pixels, image.state, step.taken);
  image.state = step.state;

  const bool wraps = plan_.wraps && i == 0;
  const Edge edge(wraps ? from : plan_.input.rect(), wraps ? Border::clamp : step.border);
  image.pixels = on.run(plan_, step, before, edge, to, load_roles(step, from));
  PixelSource* mask = step.masked ? roles_.find(step.index, "mask") : nullptr;
  // Data from the last step is written as is, since it already holds the file's numbers; it is
  // blended with the numbers that the file would hold of the picture.
  if (step.gives_data && i + 1 == plan_.steps.size()) {
    if (step.blends()) before = on.convert(before, image.state, plan_.output_state());
    image.state = plan_.output_state();
  }
  if (step.blends()) {
    image.pixels = on.blend(before, image.pixels, mask != nullptr ? load_mask(*mask, to) : nullptr,
                            static_cast<float>(step.mix), image.state.alpha);
  }
}

RenderReport Session::render(const Recipe& recipe, PixelSource& source, PixelSink& sink,
                             const RenderOptions& options) {
  const std::lock_guard lock(mutex_);
  reset_vector_state();
  const auto start = std::chrono::steady_clock::now();
  // Messages from opening the device belong to this render and not to the next.
  struct WarningsReset {
    std::vector<Message>& warnings;
    ~WarningsReset() { warnings.clear(); }
  } forget{warnings_};

  // Roles first, so that a missing or wrong-sized one is reported before any work is done.
  Recipe bound = recipe;
  const Roles roles = open_roles(bound, source.format(), options.roles);
  for (const Message& sentence : roles.warnings) log(sentence);

  Render render(*this, bound, roles, source, sink, options);
  render.look();
  for (const Message& sentence : render.gaps()) log(sentence);
  render.run();

  RenderReport report;
  report.device = backend().name();
  report.tiles = render.tiles();
  report.warnings = warnings_;
  report.methods = render.methods();
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (options.progress) options.progress(1.0);
  return report;
}

}  // namespace sfumato
