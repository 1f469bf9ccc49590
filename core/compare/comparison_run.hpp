// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Renders the variants of a comparison, one after another, and measures them.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compare/cells.hpp"
#include "compare/variants.hpp"
#include "engine/renderer.hpp"
#include "image/difference.hpp"
#include "io/io.hpp"

namespace sfumato {

/// What became of a variant. Cells are 8-bit RGB, and upright.
struct ComparedVariant {
  std::string device;
  Message explained;         ///< how its last step was computed; empty: it changes nothing
  double first_seconds = 0;  ///< of the first render, with compilation
  std::optional<double> warm_seconds;    ///< the median of further renders
  std::optional<Difference> difference;  ///< from its base
  double gain = 1;                       ///< of the cells with differences
  HeldPicture whole, whole_difference;
  HeldPicture detail, detail_difference;

  double seconds() const { return warm_seconds.value_or(first_seconds); }
};

/// In pixels.
struct CellSize {
  int width = 360, height = 300;
};

struct ComparisonOptions {
  /// How often each variant is rendered. 0: once, and up to five times more while all renders of it
  /// have taken less than a fifth of a second.
  int renders = 0;
  /// The part of the stored picture that is shown in detail; empty: where the largest difference
  /// lies.
  Rect detail = {};
  /// The largest sizes of cells.
  CellSize whole, detail_cell;
  /// By which cells are turned: EXIF's, 1 to 8.
  int orientation = 1;
  RoleResolver roles = {};
  ShowColors colors = {};  ///< of cells that show results; empty: the picture is in sRGB
  /// Called while a variant, from 0, is rendered; returns false to cancel. May be empty.
  std::function<bool(std::size_t variant, double part)> progress = {};
  /// Called when all of a variant's result but its detail is there. May be empty.
  std::function<void(std::size_t variant)> measured = {};
};

/// Opens what renders a variant.
using RendererFor = std::function<std::unique_ptr<Renderer>(const Variant&)>;

/// Holds one picture, the base of comparison and one result at a time.
class ComparisonRun {
 public:
  /// Results are float, on sRGB's curve, with premultiplied alpha.
  ComparisonRun(std::shared_ptr<const HeldPicture> original, std::vector<Variant> variants,
                RendererFor renderer_for, ComparisonOptions options);

  /// Throws as Renderer::render(), and std::bad_alloc.
  void run();

  const std::vector<Variant>& variants() const { return variants_; }
  const std::vector<ComparedVariant>& results() const { return results_; }
  const PictureFormat& format() const { return format_; }
  /// The part that is shown in detail, after run(), in the upright picture.
  Rect detail() const;
  /// The upright picture's size.
  PictureSize size() const;
  /// Whether the detail lies where the largest difference is.
  bool detail_is_largest() const { return detail_is_largest_; }
  /// Whether the detail is all of a small picture, and so shows nothing more.
  bool detail_is_whole() const { return options_.detail == format_.rect(); }

 private:
  HeldPicture render(std::size_t number, const Rect& region, double* seconds);
  HeldPicture render_small(std::size_t number, double* seconds);
  HeldPicture held(int width, int height) const;
  bool is_compared(std::size_t number) const;
  void render_into(PixelSink& sink, std::size_t number, const Rect& region, double* seconds);
  void measure(std::size_t number, HeldPicture& base, bool is_base);
  void repeat(std::size_t number);
  void choose_detail();
  void draw_details();
  HeldPicture whole_of(HeldPicture& picture, const ShowColors& shown) const;
  HeldPicture detail_of(HeldPicture part, const ShowColors& shown) const;
  Renderer& renderer_of(const Variant& variant);

  std::vector<Variant> variants_;
  std::vector<ComparedVariant> results_;
  RendererFor renderer_for_;
  ComparisonOptions options_;
  std::shared_ptr<const HeldPicture> original_;
  PictureFormat format_;
  bool detail_is_largest_ = false;
  std::map<std::pair<std::string, std::optional<Form>>, std::unique_ptr<Renderer>> renderers_;
};

}  // namespace sfumato
