// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Computes only the part of the picture that the selection reaches.
#include "dialog/job.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <optional>

#include "dialog/language.hpp"
#include "host/worker_renderer.hpp"
#include "image/transfer.hpp"
#include "io/pixel_file.hpp"

namespace sfumato::hosts {
namespace {

// The selection as weights of the picture's pixels, and the part of the picture that it reaches.
struct Selected {
  std::vector<float> weights;  ///< empty: all is selected
  Rect region;
};

Selected selected(const Job& job, const InputPicture& picture) {
  const PictureFormat& f = picture.format();
  if (job.selection.empty()) return {{}, f.rect()};
  const auto mask = open_pixel_file(job.selection, {});
  if (mask->format().channels != 1)
    throw FileError(message({"selection.not_gray", "the selection is not gray"}));
  const Rect there = mask->info().data_window, here = picture.info().data_window;
  const Rect both = there.intersected(here);
  Selected out;
  if (both.empty()) return out;
  out.weights.resize(static_cast<std::size_t>(f.width) * static_cast<std::size_t>(f.height));
  const int bytes = sample_bytes(mask->format().type);
  std::vector<char> row(static_cast<std::size_t>(both.width()) * static_cast<std::size_t>(bytes));
  for (int y = both.y0; y < both.y1; ++y) {
    mask->read({both.x0 - there.x0, y - there.y0, both.x1 - there.x0, y + 1 - there.y0}, row.data(),
               static_cast<std::ptrdiff_t>(row.size()));
    for (int x = both.x0; x < both.x1; ++x) {
      const float v = read_sample(row.data() + (x - both.x0) * bytes, mask->format().type);
      if (!(v > 0)) continue;  // also skips NaN
      const int px = x - here.x0, py = y - here.y0;
      out.weights[static_cast<std::size_t>(py) * static_cast<std::size_t>(f.width) +
                  static_cast<std::size_t>(px)] = std::min(v, 1.0f);
      const Rect pixel{px, py, px + 1, py + 1};
      out.region = out.region.empty() ? pixel : out.region.united(pixel);
    }
  }
  return out;
}

// A row of linear light, of four channels or one.
struct LightRow {
  std::vector<float> pixels;

  FloatView view(int width, int y, int channels) {
    pixels.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(channels));
    return {pixels.data(), Plane{0, y, width, 1, width, 0}, channels};
  }
};

// Scales opacity by the weights; pixels with the weight 0 are cleared.
void fade(HeldPicture& filtered, const std::vector<float>& weights) {
  const PictureFormat& f = filtered.format;
  const std::size_t pixel = f.pixel_bytes(), wide = static_cast<std::size_t>(f.width),
                    sample = static_cast<std::size_t>(sample_bytes(f.type));
  const bool all = f.alpha == AlphaKind::premultiplied;
  constexpr float to_nearest = 0.5f;
  const HostView view = filtered.view();
  ParallelRows().run(0, f.height, [&](int y) {
    const float* w = weights.data() + static_cast<std::size_t>(y) * wide;
    auto* at = static_cast<char*>(view.row(y));
    for (std::size_t x = 0; x < wide; ++x, at += pixel) {
      if (w[x] >= 1) continue;
      if (!(w[x] > 0)) std::memset(at, 0, pixel);  // zero bytes are the number 0 in every type
      for (int c = all ? 0 : f.channels - 1; c < f.channels && w[x] > 0; ++c) {
        char* one = at + static_cast<std::size_t>(c) * sample;
        write_sample(one, f.type, read_sample(one, f.type) * w[x], to_nearest);
      }
    }
  });
}

// Moves the pixel `to` towards `from`: a weight of 1 keeps it, 0 gives `from`.
void mix(const float* from, float* to, int channels, float weight) {
  for (int c = 0; c < channels; ++c) to[c] = from[c] + (to[c] - from[c]) * weight;
}

// Blends a picture without alpha with `original` in linear light. Where a weight is 0 or 1, the
// stored samples are kept exactly.
void blend(const HeldPicture& original, HeldPicture& filtered, const std::vector<float>& weights) {
  const PictureFormat& f = original.format;
  const int channels = f.channels == 1 ? 1 : 4;
  const PixelState light{Coding::linear(), AlphaKind::none};
  const std::size_t pixel = f.pixel_bytes(), wide = static_cast<std::size_t>(f.width);
  const HostView before = original.view(), after = filtered.view();
  ParallelRows().run(0, f.height, [&](int y) {
    const float* w = weights.data() + static_cast<std::size_t>(y) * wide;
    auto* from = static_cast<const char*>(before.row(y));
    auto* to = static_cast<char*>(after.row(y));
    const auto partly = [](float v) { return v > 0 && v < 1; };
    LightRow a, b;
    std::vector<char> mixed;
    if (std::any_of(w, w + wide, partly)) {
      const Rect row{0, y, f.width, y + 1};
      const ParallelRows alone({}, 1);
      const auto stride = static_cast<std::ptrdiff_t>(wide * pixel);
      const FloatView old_row = a.view(f.width, y, channels),
                      new_row = b.view(f.width, y, channels);
      load_pixels({before.row(y), stride, row}, f, old_row, light, alone);
      load_pixels({after.row(y), stride, row}, f, new_row, light, alone);
      for (int x = 0; x < f.width; ++x) mix(old_row.at(x, y), new_row.at(x, y), channels, w[x]);
      mixed.resize(wide * pixel);
      store_pixels(new_row, light, {mixed.data(), stride, row}, f, nullptr, nullptr, false, alone);
    }
    for (std::size_t x = 0; x < wide; ++x) {
      if (w[x] >= 1) continue;
      const char* kept = w[x] > 0 ? mixed.data() : from;
      std::memcpy(to + x * pixel, kept + x * pixel, pixel);
    }
  });
}

// A warning from reading is about the layer, not about the file in which it was passed.
Message about(const std::string& title, Message warning) {
  for (Message::Named& one : warning.values) {
    if (one.name == "file" && !title.empty()) one.value = title;
  }
  return warning;
}

}  // namespace

std::vector<Message> run(const Job& job) {
  std::vector<Message> said;
  const auto say = [&](const Message& sentence) {
    if (std::find(said.begin(), said.end(), sentence) == said.end()) said.push_back(sentence);
  };
  RendererOptions chosen = job.session;
  chosen.log = say;
  const std::unique_ptr<Renderer> renderer = make_worker_renderer(std::move(chosen));
  renderer->prepare();  // its device is opened while pixels are read here
  const PixelFile header = read_pixel_file(job.picture);
  const auto input = open_pixel_file(job.picture, {});
  for (const Message& warning : input->info().warnings) say(about(job.title, warning));
  const Selected where = selected(job, *input);
  if (where.region.empty())
    throw FileError(message({"selection.empty",
                             "The selection holds nothing of the layer: there is nothing to "
                             "filter."}));
  RenderOptions options;
  options.progress = job.progress;
  options.region = where.region;
  options.roles = role_files(*input, {}, say);
  const bool is_laid_over = !where.weights.empty() && !input->format().has_alpha();
  const std::optional<HeldPicture> original =
      is_laid_over ? std::optional(read_all(*input)) : std::nullopt;
  HeldPicture result = blank_picture(input->format());
  MemorySink sink(result.format, result.view());
  const Recipe recipe = job.layers != nullptr ? with_files(job.recipe, *job.layers) : job.recipe;
  const RenderReport report = renderer->render(recipe, *input, sink, options);
  for (const Message& warning : report.warnings) say(warning);
  if (is_laid_over) {
    blend(*original, result, where.weights);
  } else if (!where.weights.empty()) {
    fade(result, where.weights);
  }
  write_pixel_file(job.result, header, result.view());
  return said;
}

}  // namespace sfumato::hosts
