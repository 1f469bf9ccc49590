// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "io/module/animation.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "io/file_origin.hpp"
#include "io/module/embedded.hpp"

namespace sfumato::files {

using OIIO::ImageSpec;
using OIIO::TypeDesc;

std::int64_t shown_microseconds(std::int64_t said) {
  constexpr std::int64_t least = 10'001, usual = 100'000;
  return said < least ? usual : std::min(said, longest_frame);
}

void say_times(const std::vector<std::int64_t>& microseconds, ImageSpec& spec) {
  spec.attribute("sfumato:times", TypeDesc(TypeDesc::INT64, static_cast<int>(microseconds.size())),
                 microseconds.data());
}

std::vector<std::int64_t> said_times(const ImageSpec& spec) {
  const OIIO::ParamValue* said = spec.find_attribute("sfumato:times");
  if (said == nullptr) return {};
  const auto* first = static_cast<const std::int64_t*>(said->data());
  return {first, first + said->type().numelements()};
}

namespace {

// Many programs store what did not change since the frame before as transparent, which leaves the
// picture opaque.

// Animations that would take longer to look through are left as they say.
constexpr std::uint64_t most_looked_at = std::uint64_t{1} << 27;  // pixels

// Which pixels of the canvas are opaque: what lies over or under an opaque pixel is.
class Solid {
 public:
  Solid(int width, int height)
      : width_(width),
        missing_(static_cast<std::size_t>(width) * static_cast<std::size_t>(height)),
        held_(missing_) {}

  bool whole() const { return missing_ == 0; }
  void clear(const Rect& area) {
    each(area, [](bool, std::size_t) { return false; });
  }
  void draw(const Frame& frame, const FrameOpacity& opaque) {
    const bool over = frame.blend == Blend::over;
    each(frame.area,
         [&](bool under, std::size_t i) { return opaque.empty() || opaque[i] || (over && under); });
  }

 private:
  template <typename Make>
  void each(const Rect& area, Make make) {
    std::size_t i = 0;
    for (int y = area.y0; y < area.y1; ++y) {
      const std::size_t row = static_cast<std::size_t>(y) * static_cast<std::size_t>(width_);
      for (int x = area.x0; x < area.x1; ++x, ++i) {
        const std::size_t at = row + static_cast<std::size_t>(x);
        const bool before = held_[at], now = make(before, i);
        if (before == now) continue;
        held_[at] = now;
        missing_ = now ? missing_ - 1 : missing_ + 1;
      }
    }
  }

  int width_;
  std::size_t missing_;
  std::vector<bool> held_;
};

std::uint64_t pixels_of(const Rect& area) {
  return static_cast<std::uint64_t>(area.width()) * static_cast<std::uint64_t>(area.height());
}

}  // namespace

bool frames_are_opaque(int width, int height, const std::vector<Frame>& frames,
                       const ReadOpacity& opacity) {
  const Rect canvas{0, 0, width, height};
  if (frames.empty() || pixels_of(canvas) > most_looked_at) return false;
  Solid solid(width, height), kept = solid;
  std::uint64_t looked_at = 0;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const Frame& frame = frames[i];
    const bool restores = i > 0 && frames[i - 1].dispose == Dispose::previous;
    if (restores) std::swap(solid, kept);
    if (i > 0 && frames[i - 1].dispose == Dispose::background) {
      looked_at += pixels_of(frames[i - 1].area);
      solid.clear(frames[i - 1].area);
    }
    // Nothing that is drawn over an opaque canvas makes it transparent.
    if (solid.whole() && frame.blend == Blend::over && frame.dispose != Dispose::previous) continue;
    looked_at += pixels_of(frame.area) +
                 (frame.dispose == Dispose::previous ? pixels_of(canvas) : std::uint64_t{0});
    if (looked_at > most_looked_at) return false;
    if (frame.dispose == Dispose::previous) kept = solid;
    const std::optional<FrameOpacity> opaque = opacity(i);
    if (!opaque) return false;
    solid.draw(frame, *opaque);
    if (!solid.whole()) return false;
  }
  return true;
}

void AnimationInput::set_loops(std::int64_t loops) {
  loops_ = static_cast<int>(std::clamp<std::int64_t>(loops, 0, std::numeric_limits<int>::max()));
}

Canvas::Canvas(int width, int height, int channels, unsigned most)
    : width_(width),
      channels_(channels),
      most_(most),
      rows_(static_cast<std::size_t>(height)),
      blank_(static_cast<std::size_t>(width) * static_cast<std::size_t>(channels)) {}

const std::uint16_t* Canvas::row(int y) const {
  const std::vector<std::uint16_t>& held = rows_[static_cast<std::size_t>(y)];
  return held.empty() ? blank_.data() : held.data();
}

std::uint16_t* Canvas::at(int x, int y) {
  std::vector<std::uint16_t>& held = rows_[static_cast<std::size_t>(y)];
  if (held.empty()) held.resize(blank_.size());
  return held.data() + static_cast<std::size_t>(x) * static_cast<std::size_t>(channels_);
}

void Canvas::clear(const Rect& area) {
  for (int y = area.y0; y < area.y1; ++y) {
    std::vector<std::uint16_t>& held = rows_[static_cast<std::size_t>(y)];
    if (area.width() == width_) held.clear();
    if (!held.empty()) std::fill(at(area.x0, y), at(area.x1, y), 0);
  }
}

void Canvas::draw(const Frame& frame, const std::vector<std::uint16_t>& pixels, int channels) {
  const bool opaque = channels < channels_;
  const bool copied = opaque || channels % 2 == 1 || frame.blend == Blend::source;
  const std::uint16_t* from = pixels.data();
  for (int y = frame.area.y0; y < frame.area.y1; ++y) {
    std::uint16_t* to = at(frame.area.x0, y);
    for (int x = frame.area.x0; x < frame.area.x1; ++x, from += channels, to += channels_) {
      if (copied) {
        std::copy_n(from, channels, to);
        if (opaque) to[channels] = static_cast<std::uint16_t>(most_);
      } else {
        lay_over(from, to);
      }
    }
  }
}

// Straight alpha (PNG, second edition, 13.16).
void Canvas::lay_over(const std::uint16_t* from, std::uint16_t* to) const {
  const int colors = channels_ - 1;
  const double most = most_, over = from[colors] / most, under = to[colors] / most * (1 - over);
  const double alpha = over + under;
  if (alpha == 0) return;
  for (int c = 0; c < colors; ++c) {
    to[c] = static_cast<std::uint16_t>((from[c] * over + to[c] * under) / alpha + 0.5);
  }
  to[colors] = static_cast<std::uint16_t>(alpha * most + 0.5);
}

bool AnimationInput::describe(const std::string& name) {
  const auto first = make_reader(name);
  if (!first || !first->open(name, m_spec, config_)) return false;
  m_spec = without_missing_channels(m_spec);
  return true;
}

bool AnimationInput::open(const std::string& name, ImageSpec& spec, const ImageSpec& config) {
  config_ = config;
  if (!describe(name)) {
    return fail(message({"decoder.no_picture", "there is no picture in it"}));
  }
  const Rect whole{0, 0, m_spec.width, m_spec.height};
  if (!find_frames(name, whole, frames_)) {
    return fail(message({"animation.frames", "the animation's frames are damaged"}));
  }
  if (frames_.size() > static_cast<std::size_t>(most_pages)) {
    frames_.resize(static_cast<std::size_t>(most_pages));
    m_spec.attribute(pages_beyond, 1);
  }
  m_spec.attribute("sfumato:frames", static_cast<int>(frames_.size()));
  m_spec.attribute("sfumato:loops", loops_);
  std::vector<std::int64_t> times;
  for (const Frame& one : frames_) times.push_back(shown_microseconds(one.microseconds));
  say_times(times, m_spec);
  held_channels_ = m_spec.nchannels;
  settle_opacity();
  spec = m_spec;
  return true;
}

unsigned AnimationInput::most() const {
  return m_spec.format == TypeDesc::UINT16 ? 65535u : 255u;
}

bool AnimationInput::shows_no_hole() {
  std::vector<Frame> first;
  if (first_only_) first.push_back(frames_.front());
  std::vector<std::uint16_t> pixels;
  return frames_are_opaque(m_spec.width, m_spec.height, first_only_ ? first : frames_,
                           [&](std::size_t number) -> std::optional<FrameOpacity> {
                             FrameOpacity opaque;
                             if (is_opaque(number)) return opaque;
                             if (!decode(number, pixels)) return std::nullopt;
                             const auto channels = static_cast<std::size_t>(held_channels_);
                             for (std::size_t i = channels - 1; i < pixels.size(); i += channels) {
                               opaque.push_back(pixels[i] == most());
                             }
                             return opaque;
                           });
}

// What is shown has opacity where it is not opaque, whatever the frames have.
void AnimationInput::settle_opacity() {
  const bool opaque = shows_no_hole(), held = held_channels_ % 2 == 0;
  canvas_channels_ = held || opaque ? held_channels_ : held_channels_ + 1;
  if (held && opaque) {
    m_spec.alpha_channel = -1;
    m_spec.channelnames.resize(static_cast<std::size_t>(--m_spec.nchannels));
    m_spec.erase_attribute("oiio:UnassociatedAlpha");
  } else if (!held && !opaque) {
    m_spec.alpha_channel = m_spec.nchannels++;
    m_spec.channelnames.emplace_back("A");
    m_spec.attribute("oiio:UnassociatedAlpha", 1);
  }
}

bool AnimationInput::close() {
  frames_.clear();
  canvas_.reset();
  kept_.reset();
  return true;
}

bool AnimationInput::seek_subimage(int subimage, int miplevel) {
  if (miplevel != 0 || subimage < 0 || static_cast<std::size_t>(subimage) >= frames_.size()) {
    return false;
  }
  frame_ = subimage;
  return true;
}

bool AnimationInput::read_native_scanline(int subimage, int miplevel, int y, int, void* data) {
  if (!seek_subimage(subimage, miplevel) || !draw_frame()) return false;
  const std::uint16_t* row = canvas_->row(y);
  const auto pixels = static_cast<std::size_t>(m_spec.width),
             channels = static_cast<std::size_t>(m_spec.nchannels), samples = pixels * channels;
  std::vector<std::uint16_t> shown;
  if (canvas_channels_ > m_spec.nchannels) {
    shown.resize(samples);
    for (std::size_t x = 0; x < pixels; ++x) {
      std::copy_n(row + x * static_cast<std::size_t>(canvas_channels_), channels,
                  shown.data() + x * channels);
    }
    row = shown.data();
  }
  if (m_spec.format == TypeDesc::UINT16) {
    std::memcpy(data, row, samples * sizeof *row);
  } else {
    std::copy_n(row, samples, static_cast<std::uint8_t*>(data));
  }
  return true;
}

// A canvas, another one if a frame leaves no trace, and twice the largest frame while it is
// decoded.
std::size_t AnimationInput::working_bytes() const {
  const bool kept = std::any_of(frames_.begin(), frames_.end(),
                                [](const Frame& f) { return f.dispose == Dispose::previous; });
  std::size_t largest = 0;
  for (const Frame& f : frames_) {
    largest = std::max(largest, static_cast<std::size_t>(f.area.width()) *
                                    static_cast<std::size_t>(f.area.height()));
    if (first_only_) break;
  }
  const std::size_t canvas = rows_drawn() * static_cast<std::size_t>(m_spec.width) *
                             static_cast<std::size_t>(canvas_channels_);
  return sizeof(std::uint16_t) * (canvas * (kept && !first_only_ ? 2 : 1) +
                                  2 * largest * static_cast<std::size_t>(held_channels_));
}

// Of the canvas, by any frame.
std::size_t AnimationInput::rows_drawn() const {
  std::vector<int> begun(static_cast<std::size_t>(m_spec.height) + 1);
  for (const Frame& f : frames_) {
    ++begun[static_cast<std::size_t>(f.area.y0)];
    --begun[static_cast<std::size_t>(f.area.y1)];
    if (first_only_) break;
  }
  std::size_t drawn = 0;
  int frames = 0;
  for (const int more : begun) drawn += (frames += more) > 0 ? 1 : 0;
  return drawn;
}

// Whether nothing of what was drawn before shows in this frame, nor comes back after it.
bool AnimationInput::hides_all(int number) const {
  const Frame& f = frames_[static_cast<std::size_t>(number)];
  const bool whole = f.area == Rect{0, 0, m_spec.width, m_spec.height};
  const bool opaque = held_channels_ % 2 == 1 || f.blend == Blend::source;
  return whole && opaque && (number == frame_ || f.dispose != Dispose::previous);
}

// The frame with which the drawing of the wanted one may begin: the last one before which the
// canvas is empty, or which hides it.
int AnimationInput::first_to_draw() const {
  int number = frame_;
  for (; number > 0 && !hides_all(number); --number) {
    const Frame& before = frames_[static_cast<std::size_t>(number - 1)];
    if (before.dispose == Dispose::background &&
        before.area == Rect{0, 0, m_spec.width, m_spec.height}) {
      break;
    }
  }
  return number;
}

// Draws the frames up to the wanted one.
bool AnimationInput::draw_frame() {
  const int first = first_to_draw();
  if (!canvas_ || drawn_ > frame_ || drawn_ + 1 < first || first < begun_) {
    canvas_ = std::make_unique<Canvas>(m_spec.width, m_spec.height, canvas_channels_, most());
    begun_ = first;
    drawn_ = first - 1;
    kept_.reset();
  }
  std::vector<std::uint16_t> pixels;
  for (; drawn_ < frame_; ++drawn_) {
    const auto next = static_cast<std::size_t>(drawn_ + 1);
    if (next > 0) dispose(frames_[next - 1]);
    if (drawn_ + 1 < frame_ && frames_[next].dispose == Dispose::previous) {
      kept_.reset();  // it leaves no trace
      continue;
    }
    if (frames_[next].dispose == Dispose::previous) kept_ = std::make_unique<Canvas>(*canvas_);
    if (!decode(next, pixels)) {
      canvas_.reset();
      return fail(message({"animation.frame", "frame {frame} is damaged"}, next + 1));
    }
    canvas_->draw(frames_[next], pixels, held_channels_);
  }
  return true;
}

void AnimationInput::dispose(const Frame& frame) {
  if (frame.dispose == Dispose::background) canvas_->clear(frame.area);
  if (frame.dispose == Dispose::previous && kept_) *canvas_ = *kept_;
}

}  // namespace sfumato::files
