// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The common interface of all renderers: a session in this process, or a worker in another.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/errors.hpp"
#include "engine/pixels.hpp"
#include "engine/roles.hpp"
#include "params/recipe.hpp"
#include "text/message.hpp"

namespace sfumato {

/// Choice of the device and its limits.
struct RendererOptions {
  /// As for choose_devices(); empty: the environment's SFUMATO_DEVICE, else "auto".
  std::string device;
  /// Device memory to use, in bytes; 0: chosen from the device's kind and size. For devices in main
  /// memory it is capped, with a warning, at what this process can have.
  std::size_t memory_limit = 0;
  /// Receives warnings (a device failed and another, or the reference, takes over) and, with
  /// `verbose`, decisions. Called from any thread.
  std::function<void(const Message&)> log;
};

struct RenderOptions {
  /// Called with 0..1, many times a second. Returns false to cancel, and is not called again then.
  std::function<bool(double)> progress;
  /// Opens roles. Called for every image parameter of every enabled step, whether bound by name or
  /// not; returns null for roles that it does not bind.
  RoleResolver roles;
  bool dither = false;
  /// The region to compute and write; empty: the whole picture.
  Rect region;
  int forced_tile = 0;  ///< for tests of sessions: tiles of this side
  /// Source and sink take their time: tiles are small where halos permit, so that one is read and
  /// another one written while a third is computed.
  bool streamed = false;
};

/// The results of a finished render other than pixels.
struct RenderReport {
  std::string device;
  int tiles = 0;
  double seconds = 0;
  std::vector<Message> warnings;
  /// How each step was computed, one line each, including choices made from the pixels.
  std::vector<Message> methods;
};

/// Runs recipes on pictures, on the best device that works. Thread-safe: renders of one renderer
/// run one after another, those of different renderers concurrently.
class Renderer {
 public:
  virtual ~Renderer() = default;

  /// Starts opening the device ahead of the first render, and may wait for it. Errors are reported
  /// by that render.
  virtual void prepare() noexcept = 0;
  /// Whether a device is being opened, so that other calls would wait for it.
  virtual bool is_opening() const noexcept = 0;

  /// Runs a recipe. When it returns, the sink has received everything. Progress is reported on the
  /// calling thread. Throws EngineError, ParameterError, RecipeError, Cancelled, std::bad_alloc, or
  /// what the source or sink threw; never DeviceError.
  virtual RenderReport render(const Recipe& recipe, PixelSource& source, PixelSink& sink,
                              const RenderOptions& options = {}) = 0;

  /// The part of the input that `region` of the output depends on, clipped to the picture,
  /// whichever device computes it. Empty if `region` lies outside the picture. Throws as render().
  virtual Rect required_region(const Recipe& recipe, const PictureFormat& format,
                               const Rect& region) = 0;
};

struct SessionOptions;

/// A Session, for callers that need only a renderer (engine/session.hpp).
std::unique_ptr<Renderer> make_session(SessionOptions options);

/// A renderer on the scalar references that loads no driver. `memory_limit` as in RendererOptions.
std::unique_ptr<Renderer> make_reference_renderer(std::size_t memory_limit = 0);

}  // namespace sfumato
