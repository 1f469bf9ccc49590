// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// One slot for the newest frame, and one thread that processes it.
#include "video/video_runner.hpp"

#include <QTransform>

#include "document/fault.hpp"
#include "engine/movie_frame.hpp"
#include "params/core_text.hpp"
#include "preview/preview_pace.hpp"

namespace sfumato::gui {
namespace {

// Clockwise rotation of a frame, in degrees.
int angle_of(const QVideoFrame& frame) {
#if QT_VERSION >= QT_VERSION_CHECK(6, 7, 0)
  return static_cast<int>(frame.rotation());
#else
  return frame.rotationAngle();
#endif
}

constexpr std::chrono::seconds slow_after(2);

// Rotates clockwise by degrees, as the camera was held.
QImage turned(const QImage& image, int degrees) {
  return degrees == 0 ? image : image.transformed(QTransform().rotate(degrees));
}

}  // namespace

VideoRunner::VideoRunner(SessionOptions options, QObject* parent)
    : QObject(parent), session_(open_session(std::move(options))), thread_([this] { work(); }) {}

VideoRunner::~VideoRunner() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

std::unique_ptr<Renderer> VideoRunner::open_session(SessionOptions options) {
  options.log = [this, log = std::move(options.log)](const Message& line) {
    if (log) log(line);
    Q_EMIT warned(core_text(line));
  };
  return make_session(std::move(options));
}

void VideoRunner::show(const QVideoFrame& frame) {
  {
    const std::lock_guard lock(mutex_);
    newest_.frame = frame;
    ++newest_.number;
    waiting_ = true;
  }
  wake_.notify_all();
}

void VideoRunner::forget() {
  const std::lock_guard lock(mutex_);
  newest_.frame = {};
  ++newest_.movie;
  waiting_ = false;
}

void VideoRunner::set_recipe(const Recipe& recipe) {
  {
    const std::lock_guard lock(mutex_);
    newest_.recipe = recipe;
    ++newest_.recipe_number;
    waiting_ = newest_.frame.isValid();
  }
  wake_.notify_all();
}

void VideoRunner::set_session(SessionOptions options) {
  const std::lock_guard lock(mutex_);
  next_session_ = std::move(options);
}

void VideoRunner::work() {
  session_->prepare();
  while (true) {
    Job job;
    std::optional<SessionOptions> other;
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return stop_ || waiting_; });
      if (stop_) return;
      job = newest_;
      waiting_ = false;
      other = std::exchange(next_session_, std::nullopt);
    }
    if (other) session_ = open_session(std::move(*other));
    try {
      answer(job);
    } catch (const Cancelled&) {
      // by a newer recipe, or the end
    } catch (const std::exception& error) {
      if (failed_recipe_ == job.recipe_number) continue;
      failed_recipe_ = job.recipe_number;
      Q_EMIT failed(fault_of(error));
    }
  }
}

void VideoRunner::answer(const Job& job) {
  const auto before = frames_.take(), after = frames_.take();
  if (!read_pixels(job.frame, *before)) return;
  after->format = before->format;
  after->bytes.resize(before->bytes.size());
  MemorySource source = before->source();
  MemorySink sink(after->format, after->view());
  RenderOptions options;
  options.progress = [this, &job, started = std::chrono::steady_clock::now()](double) {
    return goes_on(job, started);
  };
  session_->render(for_frame(job.recipe, job.number), source, sink, options);
  const int angle = angle_of(job.frame);
  const QImage shown_before = turned(image_of(before), angle),
               shown_after = turned(image_of(after), angle);
  QMetaObject::invokeMethod(this, [=, this, rate = counted(), movie = job.movie] {
    if (movie == newest_.movie) Q_EMIT rendered(shown_before, shown_after, rate);
  });
}

bool VideoRunner::goes_on(const Job& job, std::chrono::steady_clock::time_point started) {
  const bool slow_now = std::chrono::steady_clock::now() - started > slow_after;
  // Without an effective step, the delay was due to opening the device.
  if (slow_now && slow_recipe_ != job.recipe_number && !does_nothing(job.recipe)) {
    slow_recipe_ = job.recipe_number;
    Q_EMIT slow();
  }
  const std::lock_guard lock(mutex_);
  return !stop_ && !(slow_now && job.recipe_number != newest_.recipe_number);
}

double VideoRunner::counted() {
  const auto now = std::chrono::steady_clock::now();
  done_.push_back(now);
  std::erase_if(done_, [&](auto time) { return now - time > std::chrono::seconds(1); });
  if (done_.size() < 2) return 0;
  const std::chrono::duration<double> span = done_.back() - done_.front();
  return static_cast<double>(done_.size() - 1) / span.count();
}

}  // namespace sfumato::gui
