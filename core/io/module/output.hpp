// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What a file will hold, decided from its format, the options and the picture it comes from.
#pragma once

#include "io/module/input.hpp"

namespace sfumato::files {

struct WritePlan {
  PictureFormat format;  ///< what the engine gives
  PictureFormat stored;  ///< what the file holds of it
  /// Where the engine gives colours of another profile, straight: light of sRGB's from them.
  std::shared_ptr<const ToSrgb> to_srgb;
  std::optional<float> ground;         ///< gray light that a picture with alpha is laid over
  OIIO::ImageSpec spec;                ///< what the file's part holds
  std::vector<OIIO::ImageSpec> parts;  ///< all parts of an OpenEXR file, `part` being `spec`
  int part = 0;
  Metadata metadata;   ///< that goes into the file as it is
  bool merge = false;  ///< channels that were not read are taken from the origin
  bool copy_pages = false;
  std::vector<int> origin_parts;  ///< where each of `parts` comes from
  std::vector<Message> warnings;
};

/// `origin` is null for a picture that comes from no file.
WritePlan plan_file(const WriteRequest& request, const Origin* origin);

/// Says in `spec` how the pixels are packed: as the options want it, else as the original does,
/// where that is a file of the same format (else null), else in the usual way. `stored` is the
/// file's sample type.
void set_compression(OIIO::ImageSpec& spec, const WriteRequest& request, SampleType stored,
                     const OIIO::ImageSpec* original);

/// A page's or part's description for a copy of it.
OIIO::ImageSpec copied_spec(const OIIO::ImageSpec& from, const std::string& kind);

std::unique_ptr<FileWriter> make_writer(const WriteRequest& request);

}  // namespace sfumato::files
