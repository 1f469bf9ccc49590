// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "io/movie_playback.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <string>

#include "io/child.hpp"
#include "io/module.hpp"
#include "io/movie_probe.hpp"

namespace sfumato {
namespace {

namespace fs = std::filesystem;
using files::MovieInfo;
using Layout = PlaybackFormat::Layout;

// Most movies store what players can convert themselves, in a quarter of the time.
Layout layout_of(const MovieInfo& info) {
  const bool even = info.format.width % 2 == 0 && info.format.height % 2 == 0;
  if (!even || (info.matrix != "bt601" && info.matrix != "bt709")) return Layout::rgbx;
  if (info.pixels == "yuv420p" || info.pixels == "yuvj420p") return Layout::yuv420;
  return info.pixels == "nv12" ? Layout::nv12 : Layout::rgbx;
}

// With a point in every locale.
std::string decimal(double value) {
  std::array<char, 32> text;
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, 6);
  return {text.data(), end.ptr};
}

// Every frame has the size of the first one. Colours are converted as they are for a picture of the
// movie.
std::string filters_of(const MovieInfo& info, const PlaybackInfo& to) {
  std::string out = "fps=" + decimal(to.rate) + ",scale=" + std::to_string(to.format.width) + ':' +
                    std::to_string(to.format.height);
  if (to.format.layout != Layout::rgbx) return out + ",format=" + info.pixels;
  return out + ":in_color_matrix=" + info.matrix +
         ":flags=neighbor+accurate_rnd+full_chroma_int,format=rgb0";
}

}  // namespace

std::size_t PlaybackFormat::frame_bytes() const {
  const std::size_t pixels = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  return layout == Layout::rgbx ? 4 * pixels : pixels + pixels / 2;
}

PlaybackInfo playback_info(const MoviePrograms& programs, const fs::path& path) {
  check_input(path);
  const MovieInfo info = files::movie_info(programs, path);
  constexpr double usual = 25, least = 1, most = 60;
  PlaybackInfo out;
  out.format = {layout_of(info), info.format.width, info.format.height, info.matrix == "bt601",
                info.full_range};
  out.duration = info.duration;
  out.rate = std::clamp(info.rate > 0 ? info.rate : usual, least, most);
  out.pixel_width = info.pixel_width;
  out.pixel_height = info.pixel_height;
  out.filters = filters_of(info, out);
  out.decoding_bytes = files::decoding_bytes(info.format);
  return out;
}

struct MoviePlayback::Program {
  files::Child child;
  std::function<bool()> cancelled;
  fs::path path;
};

MoviePlayback::MoviePlayback(const MoviePrograms& programs, const fs::path& path,
                             const PlaybackInfo& info, double from)
    : from_(std::max(0.0, from)), rate_(info.rate), frame_(info.format.frame_bytes()) {
  const std::vector<std::string> before{"ffmpeg",         "-v", "error", "-nostdin",
                                        "-reinit_filter", "0",  "-ss",   decimal(from_)};
  const std::vector<std::string> after{"-map", "0:v:0",    "-vf",   info.filters,
                                       "-f",   "rawvideo", "pipe:1"};
  program_.reset(new Program{
      files::Child(files::movie_words(programs, before, path, after, info.decoding_bytes)),
      programs.cancelled, path});
}

MoviePlayback::~MoviePlayback() = default;

const std::vector<char>& MoviePlayback::next() {
  const std::size_t bytes = frame_.size();
  if (bytes == 0) return frame_;
  if (program_->child.read(frame_.data(), bytes, program_->cancelled) == bytes) {
    ++frames_;
    return frame_;
  }
  frame_.clear();
  const bool well = program_->child.ended_well(program_->cancelled);
  const std::string why = files::without_addresses(program_->child.last_error_line());
  if (frames_ == 0 && !well) files::fail_damaged_movie(program_->path, why);
  return frame_;
}

}  // namespace sfumato
