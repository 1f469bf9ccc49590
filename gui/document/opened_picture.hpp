// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A picture that the editor holds: whole, as its file stores it.
#pragma once

#include <QByteArray>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "io/file_version.hpp"
#include "io/io.hpp"

namespace sfumato::gui {

/// Never changed once it is opened: any thread reads it. Pixels are the file's own numbers, at its
/// depth, and lie as they are stored; `orientation` says how they are shown.
struct OpenedPicture : PictureInfo {
  HeldPicture pixels;
  std::string channels;  ///< as it was opened: ReadOptions::channels
  /// Set where the file is ours alone and goes with the picture: pasted pictures.
  std::shared_ptr<void> temporary;
  std::string title;  ///< what windows call it
  /// Of the file as it was opened: exports read it again, and only if it is still the same.
  std::optional<FileVersion> version;

  const PictureFormat& format() const { return pixels.format; }
  /// A source of these pixels; the picture must outlive it.
  MemorySource source() const { return pixels.source(); }
};
using PicturePtr = std::shared_ptr<const OpenedPicture>;

/// Reads all of a file. Not on the GUI thread. `channels` as in ReadOptions. Throws FileError, also
/// where the picture would not fit into the memory that is free.
PicturePtr open_whole(const std::filesystem::path& path, const std::string& channels = {});

/// Another layer of the same file, also where it is the picture's alone. As open_whole() otherwise.
PicturePtr open_channels(const OpenedPicture& picture, const std::string& channels);

/// A picture of bytes that are a file's (a clipboard's), kept in a temporary file until nobody
/// holds the picture any more; `suffix` is its format's (".png"). Not on the GUI thread. Throws
/// FileError.
PicturePtr open_bytes(const QByteArray& bytes, const QString& suffix, const QString& title);

}  // namespace sfumato::gui
