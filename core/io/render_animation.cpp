// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "io/render_animation.hpp"
#include "engine/movie_frame.hpp"
#include "io/resizing_sink.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <future>
#include <utility>

namespace sfumato {
namespace {

// Whether pictures follow each other in such steps, in seconds, as far as a container's clock can
// tell.
bool is_even(const MovieCount& movie, double step) {
  constexpr double clock = 0.0015;  // some count milliseconds
  const double first = movie.starts.front();
  for (std::size_t i = 0; i < movie.starts.size(); ++i) {
    if (std::abs(movie.starts[i] - first - step * static_cast<double>(i)) > clock) return false;
  }
  return std::abs(movie.end - movie.starts.back() - step) <= clock;
}

// How long each picture is shown if all are shown equally long; else 0.
double step_of(const MovieCount& movie) {
  const std::size_t count = movie.starts.size();
  if (count < 2) return movie.end - movie.starts.front();
  const double mean = (movie.starts.back() - movie.starts.front()) / static_cast<double>(count - 1);
  for (const double step : {movie.rate > 0 ? 1 / movie.rate : 0, mean}) {
    if (step > 0 && is_even(movie, step)) return step;
  }
  return 0;
}

MovieCount times_of(const PictureInfo& info) {
  MovieCount out;
  double start = 0;
  for (const std::int64_t time : info.frame_times) {
    out.starts.push_back(start);
    start += 1e-6 * static_cast<double>(time);
  }
  if (out.starts.empty()) {  // a picture that became one since it was counted
    out.starts.push_back(0);
    start = 1;
  }
  out.pictures = static_cast<std::int64_t>(out.starts.size());
  out.end = start;
  return out;
}

// Most warnings are the same for every picture.
void add_new(std::vector<Message>& to, const std::vector<Message>& warnings) {
  for (const Message& warning : warnings) {
    if (std::find(to.begin(), to.end(), warning) == to.end()) to.push_back(warning);
  }
}

}  // namespace

AnimationRender::AnimationRender(FileJob job, bool is_movie)
    : job_(std::move(job)), is_movie_(is_movie) {
  if (!job_.read.movies) {
    job_.read.movies = std::make_shared<Movies>(MoviePrograms{job_.cancelled, job_.read.contained});
  }
}

void AnimationRender::stop_if_cancelled() const {
  if (job_.cancelled && job_.cancelled()) throw Cancelled();
}

void AnimationRender::pass_on(const std::vector<Message>& warnings) const {
  if (!job_.warn) return;
  for (const Message& warning : warnings) job_.warn(warning);
}

std::unique_ptr<InputPicture> AnimationRender::open(std::int64_t number) const {
  ReadOptions read = job_.read;
  read.cancelled = job_.cancelled;
  read.page = is_movie_ ? 0 : static_cast<int>(number);
  read.frame = is_movie_ ? number : 0;
  auto picture = open_picture(job_.input, read);
  check_version(job_.input, version_);
  return picture;
}

void AnimationRender::open_input() {
  version_ = version_of(job_.input);
  if (is_movie_) times_ = job_.read.movies->count(job_.input);
  first_ = open(1);
  if (!is_movie_) times_ = times_of(first_->info());
  step_ = step_of(times_);
}

void AnimationRender::begin_output() {
  AnimationOptions options;
  options.write = output_options(job_);
  options.loops = is_movie_ ? 1 : first_->info().loops;
  if (is_movie_) options.movie = job_.input;
  options.step = step_;
  options.pictures = pictures();
  options.last_start = times_.starts.back();
  options.last_step = times_.end - times_.starts.back();
  options.contained = job_.read.contained;
  output_ = create_animation(job_.output, options, *first_);
  pass_on(first_->info().warnings);
  pass_on(output_->warnings());
}

// In seconds; of the number after the last one, when that ends.
double AnimationRender::start_of(std::int64_t number) const {
  const auto i = static_cast<std::size_t>(number - 1);
  if (step_ > 0) return times_.starts.front() + step_ * static_cast<double>(i);
  return i < times_.starts.size() ? times_.starts[i] : times_.end;
}

RenderReport AnimationRender::filter(Renderer& renderer) {
  // In turn: one is rendered into while the other is encoded.
  std::array<HeldPicture, 2> results;
  std::array<std::unique_ptr<InputPicture>, 2> inputs;
  std::future<void> encoding;  // waited for first when this ends early
  RenderReport report;
  for (std::int64_t i = 1; i <= pictures(); ++i) {
    stop_if_cancelled();
    const auto turn = static_cast<std::size_t>(i % 2);
    HeldPicture& result = results[turn];
    inputs[turn] = i == 1 ? std::move(first_) : open(i);
    InputPicture& picture = *inputs[turn];
    RenderOptions options = render_options(job_, picture);
    options.progress = [&](double part) {
      const auto done = static_cast<double>(i - 1) + part;
      if (job_.progress) job_.progress(done / static_cast<double>(pictures()));
      return !(job_.cancelled && job_.cancelled());
    };
    if (result.bytes.empty()) result = blank_picture(output_->format());
    MemorySink sink(result.format, result.view());
    std::vector<Message> warnings = std::move(report.warnings);
    const auto resizing = resizing_to(sink, picture.format(), output_options(job_));
    report =
        renderer.render(for_frame(job_.recipe, i), picture, resizing ? *resizing : sink, options);
    add_new(warnings, report.warnings);
    report.warnings = std::move(warnings);
    if (encoding.valid()) encoding.get();
    const double at = start_of(i);
    encoding =
        std::async(std::launch::async, [&, at] { output_->add(picture, result.view(), at); });
  }
  if (encoding.valid()) encoding.get();
  return report;
}

void AnimationRender::commit() {
  stop_if_cancelled();
  if (job_.before_commit) job_.before_commit();
  const std::size_t said = output_->warnings().size();
  output_->commit(start_of(pictures() + 1));
  const auto& warnings = output_->warnings();
  pass_on({warnings.begin() + static_cast<std::ptrdiff_t>(said), warnings.end()});
}

}  // namespace sfumato
