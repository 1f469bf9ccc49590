// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "io/animation_output.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cmath>
#include <cstring>
#include <utility>

#include "io/module.hpp"
#include "io/movie_encoder.hpp"
#include "io/movie_probe.hpp"
#include "io/target.hpp"
#include "params/suggest.hpp"
#include "text/system_reason.hpp"

namespace sfumato {
namespace {

namespace fs = std::filesystem;
using files::FileWriter;
using files::shown;

// Writes each picture with a writer of the file module, which decides what the format holds.
class FrameByFrameOutput : public AnimationOutput {
 public:
  FrameByFrameOutput(const fs::path& path, const WriteOptions& options, const AnimationFormat& kind)
      : path_(path), options_(options), target_(path, options, check_animation) {
    info_.id = kind.id;
    info_.name = kind.name;
  }

  const PictureFormat& format() const override { return format_; }
  const std::vector<Message>& warnings() const override { return warnings_; }

  void add(InputPicture& origin, const HostView& picture, double start) override {
    std::unique_ptr<FileWriter> writer = writer_ ? std::move(writer_) : next(origin, start);
    if (writer->format() != format_) {
      throw FileError(message({"animation.differ",
                               "{file}: pictures of different sizes or kinds cannot be in one "
                               "animation"},
                              shown(path_)));
    }
    constexpr int rows = 256;
    for (int y = picture.region.y0; y < picture.region.y1; y += rows) {
      HostView strip = picture;
      strip.data = picture.row(y);
      strip.region.y0 = y;
      strip.region.y1 = std::min(picture.region.y1, y + rows);
      writer->write(strip);
    }
    writer->finish();
    writer.reset();
    take(start);
  }

 protected:
  /// Makes the first picture's writer.
  void begin(InputPicture& first) {
    writer_ = next(first, 0);
    format_ = writer_->format();
    warnings_ = writer_->warnings();
  }
  virtual std::unique_ptr<FileWriter> next(InputPicture& origin, double start) = 0;
  /// The picture is written.
  virtual void take(double start) = 0;

  files::WriteRequest request_of(InputPicture& origin, int descriptor) {
    InputPicture* held = origin.origin() != nullptr ? &origin : nullptr;
    PictureFormat format = resized_format(origin, options_);
    if (held == nullptr && options_.bits) format.type = *options_.bits;
    return {path_, descriptor, target_.temporary_now(), &info_, options_, held, format};
  }

  /// What no output takes over of a movie.
  void say_left_out(const fs::path& movie, const files::MovieExtras& extras) {
    const MessageValue file = shown(path_), input = shown(movie);
    if (extras.pictures) {
      warnings_.push_back(
          message({"movie.no_other_pictures",
                   "{file}: only the first stream of pictures of {movie} is taken over"},
                  file, input));
    }
    if (extras.subtitles) {
      warnings_.push_back(message(
          {"movie.no_subtitles", "{file}: the subtitles of {movie} are left out"}, file, input));
    }
    if (extras.others) {
      warnings_.push_back(
          message({"movie.no_data", "{file}: data and attached files of {movie} are left out"},
                  file, input));
    }
  }

  fs::path path_;
  WriteOptions options_;
  files::Target target_;
  FormatInfo info_;  // for the module's writers
  std::vector<Message> warnings_;

 private:
  PictureFormat format_;
  std::unique_ptr<FileWriter> writer_;  // of the first picture, until it is added
};

int milliseconds(const fs::path& path, double seconds) {
  const double value = std::round(1000 * seconds);
  if (value >= 0 && value < INT_MAX) return static_cast<int>(value);
  throw FileError(message(
      {"animation.too_long", "{file}: an animation cannot be longer than 24 days"}, shown(path)));
}

class AnimatedPicture final : public FrameByFrameOutput {
 public:
  AnimatedPicture(const fs::path& path, const AnimationOptions& options,
                  const AnimationFormat& kind, InputPicture& first)
      : FrameByFrameOutput(path, options.write, kind) {
    info_ = *format_of(path);
    frames_ =
        files::loaded_module().animate(request_of(first, target_.descriptor()), options.loops);
    begin(first);
    if (options.movie.empty()) return;
    const MoviePrograms programs{options.write.cancelled, options.contained};
    const files::MovieExtras extras = files::movie_extras(programs, options.movie);
    say_left_out(options.movie, extras);
    if (!files::light_of(programs, options.movie).empty()) {
      warnings_.push_back(files::light_left_out(path, options.movie));
    }
    if (!files::movie_sounds(programs, options.movie).empty()) {
      warnings_.push_back(
          message({"animation.no_sound", "{file}: {format} cannot hold sound, which is left out"},
                  shown(path), kind.name));
    }
    if (extras.chapters || !extras.tags.empty()) {
      warnings_.push_back(
          message({"animation.no_tags", "{file}: tags and chapters of {movie} are left out"},
                  shown(path), shown(options.movie)));
    }
  }

  // What the encoder keeps: the canvas before and after, and two attempts at each frame.
  std::size_t working_bytes() const override {
    return 4 * sizeof(std::uint32_t) * static_cast<std::size_t>(format().width) *
           static_cast<std::size_t>(format().height);
  }

  void commit(double end) override {
    frames_->finish(time_of(end));
    frames_.reset();
    target_.commit();
  }

 private:
  std::unique_ptr<FileWriter> next(InputPicture& origin, double start) override {
    return frames_->next(request_of(origin, target_.descriptor()), time_of(start));
  }
  void take(double) override {}

  // Milliseconds, at which the picture before ends.
  int time_of(double seconds) {
    constexpr int longest = (1 << 24) - 1;  // the format has 24 bits for it
    const int time = milliseconds(path_, seconds);
    if (time - time_ > longest) {
      throw FileError(message({"animation.frame_too_long",
                               "{file}: WebP cannot show a picture for more than 4.6 hours"},
                              shown(path_)));
    }
    time_ = time;
    return time;
  }

  std::unique_ptr<files::FramesWriter> frames_;
  int time_ = 0;
};

// A file in memory for one picture: what its writer makes of it goes to the encoder.
class PictureMemory {
 public:
  PictureMemory() : descriptor_(::memfd_create("picture", MFD_CLOEXEC)) { check(descriptor_ >= 0); }
  ~PictureMemory() { ::close(descriptor_); }
  PictureMemory(const PictureMemory&) = delete;
  PictureMemory& operator=(const PictureMemory&) = delete;

  int descriptor() const { return descriptor_; }
  void clear() { check(::ftruncate(descriptor_, 0) == 0); }
  // The last bytes of the file.
  void read_end(std::string& to, std::size_t bytes) {
    to.resize(bytes);
    const off_t size = ::lseek(descriptor_, 0, SEEK_END);
    check(size >= static_cast<off_t>(bytes));
    const off_t from = size - static_cast<off_t>(bytes);
    for (std::size_t done = 0; done < bytes;) {
      const ssize_t got =
          ::pread(descriptor_, to.data() + done, bytes - done, from + static_cast<off_t>(done));
      check(got > 0);
      done += static_cast<std::size_t>(got);
    }
  }

 private:
  static void check(bool good) {
    if (good) return;
    throw FileError(message(
        {"animation.no_memory", "a picture cannot be kept in memory for the encoder ({reason})"},
        system_reason(errno)));
  }

  int descriptor_;
};

class MovieFile final : public FrameByFrameOutput {
 public:
  MovieFile(const fs::path& path, const AnimationOptions& options, const AnimationFormat& kind,
            InputPicture& first)
      : FrameByFrameOutput(path, options_of(options, first), kind) {
    info_.id = "pnm";  // the samples alone
    info_.depths = {SampleType::u8, SampleType::u16};
    begin(first);
    files::MovieRequest request;
    request.shown = path;
    request.temporary = target_.temporary();
    request.container = kind.id;
    request.format = format();
    request.format.type = *options_.bits;
    request.format.channels = colors;
    request.format.alpha = AlphaKind::none;
    request.quality = options_.quality;
    request.step = options.step;
    request.last_picture = options.pictures - 1;
    request.last_start = options.last_start;
    request.last_step = options.last_step;
    request.programs = {options_.cancelled, options.contained};
    if (options.movie.empty()) {
      request.like.matrix = request.format.height < 720 ? "bt601" : "bt709";  // the convention
      request.like.primaries = "bt709";
      request.like.transfer = "iec61966-2-1";
    } else {
      request.like = files::movie_info(request.programs, options.movie);
      request.movie = options.movie;
      request.light = files::light_of(request.programs, options.movie);
      request.sounds = files::movie_sounds(request.programs, options.movie);
      request.extras = files::movie_extras(request.programs, options.movie);
      say_left_out(options.movie, request.extras);
    }
    if (Message changes = files::changes_of_pictures(request); !changes.empty()) {
      warnings_.push_back(std::move(changes));
    }
    bytes_ = request.format.row_bytes() * static_cast<std::size_t>(request.format.height);
    encoder_.emplace(std::move(request));
  }

  std::size_t working_bytes() const override { return 4 * bytes_; }

  void commit(double) override {
    for (Message& warning : encoder_->finish()) warnings_.push_back(std::move(warning));
    encoder_.reset();
    target_.commit();
  }

 private:
  static constexpr int colors = 3;

  static WriteOptions options_of(const AnimationOptions& options, const InputPicture& first) {
    WriteOptions write = options.write;
    if (!write.bits) {
      write.bits = first.format().type == SampleType::u8 ? SampleType::u8 : SampleType::u16;
    }
    write.in_color = true;
    return write;
  }

  std::unique_ptr<FileWriter> next(InputPicture& origin, double) override {
    picture_.clear();
    return files::loaded_module().create(request_of(origin, picture_.descriptor()));
  }

  void take(double start) override {
    picture_.read_end(samples_, bytes_);
    encoder_->add(samples_, start);
  }

  PictureMemory picture_;
  std::string samples_;
  std::size_t bytes_ = 0;
  std::optional<files::MovieEncoder> encoder_;
};

}  // namespace

const std::vector<AnimationFormat>& animation_formats() {
  static const std::vector<AnimationFormat> all{
      {"webp", "WebP", {"webp"}, false},       {"mp4", "MP4", {"mp4"}, true},
      {"ipod", "MP4", {"m4v"}, true},          {"mov", "QuickTime", {"mov"}, true},
      {"matroska", "Matroska", {"mkv"}, true}, {"webm", "WebM", {"webm"}, true}};
  return all;
}

const AnimationFormat* animation_format_of(const fs::path& path) {
  const std::string extension = files::lower_extension(path);
  for (const AnimationFormat& format : animation_formats()) {
    const auto& known = format.extensions;
    if (std::find(known.begin(), known.end(), extension) != known.end()) return &format;
  }
  return nullptr;
}

void check_animation_format(const fs::path& path, const WriteOptions& options) {
  const AnimationFormat* format = animation_format_of(path);
  if (format == nullptr) {
    std::string list;
    std::vector<std::string> known;
    for (const AnimationFormat& one : animation_formats()) {
      list += (list.empty() ? "." : ", .") + one.extensions.front();
      known.push_back(one.extensions.front());
    }
    throw FileError(message({"animation.no_format",
                             "{file}: no animation or movie of this kind can be written; use "
                             "{extensions}"},
                            shown(path), list));
  }
  const bool fits = !options.bits || *options.bits == SampleType::u8 ||
                    (format->is_movie && *options.bits == SampleType::u16);
  if (!fits) {
    throw FileError(message({"animation.no_depth",
                             "{file}: {format} cannot hold samples of this depth ({depth}); use "
                             "{depths}"},
                            shown(path), format->name, files::depth_name(*options.bits),
                            format->is_movie ? "8, 16" : "8"));
  }
}

void check_animation(const fs::path& path, const WriteOptions& options) {
  files::check_target(path, options, check_animation_format);
}

std::unique_ptr<AnimationOutput> create_animation(const fs::path& path,
                                                  const AnimationOptions& options,
                                                  InputPicture& first) {
  const AnimationFormat* kind = animation_format_of(path);
  if (kind == nullptr) check_animation_format(path, options.write);
  AnimationOptions complete = options;
  if (complete.write.input_path.empty()) complete.write.input_path = first.info().path;
  if (kind->is_movie) return std::make_unique<MovieFile>(path, complete, *kind, first);
  return std::make_unique<AnimatedPicture>(path, complete, *kind, first);
}

}  // namespace sfumato
