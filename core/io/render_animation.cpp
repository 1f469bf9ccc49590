// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "io/render_animation.hpp"

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
  if (count < 2) return 0;
  const double mean = (movie.starts.back() - movie.starts.front()) / static_cast<double>(count - 1);
  for (const double step : {movie.rate > 0 ? 1 / movie.rate : 0, mean}) {
    if (step > 0 && is_even(movie, step)) return step;
  }
  return 0;
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
  if (!job_.read.movies && is_movie_) {
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
  return open_picture(job_.input, read);
}

void AnimationRender::open_input() {
  if (is_movie_) movie_ = job_.read.movies->count(job_.input);
  first_ = open(1);
  pictures_ = is_movie_ ? movie_.pictures : std::max(1, first_->info().pages);
}

void AnimationRender::begin_output() {
  AnimationOptions options;
  options.write = output_options(job_);
  options.loops = is_movie_ ? 1 : first_->info().loops;
  if (is_movie_) options.movie = job_.input;
  options.step = step_ = is_movie_ ? step_of(movie_) : 0;
  options.contained = job_.read.contained;
  output_ = create_animation(job_.output, options, *first_);
  pass_on(first_->info().warnings);
  pass_on(output_->warnings());
}

double AnimationRender::seconds_of(const InputPicture& picture, std::int64_t number) const {
  if (!is_movie_) return 1e-3 * std::max(1, picture.info().milliseconds);
  if (step_ > 0) return step_;
  const auto next = static_cast<std::size_t>(number);
  const double end = next < movie_.starts.size() ? movie_.starts[next] : movie_.end;
  return end - movie_.starts[next - 1];
}

RenderReport AnimationRender::filter(Renderer& renderer) {
  // In turn: one is rendered into while the other is encoded.
  std::array<HeldPicture, 2> results;
  std::array<std::unique_ptr<InputPicture>, 2> pictures;
  std::future<void> encoding;  // waited for first when this ends early
  RenderReport report;
  double start = is_movie_ ? movie_.starts.front() : 0;
  for (std::int64_t i = 1; i <= pictures_; ++i) {
    stop_if_cancelled();
    const auto turn = static_cast<std::size_t>(i % 2);
    HeldPicture& result = results[turn];
    pictures[turn] = i == 1 ? std::move(first_) : open(i);
    InputPicture& picture = *pictures[turn];
    RenderOptions options = render_options(job_, picture);
    options.progress = [&](double part) {
      const auto done = static_cast<double>(i - 1) + part;
      if (job_.progress) job_.progress(done / static_cast<double>(pictures_));
      return !(job_.cancelled && job_.cancelled());
    };
    if (result.bytes.empty()) result = blank_picture(output_->format());
    MemorySink sink(result.format, result.view());
    std::vector<Message> warnings = std::move(report.warnings);
    report = renderer.render(job_.recipe, picture, sink, options);
    add_new(warnings, report.warnings);
    report.warnings = std::move(warnings);
    if (encoding.valid()) encoding.get();
    const double at = start;
    encoding =
        std::async(std::launch::async, [&, at] { output_->add(picture, result.view(), at); });
    start += seconds_of(picture, i);
  }
  if (encoding.valid()) encoding.get();
  end_ = start;
  return report;
}

void AnimationRender::commit() {
  stop_if_cancelled();
  if (job_.before_commit) job_.before_commit();
  const std::size_t said = output_->warnings().size();
  output_->commit(end_);
  const auto& warnings = output_->warnings();
  pass_on({warnings.begin() + static_cast<std::ptrdiff_t>(said), warnings.end()});
}

}  // namespace sfumato
