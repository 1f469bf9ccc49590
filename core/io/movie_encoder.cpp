// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "io/movie_encoder.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <memory>
#include <sstream>
#include <utility>

#include "io/module.hpp"
#include "params/suggest.hpp"

namespace sfumato::files {
namespace {

namespace fs = std::filesystem;

struct Container {
  const char* id;
  const char* codec;   // of pictures
  const char* copied;  // codecs of sound that ffmpeg's writer takes, by ffprobe's names
  const char* other;   // the codec that others are converted to
};

constexpr std::array containers = {
    Container{"mp4", "libx264", "aac mp3 mp2 ac3 eac3 alac opus vorbis dts", "aac"},
    Container{"ipod", "libx264", "aac alac", "aac"},
    Container{"mov", "libx264",
              "aac mp3 mp2 ac3 eac3 alac dts pcm_s8 pcm_u8 pcm_s16le pcm_s16be pcm_s24le pcm_s24be "
              "pcm_s32le pcm_s32be pcm_f32le pcm_f32be pcm_f64le pcm_f64be pcm_alaw pcm_mulaw",
              "aac"},
    Container{"matroska", "libx264",
              "aac mp3 mp2 ac3 eac3 alac opus vorbis dts flac truehd wavpack tta pcm_u8 pcm_s16le "
              "pcm_s16be pcm_s24le pcm_s24be pcm_s32le pcm_s32be pcm_f32le pcm_f64le pcm_alaw "
              "pcm_mulaw wmav1 wmav2 adpcm_ima_wav adpcm_ms",
              "aac"},
    Container{"webm", "libvpx-vp9", "opus vorbis", "libopus"}};

const Container& container_of(const std::string& id) {
  const auto* found = std::find_if(containers.begin(), containers.end(),
                                   [&](const Container& c) { return id == c.id; });
  return found == containers.end() ? containers.front() : *found;
}

bool is_among(const char* names, const std::string& name) {
  std::istringstream words(names);
  for (std::string word; words >> word;) {
    if (word == name) return true;
  }
  return false;
}

using Words = std::vector<std::string>;

// Of pictures that are not shown equally long, in seconds: ffmpeg 5 asks for one.
constexpr double some_step = 0.01;

void append(Words& to, const Words& more) {
  to.insert(to.end(), more.begin(), more.end());
}

// Matroska's elements: an identifier, a size in eight bytes, and what they hold.
std::string identifier(std::uint32_t id) {
  std::string out;
  for (int shift = 24; shift >= 0; shift -= 8) {
    const auto byte = static_cast<char>(id >> shift & 0xff);
    if (!out.empty() || byte != 0) out += byte;
  }
  return out;
}

std::string number(std::uint64_t value) {
  std::string out;
  for (int shift = 56; shift >= 0; shift -= 8) out += static_cast<char>(value >> shift & 0xff);
  return out;
}

// The head of an element that holds so many bytes.
std::string head_of(std::uint32_t id, std::uint64_t size) {
  constexpr std::uint64_t eight_bytes = std::uint64_t{1} << 56;
  return identifier(id) + number(eight_bytes | size);
}

std::string element(std::uint32_t id, const std::string& content) {
  return head_of(id, content.size()) + content;
}

// Everything before the pictures: times are counted in microseconds.
std::string stream_head(const MovieRequest& request, const MovieLayout& layout) {
  constexpr std::uint64_t any_size = 0xffffffffffffff, scale = 1000;  // ns
  const auto side = [](int pixels) { return number(static_cast<std::uint64_t>(pixels)); };
  const std::string samples = layout.deep ? "\x30RGB" : "RGB\x18";  // by ffmpeg's names
  const std::string video = element(0xb0, side(layout.width(request.format))) +
                            element(0xba, side(layout.height(request.format))) +
                            element(0x2eb524, samples);
  // Without it, ffmpeg 5 may leave out the last picture.
  const double step = request.step > 0 ? request.step : some_step;
  const std::string nanoseconds = number(static_cast<std::uint64_t>(std::llround(1e9 * step)));
  const std::string track = element(0xd7, number(1)) + element(0x73c5, number(1)) +
                            element(0x83, number(1)) + element(0x23e383, nanoseconds) +
                            element(0x86, "V_UNCOMPRESSED") + element(0xe0, video);
  return element(0x1a45dfa3, element(0x4282, "matroska") + element(0x4287, number(4)) +
                                 element(0x4285, number(2))) +
         head_of(0x18538067, any_size) + element(0x1549a966, element(0x2ad7b1, number(scale))) +
         element(0x1654ae6b, element(0xae, track));
}

// What stands before a picture of so many bytes.
std::string picture_head(std::int64_t microseconds, std::size_t bytes) {
  const std::string block("\x81\x00\x00\x80", 4);  // track 1, at the cluster's time, a key frame
  const std::string time = element(0xe7, number(static_cast<std::uint64_t>(microseconds)));
  const std::string simple = head_of(0xa3, block.size() + bytes) + block;
  return head_of(0x1f43b675, time.size() + simple.size() + bytes) + time + simple;
}

// How players turn the movie's numbers into colours: as the input says, else by its size.
struct ColorNames {
  std::string filter, space, primaries, transfer;
};

ColorNames colors_of(const MovieInfo& like) {
  const bool small = like.matrix == "bt601", wide = like.matrix == "bt2020";
  const std::string usual = small ? "smpte170m" : "bt709";
  const auto known = [&](const std::string& name, const char* names) {
    return is_among(names, name) ? name : usual;
  };
  return {small  ? "bt601"
          : wide ? "bt2020"
                 : "bt709",
          wide ? "bt2020nc" : usual,
          known(like.primaries,
                "bt709 bt470bg bt470m smpte170m smpte240m film bt2020 smpte431 smpte432"),
          known(like.transfer,
                "bt709 gamma22 gamma28 smpte170m smpte240m linear iec61966-2-1 smpte2084 "
                "arib-std-b67 bt2020-10 bt2020-12")};
}

// To read sound, tags and chapters.
constexpr std::uint64_t other_bytes = std::uint64_t{1} << 30;

// x264's parameters.
std::string light_words(const MovieLight& light) {
  std::string out;
  if (!light.mastering.empty()) out = "mastering-display=" + light.mastering;
  if (!light.level.empty()) out += (out.empty() ? "cll=" : ":cll=") + light.level;
  return out;
}

// How well pictures are kept.
Words quality_words(const MovieRequest& request, const MovieLayout& layout) {
  const bool is_webm = request.container == "webm";
  const int usual = is_webm ? 24 : 18;
  const int factor = request.quality > 0 ? (101 - request.quality) / 2 : usual;
  if (!layout.lossless) return {"-crf", std::to_string(factor)};
  return is_webm ? Words{"-lossless", "1"} : Words{"-qp", "0"};
}

// Containers take how long a picture is shown from the next one: of the last one, it is stated. In
// whichever units packets count then, it is to its start as these are in seconds.
Words last_words(const MovieRequest& request) {
  if (request.step > 0 || request.last_step <= 0 || request.last_start <= 0) return {};
  const auto microseconds = [](double seconds) {
    return std::to_string(std::llround(1e6 * seconds));
  };
  return {"-bsf:v", "setts=duration=if(eq(N\\," + std::to_string(request.last_picture) +
                        ")\\,PTS*" + microseconds(request.last_step) + "/" +
                        microseconds(request.last_start) + "\\,DURATION)"};
}

Words picture_words(const MovieRequest& request, const MovieLayout& layout) {
  const ColorNames colors = colors_of(request.like);
  const std::string pixels = layout.pixels(), range = layout.full_range ? "pc" : "tv";
  Words words{"-map", "0:v", "-c:v", container_of(request.container).codec};
  append(words, quality_words(request, layout));
  if (request.container == "webm") {
    append(words, {"-b:v", "0", "-row-mt", "1", "-cpu-used", "4"});
  } else {
    append(words, {"-preset", "veryfast"});
    if (const std::string light = light_words(request.light); !light.empty()) {
      append(words, {"-x264-params", light});
    }
    // With frames out of order, ffmpeg 5 writes wrong durations of unequal pictures into MP4.
    if (request.step <= 0) append(words, {"-bf", "0"});
  }
  append(words, {"-vf",
                 "scale=out_color_matrix=" + colors.filter + ":out_range=" + range +
                     ":flags=area+accurate_rnd+full_chroma_inp,format=" + pixels +
                     ",setsar=" + std::to_string(request.like.pixel_width) + "/" +
                     std::to_string(request.like.pixel_height),
                 "-pix_fmt", pixels, "-color_range", range, "-colorspace", colors.space,
                 "-color_primaries", colors.primaries, "-color_trc", colors.transfer, "-fps_mode",
                 "passthrough", "-enc_time_base", "1:90000"});
  append(words, last_words(request));
  return words;
}

// The tag that holds a track's title.
std::string title_tag(const std::string& container) {
  return container == "mp4" || container == "mov" ? "handler_name=" : "title=";
}

// What is taken from the inputs other than the pictures.
Words other_words(const MovieRequest& request, bool notes) {
  // Unless it is named, ffmpeg takes English.
  const std::string& language = request.like.language;
  Words words{"-metadata:s:v:0", "language=" + (language.empty() ? "und" : language)};
  const auto time = request.extras.tags.find("timecode");
  if (time != request.extras.tags.end()) {
    append(words, {"-metadata:s:v:0", "timecode=" + time->second});
  }
  const std::vector<MovieSound>& sounds = request.sounds;
  if (!sounds.empty()) append(words, {"-map", "1:a", "-c:a", "copy"});
  for (std::size_t i = 0; i < sounds.size(); ++i) {
    const std::string stream = "-metadata:s:a:" + std::to_string(i);
    const std::string& title = sounds[i].title;
    if (!sounds[i].language.empty()) append(words, {stream, "language=" + sounds[i].language});
    if (!title.empty()) append(words, {stream, title_tag(request.container) + title});
  }
  if (!notes) return words;
  const std::string number = sounds.empty() ? "1" : "2";
  append(words, {"-map_metadata", number, "-map_chapters", number});
  // What QuickTime's kind of file says of its own kind.
  for (const char* name : {"major_brand", "minor_version", "compatible_brands"}) {
    append(words, {"-metadata", name + std::string("=")});
  }
  return words;
}

// In kbit/s at 48 kHz: high enough to be transparent.
int rate_of(const MovieSound& sound) {
  return std::clamp(96 * sound.channels, 128, 510);
}

Words sound_words(const MovieRequest& request) {
  const Container& container = container_of(request.container);
  Words words{"-vn"};
  for (std::size_t i = 0; i < request.sounds.size(); ++i) {
    const MovieSound& sound = request.sounds[i];
    const bool copy = is_among(container.copied, sound.codec);
    append(words, {"-map", "0:a:" + std::to_string(sound.stream), "-c:a:" + std::to_string(i),
                   copy ? "copy" : container.other});
    if (!copy) {
      append(words, {"-b:a:" + std::to_string(i), std::to_string(rate_of(sound)) + "k"});
    }
  }
  append(words, {"-f", "nut", "pipe:1"});
  return words;
}

}  // namespace

MovieEncoder::MovieEncoder(MovieRequest request)
    : request_(std::move(request)), layout_(movie_layout(request_)) {
  ChildInput input;
  input.written = true;
  Words words{"ffmpeg", "-v", "error", "-y", "-copyts", "-f", "matroska", "-i", "pipe:0"};
  if (!request_.sounds.empty()) add_sound(words, input);
  if (!request_.extras.tags.empty() || request_.extras.chapters) add_notes(words, input);
  append(words, picture_words(request_, layout_));
  append(words, other_words(request_, notes_ != nullptr));
  append(words, {"-f", request_.container, "file:" + fs::absolute(request_.temporary).string()});
  // Encoders keep about as many pictures as decoders do, in more forms.
  const std::uint64_t bytes = 2 * decoding_bytes(request_.format);
  encoder_ = std::make_unique<Child>(
      confined_words(request_.programs, std::move(words), bytes, request_.temporary), input);
  for (Child* child : {sound_.get(), notes_.get()}) {
    if (child != nullptr) child->end_output();
  }
  pass(stream_head(request_, layout_));
}

// The input options of another stream of ours, before those of the output.
void MovieEncoder::add_sound(Words& words, ChildInput& input) {
  sound_ =
      std::make_unique<Child>(movie_words(request_.programs, {"ffmpeg", "-v", "error", "-nostdin"},
                                          request_.movie, sound_words(request_), other_bytes));
  input.more.push_back(sound_->output());
  append(words, {"-f", "nut", "-i", "pipe:3"});
}

void MovieEncoder::add_notes(Words& words, ChildInput& input) {
  const Words written{"-map_metadata", "0", "-map_chapters", "0", "-f", "ffmetadata", "pipe:1"};
  notes_ =
      std::make_unique<Child>(movie_words(request_.programs, {"ffmpeg", "-v", "error", "-nostdin"},
                                          request_.movie, written, other_bytes));
  input.more.push_back(notes_->output());
  append(words, {"-f", "ffmetadata", "-i", "pipe:" + std::to_string(2 + input.more.size())});
}

void MovieEncoder::pass(const std::string& bytes) {
  if (!encoder_->write(bytes.data(), bytes.size(), request_.programs.cancelled)) fail();
}

void MovieEncoder::add(const std::string& samples, double start) {
  // Where sides must be even, the last column and row may be there twice.
  const PictureFormat& f = request_.format;
  const std::size_t pixel = f.pixel_bytes(), row = f.row_bytes();
  samples_.clear();
  for (int y = 0; y < layout_.height(f); ++y) {
    const char* from = samples.data() + row * static_cast<std::size_t>(std::min(y, f.height - 1));
    samples_.append(from, row);
    if (layout_.width(f) > f.width) samples_.append(from + row - pixel, pixel);
  }
  pass_picture(start);
  ++pictures_;
}

void MovieEncoder::pass_picture(double start) {
  constexpr std::int64_t least = 100;  // more than the encoder's clock can tell apart
  const std::int64_t earliest = pictures_ > 0 ? last_start_ + least : 0;
  last_start_ = std::max<std::int64_t>(std::llround(start * 1e6), earliest);
  pass(picture_head(last_start_, samples_.size()));
  pass(samples_);
}

std::vector<Message> MovieEncoder::finish() {
  encoder_->end_input();
  if (!encoder_->ended_well(request_.programs.cancelled)) fail();
  if (!is_whole()) {
    throw FileError(message({"file.not_whole",
                             "{file}: the file cannot be written whole; free some space or choose "
                             "another folder"},
                            shown(request_.shown)));
  }
  std::vector<Message> warnings;
  if (sound_ && (!sound_->ended_well() || !sound_->last_error_line().empty())) {
    warnings.push_back(
        message({"movie.sound_damaged",
                 "{file}: the sound of {movie} could not be taken over whole ({reason})"},
                shown(request_.shown), shown(request_.movie),
                in_quotes(without_addresses(sound_->last_error_line()))));
  }
  // x264 writes it into the pictures; VP9's encoder has no words for it.
  if (!request_.light.empty() && request_.container == "webm") {
    warnings.push_back(light_left_out(request_.shown, request_.movie));
  }
  if (Message lost = lost_tags(); !lost.empty()) warnings.push_back(std::move(lost));
  return warnings;
}

// By reading the file: what a container holds differs with the version of ffmpeg.
Message MovieEncoder::lost_tags() const {
  Words lost;
  if (!request_.extras.tags.empty()) {
    const MovieExtras kept = movie_extras(request_.programs, request_.temporary);
    for (const auto& [name, value] : request_.extras.tags) {
      if (kept.tags.count(name) == 0) lost.push_back(name);
    }
  }
  const std::vector<MovieSound>& before = request_.sounds;
  const std::vector<MovieSound> after =
      before.empty() ? before : movie_sounds(request_.programs, request_.temporary);
  const auto said = [](const std::vector<MovieSound>& sounds, std::string MovieSound::*what) {
    return std::count_if(sounds.begin(), sounds.end(),
                         [what](const MovieSound& one) { return !(one.*what).empty(); });
  };
  const auto lose = [&](const char* name, std::string MovieSound::*what) {
    if (said(after, what) < said(before, what)) lost.push_back(name);
  };
  lose("language", &MovieSound::language);
  lose("track title", &MovieSound::title);
  if (lost.empty()) return {};
  std::string names;
  for (const std::string& name : lost) names += (names.empty() ? "" : ", ") + name;
  return message({"movie.lost_tags", "{file}: {names} of {movie} cannot be kept"},
                 shown(request_.shown), in_quotes(names), shown(request_.movie));
}

// ffmpeg may succeed although the disk is full.
bool MovieEncoder::is_whole() const {
  if (encoder_->last_error_line().find("No space left") != std::string::npos) return false;
  try {
    const MovieCount kept = movie_count(request_.programs, request_.temporary);
    return kept.pictures == pictures_ && kept.fault.empty();
  } catch (const FileError&) {
    return false;
  }
}

void MovieEncoder::fail() {
  encoder_->end_input();
  encoder_->ended_well();
  std::string why = without_addresses(encoder_->last_error_line());
  const std::string temporary = request_.temporary.string();
  if (const std::size_t at = why.find(temporary); at != std::string::npos) {
    why.replace(at, temporary.size(), request_.shown.filename().string());
  }
  throw FileError(message({"movie.not_written", "{file}: the movie cannot be written ({reason})"},
                          shown(request_.shown),
                          why.empty() ? MessageValue(message({"file.no_reason", "no reason given"}))
                                      : MessageValue(in_quotes(why))));
}

}  // namespace sfumato::files
