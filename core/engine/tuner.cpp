// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The tuner: coordinate descent over each filter's sizes, on a picture that stays on the device.
#include "engine/tuner.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>

#include "device/passes.hpp"
#include "engine/backend.hpp"
#include "filters/registry.hpp"
#include "params/text.hpp"

namespace sfumato {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double clearly_faster = 0.97;
constexpr double longest_ms = 40;  // for one run; slower cases filter fewer rows
constexpr double batch_ms = 2;     // runs between two waits, so that the waiting is not measured

double ms_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

// One case of a size: its values, and the number of rows filtered.
struct Trial {
  Values values;
  int rows = 0;
  int batch = 1;
  std::vector<char> expected;  // the pixels at the original sizes
};

class Workbench {
 public:
  Workbench(const DeviceInfo& info, Form form, const TuneOptions& options)
      : context_(info, form, info.global_memory / 2, info.global_memory / 2, options.cache_folder),
        width_(options.width),
        height_(options.height) {
    if (width_ <= 0 || height_ <= 0) {
      // More than fits in a GPU's caches, and as many groups as a photograph has.
      width_ = info.cpu ? 1600 : 6000;
      height_ = info.cpu ? 1200 : 4000;
      // Small devices hold only a few such pictures and their intermediates.
      while (static_cast<double>(width_) * height_ * 16 * 12 >
             static_cast<double>(info.global_memory)) {
        width_ /= 2;
        height_ /= 2;
      }
    }
    input_ = context_.image({0, 0, width_, height_}, 4);
    fill();
  }

  int width() const { return width_; }
  int height() const { return height_; }
  DeviceContext& context() { return context_; }

  // Sets up a case at the sizes of `tuning`: limits the rows and computes the pixels to compare
  // with.
  Trial prepare(const RegisteredFilter& entry, const TuningCase& words, const Tuning& tuning) {
    const FilterInfo& info = entry.filter->info();
    Trial trial;
    for (const auto& [name, text] : words) set_text(trial.values, info.parameters, name, text);
    trial.values = complete(info.parameters, trial.values);
    trial.rows = height_;
    const PreparedPtr prepared = prepared_with(entry, trial, tuning);
    run(entry, *prepared, trial, 1);
    const double ms = run(entry, *prepared, trial, 1);
    if (ms > longest_ms) {
      trial.rows =
          std::clamp(static_cast<int>(height_ * longest_ms / ms), std::min(64, height_), height_);
    } else {
      trial.batch = std::clamp(static_cast<int>(batch_ms / ms), 1, 64);
    }
    run(entry, *prepared, trial, 1);
    trial.expected = pixels(trial);
    return trial;
  }

  // The shortest time of a run at these sizes, in milliseconds; nullopt if they do not run or give
  // other pixels. Gives up early if far slower than `to_beat` (0: no limit).
  std::optional<double> time(const RegisteredFilter& entry, const Trial& trial,
                             const Tuning& tuning, double to_beat) {
    const PreparedPtr prepared = prepared_with(entry, trial, tuning);
    try {
      run(entry, *prepared, trial, 1);
      if (pixels(trial) != trial.expected) return std::nullopt;
      double best = run(entry, *prepared, trial, trial.batch);
      const auto start = Clock::now();
      for (int i = 0; i < 12 && (i < 3 || ms_since(start) < 60); ++i) {
        if (to_beat != 0 && i > 0 && best > 1.3 * to_beat) break;
        best = std::min(best, run(entry, *prepared, trial, trial.batch));
      }
      return best;
    } catch (const DeviceError&) {
      return std::nullopt;
    }
  }

 private:
  PreparedPtr prepared_with(const RegisteredFilter& entry, const Trial& trial,
                            const Tuning& tuning) {
    Picture picture;
    picture.width = width_;
    picture.height = height_;
    const Target target =
        target_of(context_.info(), context_.form(), std::make_shared<const Tuning>(tuning));
    return entry.filter->prepare(trial.values, picture, target);
  }

  // Mean milliseconds of `count` runs.
  double run(const RegisteredFilter& entry, const PreparedFilter& prepared, const Trial& trial,
             int count) {
    if (output_.plane.height != trial.rows) output_ = context_.image({0, 0, width_, trial.rows}, 4);
    const Edge edge({0, 0, width_, height_}, border_of(trial.values));
    const TileJob job{input_, edge, output_, {}};
    Passes passes(context_, *entry.source);
    context_.finish();
    const auto start = Clock::now();
    for (int i = 0; i < count; ++i) prepared.run(job, passes);
    context_.finish();
    return ms_since(start) / count;
  }

  std::vector<char> pixels(const Trial& trial) {
    const std::size_t row = static_cast<std::size_t>(width_) * 16;
    const std::size_t pitch = static_cast<std::size_t>(output_.plane.stride) * 16;
    std::vector<char> all(pitch * static_cast<std::size_t>(trial.rows));
    context_.read(*output_.buffer, all.data(), all.size());
    // The padding between rows does not count.
    for (std::size_t y = 0; y < static_cast<std::size_t>(trial.rows); ++y) {
      std::memset(all.data() + y * pitch + row, 0, pitch - row);
    }
    return all;
  }

  // Opaque noise with a photograph's contrast.
  void fill() {
    std::vector<float> noise(static_cast<std::size_t>(input_.plane.stride) *
                             static_cast<std::size_t>(height_) * 4);
    std::uint32_t seed = 1;
    for (std::size_t i = 0; i < noise.size(); ++i) {
      seed = seed * 1664525u + 1013904223u;
      noise[i] = i % 4 == 3 ? 1.0f : 0.35f + 0.3f * static_cast<float>(seed >> 8) / 16777216.0f;
    }
    context_.write(*input_.buffer, noise.data(), noise.size() * sizeof(float));
  }

  DeviceContext context_;
  int width_, height_;
  DeviceImage input_, output_;
};

// The times of all cases of one size at one choice; nullopt for a rejected case.
struct Score {
  std::vector<double> ms;
  // Time relative to the other, as a mean of ratios, so that no slow case dominates.
  double against(const Score& other) const {
    double logs = 0;
    for (std::size_t i = 0; i < ms.size(); ++i) logs += std::log(ms[i] / other.ms[i]);
    return std::exp(logs / static_cast<double>(ms.size()));
  }
  double sum() const {
    double all = 0;
    for (const double part : ms) all += part;
    return all;
  }
  void keep_least(const Score& other) {
    for (std::size_t i = 0; i < ms.size(); ++i) ms[i] = std::min(ms[i], other.ms[i]);
  }
};

class SizeSearch {
 public:
  SizeSearch(Workbench& bench, const RegisteredFilter& entry, const Tunable& tunable,
             Tuning& tuning)
      : bench_(bench), entry_(entry), tunable_(tunable), tuning_(tuning) {}

  TunedSize search(const std::vector<std::shared_ptr<Trial>>& trials) {
    const std::string& filter = entry_.filter->info().id;
    const int before = tuning_.at(filter, tunable_, bench_.context().form());
    TunedSize found{filter, tunable_.name, tunable_.help, before, before};
    std::optional<Score> current = score(trials, before, nullptr);
    if (!current) {
      throw DeviceError(
          CL_INVALID_VALUE,
          message({"tuner.own_sizes", "{filter}: it does not run with its present sizes"}, filter));
    }
    int best_choice = before;
    Score best = *current;
    found.timed.emplace_back(before, current->sum());
    for (const int choice : tunable_.choices) {
      if (choice == before) continue;
      const std::optional<Score> tried = score(trials, choice, &*current);
      if (!tried) {
        ++found.refused;
        continue;
      }
      found.timed.emplace_back(choice, tried->sum());
      if (tried->against(best) < 1) {
        best = *tried;
        best_choice = choice;
      }
    }
    if (best_choice != before && best.against(*current) < clearly_faster) {
      // Measured once more, alternately, to rule out luck.
      const std::optional<Score> again = score(trials, before, nullptr);
      if (again) current->keep_least(*again);
      const std::optional<Score> proof = score(trials, best_choice, nullptr);
      // Faster in most cases, and over all of them.
      if (proof && proof->against(*current) < clearly_faster && proof->sum() < current->sum()) {
        found.after = best_choice;
        best.keep_least(*proof);
      }
    }
    tuning_.set(filter, tunable_.name, found.after);
    found.before_ms = current->sum();
    found.after_ms = found.after == before ? found.before_ms : best.sum();
    return found;
  }

 private:
  std::optional<Score> score(const std::vector<std::shared_ptr<Trial>>& trials, int choice,
                             const Score* to_beat) {
    Tuning trial_sizes = tuning_;
    trial_sizes.set(entry_.filter->info().id, tunable_.name, choice);
    Score score;
    for (std::size_t i = 0; i < trials.size(); ++i) {
      const auto ms = bench_.time(entry_, *trials[i], trial_sizes, to_beat ? to_beat->ms[i] : 0);
      if (!ms) return std::nullopt;
      score.ms.push_back(*ms);
    }
    return score;
  }

  Workbench& bench_;
  const RegisteredFilter& entry_;
  const Tunable& tunable_;
  Tuning& tuning_;
};

}  // namespace

std::vector<std::string> tunable_filters(Form form) {
  std::vector<std::string> ids;
  for (const RegisteredFilter& f : Registry::get().all()) {
    const auto& tunables = f.filter->info().tunables;
    if (std::any_of(tunables.begin(), tunables.end(),
                    [&](const Tunable& t) { return t.otherwise(form) != 0; })) {
      ids.push_back(f.filter->info().id);
    }
  }
  return ids;
}

TuneResult tune(const DeviceInfo& info, const TuneOptions& options) {
  const auto start = Clock::now();
  TuneResult result;
  result.device = info.name;
  result.form = options.form.value_or(info.natural_form());

  struct Task {
    const RegisteredFilter* entry;
    const Tunable* tunable;
  };
  std::vector<Task> tasks;
  for (const std::string& id :
       options.filters.empty() ? tunable_filters(result.form) : options.filters) {
    const RegisteredFilter& entry = Registry::get().at(id);
    for (const Tunable& t : entry.filter->info().tunables) {
      if (t.otherwise(result.form) != 0) tasks.push_back({&entry, &t});
    }
  }

  bool found = false;
  Tuning tuning(TuningOrigin::shipped,
                {{}, shipped_sizes(shipped_tuning_table(), info, result.form, &found)});
  Workbench bench(info, result.form, options);
  result.width = bench.width();
  result.height = bench.height();
  std::string what;
  double part = 0;
  bench.context().keep_going = [&] { return !options.progress || options.progress(part, what); };
  // Cases shared by several sizes of a filter are set up once.
  std::map<std::pair<std::string, TuningCase>, std::shared_ptr<Trial>> trials;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const auto& [entry, tunable] = tasks[i];
    const std::string& id = entry->filter->info().id;
    part = static_cast<double>(i) / static_cast<double>(tasks.size());
    what = id + " " + tunable->name;
    bench.context().check_cancelled();
    std::vector<std::shared_ptr<Trial>> of_size;
    for (const TuningCase& words : tunable->cases) {
      auto& trial = trials[{id, words}];
      if (!trial) trial = std::make_shared<Trial>(bench.prepare(*entry, words, tuning));
      of_size.push_back(trial);
    }
    result.sizes.push_back(SizeSearch(bench, *entry, *tunable, tuning).search(of_size));
    result.values[id][tunable->name] = result.sizes.back().after;
  }
  result.seconds = ms_since(start) / 1e3;
  return result;
}

}  // namespace sfumato
