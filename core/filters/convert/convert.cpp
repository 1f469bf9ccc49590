// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// convert: splits colour into components, and back. Sources: Smith, Color Gamut Transform Pairs,
// SIGGRAPH 1978; ShaderX2 (2003), Advanced Image Processing with DirectX 9 Pixel Shaders, whose
// listing loses the value of gray pixels.
#include "filters/filter.hpp"
#include "filters/shared/color_components.hpp"
#include "filters/shared/point_pass.hpp"
#include "params/vocabulary.hpp"

namespace sfumato::filters {
namespace {

enum Model { rgb, hsv, hsl, yiq };  // as in cl/convert/convert.cl

Model model_of(const Values& values, const char* name) {
  const std::string& id = values.choice(name);
  return id == "hsv" ? hsv : id == "hsl" ? hsl : id == "yiq" ? yiq : rgb;
}

Triple to_rgb(Model from, const Triple& c) {
  switch (from) {
    case hsv:
      return rgb_of_hsv(c);
    case hsl:
      return rgb_of_hsl(c);
    case yiq:
      return yiq_matrix().inverse()(c);
    case rgb:
      break;
  }
  return c;
}

Triple from_rgb(Model to, const Triple& c) {
  switch (to) {
    case hsv:
      return hsv_of(c);
    case hsl:
      return hsl_of(c);
    case yiq:
      return yiq_matrix()(c);
    case rgb:
      break;
  }
  return c;
}

class Convert final : public Filter {
 public:
  const FilterInfo& info() const override { return info_; }

  bool neutral(const Values& values) const override {
    return values.choice("from") == values.choice("to");
  }

  bool gives_data(const Values& values) const override { return model_of(values, "to") != rgb; }

  bool takes_data(const Values& values) const override { return model_of(values, "from") != rgb; }

  PreparedPtr prepare(const Values& values, const Picture&, const Target&) const override {
    const Model from = model_of(values, "from"), to = model_of(values, "to");
    const auto run = [from, to](const TileJob& job, Passes& passes) {
      if (job.input.channels == 1) {  // gray has a value, lightness or luma only
        copy_window(job.input, job.output, passes);
        return;
      }
      Launch launch = point_launch(job.output.plane, passes.form(), 60);
      launch.options += " -DFROM=" + std::to_string(from) + " -DTO=" + std::to_string(to);
      passes.launch(launch, job.input, job.input.plane, job.output, job.output.plane,
                    float_rows(yiq_matrix()), float_rows(yiq_matrix().inverse()));
    };
    return prepared_point(30, run, [from, to](const float* in, float* out, int channels) {
      if (channels == 1) {
        out[0] = in[0];
        return;
      }
      const Triple c = from_rgb(to, to_rgb(from, triple(in)));
      for (int i = 0; i < 3; ++i) out[i] = static_cast<float>(c[static_cast<std::size_t>(i)]);
      out[3] = in[3];
    });
  }

 private:
  static Parameter models(const char* word, const char* first) {
    std::vector<ChoiceOption> all{{"rgb", "RGB", "red, green, blue"},
                                  {"hsv", "HSV", "hue, saturation, value"},
                                  {"hsl", "HSL", "hue, saturation, lightness"},
                                  {"yiq", "YIQ", "luma and two colour differences, 0.5 added"}};
    return vocabulary(word).with_choices(std::move(all)).with_default(first);
  }

  const FilterInfo info_{
      .id = "convert",
      .label = "Convert components",
      .category = "Colour",
      .summary = "Shows hue, saturation and value, or other components, as a picture, and back.",
      .description =
          "The three components take the places of red, green and blue, each from 0 to 1; hue 1 is "
          "hue 0 again. Gray has hue and saturation 0. Components are data, read and written as "
          "they are; light says how the colours are coded, the same there and back. A gray file "
          "keeps only its value. A value that is not a number counts neither as the largest nor as "
          "the smallest component. HSL has no colours brighter than 1: they come back gray.",
      .formula =
          "hsv: V = max, S = (max − min) / max, H = h / 6 modulo 1, of R, G, B\n"
          "h = (G − B) / (max − min) where R is max,\n"
          "2 + (B − R) / (max − min) where G is max,\n"
          "else 4 + (R − G) / (max − min); 0 where max = min\n"
          "hsl: L = (max + min) / 2, S = (max − min) / (1 − |2 L − 1|), H as above\n"
          "yiq: Y = 0.299 R + 0.587 G + 0.114 B,\n"
          "I = 0.5 + 0.5959 R − 0.2746 G − 0.3213 B,\n"
          "Q = 0.5 + 0.2115 R − 0.5227 G + 0.3112 B",
      .source = "Smith, SIGGRAPH 1978; ShaderX2 (2003), Advanced Image Processing",
      .version = 1,
      .parameters = with_common("convert", {models("from", "rgb"), models("to", "hsv")},
                                Light::display, false),
      .light = Light::display,
      .alpha = AlphaPreference::straight,
      .preview = PreviewClass::approximate};
};

}  // namespace

std::unique_ptr<Filter> make_convert() {
  return std::make_unique<Convert>();
}

}  // namespace sfumato::filters
