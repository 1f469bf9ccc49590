// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// One thread that decodes, waits until a frame is due, and shows it.
#include "video/movie_player.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "document/fault.hpp"
#include "image/parallel_rows.hpp"

namespace sfumato::gui {
namespace {

using Layout = PlaybackFormat::Layout;

// What is later than this is not caught up with.
constexpr std::chrono::milliseconds most_late(250);

QVideoFrameFormat described(const PlaybackFormat& f) {
  const auto pixels = f.layout == Layout::yuv420 ? QVideoFrameFormat::Format_YUV420P
                      : f.layout == Layout::nv12 ? QVideoFrameFormat::Format_NV12
                                                 : QVideoFrameFormat::Format_RGBX8888;
  QVideoFrameFormat out(QSize(f.width, f.height), pixels);
  out.setColorSpace(f.bt601 ? QVideoFrameFormat::ColorSpace_BT601
                            : QVideoFrameFormat::ColorSpace_BT709);
  out.setColorRange(f.full_range ? QVideoFrameFormat::ColorRange_Full
                                 : QVideoFrameFormat::ColorRange_Video);
  return out;
}

const char* copy_plane(QVideoFrame& to, int plane, const char* from, int row, int rows) {
  for (int y = 0; y < rows; ++y, from += row) {
    std::memcpy(to.bits(plane) + std::ptrdiff_t{y} * to.bytesPerLine(plane), from,
                static_cast<std::size_t>(row));
  }
  return from;
}

// Invalid if there is no memory.
QVideoFrame frame_of(const PlaybackFormat& f, const std::vector<char>& bytes) {
  QVideoFrame out(described(f));
  if (!out.map(QVideoFrame::WriteOnly)) return {};
  if (f.layout == Layout::rgbx) {
    copy_plane(out, 0, bytes.data(), 4 * f.width, f.height);
  } else {
    const int planes = f.layout == Layout::nv12 ? 1 : 2;  // of U and V
    const char* from = copy_plane(out, 0, bytes.data(), f.width, f.height);
    for (int plane = 1; plane <= planes; ++plane) {
      from = copy_plane(out, plane, from, f.width / planes, f.height / 2);
    }
  }
  out.unmap();
  return out;
}

std::chrono::steady_clock::duration ticks(double seconds) {
  return std::chrono::duration_cast<std::chrono::steady_clock::duration>(
      std::chrono::duration<double>(seconds));
}

qint64 milliseconds(double seconds) {
  return static_cast<qint64>(std::llround(1000 * seconds));
}

}  // namespace

QSize PixelRatio::shown(QSize frame) const {
  frame.setWidth(qRound(frame.width() * static_cast<double>(width) / height));
  return frame.expandedTo(QSize(1, 1));
}

// What the thread has open.
struct MoviePlayer::Running {
  int movie = 0, start = 0;
  bool playing = false;
  PlaybackInfo info;
  std::unique_ptr<MoviePlayback> frames;
  int shown = 0;            // since the decoder was started
  Clock::time_point begin;  // when the movie's time 0 was due
  MoviePrograms programs;
};

MoviePlayer::MoviePlayer(QObject* parent) : QObject(parent), thread_([this] { work(); }) {}

MoviePlayer::~MoviePlayer() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

void MoviePlayer::change(const Wanted& wanted) {
  {
    const std::lock_guard lock(mutex_);
    wanted_ = wanted;
  }
  wake_.notify_all();
}

void MoviePlayer::open(const std::filesystem::path& path) {
  Wanted next = wanted_;  // only this thread writes it
  next.path = path;
  next.from = 0;
  next.playing = false;
  ++next.movie;
  ++next.start;
  position_ = duration_ = 0;
  change(next);
  set_playing(false);
}

void MoviePlayer::close() {
  open({});
}

void MoviePlayer::play() {
  if (!wanted_.path.empty()) set_playing(true);
}

void MoviePlayer::pause() {
  set_playing(false);
}

void MoviePlayer::set_playing(bool playing) {
  if (wanted_.playing != playing) {
    Wanted next = wanted_;
    next.playing = playing;
    change(next);
  }
  if (std::exchange(playing_, playing) != playing) Q_EMIT playing_changed(playing);
}

void MoviePlayer::seek(qint64 position) {
  if (wanted_.path.empty()) return;
  Wanted next = wanted_;
  const qint64 last = duration_ > 0 ? duration_ - 1 : position;
  next.from =
      static_cast<double>(std::clamp<qint64>(position, 0, std::max<qint64>(last, 0))) / 1000;
  ++next.start;
  change(next);
}

// On this object's thread, unless another movie is open by then.
template <typename Act>
void MoviePlayer::post(int movie, Act act) {
  QMetaObject::invokeMethod(this, [this, movie, act] {
    if (movie == wanted_.movie) act();
  });
}

void MoviePlayer::work() {
  Running now;
  while (true) {
    Wanted wanted;
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [&] {
        const bool plays = wanted_.playing && now.frames;
        return stop_ || wanted_.start != now.start || plays || wanted_.playing != now.playing;
      });
      if (stop_) return;
      wanted = wanted_;
    }
    try {
      run(now, wanted);
    } catch (const Cancelled&) {
      now.frames.reset();  // by another request
    } catch (const std::exception& error) {
      now.frames.reset();
      post(wanted.movie, [this, sentence = fault_of(error)] {
        close();
        Q_EMIT failed(sentence);
      });
    }
  }
}

void MoviePlayer::run(Running& now, const Wanted& wanted) {
  const bool played = std::exchange(now.playing, wanted.playing);
  if (wanted.start != now.start) return start(now, wanted);
  if (!wanted.playing || !now.frames) return;
  if (!played) now.begin = Clock::now() - ticks(now.frames->time());
  step(now, wanted);
}

// The first frame from that time on.
void MoviePlayer::start(Running& now, const Wanted& wanted) {
  now.start = wanted.start;
  now.frames.reset();
  now.programs.cancelled = [this, number = wanted.start] {
    const std::lock_guard lock(mutex_);
    return stop_ || wanted_.start != number;
  };
  if (wanted.path.empty()) return;
  if (wanted.movie != now.movie) {
    now.info = playback_info(now.programs, wanted.path);
    now.movie = wanted.movie;
    post(wanted.movie, [this, info = now.info] {
      duration_ = milliseconds(info.duration);
      Q_EMIT opened({info.pixel_width, info.pixel_height});
      Q_EMIT duration_changed(duration_);
    });
  }
  now.frames = std::make_unique<MoviePlayback>(now.programs, wanted.path, now.info, wanted.from);
  now.shown = 0;
  step(now, wanted);
  if (now.frames) now.begin = Clock::now() - ticks(now.frames->time());
}

void MoviePlayer::step(Running& now, const Wanted& wanted) {
  const std::vector<char>& bytes = now.frames->next();
  if (!bytes.empty()) return show(now, frame_of(now.info.format, bytes), wanted);
  if (now.shown == 0 && wanted.from > 0) {
    const QVideoFrame last = last_frame(now, wanted);
    if (last.isValid()) return show(now, last, wanted);
  }
  // From the beginning again, unless there is nothing to play.
  const bool too_few = now.shown < 2 && wanted.from == 0;
  now.frames.reset();
  post(wanted.movie, [this, too_few, number = wanted.start] {
    if (number != wanted_.start) return;
    too_few || !wanted_.playing ? set_playing(false) : seek(0);
  });
}

// The one that is shown at a time behind which none begins.
QVideoFrame MoviePlayer::last_frame(Running& now, const Wanted& wanted) {
  constexpr double before = 2;  // seconds
  now.frames = std::make_unique<MoviePlayback>(now.programs, wanted.path, now.info,
                                               std::max(0.0, wanted.from - before));
  QVideoFrame last;
  while (true) {
    const std::vector<char>& bytes = now.frames->next();
    if (bytes.empty()) return last;
    last = frame_of(now.info.format, bytes);
  }
}

void MoviePlayer::show(Running& now, const QVideoFrame& picture, const Wanted& wanted) {
  const double time = now.frames->time();
  if (now.shown++ > 0) {
    const auto due = now.begin + ticks(time);
    const auto late = Clock::now() - due;
    if (late > most_late) now.begin += late;
    wait_until(due, wanted.start);
  }
  {
    // Under the lock: once another movie is open, none of this one's frames come any more.
    const std::lock_guard lock(mutex_);
    if (stop_ || wanted_.start != wanted.start) return;
    Q_EMIT frame(picture);
  }
  post(wanted.movie, [this, at = milliseconds(time), number = wanted.start] {
    if (number != wanted_.start) return;
    position_ = at;
    Q_EMIT position_changed(at);
  });
}

void MoviePlayer::wait_until(Clock::time_point due, int start) {
  std::unique_lock lock(mutex_);
  wake_.wait_until(lock, due, [&] { return stop_ || wanted_.start != start; });
}

}  // namespace sfumato::gui
