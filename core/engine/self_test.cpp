// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Decides whether to trust a device by a small picture, once per driver version.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <numbers>

#include "device/files.hpp"
#include "device/program_cache.hpp"
#include "engine/session.hpp"
#include "filters/registry.hpp"

namespace sfumato {
namespace {

// A picture that provokes typical driver bugs: odd sizes, alpha, ramps and hard edges.
std::vector<std::uint8_t> pattern(int width, int height) {
  std::vector<std::uint8_t> pixels;
  std::uint32_t noise = 1;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      noise = noise * 1664525u + 1013904223u;
      pixels.push_back(static_cast<std::uint8_t>(x * 255 / (width - 1)));
      pixels.push_back(static_cast<std::uint8_t>(noise >> 24));
      pixels.push_back(static_cast<std::uint8_t>(y < height / 2 ? 0 : 255));
      pixels.push_back(static_cast<std::uint8_t>(x < 5 ? 0 : 255 - y));
    }
  }
  return pixels;
}

std::vector<float> render_small(Backend& on, int width, int height) {
  PictureFormat input{width, height, 4, SampleType::u8, AlphaKind::straight, Coding::srgb()};
  PictureFormat output = input;
  output.type = SampleType::f32;
  // Avoids the steep foot of the sRGB curve and division by small alpha, which would amplify
  // errors.
  output.coding = Coding::linear();
  output.alpha = AlphaKind::premultiplied;
  Recipe recipe;
  if (const RegisteredFilter* gaussian = Registry::get().find("gaussian")) {
    Values values;
    values.set("sigma", 1.5);
    recipe = recipe_of(gaussian->filter->info(), values);
  }
  const Plan plan = make_plan(recipe, input, output, on.target());
  std::vector<std::uint8_t> pixels = pattern(width, height);
  MemorySource source(input, {pixels.data(), width * 4, input.rect()});
  std::vector<float> result(pixels.size());

  const auto samples = on.take_samples(input.rect(), input, [&](void* to, std::ptrdiff_t stride) {
    source.read(input.rect(), to, stride);
  });
  PixelState state = plan.input_state();
  if (!plan.steps.empty()) state = plan.steps[0].taken;
  auto image = on.load(samples, input, state, 4);
  for (const PlannedStep& s : plan.steps) {
    image = on.run(plan, s, image, Edge(input.rect(), s.border), input.rect(), {});
  }
  MemorySink sink(output, {result.data(), width * 16, output.rect()});
  on.store(image, state, output.rect(), output, samples, input, false,
           [&](const HostView& view) { sink.write(view); });
  return result;
}

}  // namespace

std::optional<Message> self_test(Backend& device, const std::filesystem::path& cache_folder) {
  const std::string identity = device.target().device + " | form " +
                               std::to_string(static_cast<int>(device.target().form)) +
                               " | sfumato " SFUMATO_VERSION;
  std::array<char, 32> name{};
  std::snprintf(name.data(), name.size(), "%016llx",
                static_cast<unsigned long long>(fnv1a(identity)));
  const std::filesystem::path passed =
      cache_folder.empty() ? cache_folder : cache_folder / "devices" / name.data();
  std::string known;
  if (!passed.empty() && read_file(passed, known) && known == identity) return std::nullopt;

  constexpr int width = 61, height = 37;
  const std::vector<float> result = render_small(device, width, height);
  const auto reference = make_reference_backend(1e9);
  const std::vector<float> expected = render_small(*reference, width, height);
  float worst = 0;
  for (std::size_t i = 0; i < result.size(); ++i) {
    const float difference = std::abs(result[i] - expected[i]);
    worst = std::isfinite(difference) ? std::max(worst, difference) : 1e9f;
  }
  if (worst > 2e-4f) {
    return message({"device.differs", "its result differs from the reference by {difference}"},
                   std::to_string(worst));
  }
  if (!passed.empty()) write_file_atomically(passed, identity);
  return std::nullopt;
}

}  // namespace sfumato
