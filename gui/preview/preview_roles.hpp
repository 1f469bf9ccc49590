// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The role pictures (mask, normal, depth, guide, kernel) at the preview's scale.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <tuple>

#include "document/opened_picture.hpp"
#include "engine/session.hpp"
#include "io/file_version.hpp"

namespace sfumato::gui {

/// Opens the files of a recipe's image parameters as role_files() does, and caches them at full
/// size and reduced like the picture; a file that changed on disk is read again. One thread.
class PreviewRoles {
 public:
  using Warn = std::function<void(const Message&)>;

  /// For one render of `picture` reduced by `factor`. The result is valid until the next call, and
  /// no longer than this object. `go_on` is polled while pixels are reduced; false throws
  /// Cancelled.
  RoleResolver resolver(const PicturePtr& picture, int factor, std::function<bool()> go_on,
                        Warn warn);

 private:
  using Key = std::tuple<std::string, std::string, std::string>;  // role, path, channels
  struct CacheEntry {
    std::optional<FileStamp> stamp;
    HeldPicture whole;
    std::map<int, HeldPicture> reduced;  // by factor, since coarse and fine views alternate
    std::vector<Message> warnings;
  };

  std::shared_ptr<CacheEntry> opened(const std::string& role, const ImageRef& reference);

  PicturePtr picture_;
  std::unique_ptr<InputPicture> file_;  // the frame over which roles are laid
  std::map<Key, std::shared_ptr<CacheEntry>> kept_;
};

}  // namespace sfumato::gui
