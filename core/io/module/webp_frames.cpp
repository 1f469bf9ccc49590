// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "io/module/webp_frames.hpp"

#include <stdexcept>
#include <utility>

#include "io/module/checked_file.hpp"
#include "io/module/output.hpp"
#include "text/system_reason.hpp"

namespace sfumato::files {
namespace {

struct MuxDeleter {
  void operator()(WebPMux* mux) const { WebPMuxDelete(mux); }
};

class AnimatedWebp final : public FramesWriter {
 public:
  AnimatedWebp(const WriteRequest& file, int loops)
      : shown_(shown(file.shown)),
        descriptor_(file.descriptor),
        frames_(std::make_shared<WebpFrames>(loops)) {}

  std::unique_ptr<FileWriter> next(const WriteRequest& frame, int start) override {
    frames_->set_start(start);
    return make_writer(frame, frames_);
  }

  void finish(int end) override {
    const std::string whole = frames_->file(end);
    if (whole.empty()) fail(webp_reason(VP8_ENC_ERROR_OUT_OF_MEMORY));
    CheckedFile file(descriptor_);
    file.write(whole.data(), whole.size());
    file.flush();
    if (file.error() != 0) fail(system_reason(file.error()));
  }

 private:
  [[noreturn]] void fail(const Message& why) {
    throw FileError(message({"file.not_written", "{file}: the file cannot be written ({reason})"},
                            shown_, why));
  }

  std::string shown_;
  int descriptor_;
  std::shared_ptr<WebpFrames> frames_;
};

}  // namespace

Message webp_reason(WebPEncodingError error) {
  switch (error) {
    case VP8_ENC_ERROR_OUT_OF_MEMORY:
    case VP8_ENC_ERROR_BITSTREAM_OUT_OF_MEMORY:
      return message({"webp.no_memory", "there is not enough memory"});
    case VP8_ENC_ERROR_PARTITION0_OVERFLOW:
    case VP8_ENC_ERROR_PARTITION_OVERFLOW:
    case VP8_ENC_ERROR_FILE_TOO_BIG:
      return message({"webp.too_large", "the picture is too large for this quality"});
    default:
      return message({"webp.refuses", "libwebp refuses the picture"});
  }
}

std::string with_chunks(WebPData file, const WebpChunks& chunks) {
  const auto add = [](WebPMux* mux, const char* name, const std::string& bytes) {
    const WebPData chunk{reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()};
    return bytes.empty() || WebPMuxSetChunk(mux, name, &chunk, 0) == WEBP_MUX_OK;
  };
  std::string out;
  if (chunks.empty()) {
    out.assign(reinterpret_cast<const char*>(file.bytes), file.size);
  } else {
    const std::unique_ptr<WebPMux, MuxDeleter> mux(WebPMuxCreate(&file, 0));
    WebPData whole{};
    if (mux && add(mux.get(), "ICCP", chunks.profile) && add(mux.get(), "EXIF", chunks.exif) &&
        add(mux.get(), "XMP ", chunks.xmp) && WebPMuxAssemble(mux.get(), &whole) == WEBP_MUX_OK) {
      out.assign(reinterpret_cast<const char*>(whole.bytes), whole.size);
    }
    WebPDataClear(&whole);
  }
  WebPDataClear(&file);
  return out;
}

bool WebpFrames::add(WebPPicture& picture, const WebPConfig& config, const WebpChunks& chunks) {
  if (!encoder_) {
    chunks_ = chunks;
    WebPAnimEncoderOptions options;
    if (WebPAnimEncoderOptionsInit(&options) == 0) {
      throw std::logic_error("libwebp is of another version");
    }
    options.anim_params.loop_count = loops_;
    encoder_.reset(WebPAnimEncoderNew(picture.width, picture.height, &options));
    if (!encoder_) {
      picture.error_code = VP8_ENC_ERROR_OUT_OF_MEMORY;
      return false;
    }
  }
  return WebPAnimEncoderAdd(encoder_.get(), &picture, start_, &config) != 0;
}

std::string WebpFrames::file(int end) {
  WebPData whole{};
  const bool made = encoder_ && WebPAnimEncoderAdd(encoder_.get(), nullptr, end, nullptr) != 0 &&
                    WebPAnimEncoderAssemble(encoder_.get(), &whole) != 0;
  encoder_.reset();
  if (!made) {
    WebPDataClear(&whole);
    return {};
  }
  return with_chunks(whole, chunks_);
}

std::unique_ptr<FramesWriter> animate_webp(const WriteRequest& file, int loops) {
  return std::make_unique<AnimatedWebp>(file, loops);
}

}  // namespace sfumato::files
