// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "io/movie_probe.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "io/child.hpp"
#include "io/decoder/decoder_process.hpp"
#include "io/module.hpp"
#include "params/suggest.hpp"

namespace sfumato::files {
namespace {

namespace fs = std::filesystem;

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

// To find out what a movie is.
constexpr std::uint64_t probing_bytes = std::uint64_t{2} << 30;

struct Probed {
  std::string out;
  std::string complaint;  // although it succeeded
};

// `stream`: null for all of them.
Probed probed(const MoviePrograms& programs, const fs::path& path,
              const std::vector<std::string>& requests, const char* stream = "v:0") {
  std::vector<std::string> words{"ffprobe", "-v", "error"};
  if (stream != nullptr) words.insert(words.end(), {"-select_streams", stream});
  words.insert(words.end(), requests.begin(), requests.end());
  Child probe(movie_words(programs, std::move(words), path, {}, probing_bytes));
  std::string out = probe.read_all(programs.cancelled);
  if (!probe.ended_well()) fail_damaged_movie(path, without_addresses(probe.last_error_line()));
  return {std::move(out), without_addresses(probe.last_error_line())};
}

// 0 for what is no number. The point counts in every locale.
double decimal_of(const std::string& text) {
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// "00:01:02.5"; 0 for what is no such time.
double seconds_in(const std::string& text) {
  if (std::count(text.begin(), text.end(), ':') != 2) return 0;
  double out = 0;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ':');) out = 60 * out + decimal_of(part);
  return out;
}

// What the file contains, and what it claims to contain.
struct Packets {
  std::string container;
  std::int64_t all = 0;
  std::int64_t promised = 0;                          // 0: it does not say
  double first = 0, end = 0, mean = 0, duration = 0;  // seconds; 0: it does not say
  double start = 0;                                   // of the file
  double rate = 0;
  bool timed = true;           // each packet says when it is shown
  std::vector<double> starts;  // of what is shown

  void add(const std::vector<std::string>& fields) {
    const std::string& kind = fields.front();
    const auto field = [&fields](std::size_t i) {
      return i < fields.size() ? fields[i] : std::string();
    };
    const auto number = [](const std::string& text) { return decimal_of(text); };
    if (kind == "packet") {
      ++all;
      // Packets with this flag are decoded, but not shown.
      const bool is_shown = field(4).find('D') == std::string::npos;
      const double begin = number(field(1) == "N/A" ? field(2) : field(1));
      if (is_shown) starts.push_back(begin);
      if (field(1) == "N/A") timed = false;
      first = all == 1 ? begin : std::min(first, begin);
      end = std::max(end, begin + number(field(3)));
      mean = (end - first) / static_cast<double>(all);
    } else if (kind == "stream") {
      rate = quotient(field(1));
      duration = number(field(2));
      if (duration <= 0) duration = seconds_in(field(4));
      promised = static_cast<std::int64_t>(number(field(3)));
    } else if (kind == "format") {
      container = field(1);
      start = number(fields.back());  // the container's name may contain commas
    }
  }
  // Matroska does not say how long the last picture is shown; of files that are cut, ffprobe
  // complains.
  bool is_matroska() const { return container.find("matroska") != std::string::npos; }
  // Trimmed movies have more packets than they show, and end when they claim to.
  bool end_early() const {
    return !is_matroska() && (promised == 0 || all < promised) &&
           end - first < duration - 0.75 * mean;
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

// What a decoder complains about when it decodes the whole movie.
std::string decoding_complaint(const MoviePrograms& programs, const fs::path& path,
                               const PictureFormat& format) {
  Child decoder(movie_words(programs, {"ffmpeg", "-v", "error", "-nostdin"}, path,
                            {"-map", "0:v:0", "-f", "null", "-"}, decoding_bytes(format)));
  decoder.read_all(programs.cancelled);
  decoder.ended_well();
  return without_addresses(decoder.last_error_line());
}

// The same choice as the editor's, so that both show the same colours.
std::string matrix_of(const std::string& space, int height) {
  if (space == "bt470bg" || space == "smpte170m") return "bt601";
  if (space == "bt2020nc" || space == "bt2020c") return "bt2020";
  const bool known = space == "bt709" || space == "gbr";
  return !known && height < 720 ? "bt601" : "bt709";  // the convention for small ones
}

// Whether pictures have opacity, as "yuva420p", "argb" and "gbrap10le" do.
bool has_opacity(const std::string& format) {
  static const std::vector<std::string> beginnings = {"yuva", "gbrap", "argb", "rgba",
                                                      "bgra", "abgr",  "ya8",  "ya16"};
  return std::any_of(beginnings.begin(), beginnings.end(),
                     [&](const std::string& one) { return format.starts_with(one); });
}

// What ffprobe does not know has no name.
std::string known_name(const std::string& said) {
  return said == "unknown" || said == "reserved" ? std::string() : said;
}

// The shape of a pixel, "4:3"; square if it makes no sense.
void take_shape(const std::string& said, MovieInfo& info) {
  constexpr int most = 100;  // beyond that, the file is damaged
  int width = 0, height = 0;
  if (std::sscanf(said.c_str(), "%d:%d", &width, &height) != 2 || width < 1 || height < 1) return;
  if (width / height >= most || height / width >= most) return;
  info.pixel_width = width;
  info.pixel_height = height;
}

// QuickTime's kind of file has no other place for it. Writers name themselves there.
std::string track_name(const std::string& handler) {
  const std::string name = lower(handler);
  const bool of_writer = name.find("handler") != std::string::npos ||
                         name.find("media") != std::string::npos ||
                         name.find("gpac") != std::string::npos;
  return of_writer ? std::string() : handler;
}

// HLS, DASH, ffmpeg's lists of files, and those of players.
bool is_playlist(const fs::path& path) {
  std::string head(512, '\0');
  std::ifstream in(path, std::ios::binary);
  in.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(in.gcount()));
  constexpr std::string_view bom = "\xef\xbb\xbf";
  if (head.starts_with(bom)) head.erase(0, bom.size());
  head = lower(head.substr(std::min(head.find_first_not_of(" \t\r\n"), head.size())));
  const auto begins = [&head](const char* mark) { return head.starts_with(mark); };
  const auto has = [&head](const char* word) { return head.find(word) != std::string::npos; };
  return begins("#extm3u") || begins("ffconcat") || begins("[playlist]") || begins("[reference]") ||
         begins("<asx") || begins("<smil") || (begins("<") && (has("<mpd") || has("<playlist")));
}

}  // namespace

// "yuv420p10le", "p010le" and "rgb48be" say it at their end.
int bits_of_pixels(std::string format) {
  if (format.ends_with("le") || format.ends_with("be")) format.resize(format.size() - 2);
  if (format == "nv12" || format == "nv16") return 8;
  const std::size_t digits = format.find_last_not_of("0123456789") + 1;
  const std::string number = format.substr(std::min(digits, format.size()));
  static const std::map<std::string, int> deep = {{"9", 9},    {"10", 10}, {"010", 10}, {"210", 10},
                                                  {"410", 10}, {"30", 10}, {"12", 12},  {"012", 12},
                                                  {"36", 12},  {"14", 14}, {"16", 16},  {"016", 16},
                                                  {"20", 10},  {"48", 16}, {"64", 16}};
  const auto found = deep.find(number);
  return found == deep.end() ? 8 : found->second;
}

Chroma chroma_of(const std::string& pixels) {
  static const std::vector<std::string> across = {"yuyv", "uyvy", "yvyu", "nv16",
                                                  "nv20", "p210", "p216", "y210"};
  static const std::vector<std::string> full = {"rgb",  "bgr",  "gbr",   "argb",  "abgr", "pal8",
                                                "0rgb", "0bgr", "x2rgb", "x2bgr", "nv24", "nv42",
                                                "p410", "p416", "ayuv",  "xyz"};
  const auto begins = [&](const std::vector<std::string>& names) {
    return std::any_of(names.begin(), names.end(),
                       [&](const std::string& name) { return pixels.starts_with(name); });
  };
  const auto has = [&](const char* what) { return pixels.find(what) != std::string::npos; };
  if (begins(full) || has("444") || has("440")) return Chroma::full;
  return begins(across) || has("422") ? Chroma::half_across : Chroma::half;
}

void fail_damaged_movie(const fs::path& path, const std::string& why) {
  if (is_playlist(path)) {
    throw FileError(message({"movie.playlist",
                             "{file}: this is a list of other files, which are not followed; name "
                             "the movies themselves"},
                            shown(path)));
  }
  throw FileError(message(
      {"movie.not_read", "{file}: the movie cannot be read ({reason}); make it again"}, shown(path),
      why.empty() ? MessageValue(message({"file.no_reason", "no reason given"}))
                  : MessageValue(in_quotes(why))));
}

std::string without_addresses(std::string words) {
  for (std::size_t at = 0; (at = words.find(" @ 0x", at)) != std::string::npos;) {
    words.erase(at, words.find_first_not_of("0123456789abcdef", at + 5) - at);
  }
  return words;
}

Message partly_damaged_movie(const fs::path& path, const std::string& why) {
  return message({"movie.damaged",
                  "{file}: the movie is damaged ({reason}); its pictures are made as far as they "
                  "can be decoded"},
                 shown(path), in_quotes(why));
}

std::vector<std::string> confined_words(const MoviePrograms& programs,
                                        std::vector<std::string> words, std::uint64_t bytes,
                                        const fs::path& output) {
  const fs::path decoder = programs.contained ? decoder::find_decoder() : fs::path();
  if (decoder.empty() || !is_in_path(words.front())) return words;
  std::vector<std::string> out{decoder.string(), "--confine", std::to_string(bytes >> 20)};
  if (!output.empty()) out.insert(out.end(), {"--output", fs::absolute(output).string()});
  out.insert(out.end(), std::make_move_iterator(words.begin()),
             std::make_move_iterator(words.end()));
  return out;
}

std::vector<std::string> movie_words(const MoviePrograms& programs, std::vector<std::string> before,
                                     const fs::path& movie, const std::vector<std::string>& after,
                                     std::uint64_t bytes) {
  const std::vector<std::string> named = input(movie);
  before.insert(before.end(), named.begin(), named.end());
  before.insert(before.end(), after.begin(), after.end());
  return confined_words(programs, std::move(before), bytes, {});
}

std::uint64_t decoding_bytes(const PictureFormat& format) {
  constexpr std::uint64_t frames = 96, bytes_of_sample = 2, samples = 4;
  return probing_bytes + frames * samples * bytes_of_sample *
                             static_cast<std::uint64_t>(format.width) *
                             static_cast<std::uint64_t>(format.height);
}

MovieInfo movie_info(const MoviePrograms& programs, const fs::path& path) {
  std::istringstream lines(
      probed(programs, path,
             {"-show_entries",
              "stream=codec_name,width,height,pix_fmt,sample_aspect_ratio,color_range,color_space,"
              "color_primaries,color_transfer,field_order,r_frame_rate:format=duration:"
              "stream_tags=alpha_mode,language:stream_side_data=rotation",
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
    throw FileError(
        message({"movie.none", "{file}: the file holds no movie; choose another"}, shown(path)));
  }
  info.matrix = matrix_of(movie["color_space"], info.format.height);
  take_shape(movie["sample_aspect_ratio"], info);
  if (number("rotation") % 180 != 0) {
    std::swap(info.format.width, info.format.height);
    std::swap(info.pixel_width, info.pixel_height);
  }
  info.format.channels = 3;
  info.format.type = bits_of_pixels(movie["pix_fmt"]) > 8 ? SampleType::u16 : SampleType::u8;
  info.codec = movie["codec_name"];
  info.pixels = movie["pix_fmt"];
  info.full_range = movie["color_range"] == "pc" || info.pixels.starts_with("yuvj");
  // WebM stores opacity as a stream of its own, which is not among the stream's pixels.
  info.opacity = has_opacity(info.pixels) || movie["TAG:alpha_mode"] == "1";
  info.language = movie["TAG:language"];
  info.primaries = known_name(movie["color_primaries"]);
  info.transfer = known_name(movie["color_transfer"]);
  static const std::set<std::string> of_fields = {"tt", "bb", "tb", "bt"};
  info.interlaced = of_fields.count(movie["field_order"]) > 0;
  info.duration = std::max(0.0, decimal_of(movie["duration"]));
  info.rate = quotient(movie["r_frame_rate"]);
  info.hdr = info.transfer == "smpte2084" || info.transfer == "arib-std-b67";
  return info;
}

std::vector<MovieSound> movie_sounds(const MoviePrograms& programs, const fs::path& path) try {
  const auto all = nlohmann::json::parse(
      probed(programs, path,
             {"-show_entries",
              "stream=index,codec_name,channels:stream_tags=language,title,handler_name", "-of",
              "json"},
             "a")
          .out);
  std::map<int, MovieSound> sounds;  // by index: streams that belong to programs are listed twice
  for (const auto& one : all.at("streams")) {
    const auto tags = one.value("tags", nlohmann::json::object());
    const auto tag = [&tags](const char* name) { return tags.value(name, std::string()); };
    const std::string title = tag("title").empty() ? track_name(tag("handler_name")) : tag("title");
    sounds[one.at("index").get<int>()] = {0, one.value("codec_name", ""), one.value("channels", 0),
                                          tag("language"), title};
  }
  std::vector<MovieSound> out;
  int stream = 0;
  for (auto& [index, sound] : sounds) {
    sound.stream = stream++;
    if (!known_name(sound.codec).empty()) out.push_back(std::move(sound));
  }
  return out;
} catch (const nlohmann::json::exception&) {
  return {};
}

double quotient(const std::string& said) {
  double over = 0, under = 0;
  const bool known = std::sscanf(said.c_str(), "%lf/%lf", &over, &under) == 2 && under > 0;
  return known ? over / under : 0;
}

std::string first_picture_json(const MoviePrograms& programs, const fs::path& path,
                               const std::string& entries) {
  return probed(programs, path,
                {"-read_intervals", "%+#1", "-show_entries", entries, "-of", "json"})
      .out;
}

MovieExtras movie_extras(const MoviePrograms& programs, const fs::path& path) try {
  static const std::set<std::string> of_writers = {"major_brand", "minor_version",
                                                   "compatible_brands", "encoder"};
  const Probed said =
      probed(programs, path,
             {"-show_entries",
              "stream=codec_type,codec_tag_string:stream_tags=timecode:format_tags:chapter=id",
              "-of", "json"},
             nullptr);
  const auto all = nlohmann::json::parse(said.out);
  MovieExtras out;
  out.chapters = !all.at("chapters").empty();
  int pictures = 0;
  for (const auto& stream : all.at("streams")) {
    const std::string kind = stream.value("codec_type", "");
    if (kind == "video") ++pictures;
    if (kind == "subtitle") out.subtitles = true;
    // QuickTime has the chapters' titles in a stream.
    const bool of_chapters = out.chapters && stream.value("codec_tag_string", "") == "text";
    // The time code is a tag of the pictures, too.
    const bool of_time = stream.value("codec_tag_string", "") == "tmcd";
    if ((kind == "data" && !of_chapters && !of_time) || kind == "attachment") out.others = true;
    const auto said_of_it = stream.value("tags", nlohmann::json::object());
    for (const auto& [name, value] : said_of_it.items()) {
      if (lower(name) == "timecode") out.tags["timecode"] = value.get<std::string>();
    }
  }
  out.pictures = pictures > 1;
  const auto tags = all.at("format").value("tags", nlohmann::json::object());
  for (const auto& [name, value] : tags.items()) {
    const std::string known = lower(name);
    if (of_writers.count(known) == 0) out.tags[known] = value.get<std::string>();
  }
  return out;
} catch (const nlohmann::json::exception& error) {
  fail_damaged_movie(path, error.what());
}

MovieCount movie_count(const MoviePrograms& programs, const fs::path& path) {
  const Probed said =
      probed(programs, path,
             {"-show_entries",
              "packet=pts_time,dts_time,duration_time,flags:stream=r_frame_rate,duration,nb_frames:"
              "stream_tags=DURATION:format=format_name,start_time",
              "-of", "csv"});
  Packets packets = packets_of(said.out);
  if (packets.starts.empty()) {
    if (!said.complaint.empty()) fail_damaged_movie(path, said.complaint);
    throw FileError(
        message({"movie.none", "{file}: the file holds no movie; choose another"}, shown(path)));
  }
  MovieCount count;
  count.pictures = static_cast<std::int64_t>(packets.starts.size());
  count.starts = std::move(packets.starts);
  std::sort(count.starts.begin(), count.starts.end());
  // MPEG program streams only say when some are decoded.
  if (!packets.timed && packets.rate > 0) {
    for (std::size_t i = 1; i < count.starts.size(); ++i) {
      count.starts[i] = count.starts.front() + static_cast<double>(i) / packets.rate;
    }
    packets.end = count.starts.back() + 1 / packets.rate;
  }
  for (double& start : count.starts) start = std::max(0.0, start - packets.start);
  count.rate = packets.rate;
  const double end = packets.is_matroska() ? std::max(packets.end, packets.duration) : packets.end;
  count.end = std::max(count.starts.back(), end - packets.start);
  const std::string why =
      said.complaint.empty() && packets.container == "mpeg"
          ? decoding_complaint(programs, path, movie_info(programs, path).format)
          : said.complaint;
  if (!why.empty()) {
    count.fault = partly_damaged_movie(path, why);
  } else if (packets.end_early()) {
    count.fault = message({"movie.ends_early",
                           "{file}: the movie ends before it should, after picture {last}; make it "
                           "again"},
                          shown(path), count.pictures);
  }
  return count;
}

}  // namespace sfumato::files
