// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What a file will hold: decided from its format, the options and the input.
#pragma once

#include <memory>

#include "io/module/input.hpp"

namespace sfumato::files {

struct WritePlan {
  PictureFormat format;  ///< what the engine delivers
  PictureFormat stored;  ///< what the file holds
  /// The engine delivers colours of the input's profile, with straight alpha; they are converted to
  /// linear sRGB.
  bool to_srgb = false;
  HdrCurve hdr = HdrCurve::none;       ///< in which linear light is stored
  std::optional<float> ground;         ///< linear gray that a picture with alpha is laid over
  Message laid_over;                   ///< warning of a picture that is not opaque, with `ground`
  OIIO::ImageSpec spec;                ///< of the part that is filtered
  std::vector<OIIO::ImageSpec> parts;  ///< all parts of an OpenEXR file, `part` being `spec`
  int part = 0;
  Metadata metadata;   ///< written to the file as it is
  std::string chunks;  ///< of a PNG file, after its header; a TGA file's extension area; a
                       ///< JPEG file's comment
  bool merge = false;  ///< channels that were not read are copied from the origin
  bool copy_pages = false;
  std::vector<int> origin_parts;  ///< the origin's part of each of `parts`
  std::vector<Message> warnings;
};

/// `origin` is null for a picture that comes from no file.
WritePlan plan_file(const WriteRequest& request, const Origin* origin);

/// Sets the compression in `spec`: that of the options, else that of `original`, the input's
/// description (null if its format is another), else the format's usual one. `stored` is the file's
/// sample type.
void set_compression(OIIO::ImageSpec& spec, const WriteRequest& request, SampleType stored,
                     const OIIO::ImageSpec* original);

/// A part's description for a copy of it, with or without its metadata.
OIIO::ImageSpec copied_spec(const OIIO::ImageSpec& from, bool metadata);

/// With `frames`, the picture becomes one of theirs (webp_frames.hpp).
std::unique_ptr<FileWriter> make_writer(const WriteRequest& request,
                                        std::shared_ptr<WebpFrames> frames = {});

/// An animated WebP file; as FileModule::animate().
std::unique_ptr<FramesWriter> animate_webp(const WriteRequest& file, int loops);

}  // namespace sfumato::files
