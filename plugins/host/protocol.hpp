// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What the messages between a host and its worker say. Everything that comes is checked here, and
// nothing else looks into a message's text.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "engine/renderer.hpp"
#include "host/channel.hpp"
#include "params/recipe.hpp"
#include "text/message.hpp"

namespace sfumato::hosts {

/// Both sides speak the same, or the worker is not used.
inline constexpr int protocol_version = 3;

/// The host's first message.
struct Hello {
  int protocol = protocol_version;
  std::string version = SFUMATO_VERSION;
  std::string device;            ///< as SessionOptions has it
  std::size_t memory_limit = 0;  ///< bytes; 0: chosen by the device
  int passed_over = 0;           ///< how many of the best devices have failed before
};

struct Welcome {
  int protocol = protocol_version;
  std::string version = SFUMATO_VERSION;
  int devices = 0;  ///< how many the host's wish names
};

struct NeedsRequest {
  Recipe recipe;
  PictureFormat format;
  Rect region;
};

/// Pixels in shared memory: rows from the first byte on, without gaps, of `region` of a picture.
struct SharedImage {
  PictureFormat format;
  Rect region;
  int descriptor = 0;  ///< which of the message's

  std::size_t row_bytes() const;
  std::size_t bytes() const;
};

struct SharedRole {
  int step = 0;
  std::string name;
  SharedImage image;
  /// What there are pixels of, whether they are handed over or not; see PixelSource::covered().
  Rect covered;
};

struct RenderRequest {
  Recipe recipe;
  SharedImage source, sink;  ///< the sink's region is what is computed
  std::vector<SharedRole> roles;
  bool dither = false;
};

/// Why a request was not met.
struct Failed {
  /// `device`: none fits the one that was chosen.
  enum class Reason { engine, parameter, recipe, cancelled, memory, device };
  Reason reason = Reason::engine;
  Message sentence;
};

/// Texts of messages. The readers throw ProtocolError for a text that is not what it should be, in
/// particular for images that would reach beyond their picture or their memory's size.
std::string text_of(const Hello& hello);
std::string text_of(const Welcome& welcome);
std::string text_of(const NeedsRequest& request);
std::string text_of(const Rect& needed);
std::string text_of(const RenderRequest& request);
std::string text_of(double progress);
std::string text_of(const RenderReport& report);
std::string text_of(const Failed& failed);
Hello read_hello(const std::string& text);
Welcome read_welcome(const std::string& text);
/// Throws RecipeError and ParameterError as parse_recipe() does.
NeedsRequest read_needs(const std::string& text);
Rect read_needed(const std::string& text);
/// `sizes`: of each of the message's memories, in bytes. Throws as read_needs().
RenderRequest read_render(const std::string& text, const std::vector<std::size_t>& sizes);
double read_progress(const std::string& text);
RenderReport read_report(const std::string& text);
Failed read_failed(const std::string& text);

}  // namespace sfumato::hosts
