// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Animated WebP files, whose frames are encoded one after the other.
#pragma once

#include <webp/encode.h>
#include <webp/mux.h>

#include <functional>
#include <memory>
#include <string>

#include "text/message.hpp"

namespace sfumato::files {

/// What a WebP file holds besides its pictures; empty: nothing of the kind.
struct WebpChunks {
  std::string profile, exif, xmp;

  bool empty() const { return profile.empty() && exif.empty() && xmp.empty(); }
};

/// The file with these chunks; `file` is freed. Empty if they do not fit.
std::string with_chunks(WebPData file, const WebpChunks& chunks);

/// Why libwebp failed.
Message webp_reason(WebPEncodingError error);

/// Frames as they are shown. libwebp stores of each what has changed.
class WebpFrames {
 public:
  explicit WebpFrames(int loops) : loops_(loops) {}

  /// The next frame is shown from then on, in milliseconds.
  void set_start(int start) { start_ = start; }
  /// Encodes the next frame. The first one's chunks become the file's. False: picture.error_code
  /// says why.
  bool add(WebPPicture& picture, const WebPConfig& config, const WebpChunks& chunks);
  /// The whole file, whose last frame is shown until `end`. Empty if there is not enough memory.
  std::string file(int end);

 private:
  struct Deleter {
    void operator()(WebPAnimEncoder* encoder) const { WebPAnimEncoderDelete(encoder); }
  };

  int loops_, start_ = 0;
  WebpChunks chunks_;
  std::unique_ptr<WebPAnimEncoder, Deleter> encoder_;  // from the first frame on
};

}  // namespace sfumato::files
