// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Reduces the picture once, then loops over the registry.
#include "preview/thumbnails.hpp"

#include <pthread.h>

#include <algorithm>
#include <ctime>

#include "document/low_priority.hpp"
#include "filters/registry.hpp"
#include "image/reduce.hpp"
#include "preview/preview_renderer.hpp"
#include "preview/reduced_picture.hpp"

namespace sfumato::gui {
namespace {

// Largest factor by which lengths scale with the picture: a thumbnail should show what a filter
// does, and at a large picture's true scale most filters would have no visible effect.
constexpr int most_scaled = 2;

// Processor time used by this thread, readable from any thread; excludes pauses and other load on
// the machine.
class WorkClock {
 public:
  WorkClock() {
    pthread_getcpuclockid(pthread_self(), &clock_);
    since_ = now();
  }
  std::chrono::nanoseconds elapsed() const { return now() - since_; }

 private:
  std::chrono::nanoseconds now() const {
    timespec time{};
    clock_gettime(clock_, &time);
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
  }

  clockid_t clock_{};
  std::chrono::nanoseconds since_{};
};

bool needs_roles(const FilterInfo& info) {
  return std::any_of(info.roles.begin(), info.roles.end(),
                     [](const RoleInfo& role) { return role.required; });
}

}  // namespace

// The reduced picture.
struct Thumbnails::Small {
  PicturePtr picture;
  QByteArray screen_profile;
  HeldPicture pixels;
  int factor = 1;

  QImage shown(const HeldPicture& values) const {
    return gui::shown(values, *picture, 0, screen_profile);
  }
};

Thumbnails::Thumbnails(std::chrono::milliseconds limit, QObject* parent)
    : QObject(parent), limit_(limit), session_(make_reference_renderer()) {
  start_drawing_threads();
  thread_ = std::thread([this] { work(); });
}

Thumbnails::~Thumbnails() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

void Thumbnails::set_picture(PicturePtr picture) {
  if (picture == picture_) return;
  picture_ = std::move(picture);
  begin();
}

void Thumbnails::set_screen_profile(const QByteArray& profile) {
  if (profile == screen_profile_) return;
  screen_profile_ = profile;
  if (picture_) begin();
}

void Thumbnails::begin() {
  images_.clear();
  original_ = {};
  {
    const std::lock_guard lock(mutex_);
    waiting_ = picture_;
    waiting_profile_ = screen_profile_;
    ++newest_;
  }
  wake_.notify_all();
}

void Thumbnails::pause(bool hold) {
  {
    const std::lock_guard lock(mutex_);
    held_ = hold;
  }
  wake_.notify_all();
}

QImage Thumbnails::thumbnail(const std::string& filter) const {
  const auto found = images_.find(filter);
  return found == images_.end() ? QImage() : found->second;
}

void Thumbnails::work() {
  lower_priority();
  while (true) {
    PicturePtr picture;
    QByteArray profile;
    int number = 0;
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return stop_ || (waiting_ && !held_); });
      if (stop_) return;
      picture = std::move(waiting_);
      waiting_.reset();
      profile = waiting_profile_;
      number = newest_;
    }
    try {
      try_all(picture, profile, number);
    } catch (const std::exception&) {
      // another picture waits, or this one cannot be reduced: no thumbnails
    }
  }
}

// Waits while paused. False: thumbnails of that picture are no longer wanted.
bool Thumbnails::go_on(int number) {
  if (held_) {
    std::unique_lock lock(mutex_);
    wake_.wait(lock, [&] { return stop_ || number != newest_ || !held_; });
  }
  return !stop_ && number == newest_;
}

// Runs on this object's thread, unless another picture has been set by then.
void Thumbnails::post(int number, std::function<void()> body) {
  QMetaObject::invokeMethod(
      this,
      [this, number, body = std::move(body)] {
        if (number == newest_) body();
      },
      Qt::QueuedConnection);
}

void Thumbnails::try_all(const PicturePtr& picture, const QByteArray& profile, int number) {
  Small small;
  small.picture = picture;
  small.screen_profile = profile;
  const PictureFormat& format = picture->format();
  small.factor = (std::max(format.width, format.height) + side - 1) / side;
  small.pixels = blank_picture(reduced_format(format, small.factor));
  const ParallelRows rows([&](int, int) { return go_on(number); });
  reduce(picture->pixels.view(), format, small.factor, small.pixels.view(), rows);
  post(number, [this, image = small.shown(small.pixels)] {
    original_ = image;
    Q_EMIT began();
  });
  for (const RegisteredFilter& entry : Registry::get().all()) {
    const FilterInfo& info = entry.filter->info();
    if (!go_on(number)) return;
    if (needs_roles(info)) continue;
    const QImage image = render(info.id, small, number);
    if (image.isNull()) continue;
    post(number, [this, id = info.id, image] {
      images_[id] = image;
      Q_EMIT ready(id, image);
    });
  }
  post(number, [this] { Q_EMIT finished(); });
}

QImage Thumbnails::render(const std::string& filter, const Small& small, int number) {
  const FilterInfo& info = Registry::get().at(filter).filter->info();
  const Recipe recipe = scaled_recipe(recipe_of(info), std::min(small.factor, most_scaled));
  HeldPicture out;
  out.format = small.pixels.format;
  if (out.format.color_channels() == 1 && makes_colour(recipe)) {
    out.format.channels = out.format.has_alpha() ? 4 : 3;
  }
  out = blank_picture(out.format);
  const WorkClock clock;
  RenderOptions options;
  options.progress = [&](double) { return go_on(number) && clock.elapsed() < limit_; };
  MemorySource source = small.pixels.source();
  MemorySink sink(out.format, out.view());
  try {
    session_->render(recipe, source, sink, options);
  } catch (const std::exception&) {
    return {};  // takes too long, or needs something that is missing
  }
  return small.shown(out);
}

}  // namespace sfumato::gui
