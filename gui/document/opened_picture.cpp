// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Opening by the io library.
#include "document/opened_picture.hpp"

namespace sfumato::gui {

PicturePtr open_whole(const std::filesystem::path& path, const std::string& channels) {
  ReadOptions options;
  options.channels = channels;
  const std::unique_ptr<InputPicture> file = open_picture(path, options);
  auto picture = std::make_shared<OpenedPicture>();
  picture->path = path;
  picture->pixels = read_all(*file);
  picture->orientation = file->orientation();
  const auto& icc = file->icc_profile();
  picture->icc_profile =
      QByteArray(reinterpret_cast<const char*>(icc.data()), static_cast<qsizetype>(icc.size()));
  picture->file_format = file->file_format();
  picture->channel_names = file->channel_names();
  picture->warnings = file->warnings();
  return picture;
}

}  // namespace sfumato::gui
