// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Whoever renders: a session in this process, or a worker in another.
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

/// Which device computes, and what it may take.
struct RendererOptions {
  /// As choose_devices() takes it; empty: the environment's SFUMATO_DEVICE, else "auto".
  std::string device;
  /// Device memory to use, in bytes; 0: chosen by the device's kind and size. Where it is main
  /// memory, no more than this process can have; a warning tells so.
  std::size_t memory_limit = 0;
  /// Told warnings (a device failed, another one or the reference takes over) and, with `verbose`,
  /// decisions. Any thread.
  std::function<void(const Message&)> log;
};

struct RenderOptions {
  /// Called with 0..1, many times a second; returns false to cancel, and is not called again then.
  std::function<bool(double)> progress;
  /// Opens roles; asked for every image parameter of every enabled step, bound by name or not.
  /// Returns null for what it does not bind.
  RoleResolver roles;
  bool dither = false;
  /// Only this region of the picture is computed and written; empty: all of it.
  Rect region;
  int forced_tile = 0;  ///< for tests, of a session: tiles of this side
};

/// What a finished render has to say.
struct RenderReport {
  std::string device;
  int tiles = 0;
  double seconds = 0;
  std::vector<Message> warnings;
  /// How each step was computed, one line each, by what the picture's pixels decided.
  std::vector<std::string> methods;
};

/// Runs recipes on pictures, on the best device that works. Functions may be called from any
/// thread; renders of one renderer run one after another, those of two at once.
class Renderer {
 public:
  virtual ~Renderer() = default;

  /// Begins to open the device ahead of the first render, and may wait until it is open. What goes
  /// wrong, that render meets.
  virtual void prepare() noexcept = 0;
  /// Whether a device is being opened, so that whoever asks for something would wait for it.
  virtual bool is_opening() const noexcept = 0;

  /// Runs a recipe. The sink has received everything when this returns. Progress is told on the
  /// calling thread. Throws EngineError, ParameterError, RecipeError, Cancelled, std::bad_alloc, or
  /// what the source or sink threw; DeviceError never.
  virtual RenderReport render(const Recipe& recipe, PixelSource& source, PixelSink& sink,
                              const RenderOptions& options = {}) = 0;

  /// The part of the input that `region` of the output depends on, cut to the picture, whichever
  /// device computes it in the end. Empty where `region` lies outside the picture. Throws as
  /// render().
  virtual Rect required_region(const Recipe& recipe, const PictureFormat& format,
                               const Rect& region) = 0;
};

struct SessionOptions;

/// A Session, for those who need no more than a renderer (engine/session.hpp).
std::unique_ptr<Renderer> make_session(SessionOptions options);

/// One that computes by the scalar references and loads no driver. `memory_limit` as in
/// RendererOptions.
std::unique_ptr<Renderer> make_reference_renderer(std::size_t memory_limit = 0);

}  // namespace sfumato
