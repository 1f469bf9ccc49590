// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Why a reader or writer failed: damage, or a kind of file that nobody here reads.
#include <tiffio.h>

#include <algorithm>
#include <array>
#include <new>

#include "io/module/parts.hpp"
#include "params/suggest.hpp"

namespace sfumato::files {

MessageValue complaint(ErrorText* own, const std::string& library) {
  if (own != nullptr && own->why) return *std::exchange(own->why, std::nullopt);
  std::string line = library.substr(0, library.find('\n'));
  while (!line.empty() && (line.back() == '.' || line.back() == ' ')) line.pop_back();
  if (line.empty()) return message({"file.no_reason", "no reason given"});
  return in_quotes(line);
}

// OpenImageIO's own words, and those of libjpeg and libtiff.
bool is_about_kind(const std::string& library) {
  constexpr std::array<std::string_view, 8> words = {
      "unsupported",     "not supported",      "no support for",     "not configured",
      "not implemented", "illegal image type", "illegal pixel size", "cannot handle"};
  const std::string text = lower(library);
  // Of JPEG files that are damaged.
  if (text.find("unsupported marker") != std::string::npos) return false;
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return text.find(word) != std::string::npos; });
}

void throw_kind(const std::filesystem::path& path, const std::string& kind,
                const MessageValue& reason) {
  throw FileError(message({"file.variant",
                           "{file}: the {format} file is of a kind that cannot be read ({reason}); "
                           "convert it to PNG, TIFF or OpenEXR first"},
                          shown(path), kind, reason));
}

void throw_unread(OIIO::ImageInput& in, const std::filesystem::path& path, const std::string& kind,
                  const std::function<Message(const MessageValue&)>& damaged) {
  auto* own = dynamic_cast<ErrorText*>(&in);
  const std::string text = in.geterror();
  if (text.find("std::bad_alloc") != std::string::npos) throw std::bad_alloc();
  const bool said = own != nullptr && own->why;
  const bool is_kind = said ? own->is_variant : is_about_kind(text);
  const MessageValue reason = complaint(own, text);
  // libtiff says so with the first row.
  const int compression = in.spec().get_int_attribute("tiff:Compression");
  if (is_kind && kind == "tiff" && compression > 0) {
    const bool decodes = TIFFIsCODECConfigured(static_cast<std::uint16_t>(compression)) != 0;
    const int bits = in.spec().get_int_attribute("oiio:BitsPerSample");
    if (decodes && bits > 0) {
      throw_kind(path, kind,
                 message({"file.bits_of_sample", "its samples have {bits} bits"}, bits));
    }
    throw_kind(
        path, kind,
        message({"file.compression", "its compression has the number {number}"}, compression));
  }
  if (is_kind) throw_kind(path, kind, reason);
  throw FileError(damaged(reason));
}

}  // namespace sfumato::files
