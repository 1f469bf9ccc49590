// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The shared parameters, each defined once.
#include "params/vocabulary.hpp"

#include <limits>
#include <stdexcept>
#include <string>

#include "params/suggest.hpp"

namespace sfumato {
namespace {

using P = Parameter;

/// Slider laws that give most of the travel to small values and still reach 0.
constexpr double length_gamma = 3, value_gamma = 2;

Parameter px(const Parameter& parameter) {
  return parameter.with_unit(Unit::px).with_zoom(ZoomLaw::scales_with_picture);
}

std::vector<Parameter> lengths() {
  return {
      px(P::real("sigma", "Sigma",
                 "Standard deviation of the Gaussian; 0 leaves the picture "
                 "unchanged.",
                 2, {0, 1000}))
          .with_slider({0, 100})
          .with_law(SliderLaw::power, length_gamma)
          .with_step(0.1)
          .with_halo(true),
      px(P::integer("radius", "Radius",
                    "Half-width of the window: it reaches this far from its "
                    "middle.",
                    1, {0, 5000}))
          .with_slider({0, 100})
          .with_law(SliderLaw::power, value_gamma)
          .with_halo(true),
      px(P::integer("close_gaps", "Close gaps",
                    "Width over which broken edges are joined; 0 joins "
                    "none.",
                    0, {0, 100}))
          .with_slider({0, 10})
          .with_halo(true),
      px(P::real("spacing", "Spacing", "Distance from one line to the next.", 4, {1, 1000}))
          .with_slider({1, 50})
          .with_step(1),
  };
}

std::vector<Parameter> thresholds() {
  const auto fraction = [](const char* name, const char* label, const char* help, double value,
                           Range valid, Range slider) {
    return P::real(name, label, help, value, valid)
        .with_unit(Unit::fraction)
        .with_slider(slider)
        .with_step(0.01);
  };
  return {
      fraction("range_sigma", "Range sigma",
               "How far colours may differ and still be mixed, as a "
               "standard deviation; 0 mixes none.",
               0.1, {0, 100}, {0, 1})
          .with_law(SliderLaw::power, value_gamma),
      fraction("threshold", "Threshold", "Values below it are left alone.", 0.5, {0, 1000}, {0, 1}),
      fraction("low_threshold", "Low threshold",
               "A weaker edge is kept where it is above this and "
               "touches a strong one.",
               0.05, {0, 100}, {0, 0.5})
          .with_law(SliderLaw::power, value_gamma),
      fraction("high_threshold", "High threshold", "An edge above this is strong and always kept.",
               0.15, {0, 100}, {0, 0.5})
          .with_law(SliderLaw::power, value_gamma),
      P::real("normal_threshold", "Normal threshold",
              "Normals whose dot product is below this "
              "make an edge.",
              0.9, {-1, 1})
          .with_slider({0, 1})
          .with_step(0.01),
      P::real("depth_threshold", "Depth threshold",
              "Depths that differ by more than this share of "
              "the greater one make an edge.",
              0.1, {0, 1})
          .with_unit(Unit::fraction)
          .with_law(SliderLaw::power, value_gamma)
          .with_step(0.01),
      P::real("normal_sigma", "Normal sigma",
              "How far normals may differ and still be mixed, as a "
              "standard deviation; 0 ignores normals.",
              0.2, {0, 10})
          .with_slider({0, 2})
          .with_law(SliderLaw::power, value_gamma)
          .with_step(0.01),
      P::real("depth_sigma", "Depth sigma",
              "How far depths may differ and still be mixed, as a "
              "share of the depth; 0 ignores depth.",
              0.1, {0, 10})
          .with_unit(Unit::fraction)
          .with_slider({0, 1})
          .with_law(SliderLaw::power, value_gamma)
          .with_step(0.01),
  };
}

std::vector<Parameter> amounts() {
  return {
      P::integer("iterations", "Iterations", "How many times in a row the filter runs.", 1,
                 {1, 100})
          .with_slider({1, 10})
          .with_halo(true),
      P::real("mix", "Mix", "How much of the result is blended over the original: 0 none, 1 all.",
              1, {0, 1})
          .with_step(0.01),
      P::real("amount", "Amount", "Strength of the effect; 0 leaves the picture unchanged.", 1,
              {0, 100})
          .with_slider({0, 5})
          .with_law(SliderLaw::power, value_gamma)
          .with_step(0.05),
      P::real("intensity", "Intensity", "How much of the effect is added; 0 adds nothing.", 0.5,
              {0, 100})
          .with_slider({0, 2})
          .with_step(0.05),
      P::real("gain", "Gain", "The result is multiplied by this.", 1, {0, 1e6})
          .with_slider({0.01, 100})
          .with_law(SliderLaw::logarithmic)
          .with_step(0.1),
      P::real("factor", "Factor", "Multiplies the weighted sum.", 1, {-1e6, 1e6})
          .with_slider({-4, 4})
          .with_step(0.05),
      P::real("offset", "Offset", "Added to the result.", 0, {-1e6, 1e6})
          .with_unit(Unit::fraction)
          .with_slider({-1, 1})
          .with_step(0.05),
      P::real("angle", "Angle", "Direction, measured counterclockwise from the right.", 45,
              {-360, 360})
          .with_unit(Unit::degrees)
          .with_slider({-180, 180})
          .with_step(1),
      P::integer("order", "Order", "Steepness of the Butterworth filter.", 2, {1, 100})
          .with_slider({1, 10}),
      P::real("cutoff", "Cutoff",
              "Frequency where the filter cuts, as a fraction of the highest "
              "one the picture can hold.",
              0.25, {0, 100})
          .with_slider({0.001, 1})
          .with_law(SliderLaw::logarithmic)
          .with_step(0.01)
          .with_zoom(ZoomLaw::scales_inversely),
      P::real("cutoff_high", "High cutoff",
              "Frequency where a band ends, as a fraction of the "
              "highest one the picture can hold.",
              0.5, {0, 100})
          .with_slider({0.001, 1})
          .with_law(SliderLaw::logarithmic)
          .with_step(0.01)
          .with_zoom(ZoomLaw::scales_inversely),
      P::integer("seed", "Seed", "Which of the random patterns is used.", 0, {0, 2147483647})
          .with_slider({0, 1000}),
      P::integer("frame_number", "Frame number",
                 "Which frame of a movie the noise is for: each has another. 0 takes the frame's "
                 "number in movies, batches and sequences.",
                 0, {0, 2147483647})
          .with_slider({0, 1000}),
  };
}

std::vector<Parameter> choices() {
  return {
      P::choice("border", "Border", "What replaces the pixels outside the picture.",
                {{"clamp", "Clamp", "The nearest pixel of the edge."},
                 {"mirror", "Mirror", "The picture reflected, its edge pixel not repeated."},
                 {"wrap", "Wrap", "The opposite side, as in a tile."},
                 {"zero", "Zero", "Nothing: black, and transparent where there is alpha."},
                 {"renormalise", "Renormalise", "Left out; the other pixels count for more."}}),
      P::choice("light", "Light", "The values that the filter works on.",
                {{"linear", "Linear light", "Light itself, as optics mixes it."},
                 {"display", "Display", "sRGB-coded values, as the eye spaces them."},
                 {"stored", "As stored", "The file's numbers as they are: data, normals, masks."}}),
      P::choice("distance", "Distance", "How the difference of two colours is measured.",
                {{"color", "Colour", "The distance of the colours in red, green and blue."},
                 {"channel", "Channel", "Every channel on its own."},
                 {"luminance", "Luminance", "The difference of the luminances."}}),
      P::choice("method", "Method", "How the result is computed.").with_halo(true),
      P::choice("show", "Show", "What the result shows."),
      P::choice("channels", "Channels", "Which channels the filter works on, and how."),
      P::choice("operator", "Operator", "How the gradient is measured.").with_halo(true),
      P::choice("operation", "Operation", "What is done."),
      P::choice("shape", "Shape", "The form used."),
      P::choice("band", "Band", "Which frequencies pass."),
      P::choice("weights", "Weights", "How much each colour counts for gray."),
      P::choice("from", "From", "The components the picture holds."),
      P::choice("to", "To", "The components of the result."),
  };
}

std::vector<Parameter> others() {
  const Matrix one{1, 1, {1}};
  constexpr int largest = 255;
  return {
      P::boolean("normalise", "Normalise", "Divide by the sum of the weights first.", false),
      P::boolean("grayscale", "Grayscale", "Turn the picture gray first.", false),
      P::boolean("centred", "Centred", "Put frequency 0 in the middle of the picture.", true),
      P::image("mask", "Mask", "Where this picture is 0 the original stays."),
      P::image("normal", "Normals",
               "Surface normals, x y z in three channels; integers hold (n + 1) / 2."),
      P::image("depth", "Depth",
               "Distance from the camera, in one channel; of several, the first is used."),
      P::image("guide", "Guide", "The picture whose edges are kept instead of the input's own."),
      P::image(
          "ramp", "Ramp",
          "A picture in place of the gradient: its middle row, from dark at the left to bright "
          "at the right."),
      P::image("overlay", "Overlay",
               "A picture laid over the result by its opacity, stretched to the same size."),
      P::image("kernel", "Kernel", "The picture of the blur: the image of a single bright point.")
          .with_halo(true),
      P::image("imaginary", "Imaginary part",
               "The imaginary part of the spectrum, of the same size."),
      P::matrix("matrix", "Matrix", "Weights as drawn over the picture, rows from the top.", one,
                largest, largest, true)
          .with_halo(true),
      P::matrix("row", "Row", "Weights along the rows.", one, 1, largest, true).with_halo(true),
      P::matrix("column", "Column", "Weights along the columns.", one, 1, largest, true)
          .with_halo(true),
      P::gradient("gradient", "Gradient", "The colours from dark to bright.",
                  {{{0, {0, 0, 0, 1}}, {1, {1, 1, 1, 1}}}},
                  {0, std::numeric_limits<double>::infinity()}),
      P::curve("curve", "Curve", "The output value (y) for each input value (x).",
               {{{0, 0}, {1, 1}}}),
  };
}

std::vector<Parameter> all_words() {
  std::vector<Parameter> words;
  for (const auto& part : {lengths(), thresholds(), amounts(), choices(), others()})
    words.insert(words.end(), part.begin(), part.end());
  return words;
}

}  // namespace

const std::vector<Parameter>& vocabulary() {
  static const std::vector<Parameter> words = all_words();
  return words;
}

const Parameter& vocabulary(std::string_view name) {
  for (const Parameter& word : vocabulary())
    if (word.name == name) return word;
  std::vector<std::string> names;
  for (const Parameter& word : vocabulary()) names.push_back(word.name);
  throw std::logic_error("the vocabulary has no " + in_quotes(name) + did_you_mean(name, names));
}

}  // namespace sfumato
