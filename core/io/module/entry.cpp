// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The module's way in.
#include "io/module/input.hpp"
#include "io/module/output.hpp"

namespace sfumato::files {
namespace {

class OpenImageIoModule final : public FileModule {
 public:
  OpenImageIoModule() {
    // The user's limit in pixels rules; OpenImageIO's own would refuse pictures that fit it.
    OIIO::attribute("limits:imagesize_MB", 0);
  }
  std::unique_ptr<InputPicture> open(const std::filesystem::path& path,
                                     const ReadOptions& options) override {
    return std::make_unique<FilePicture>(path, options);
  }
  std::unique_ptr<FileWriter> create(const WriteRequest& request) override {
    return make_writer(request);
  }
};

}  // namespace
}  // namespace sfumato::files

extern "C" __attribute__((visibility("default"))) sfumato::files::FileModule*
sfumato_file_module_1() {
  static sfumato::files::OpenImageIoModule module;
  return &module;
}
