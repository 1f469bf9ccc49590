// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// ffprobe says what a movie is, ffmpeg decodes it; both are started, not linked.
#include "io/movie.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <optional>
#include <sstream>

#include "image/parallel_rows.hpp"
#include "io/child.hpp"
#include "io/decoder/decoder_process.hpp"
#include "io/module.hpp"
#include "params/suggest.hpp"

namespace sfumato {
namespace {

namespace fs = std::filesystem;
using files::Child;
using files::shown;

// Frames that were decoded on the way to another and may be requested next.
constexpr std::size_t most_kept = 16, most_kept_bytes = std::size_t{128} << 20;

struct MovieInfo {
  PictureFormat format;  // rotated as it is shown
  std::string matrix;    // from luma and chroma to colours, by ffmpeg's names
  bool hdr = false;
};

[[noreturn]] void damaged(const fs::path& path, const std::string& why) {
  throw FileError(message(
      {"movie.not_read", "{file}: the movie cannot be read ({reason}); make it again"}, shown(path),
      why.empty() ? MessageValue(message({"file.no_reason", "no reason given"}))
                  : MessageValue(in_quotes(why))));
}

// The address in "[matroska,webm @ 0x55c858ce6900] File ended prematurely" differs in every run.
std::string without_addresses(std::string words) {
  for (std::size_t at = 0; (at = words.find(" @ 0x", at)) != std::string::npos;) {
    words.erase(at, words.find_first_not_of("0123456789abcdef", at + 5) - at);
  }
  return words;
}

Message partly_damaged(const fs::path& path, const std::string& why) {
  return message({"movie.damaged",
                  "{file}: the movie is damaged ({reason}); its pictures are made as far as they "
                  "can be decoded"},
                 shown(path), in_quotes(why));
}

// The movie, and nothing else that it may name: playlists, lists of parts and descriptions of
// streams are movies to ffmpeg too.
std::vector<std::string> input(const fs::path& path) {
  return {"-protocol_whitelist",
          "file",
          "-format_whitelist",
          "mov,matroska,avi,mpegts,mpeg,mpegvideo,m4v,ogg,flv,asf,mxf",
          "-i",
          fs::absolute(path).string()};
}

// Before and after the input.
std::vector<std::string> words_of(std::vector<std::string> before, const fs::path& path,
                                  const std::vector<std::string>& after) {
  const std::vector<std::string> movie = input(path);
  before.insert(before.end(), movie.begin(), movie.end());
  before.insert(before.end(), after.begin(), after.end());
  return before;
}

// The words that start a program of ffmpeg's, which is confined if it can be. `bytes`: of memory.
std::vector<std::string> started_by(const MoviePrograms& programs, std::vector<std::string> words,
                                    std::uint64_t bytes) {
  const fs::path decoder = programs.contained ? decoder::find_decoder() : fs::path();
  if (decoder.empty() || !files::is_in_path(words.front())) return words;
  std::vector<std::string> out{decoder.string(), "--confine", std::to_string(bytes >> 20)};
  out.insert(out.end(), std::make_move_iterator(words.begin()),
             std::make_move_iterator(words.end()));
  return out;
}

// To find out what a movie is.
constexpr std::uint64_t probing_bytes = std::uint64_t{2} << 30;

// For the frames that a decoder keeps, several threads and conversions.
std::uint64_t decoding_bytes(const PictureFormat& format) {
  constexpr std::uint64_t frames = 96, bytes_of_sample = 2, samples = 4;
  return probing_bytes + frames * samples * bytes_of_sample *
                             static_cast<std::uint64_t>(format.width) *
                             static_cast<std::uint64_t>(format.height);
}

struct Probed {
  std::string out;
  std::string complaint;  // although it succeeded
};

Probed probed(const MoviePrograms& programs, const fs::path& path,
              const std::vector<std::string>& requests) {
  std::vector<std::string> words{"ffprobe", "-v", "error", "-select_streams", "v:0"};
  words.insert(words.end(), requests.begin(), requests.end());
  Child probe(started_by(programs, words_of(std::move(words), path, {}), probing_bytes));
  std::string out = probe.read_all(programs.cancelled);
  if (!probe.ended_well()) damaged(path, without_addresses(probe.last_error_line()));
  return {std::move(out), without_addresses(probe.last_error_line())};
}

// What the file contains, and what it claims to contain.
struct Packets {
  std::string container;
  std::int64_t all = 0, shown = 0;
  std::int64_t promised = 0;                          // 0: it does not say
  double first = 0, end = 0, mean = 0, duration = 0;  // seconds; 0: it does not say

  void add(const std::vector<std::string>& fields) {
    const std::string& kind = fields.front();
    const auto field = [&fields](std::size_t i) {
      return i < fields.size() ? fields[i] : std::string();
    };
    const auto number = [](const std::string& text) { return std::strtod(text.c_str(), nullptr); };
    if (kind == "packet") {
      ++all;
      // Packets with this flag are decoded, but not shown.
      if (field(4).find('D') == std::string::npos) ++shown;
      const double begin = number(field(1) == "N/A" ? field(2) : field(1));
      first = all == 1 ? begin : std::min(first, begin);
      end = std::max(end, begin + number(field(3)));
      mean = (end - first) / static_cast<double>(all);
    } else if (kind == "stream") {
      duration = number(field(1));
      promised = static_cast<std::int64_t>(number(field(2)));
    } else if (kind == "format") {
      container = field(1);
    }
  }
  // Trimmed movies have more packets than they show, and end when they claim to.
  bool end_early() const {
    return (promised == 0 || all < promised) && end - first < duration - 0.75 * mean;
  }
};

Packets packets_of(const std::string& lines_of_fields) {
  std::istringstream lines(lines_of_fields);
  Packets packets;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::vector<std::string> fields;
    for (std::string field; std::getline(words, field, ',');) fields.push_back(field);
    if (!fields.empty()) packets.add(fields);
  }
  return packets;
}

Probed probed_packets(const MoviePrograms& programs, const fs::path& path) {
  return probed(
      programs, path,
      {"-show_entries",
       "packet=pts_time,dts_time,duration_time,flags:stream=duration,nb_frames:format=format_name",
       "-of", "csv"});
}

// What a decoder complains about when it decodes the whole movie.
std::string decoding_complaint(const MoviePrograms& programs, const fs::path& path,
                               const PictureFormat& format) {
  Child decoder(started_by(
      programs,
      words_of({"ffmpeg", "-v", "error", "-nostdin"}, path, {"-map", "0:v:0", "-f", "null", "-"}),
      decoding_bytes(format)));
  decoder.read_all(programs.cancelled);
  decoder.ended_well();
  return without_addresses(decoder.last_error_line());
}

// Whether samples have more than eight bits, as "yuv420p10le", "p010le" and "rgb48be" do.
bool is_deep(std::string format) {
  if (format.ends_with("le") || format.ends_with("be")) format.resize(format.size() - 2);
  if (format == "nv12" || format == "nv16") return false;
  const std::size_t digits = format.find_last_not_of("0123456789") + 1;
  const std::string number = format.substr(std::min(digits, format.size()));
  static const std::vector<std::string> deep = {"9",  "10",  "010", "12", "012", "14",
                                                "16", "016", "20",  "48", "64"};
  return std::find(deep.begin(), deep.end(), number) != deep.end();
}

// The same choice as the editor's, so that both show the same colours.
std::string matrix_of(const std::string& space, int height) {
  if (space == "bt470bg" || space == "smpte170m") return "bt601";
  if (space == "bt2020nc" || space == "bt2020c") return "bt2020";
  const bool known = space == "bt709" || space == "gbr";
  return !known && height < 720 ? "bt601" : "bt709";  // the convention for small ones
}

MovieInfo info_of(const MoviePrograms& programs, const fs::path& path) {
  std::istringstream lines(
      probed(programs, path,
             {"-show_entries",
              "stream=width,height,pix_fmt,color_space,color_transfer:stream_side_data=rotation",
              "-of", "default=nk=0:nw=1"})
          .out);
  std::map<std::string, std::string> movie;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t equals = line.find('=');
    if (equals != std::string::npos) movie[line.substr(0, equals)] = line.substr(equals + 1);
  }
  const auto number = [&movie](const char* name) { return std::atoi(movie[name].c_str()); };
  MovieInfo info;
  info.format.width = number("width");
  info.format.height = number("height");
  if (info.format.width <= 0 || info.format.height <= 0) {
    throw FileError(message({"movie.none", "{file}: the file holds no movie"}, shown(path)));
  }
  info.matrix = matrix_of(movie["color_space"], info.format.height);
  if (number("rotation") % 180 != 0) std::swap(info.format.width, info.format.height);
  info.format.channels = 3;
  info.format.type = is_deep(movie["pix_fmt"]) ? SampleType::u16 : SampleType::u8;
  const std::string& transfer = movie["color_transfer"];
  info.hdr = transfer == "smpte2084" || transfer == "arib-std-b67";
  return info;
}

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
        child_(started_by(
            programs,
            words_of({"ffmpeg", "-v", "error", "-nostdin"}, path,
                     {"-map", "0:v:0", "-fps_mode", "passthrough", "-vf",
                      "select=gte(n\\," + std::to_string(first - 1) + "),scale=in_color_matrix=" +
                          info.matrix + ":flags=neighbor+accurate_rnd+full_chroma_int,format=" +
                          pixels_of(info.format),
                      "-f", "rawvideo", "-pix_fmt", pixels_of(info.format), "pipe:1"}),
            decoding_bytes(info.format))) {}

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
  std::string complaint() const { return without_addresses(child_.last_error_line()); }

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
    if (!info_) info_ = info_of(programs_, path_);
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
    if (!why.empty()) damaged(path_, why);
    // All before the wanted one were passed over, if there were any.
    if (!any) last = std::min(last, packets_of(probed_packets(programs_, path_).out).shown);
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
    info_.path = path;
    info_.file_format = "movie";
    info_.channel_names = info_.all_channels = {"R", "G", "B"};
    info_.data_window = info_.display_window = format_.rect();
    info_.working_bytes = row() * std::size_t(format_.height);
  }

  void read(const Rect& region, void* to, std::ptrdiff_t row_stride) override {
    if (pixels_.empty()) pixels_ = movie_->frame(number_);
    const std::size_t pixel = format_.pixel_bytes();
    for (int y = region.y0; y < region.y1; ++y) {
      std::memcpy(static_cast<char*>(to) + (y - region.y0) * row_stride,
                  pixels_.data() + static_cast<std::size_t>(y) * row() +
                      static_cast<std::size_t>(region.x0) * pixel,
                  static_cast<std::size_t>(region.width()) * pixel);
    }
  }

 private:
  std::size_t row() const {
    return static_cast<std::size_t>(format_.width) * format_.pixel_bytes();
  }

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
  const Probed said = probed_packets(programs_, path);
  const Packets packets = packets_of(said.out);
  if (packets.shown == 0) {
    if (!said.complaint.empty()) damaged(path, said.complaint);
    throw FileError(message({"movie.none", "{file}: the file holds no movie"}, shown(path)));
  }
  MovieCount count{packets.shown};
  const std::string why = said.complaint.empty() && packets.container == "mpeg"
                              ? decoding_complaint(programs_, path, info_of(programs_, path).format)
                              : said.complaint;
  if (!why.empty()) {
    count.fault = partly_damaged(path, why);
  } else if (packets.end_early()) {
    count.fault = message({"movie.ends_early",
                           "{file}: the movie ends before it should, after picture {last}; make it "
                           "again"},
                          shown(path), packets.shown);
  }
  return count;
}

Message Movies::complaint(const fs::path& path) {
  const std::lock_guard lock(mutex_);
  const auto open = movies_.find(path);
  std::string why = open != movies_.end() ? open->second->complaint() : std::string();
  if (const auto closed = complaints_.find(path); why.empty() && closed != complaints_.end()) {
    why = closed->second;
  }
  return why.empty() ? Message() : partly_damaged(path, why);
}

std::unique_ptr<InputPicture> Movies::open(const fs::path& path, const ReadOptions& options) {
  return std::make_unique<FramePicture>(path, options, at(path));
}

}  // namespace sfumato
