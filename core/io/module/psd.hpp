// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What is where in a PSD or PSB file (Adobe Photoshop File Formats Specification).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/module/bytes.hpp"
#include "text/message.hpp"

namespace sfumato::files {

/// Attributes: the picture is a blank one in place of that which the layers make together; the
/// number of layers that cannot be read, and of channels; the colour mode; that nothing says
/// whether transparent colours are mixed with white; which of the layers it is, from 1.
inline constexpr char psd_without_merged[] = "sfumato:no_merged",
                      psd_unread_layers[] = "sfumato:unread_layers",
                      psd_unread_channels[] = "sfumato:unread_channels",
                      psd_inks[] = "sfumato:inks", psd_ground[] = "sfumato:psd_ground",
                      psd_layer[] = "sfumato:psd_layer";

struct PsdHeader {
  enum Mode : int {
    bitmap = 0,
    gray = 1,
    indexed = 2,
    rgb = 3,
    cmyk = 4,
    multichannel = 7,
    duotone = 8,
    lab = 9,
  };
  enum Compression : int { raw = 0, runs = 1 };

  bool is_cut = false;  ///< within the header
  bool large = false;   ///< PSB
  int version = 0;      ///< 1, or 2 for PSB
  int channels = 0, depth = 0, mode = 0, compression = 0;
  std::uint64_t width = 0, height = 0;
  std::uint64_t palette = 0, palette_size = 0, resources = 0, resources_size = 0;
  std::uint64_t data = 0;     ///< of the merged picture, after its compression
  int layers = 0;             ///< how many there are
  std::uint64_t records = 0;  ///< of layers; 0 if they are in a block of their own
  bool transparent = false;   ///< the merged picture's first extra channel is its opacity

  explicit PsdHeader(Bytes& in);

  /// Of the picture's colours, without opacity and other channels.
  int color_channels() const;
  std::uint64_t row_bytes() const { return (width * static_cast<std::uint64_t>(depth) + 7) / 8; }
  /// Why the picture cannot be read although the file may be sound: its kind.
  std::optional<Message> variant() const;
  /// What makes no sense.
  std::optional<Message> fault() const;

 private:
  void look_into_layers(Bytes& in, std::uint64_t at, std::uint64_t end);
  void look_into_blocks(Bytes& in, std::uint64_t at, std::uint64_t end);
  void count_layers(Bytes& in, std::uint64_t at);
};

/// An image resource that begins at `begin`, its data being `size` bytes at `at`.
struct PsdResource {
  std::uint64_t id = 0, begin = 0, at = 0, size = 0;
};
/// `whole` is false if one of them makes no sense: those before it are returned.
std::vector<PsdResource> resources_in_psd(Bytes& in, bool& whole);
/// Whether a file says that its merged colours are mixed with white where it is transparent: it is
/// one of Photoshop's (resource 1057), or has the channel that GIMP calls as Photoshop does (1006).
bool says_psd_on_white(Bytes& in);

}  // namespace sfumato::files
