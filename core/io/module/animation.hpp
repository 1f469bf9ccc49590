// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Animations, whose frames are drawn one over the other: each is read as it is shown.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "io/module/parts.hpp"

namespace sfumato::files {

/// What becomes of a frame's area before the next frame, and how a frame is drawn.
enum class Dispose : std::uint8_t { none, background, previous };
enum class Blend : std::uint8_t { source, over };

struct Frame {
  Rect area;  ///< on the canvas
  Dispose dispose = Dispose::none;
  Blend blend = Blend::source;
  std::int64_t microseconds = 0;  ///< as the file says
};

/// Of each pixel of a frame's area, row by row; empty: all are opaque.
using FrameOpacity = std::vector<bool>;
/// That of the frame with this number, from 0; nullopt if it is damaged.
using ReadOpacity = std::function<std::optional<FrameOpacity>(std::size_t)>;
/// Whether all frames are opaque as they are shown, each drawn over those before it. False if it
/// would take long to find out.
bool frames_are_opaque(int width, int height, const std::vector<Frame>& frames,
                       const ReadOpacity& opacity);

/// How long browsers show a frame: 0.1 s if its file says at most 0.01 s, as old files do that
/// leave it to the program.
std::int64_t shown_microseconds(std::int64_t said);
/// Says it of each frame in `spec`.
void say_times(const std::vector<std::int64_t>& microseconds, OIIO::ImageSpec& spec);
/// What was said.
std::vector<std::int64_t> said_times(const OIIO::ImageSpec& spec);

/// Coded samples, 8 or 16 bits each; all are 0 at first. Rows on which nothing is drawn take no
/// memory: a few bytes may claim a canvas of 65535 x 65535 pixels.
class Canvas {
 public:
  /// `most` is the largest sample. Alpha is the last of 2 or 4 channels.
  Canvas(int width, int height, int channels, unsigned most);

  /// The samples of a row.
  const std::uint16_t* row(int y) const;
  void clear(const Rect& area);
  /// Draws the pixels of a frame's area, which have as many channels or all but alpha.
  void draw(const Frame& frame, const std::vector<std::uint16_t>& pixels, int channels);

 private:
  std::uint16_t* at(int x, int y);
  void lay_over(const std::uint16_t* from, std::uint16_t* to) const;

  int width_, channels_;
  unsigned most_;
  std::vector<std::vector<std::uint16_t>> rows_;  // empty: all 0
  std::vector<std::uint16_t> blank_;              // a row
};

/// A reader for which frames are parts of the file. A format's own class finds and decodes them.
class AnimationInput : public WithErrorText<OIIO::ImageInput>, public KnownMemory {
 public:
  /// `first_only`: other frames are not read.
  explicit AnimationInput(bool first_only = false) : first_only_(first_only) {}
  bool open(const std::string& name, OIIO::ImageSpec& spec) override {
    return open(name, spec, OIIO::ImageSpec());
  }
  bool open(const std::string& name, OIIO::ImageSpec& spec, const OIIO::ImageSpec& config) override;
  bool close() override;
  int current_subimage() const override { return frame_; }
  bool seek_subimage(int subimage, int miplevel) override;
  bool read_native_scanline(int subimage, int miplevel, int y, int, void* data) override;
  std::size_t working_bytes() const override;

 protected:
  /// A reader of what the file says of all frames.
  virtual std::unique_ptr<OIIO::ImageInput> make_reader(const std::string&) const {
    return OIIO::ImageInput::create(format_name());
  }
  /// Puts into m_spec what the file is besides its frames, as that reader says; false if it is
  /// damaged.
  virtual bool describe(const std::string& name);
  /// Finds all frames, at most one more than most_pages, with areas within the canvas; false if one
  /// makes no sense, or there is none.
  virtual bool find_frames(const std::string& name, const Rect& canvas,
                           std::vector<Frame>& frames) = 0;
  /// Decodes a frame's area, with as many channels as the file holds; false if it is damaged.
  virtual bool decode(std::size_t number, std::vector<std::uint16_t>& pixels) = 0;
  /// Whether a frame's area has no transparent pixel, as far as that is known without decoding it.
  virtual bool is_opaque(std::size_t) const { return held_channels_ % 2 == 1; }

  /// How often the animation is shown; 0: for ever. To be said while frames are found.
  void set_loops(std::int64_t loops);
  const Frame& frame(std::size_t number) const { return frames_[number]; }
  int held_channels() const { return held_channels_; }
  bool first_only() const { return first_only_; }
  const OIIO::ImageSpec& config() const { return config_; }

 private:
  bool shows_no_hole();
  void settle_opacity();
  unsigned most() const;
  bool draw_frame();
  std::size_t rows_drawn() const;
  int first_to_draw() const;
  bool hides_all(int number) const;
  void dispose(const Frame& frame);

  bool first_only_;
  OIIO::ImageSpec config_;
  std::vector<Frame> frames_;
  int loops_ = 1;
  int held_channels_ = 0;                  // of the frames in the file
  int canvas_channels_ = 0;                // with opacity, if a frame or what is shown has it
  std::unique_ptr<Canvas> canvas_, kept_;  // kept: before a frame that leaves no trace
  int frame_ = 0;                          // wanted
  int drawn_ = -1;                         // on the canvas
  int begun_ = 0;                          // the first one drawn on it
};

}  // namespace sfumato::files
