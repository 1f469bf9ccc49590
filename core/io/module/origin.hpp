// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What a writer knows of the file that a picture was read from, here or in another process.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/file_origin.hpp"
#include "io/module/parts.hpp"

namespace sfumato::files {

/// Colours that a file declares by numbers.
struct DeclaredNumbers {
  bool declared = false;
  HdrCurve curve = HdrCurve::none;      ///< of the file; the picture's pixels are light
  std::array<unsigned char, 4> cicp{};  ///< as PNG holds it; zeros if the file has none
};

/// FileOrigin::description(), unpacked.
struct OriginDescription {
  std::vector<OIIO::ImageSpec> parts;    ///< all of an OpenEXR file; of others the first page
  Choice choice;                         ///< which of these is the picture
  std::optional<Message> other_numbers;  ///< what its numbers are where the engine has no such type
  bool more_pages = false;
  Metadata metadata;  ///< as bytes
  DeclaredNumbers numbers = {};
  ProfileFacts profile = {};  ///< of PictureInfo::icc_profile
};

/// Packed with CBOR (RFC 8949).
std::string packed(const OriginDescription& description);
/// Throws std::runtime_error for bytes that are no description.
OriginDescription unpacked_description(const std::string& bytes);

/// A picture's file for its writer.
class Origin {
 public:
  /// `picture` has an origin, and outlives this.
  explicit Origin(InputPicture& picture);

  const PictureInfo& info() const { return picture_.info(); }
  /// The processed part as the file holds it, with all its channels.
  const OIIO::ImageSpec& spec() const {
    return description_.parts[static_cast<std::size_t>(description_.choice.part)];
  }
  const Choice& choice() const { return description_.choice; }
  const std::vector<OIIO::ImageSpec>& parts() const { return description_.parts; }
  const std::optional<Message>& other_numbers() const { return description_.other_numbers; }
  bool has_more_pages() const { return description_.more_pages; }
  const Metadata& metadata() const { return description_.metadata; }
  const DeclaredNumbers& numbers() const { return description_.numbers; }
  const ProfileFacts& profile() const { return description_.profile; }
  FileKind kind() const { return file_kind(info().file_format); }

  // As the functions of FileOrigin.
  PageCopy begin_page(int number, const PagePlace& to) const {
    return picture_.origin()->begin_page(number, to);
  }
  PagePiece next_of_page() const { return picture_.origin()->next_of_page(); }
  /// As FileOrigin::read_native(), of a part with this description.
  void read(int part, const OIIO::ImageSpec& spec, int y0, int y1, void* to) const;

  // As the functions of FileOrigin.
  std::vector<unsigned char> profile_with(const ProfileCurve& curve) const {
    return picture_.origin()->profile_with(curve);
  }
  bool can_convert_colors() const { return picture_.origin()->can_convert_colors(); }
  void convert_colors(float* pixels, std::size_t count) const {
    picture_.origin()->convert_colors(pixels, count);
  }

 private:
  InputPicture& picture_;
  OriginDescription description_;
};

}  // namespace sfumato::files
