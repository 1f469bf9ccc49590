// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// One slot for the newest frame, one thread that empties it.
#include "video/video_runner.hpp"

#include <QTransform>

#include "video/frame_pixels.hpp"

namespace sfumato::gui {
namespace {

// As the camera was held: degrees clockwise.
QImage turned(const QImage& image, int degrees) {
  return degrees == 0 ? image : image.transformed(QTransform().rotate(degrees));
}

}  // namespace

VideoRunner::VideoRunner(SessionOptions options, QObject* parent)
    : QObject(parent),
      session_(std::make_unique<Session>(std::move(options))),
      thread_([this] { work(); }) {}

VideoRunner::~VideoRunner() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

void VideoRunner::show(const QVideoFrame& frame) {
  {
    const std::lock_guard lock(mutex_);
    newest_.frame = frame;
    waiting_ = true;
  }
  wake_.notify_all();
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

void VideoRunner::work() {
  session_->prepare();
  while (true) {
    Job job;
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return stop_ || waiting_; });
      if (stop_) return;
      job = newest_;
      waiting_ = false;
    }
    try {
      answer(job);
    } catch (const Cancelled&) {
      return;
    } catch (const std::exception& error) {
      if (failed_recipe_ == job.recipe_number) continue;
      failed_recipe_ = job.recipe_number;
      Q_EMIT failed(QString::fromUtf8(error.what()));
    }
  }
}

void VideoRunner::answer(const Job& job) {
  auto before = std::make_shared<HeldPicture>(pixels_of(job.frame));
  if (before->bytes.empty()) return;
  auto after = std::make_shared<HeldPicture>(blank_picture(before->format));
  MemorySource source = before->source();
  MemorySink sink(after->format, after->view());
  RenderOptions options;
  options.progress = [this](double) {
    const std::lock_guard lock(mutex_);
    return !stop_;
  };
  session_->render(job.recipe, source, sink, options);
  const int angle = job.frame.rotationAngle();
  Q_EMIT rendered(turned(image_of(before), angle), turned(image_of(after), angle), counted());
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
