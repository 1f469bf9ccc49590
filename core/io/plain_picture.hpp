// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What pictures that have neither layers nor a frame around them share.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "io/io.hpp"

namespace sfumato::files {

/// Upright, its channels all there are. Who derives from it fills what is protected.
class PlainPicture : public InputPicture {
 public:
  const PictureFormat& format() const final { return format_; }
  const std::filesystem::path& path() const final { return path_; }
  const std::string& file_format() const final { return kind_; }
  const std::vector<std::string>& channel_names() const final { return names_; }
  const std::vector<std::string>& layers() const final { return none_; }
  const std::vector<std::string>& all_channels() const final { return names_; }
  const std::vector<Message>& warnings() const final { return warnings_; }
  int orientation() const final { return 1; }
  Rect data_window() const override { return format_.rect(); }
  Rect display_window() const override { return format_.rect(); }
  const std::vector<unsigned char>& icc_profile() const final { return profile_; }

 protected:
  PlainPicture(std::filesystem::path path, std::string kind)
      : path_(std::move(path)), kind_(std::move(kind)) {}

  std::filesystem::path path_;
  std::string kind_;
  PictureFormat format_;
  std::vector<std::string> names_;
  std::vector<Message> warnings_;
  std::vector<unsigned char> profile_;

 private:
  std::vector<std::string> none_;
};

}  // namespace sfumato::files
