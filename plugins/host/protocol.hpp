// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The content of messages between a host and its worker. All received data is checked here, and
// nothing else reads a message's text.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "device/channel.hpp"
#include "engine/renderer.hpp"
#include "params/recipe.hpp"
#include "text/message.hpp"

namespace sfumato::hosts {

/// Both sides must agree, or the worker is not used.
inline constexpr int protocol_version = 5;

/// The host's first message.
struct Hello {
  int protocol = protocol_version;
  std::string version = SFUMATO_VERSION;
  std::string device;            ///< as in SessionOptions
  std::size_t memory_limit = 0;  ///< bytes; 0: chosen by the device
  int passed_over = 0;           ///< number of best devices that failed before
};

struct Welcome {
  int protocol = protocol_version;
  std::string version = SFUMATO_VERSION;
  int devices = 0;  ///< number of devices that match the host's request
};

struct NeedsRequest {
  Recipe recipe;
  PictureFormat format;
  Rect region;
};

/// Pixels of `region` of a picture in shared memory: unpadded rows from the first byte on.
struct SharedImage {
  PictureFormat format;
  Rect region;
  int descriptor = 0;  ///< index among the message's descriptors

  std::size_t row_bytes() const;
  std::size_t bytes() const;
};

struct SharedRole {
  int step = 0;
  std::string name;
  SharedImage image;
  /// The part that has pixels, whether they are passed or not; see PixelSource::covered().
  Rect covered;
};

/// Shared memory through which a result comes in pieces, so that neither process needs memory for
/// all of it at once: slots of equal size, one after another. The worker fills one and announces it
/// (PacketKind::pixels); the host reads it and gives it back (PacketKind::taken).
struct SharedSlots {
  PictureFormat format;
  Rect region;         ///< of the result, to be computed
  int descriptor = 0;  ///< index among the message's descriptors
  int count = 1;
  std::size_t bytes = 0;  ///< of one slot: at least a row of the region
  bool bands = false;     ///< pieces are as wide as the region and come from top to bottom
};

/// Rows of GEGL's tiles: pieces of whole tiles are written faster.
inline constexpr std::size_t whole_tiles = 64;

/// Pixels of a result, as unpadded rows from the first byte of a slot on.
struct Piece {
  int slot = 0;
  Rect region;
};

struct RenderRequest {
  Recipe recipe;
  SharedImage source;
  SharedSlots sink;
  std::vector<SharedRole> roles;
  bool dither = false;
};

/// Why a request failed.
struct Failed {
  /// `device`: no device matches the chosen one.
  enum class Reason { engine, parameter, recipe, cancelled, memory, device };
  Reason reason = Reason::engine;
  Message sentence;
};

/// Serialises messages. The readers throw ProtocolError for a malformed text, in particular for
/// images that would reach beyond their picture or their memory's size.
std::string text_of(const Hello& hello);
std::string text_of(const Welcome& welcome);
std::string text_of(const NeedsRequest& request);
std::string text_of(const Rect& needed);
std::string text_of(const RenderRequest& request);
std::string text_of(double progress);
std::string text_of(const Piece& piece);
/// For PacketKind::taken.
std::string text_of_slot(int slot);
std::string text_of(const RenderReport& report);
std::string text_of(const Failed& failed);
Hello read_hello(const std::string& text);
Welcome read_welcome(const std::string& text);
/// Throws RecipeError and ParameterError as parse_recipe() does.
NeedsRequest read_needs(const std::string& text);
Rect read_needed(const std::string& text);
/// `sizes`: the size of each of the message's memories, in bytes. Throws as read_needs().
RenderRequest read_render(const std::string& text, const std::vector<std::size_t>& sizes);
double read_progress(const std::string& text);
/// A piece that lies in the region of `slots` and fits into one.
Piece read_piece(const std::string& text, const SharedSlots& slots);
int read_slot(const std::string& text);
RenderReport read_report(const std::string& text);
Failed read_failed(const std::string& text);

}  // namespace sfumato::hosts
