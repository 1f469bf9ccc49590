// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A digest of every filter's result for a small picture: by the reference and by each device in
// each form, at three depths, with each choice of each parameter. Builds with identical pixels
// print identical lines. Usage: sfumato-render-digests [FILTER...]
#include <cinttypes>
#include <cstdio>

#include "device/program_cache.hpp"
#include "filters/registry.hpp"
#include "support/not_empty.hpp"
#include "support/registry_walk.hpp"
#include "support/sessions.hpp"

using namespace sfumato;
using namespace sfumato::testing;

namespace {

constexpr int width = 203, height = 77;

struct Depth {
  const char* name;
  SampleType type;
  Coding coding;
};

std::uint64_t digest(Session& session, const Recipe& recipe, const Depth& depth) {
  const PictureFormat format{width, height, 4, depth.type, AlphaKind::straight, depth.coding};
  Image input = scene(format);
  const Image output = run(session, recipe, input, format, with_roles(width, height));
  return fnv1a({output.bytes.data(), output.bytes.size()});
}

void print_digests(const Filter& filter, Session& session, const std::string& label) {
  const Depth depths[] = {{"8 bits", SampleType::u8, Coding::srgb()},
                          {"16 bits", SampleType::u16, Coding::srgb()},
                          {"float", SampleType::f32, Coding::linear()}};
  for (const Values& values : variants(filter)) {
    const Recipe recipe = one_step(filter.info().id, values);
    for (const Depth& depth : depths) {
      std::printf("%016" PRIx64 " %s, %s, %s\n", digest(session, recipe, depth),
                  text_of(filter.info(), values).c_str(), depth.name, label.c_str());
    }
  }
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) try {
  Sessions sessions(std::size_t{1} << 30, [](const Message& line) {
    std::fprintf(stderr, "%s\n", in_english(line).c_str());
  });
  const auto asked_for = [&](const std::string& id) {
    return argc < 2 || std::find(argv + 1, argv + argc, id) != argv + argc;
  };
  for (const RegisteredFilter& f : not_empty(Registry::get().all(), "filters")) {
    if (!asked_for(f.filter->info().id)) continue;
    print_digests(*f.filter, sessions.on("reference", "reference", {}), "reference");
    for (const Runner& runner : runners()) {
      print_digests(*f.filter, sessions.on(runner), runner.label);
    }
  }
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
