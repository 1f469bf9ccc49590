// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The entry point of the module.
#include <lcms2.h>
#include <sys/resource.h>

#include <array>
#include <cstdio>

#include "io/module/input.hpp"
#include "io/module/output.hpp"

namespace sfumato::files {
namespace {

class OpenImageIoModule final : public FileModule {
 public:
  OpenImageIoModule() {
    // Else it prints what it cannot write.
    OIIO::attribute("debug", 0);
    // The user's limit in pixels applies instead.
    OIIO::attribute("limits:imagesize_MB", 0);
    // Each thread needs a stack, and there may be many processors.
    for (const auto resource : {RLIMIT_AS, RLIMIT_DATA}) {
      rlimit limit{};
      if (::getrlimit(resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
        OIIO::attribute("threads", 2);
      }
    }
  }
  std::string recognise(const std::filesystem::path& path) override {
    return files::recognise(path);
  }
  std::size_t memory_to_open(const std::filesystem::path& path,
                             const std::string& format) override {
    return files::memory_to_open(path, format);
  }
  std::unique_ptr<InputPicture> open(const std::filesystem::path& path,
                                     const ReadOptions& options) override {
    return std::make_unique<FilePicture>(path, options);
  }
  std::unique_ptr<FileWriter> create(const WriteRequest& request) override {
    return make_writer(request);
  }
  std::unique_ptr<FramesWriter> animate(const WriteRequest& file, int loops) override {
    return animate_webp(file, loops);
  }
  int width_of_text(const std::string& text, const TextStyle& style) override {
    return measure_text(text, style);
  }
  void draw_text(HeldPicture& picture, int x, int y, const std::string& text,
                 const TextStyle& style) override {
    write_text(picture, x, y, text, style);
  }
  ProfileNumbers numbers_of(const std::vector<unsigned char>& profile) override {
    return files::numbers_of(profile);
  }
  std::string versions() override {
    std::array<char, 64> lcms{};
    std::snprintf(lcms.data(), lcms.size(), "LittleCMS %.2f", cmsGetEncodedCMMversion() / 1000.0);
    return "OpenImageIO " +
           std::string(OIIO::get_string_attribute("version", OIIO_VERSION_STRING)) + ", " +
           lcms.data();
  }
};

}  // namespace
}  // namespace sfumato::files

extern "C" __attribute__((visibility("default"))) sfumato::files::FileModule*
sfumato_file_module_22() {
  static sfumato::files::OpenImageIoModule module;
  return &module;
}
