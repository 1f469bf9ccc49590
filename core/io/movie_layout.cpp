// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "io/movie_layout.hpp"

#include <algorithm>
#include <set>

#include "io/module.hpp"
#include "io/movie_encoder.hpp"
#include "params/suggest.hpp"

namespace sfumato::files {
namespace {

bool is_webm_file(const MovieRequest& request) {
  return request.container == "webm";
}

// Files for players that know little else.
bool is_plain(const MovieRequest& request) {
  return request.container == "ipod";
}

bool is_lossless(const std::string& codec) {
  static const std::set<std::string> codecs = {
      "ffv1", "huffyuv", "ffvhuff", "utvideo", "rawvideo", "png",      "apng", "qtrle", "v210",
      "v308", "v408",    "v410",    "r210",    "lagarith", "magicyuv", "zmbv", "tscc",  "flashsv"};
  return codecs.count(codec) > 0;
}

const char* codec_of(const MovieRequest& request) {
  return is_webm_file(request) ? "VP9" : "H.264";
}

bool is_same_codec(const MovieRequest& request) {
  return request.like.codec == (is_webm_file(request) ? "vp9" : "h264");
}

Message list_of(const std::vector<Message>& all) {
  Message out = all.back();
  for (auto one = std::next(all.rbegin()); one != all.rend(); ++one) {
    out = message({"property.list", "{first}, {rest}"}, *one, out);
  }
  return out;
}

}  // namespace

std::string MovieLayout::pixels() const {
  const std::string name = chroma == Chroma::full          ? "yuv444p"
                           : chroma == Chroma::half_across ? "yuv422p"
                                                           : "yuv420p";
  return deep ? name + "10le" : name;
}

int MovieLayout::width(const PictureFormat& format) const {
  return even ? (format.width + 1) / 2 * 2 : format.width;
}

int MovieLayout::height(const PictureFormat& format) const {
  return even ? (format.height + 1) / 2 * 2 : format.height;
}

MovieLayout movie_layout(const MovieRequest& request) {
  MovieLayout out;
  out.deep = request.format.type == SampleType::u16;
  out.full_range = request.like.full_range;
  if (is_plain(request)) {
    out.even = true;
    return out;
  }
  // Pictures have all their colours, but few players show them in movies.
  const std::string& pixels = request.like.pixels;
  if (!pixels.empty()) out.chroma = chroma_of(pixels);
  out.lossless = request.quality == 0 && is_lossless(request.like.codec);
  if (is_webm_file(request)) return out;
  // H.264 has no odd sides where two pixels share a colour.
  const bool odd_width = request.format.width % 2 != 0, odd_height = request.format.height % 2 != 0;
  if (odd_width || (odd_height && out.chroma == Chroma::half)) out.chroma = Chroma::full;
  return out;
}

Message changes_of_pictures(const MovieRequest& request) {
  const MovieLayout layout = movie_layout(request);
  const MovieInfo& like = request.like;
  const PictureFormat& format = request.format;
  std::vector<Message> changes;
  if (!like.codec.empty() && !is_same_codec(request)) {
    changes.push_back(
        layout.lossless ? message({"movie.other_codec_lossless", "{codec} without loss, not {old}"},
                                  codec_of(request), in_quotes(like.codec))
                        : message({"movie.other_codec", "{codec} with losses, not {old}"},
                                  codec_of(request), in_quotes(like.codec)));
  }
  const Chroma before = like.pixels.empty() ? Chroma::full : chroma_of(like.pixels);
  if (layout.chroma < before) {
    changes.push_back(message({"movie.half_chroma", "colours at half the resolution (4:2:0)"}));
  }
  constexpr int most_bits = 10;
  if (!like.pixels.empty() && bits_of_pixels(like.pixels) > most_bits) {
    changes.push_back(
        message({"movie.ten_bits", "10 bits, not {bits}"}, bits_of_pixels(like.pixels)));
  }
  const int width = layout.width(format), height = layout.height(format);
  if (width != format.width || height != format.height) {
    changes.push_back(message({"movie.even_size",
                               "{width} x {height} pixels, not {old_width} x "
                               "{old_height}"},
                              width, height, format.width, format.height));
  }
  if (changes.empty()) return {};
  return message(
      {"movie.stored_otherwise", "{file}: the pictures are not stored as in the input: {changes}"},
      shown(request.shown), list_of(changes));
}

}  // namespace sfumato::files
