// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The pictures beside the picture (mask, normal, depth, guide, kernel) at the preview's scale.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <tuple>

#include "document/opened_picture.hpp"
#include "engine/session.hpp"

namespace sfumato::gui {

/// Opens the files that a recipe's image parameters name as role_files() does, and keeps them, at
/// their own size and reduced as the picture is; a file that changed on disk is read again. One
/// thread.
class PreviewRoles {
 public:
  using Warn = std::function<void(const Message&)>;

  /// For one render of `picture` made `factor` times smaller. The result lives no longer than this
  /// object and the next call. `go_on` is asked while pixels are reduced; false throws Cancelled.
  RoleResolver resolver(const PicturePtr& picture, int factor, std::function<bool()> go_on,
                        Warn warn);

 private:
  using Key = std::tuple<std::string, std::string, std::string>;  // role, path, channels
  struct Kept {
    std::filesystem::file_time_type time;
    HeldPicture whole;
    std::map<int, HeldPicture> reduced;  // by factor: coarse and fine views alternate
    std::vector<Message> warnings;
  };

  std::shared_ptr<Kept> opened(const std::string& role, const ImageRef& reference);

  PicturePtr picture_;
  std::unique_ptr<InputPicture> file_;  // what the roles are laid by
  std::map<Key, std::shared_ptr<Kept>> kept_;
};

}  // namespace sfumato::gui
