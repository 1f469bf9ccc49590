// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// ffmpeg decodes frames; it is started, not linked.
#include "io/movie.hpp"

#include <algorithm>
#include <bit>
#include <optional>

#include "image/parallel_rows.hpp"
#include "io/child.hpp"
#include "io/module.hpp"
#include "io/movie_probe.hpp"

namespace sfumato {
namespace {

namespace fs = std::filesystem;
using files::Child;
using files::MovieInfo;
using files::shown;

// Frames that were decoded on the way to another and may be requested next.
constexpr std::size_t most_kept = 16, most_kept_bytes = std::size_t{128} << 20;

// Decodes from one frame on, in order.
class Decoder {
 public:
  Decoder(const MoviePrograms& programs, const fs::path& path, const MovieInfo& info,
          std::int64_t first)
      : bytes_(info.format.pixel_bytes() * static_cast<std::size_t>(info.format.width) *
               static_cast<std::size_t>(info.format.height)),
        first_(first),
        next_(first),
        cancelled_(programs.cancelled),
        child_(files::movie_words(
            // Frames are counted on where their size changes.
            programs, {"ffmpeg", "-v", "error", "-nostdin", "-reinit_filter", "0"}, path,
            {"-map", "0:v:0", "-fps_mode", "passthrough", "-vf",
             "select=gte(n\\," + std::to_string(first - 1) +
                 "),scale=" + std::to_string(info.format.width) + ':' +
                 std::to_string(info.format.height) + ":in_color_matrix=" + info.matrix +
                 ":flags=neighbor+accurate_rnd+full_chroma_int,format=" + pixels_of(info.format),
             "-f", "rawvideo", "-pix_fmt", pixels_of(info.format), "pipe:1"},
            files::decoding_bytes(info.format))) {}

  /// The number of the frame that is read next.
  std::int64_t next() const { return next_; }
  bool has_read() const { return next_ > first_; }
  std::size_t frame_bytes() const { return bytes_; }

  /// Empty at the end.
  std::vector<char> read() {
    std::vector<char> frame(bytes_);
    if (child_.read(frame.data(), bytes_, cancelled_) < bytes_) return {};
    ++next_;
    return frame;
  }
  std::string why() {
    child_.ended_well();
    return complaint();
  }
  /// Until now.
  std::string complaint() const { return files::without_addresses(child_.last_error_line()); }

 private:
  static const char* pixels_of(const PictureFormat& format) {
    if (format.type == SampleType::u8) return "rgb24";
    return std::endian::native == std::endian::little ? "rgb48le" : "rgb48be";
  }

  std::size_t bytes_;
  std::int64_t first_, next_;
  std::function<bool()> cancelled_;
  Child child_;
};

}  // namespace

// One movie, its decoder, and frames that were passed on the way.
class Movie {
 public:
  Movie(const MoviePrograms& programs, const fs::path& path) : programs_(programs), path_(path) {}

  MovieInfo info() {
    const std::lock_guard lock(mutex_);
    return known();
  }

  std::vector<char> frame(std::int64_t number) {
    const std::lock_guard lock(mutex_);
    if (auto found = kept_.extract(number)) return std::move(found.mapped());
    if (!decoder_ || number < decoder_->next()) {
      kept_.clear();
      note_complaint();
      decoder_.emplace(programs_, path_, known(), number);
    }
    while (true) {
      const std::int64_t at = decoder_->next();
      std::vector<char> frame = read_next();
      if (frame.empty()) end(number);
      if (at == number) return frame;
      keep(at, std::move(frame));
    }
  }

  std::string complaint() {
    const std::lock_guard lock(mutex_);
    note_complaint();
    return complaint_;
  }

 private:
  void note_complaint() {
    if (!decoder_) return;
    if (const std::string why = decoder_->complaint(); !why.empty()) complaint_ = why;
  }

  std::vector<char> read_next() try { return decoder_->read(); } catch (const Cancelled&) {
    decoder_.reset();  // in the middle of a frame
    throw;
  }

  const MovieInfo& known() {
    if (!info_) info_ = files::movie_info(programs_, path_);
    return *info_;
  }

  void keep(std::int64_t number, std::vector<char> frame) {
    const std::size_t bytes = std::max<std::size_t>(1, frame.size());
    const std::size_t most = std::min(most_kept, std::max<std::size_t>(1, most_kept_bytes / bytes));
    kept_[number] = std::move(frame);
    if (kept_.size() > most) kept_.erase(kept_.begin());
  }

  [[noreturn]] void end(std::int64_t number) {
    const std::string why = decoder_->why();
    std::int64_t last = decoder_->next() - 1;
    const bool any = decoder_->has_read();
    note_complaint();
    decoder_.reset();
    if (!why.empty()) files::fail_damaged_movie(path_, why);
    // All before the wanted one were passed over, if there were any.
    if (!any) last = std::min(last, files::movie_count(programs_, path_).pictures);
    throw FileError(
        message({"movie.ends_before", "{file}: the movie ends at picture {last}, before {frame}"},
                shown(path_), last, number));
  }

  MoviePrograms programs_;
  fs::path path_;
  std::mutex mutex_;
  std::optional<MovieInfo> info_;
  std::map<std::int64_t, std::vector<char>> kept_;
  std::optional<Decoder> decoder_;
  std::string complaint_;  // of this decoder and earlier ones
};

namespace {

class FramePicture final : public InputPicture {
 public:
  FramePicture(const fs::path& path, const ReadOptions& options, std::shared_ptr<Movie> movie)
      : number_(options.frame), movie_(std::move(movie)) {
    const MovieInfo info = movie_->info();
    format_ = info.format;
    const auto pixels =
        static_cast<std::uint64_t>(format_.width) * static_cast<std::uint64_t>(format_.height);
    if (pixels > options.max_pixels) {
      throw FileError(message({"movie.too_many_pixels",
                               "{file}: the movie has more pixels than the limit of {limit}; if it "
                               "really is that large, raise the limit (--max-pixels)"},
                              shown(path), options.max_pixels));
    }
    if (info.hdr) {
      info_.warnings.push_back(
          message({"movie.hdr",
                   "{file}: the movie is for HDR displays (PQ or HLG); its numbers "
                   "are taken for sRGB's, and its brightness will look wrong"},
                  shown(path)));
    }
    warn_of_loss(info, path);
    info_.path = path;
    info_.file_format = "movie";
    info_.channel_names = info_.all_channels = {"R", "G", "B"};
    info_.data_window = info_.display_window = format_.rect();
    info_.working_bytes = format_.bytes();
  }

  void warn_of_loss(const MovieInfo& info, const fs::path& path) {
    if (info.opacity) {
      warn(message(
          {"movie.opacity", "{file}: the movie's opacity is not read; its pictures are opaque"},
          shown(path)));
    }
    if (info.interlaced) {
      warn(message({"movie.interlaced",
                    "{file}: the movie is interlaced; both fields of a picture are filtered "
                    "together"},
                   shown(path)));
    }
    const std::string& colors = info.primaries;
    const bool usual = colors.empty() || colors == "bt709" || colors == "smpte170m" ||
                       colors == "bt470bg" || info.hdr;
    if (!usual) {
      warn(message(
          {"movie.colors", "{file}: the movie's colours ({primaries}) are taken for sRGB's"},
          shown(path), colors));
    }
  }

  void read_rows(const Rect& region, void* to, std::ptrdiff_t row_stride) override {
    if (pixels_.empty()) pixels_ = movie_->frame(number_);
    const HostView held{pixels_.data(), static_cast<std::ptrdiff_t>(format_.row_bytes()),
                        format_.rect()};
    MemorySource(format_, held).read(region, to, row_stride);
  }

 private:
  std::int64_t number_;
  std::shared_ptr<Movie> movie_;
  std::vector<char> pixels_;  // from the first read() on
};

}  // namespace

Movies::Movies(MoviePrograms programs) : programs_(std::move(programs)) {}
Movies::~Movies() = default;

void Movies::close_all() {
  for (const auto& [path, movie] : movies_) {
    if (std::string why = movie->complaint(); !why.empty()) complaints_[path] = std::move(why);
  }
  movies_.clear();
}

std::shared_ptr<Movie> Movies::at(const fs::path& path) {
  const std::lock_guard lock(mutex_);
  if (const auto open = movies_.find(path); open != movies_.end()) return open->second;
  // Movies are read one after another: the earlier ones are not needed again.
  if (movies_.size() >= 4) close_all();
  return movies_[path] = std::make_shared<Movie>(programs_, path);
}

MovieCount Movies::count(const fs::path& path) {
  check_input(path);
  return files::movie_count(programs_, path);
}

Message Movies::complaint(const fs::path& path) {
  const std::lock_guard lock(mutex_);
  const auto open = movies_.find(path);
  std::string why = open != movies_.end() ? open->second->complaint() : std::string();
  if (const auto closed = complaints_.find(path); why.empty() && closed != complaints_.end()) {
    why = closed->second;
  }
  return why.empty() ? Message() : files::partly_damaged_movie(path, why);
}

std::unique_ptr<InputPicture> Movies::open(const fs::path& path, const ReadOptions& options) {
  return std::make_unique<FramePicture>(path, options, at(path));
}

}  // namespace sfumato
