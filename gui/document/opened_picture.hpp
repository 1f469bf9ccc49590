// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A picture held by the editor: complete, as stored in its file.
#pragma once

#include <QByteArray>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "io/file_version.hpp"
#include "io/io.hpp"

namespace sfumato::gui {

/// Immutable after opening, so any thread may read it. Pixels are the file's own numbers at its
/// depth, in stored orientation; `orientation` says how to show them. `icc_profile` is plain.
struct OpenedPicture : PictureInfo {
  HeldPicture pixels;
  std::string channels;  ///< as opened: ReadOptions::channels
  /// Owns a file that is deleted with the picture: pasted pictures.
  std::shared_ptr<void> temporary;
  std::string title;  ///< the name shown in windows
  /// The file's version when opened: an export reads it again, and only if it is unchanged.
  std::optional<FileVersion> version;

  const PictureFormat& format() const { return pixels.format; }
  /// A source of these pixels; the picture must outlive it.
  MemorySource source() const { return pixels.source(); }
};
using PicturePtr = std::shared_ptr<const OpenedPicture>;

/// Replaces the profile by a plain one, because colours are shown by libraries that parse it in
/// this process. Not on the GUI thread. Where that fails, the profile is left out, with a warning.
void make_profile_plain(OpenedPicture& picture);

/// Reads the whole file. Not on the GUI thread. `channels` as in ReadOptions. Throws FileError,
/// also if the picture does not fit into free memory.
PicturePtr open_whole(const std::filesystem::path& path, const std::string& channels = {});

/// Another layer of the same file, including temporary ones. Otherwise as open_whole().
PicturePtr open_channels(const OpenedPicture& picture, const std::string& channels);

/// A picture from the bytes of a file (the clipboard's), kept in a temporary file as long as the
/// picture is in use; `suffix` is its format's (".png"). Not on the GUI thread. Throws FileError.
PicturePtr open_bytes(const QByteArray& bytes, const QString& suffix, const QString& title);

}  // namespace sfumato::gui
