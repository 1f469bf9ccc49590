// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Every kernel of every filter on tiny pictures, in both forms: to be run under Oclgrind, which
// detects data races, reads of uninitialised memory and out-of-bounds accesses.
// Usage: small_kernels [--native OBJECT] [FILTER|transforms...]
//        small_kernels --accuracy [WxH]
//        small_kernels --planted OBJECT DEFINITIONS
// Prints what it runs and exits with 1 if a result is wrong. Under Oclgrind it runs fewer cases,
// unless SFUMATO_TEST_ALL is set. --accuracy runs gaussian on a larger picture at many sigmas, with
// errors. --native runs the CPU forms of an object that packaging/native_kernels.py made, with
// memory that is exactly as large as asked for: sanitizers that are compiled into the object see
// the rest.
// --planted runs a kernel of tests/kernels/planted.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "device/native_driver.hpp"
#include "device/passes.hpp"
#include "engine/roles.hpp"
#include "engine/survey.hpp"
#include "filters/registry.hpp"
#include "kernels/native_fourier.hpp"
#include "support/cases.hpp"
#include "support/devices.hpp"
#include "support/nonfinite.hpp"
#include "support/not_empty.hpp"
#include "support/once.hpp"
#include "support/pictures.hpp"
#include "support/registry_walk.hpp"

using namespace sfumato;
using namespace sfumato::testing;

namespace {

bool keep_memory = false;

// Oclgrind takes minutes for what a device does in seconds: see support/cases.hpp.
bool is_brief() {
  return keep_memory && std::getenv("SFUMATO_TEST_ALL") == nullptr;
}

}  // namespace

// Oclgrind remembers which part of a buffer the host has written, even after another buffer
// replaces it. Under Oclgrind, buffers are therefore never freed. See open_fresh(). The linker lets
// the core call the first of these functions, and the second is what it would have called (--wrap).
extern "C" cl_int __real_clReleaseMemObject(cl_mem memory);
extern "C" cl_int __wrap_clReleaseMemObject(cl_mem memory) {
  return keep_memory ? CL_SUCCESS : __real_clReleaseMemObject(memory);
}

namespace {

constexpr int width = 21, height = 14;
constexpr int long_width = 93, few_rows = 3;  // more pixels in a row than behind the last one
constexpr int whole_width = 24;  // where every vector of pixels is full, of four channels

std::shared_ptr<PixelSource> role(const std::string& name, const PictureFormat& picture) {
  const bool vectors = name == "normal" || name == "guide";
  PictureFormat format{picture.width,   picture.height,  vectors ? 3 : 1,
                       SampleType::f32, AlphaKind::none, Coding::linear()};
  if (!is_aligned(name)) format.width = 7, format.height = 5, format.channels = 3;
  if (name == "overlay") format.channels = 4, format.alpha = AlphaKind::straight;
  return std::make_shared<OwnedSource>(scene(format));
}

// Under Oclgrind the cases in cases.json, otherwise all values.
std::vector<Values> values_of(const Cases& cases) {
  return is_brief() ? cases.under_oclgrind() : cases.kernels();
}

// With all roles bound.
bool gives_colour(const Filter& filter, const Values& values) {
  return makes_colour(with_roles_named(one_step(filter.info().id, values)));
}

bool tries(const Cases& cases, const Values& values, int channels) {
  if (is_brief()) {
    const std::vector<int> wanted = cases.channels_under_oclgrind();
    if (std::find(wanted.begin(), wanted.end(), channels) == wanted.end()) return false;
  }
  return channels == 4 || cases.wants_every_pixel(values);
}

void empty_pool(Backend& backend) {
  backend.set_tile_limit(backend.tile_limit());
}

// The result for a picture, and its cost.
struct Rendered {
  Image image;
  Needs needs;
};

// A rectangle to compute, from no more pixels than it needs; the others stay those of `before`.
struct Part {
  Rect rect;
  const Image& before;
};

// Makes all samples of a rectangle wrong.
void spoil(Image& image, const Rect& rect) {
  for (int y = rect.y0; y < rect.y1; ++y) {
    for (int x = rect.x0; x < rect.x1; ++x) {
      for (int c = 0; c < image.format.channels; ++c) {
        image.set(x, y, c, image.get(x, y, c) < 0.5f ? 1.0f : 0.0f);
      }
    }
  }
}

auto rows_of(PixelSource& from, const Rect& rect) {
  return [&from, rect](void* to, std::ptrdiff_t stride) { from.read(rect, to, stride); };
}

// The pictures of all roles, those that are aligned for `taken` alone.
BoundRoles loaded_roles(Backend& on, const FilterInfo& info, const PictureFormat& format,
                        const Rect& taken) {
  BoundRoles roles;
  for (const RoleInfo& request : info.roles) {
    empty_pool(on);
    const auto bound = role(request.parameter, format);
    const Rect held = is_aligned(request.parameter) ? taken : bound->format().rect();
    const auto stored = on.take_samples(held, bound->format(), rows_of(*bound, held));
    roles.emplace(request.parameter,
                  on.load(stored, bound->format(), {bound->format().coding, AlphaKind::none},
                          request.channels));
  }
  return roles;
}

Rendered rendered(Backend& on, const FilterInfo& info, const Values& values, Image input,
                  const Part* part = nullptr) {
  Recipe recipe = one_step(info.id, values);
  for (const RoleInfo& request : info.roles) {
    recipe.steps[0].values.set(request.parameter, ImageRef{"bound", ""});
  }
  const PictureFormat format = input.format;
  PictureFormat out = format;
  out.coding = Coding::linear();
  if (out.has_alpha()) out.alpha = AlphaKind::premultiplied;
  const bool to_the_bit = Registry::get().at(info.id).filter->tolerance(values) == 0;
  if (is_integer(format.type) || to_the_bit) out = format;
  Image result(out);
  MemorySource source(format, input.view());
  Plan plan = make_plan(recipe, format, out, on.target());
  // Small sigmas without a survey, for the method used before one.
  if (values.has("sigma") && values.number("sigma") >= 5) {
    const SurveyResults surveyed = survey_picture(plan, source);
    plan = make_plan(recipe, format, out, on.target(), {.surveyed = surveyed});
  }
  const PlannedStep& step = plan.steps.at(0);
  // With wrap, pixels beyond the picture come from its other side: a part needs all of it.
  const bool whole = part == nullptr || plan.wraps;
  const Rect stored_rect = part == nullptr ? out.rect() : part->rect;
  const Rect taken = whole ? format.rect() : plan.windows(stored_rect).front();
  if (part != nullptr) {
    result = part->before;
    spoil(result, part->rect);
  }
  empty_pool(on);
  const auto samples = on.take_samples(taken, format, rows_of(source, taken));
  auto image = plan.on_samples() ? samples : on.load(samples, format, step.taken, plan.channels);
  const BoundRoles roles = loaded_roles(on, info, format, taken);
  empty_pool(on);
  const auto before = image;
  image = on.run(plan, step, image, Edge(format.rect(), step.border), stored_rect, roles);
  if (values.number("mix") != 1.0) {
    image =
        on.blend(before, image, before, static_cast<float>(values.number("mix")), step.state.alpha);
  }
  MemorySink sink(out, result.view());
  on.store(image, step.gives_data ? plan.output_state() : step.state, stored_rect, out, samples,
           format, false, [&](const HostView& v) { sink.write(v); });
  return {std::move(result), step.needs};
}

// The reference's result, computed once for all devices and forms.
const Rendered& wanted(Backend& reference, const FilterInfo& info, const Values& values,
                       const Image& input) {
  static Once<Rendered> results;
  return results.of(key_of(one_step(info.id, values), input),
                    [&] { return rendered(reference, info, values, input); });
}

// The largest difference between device and reference.
double difference_of(Backend& device, Backend& reference, const FilterInfo& info,
                     const Values& values, const PictureFormat& format) {
  Rendered got = rendered(device, info, values, scene(format));
  Rendered want = wanted(reference, info, values, scene(format));
  return largest_difference(got.image, want.image);
}

// Device compared with reference on non-finite samples.
bool run_spoilt(Backend& device, Backend& reference, const FilterInfo& info, const Values& values,
                const PictureFormat& format, bool in_alpha) {
  const std::vector<BadSample> places = bad_samples(format, in_alpha);
  const Image input = spoilt_scene(format, places);
  const Rendered got = rendered(device, info, values, input);
  Rendered want = wanted(reference, info, values, input);
  const Rendered good = info.non_finite == NonFinite::becomes_number
                            ? got
                            : rendered(device, info, values, scene(format));
  Results results{got.image, want.image, good.image};
  Reach reach{info.non_finite == NonFinite::left_out ? want.needs : got.needs, want.needs, 0, 0};
  if (values.has("border") && values.choice("border") == "wrap") {
    reach.wrap_width = format.width;
    reach.wrap_height = format.height;
  }
  const double tolerance = Registry::get().at(info.id).filter->tolerance(values);
  const std::string wrong = disagreement(results, tolerance, reach, places);
  if (!wrong.empty()) std::printf("spoilt%s: %s\n", in_alpha ? " in alpha" : "", wrong.c_str());
  return wrong.empty();
}

// A device whose buffers are all new, so that every read of unwritten memory is detected, and not
// larger than asked for (a tile of no memory keeps none), so that every access beyond one is.
std::unique_ptr<Backend> open_fresh(const Runner& runner) {
  const auto backend = std::make_shared<Backend*>(nullptr);
  auto device = make_device_backend(runner.device, target_of(runner.device, runner.form),
                                    {std::size_t{4} << 30, 0, 3e9}, {},
                                    [backend](std::int64_t) { empty_pool(**backend); });
  *backend = device.get();
  return device;
}

bool run_one(Backend& device, Backend& reference, const FilterInfo& info, const Values& values,
             const PictureFormat& format) {
  const Filter& filter = *Registry::get().at(info.id).filter;
  const double allowed = filter.tolerance(values) + (is_integer(format.type) ? 1.01 / 255 : 0);
  const double difference = difference_of(device, reference, info, values, format);
  if (difference <= allowed) return true;
  std::printf("differs by %g, allowed %g\n", difference, allowed);
  return false;
}

// A part that ends within the picture, of an odd number of rows, compared with the reference's
// whole picture.
bool run_part(Backend& device, Backend& reference, const FilterInfo& info, const Values& values,
              const PictureFormat& format) {
  const Image input = scene(format);
  Image want = wanted(reference, info, values, input).image;
  const Part part{{2, 1, format.width - 3, format.height - 4}, want};
  Rendered got = rendered(device, info, values, input, &part);
  const double allowed = Registry::get().at(info.id).filter->tolerance(values) +
                         (is_integer(format.type) ? 1.01 / 255 : 0);
  const double difference = largest_difference(got.image, want);
  if (difference <= allowed) return true;
  std::printf("differs in a part by %g, allowed %g\n", difference, allowed);
  return false;
}

// The kernels around a Fourier transform, without it: the picture must come through unchanged.
bool run_fft_kernels(const Runner& runner, int channels) {
  DeviceContext context(runner.device, runner.form, std::size_t{1} << 30, std::size_t{1} << 28, {});
  Passes passes(context, *Registry::get().at("gaussian").source);
  const Rect rect{0, 0, width, height};
  const DeviceImage in = context.image(rect, channels), out = context.image(rect, channels);
  const std::size_t floats =
      static_cast<std::size_t>(in.plane.stride) * height * static_cast<std::size_t>(channels);
  std::vector<float> before(floats), after(floats);
  for (std::size_t i = 0; i < floats; ++i) before[i] = static_cast<float>(i % 97) / 97.0f;
  context.write(*in.buffer, before.data(), floats * sizeof(float));

  constexpr int halo = 3, w = width + 2 * halo, h = height + 2 * halo;
  const auto data = passes.buffer(std::size_t{w} * h * 2 * sizeof(float) * (channels == 4 ? 2 : 1));
  const auto bad = passes.table(std::vector<float>{0.0f});
  const auto ones = passes.table(std::vector<float>(static_cast<std::size_t>(w), 1.0f));
  const Edge edge(rect, Border::mirror);
  Launch launch;
  launch.options = "-D PASS_FFT -D CHANNELS=" + std::to_string(channels);
  launch.local = {64, 1};
  launch.global = {w, h};
  launch.kernel = "fft_pack";
  passes.launch(launch, in, in.plane, edge, data, w, h, halo, halo, bad);
  launch.kernel = "fft_multiply";
  passes.launch(launch, data, w, h, ones, ones);
  launch.kernel = "fft_unpack";
  passes.launch(launch, data, w, h, halo, halo, edge, out, out.plane, ones, ones);
  context.read(*out.buffer, after.data(), floats * sizeof(float));
  for (int y = 0; y < height; ++y) {
    const auto first = static_cast<std::ptrdiff_t>(in.plane.index(0, y)) * channels;
    if (!std::equal(before.begin() + first, before.begin() + first + width * channels,
                    after.begin() + first)) {
      std::printf("row %d differs\n", y);
      return false;
    }
  }
  return true;
}

// The largest error of gaussian by `auto` at one sigma, over borders and channels.
double gaussian_error(Backend& device, Backend& reference, double sigma, int w, int h) {
  const FilterInfo& info = Registry::get().at("gaussian").filter->info();
  double worst = 0;
  for (const int channels : {4, 1}) {
    for (const char* border : {"clamp", "mirror", "wrap", "zero", "renormalise"}) {
      if (sigma > 16 && channels == 1 && std::string(border) != "clamp") continue;
      Values values = defaults(info.parameters);
      values.set("sigma", sigma);
      values.set("border", Choice(border));
      const PictureFormat format{
          w, h, channels, SampleType::f32, AlphaKind::none, Coding::linear()};
      worst = std::max(worst, difference_of(device, reference, info, values, format));
    }
  }
  return worst;
}

// gaussian by `auto` against float64 on a whole frame, all borders, one and four channels.
int accuracy(int w, int h) {
  const auto reference = make_reference_backend(1e12);
  int failures = 0;
  for (const Runner& runner : natural_runners()) {
    const auto device = testing::open(runner);
    for (const double sigma :
         {0.5, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 12.0, 16.0, 32.0, 64.0, 128.0, 300.0}) {
      const double worst = gaussian_error(*device, *reference, sigma, w, h);
      const bool good = worst <= 1.5e-4;
      failures += good ? 0 : 1;
      std::printf("%s, sigma %g: largest error %.2g%s\n", runner.device.name.c_str(), sigma, worst,
                  good ? "" : "  TOO MUCH");
      std::fflush(stdout);
    }
  }
  return failures == 0 ? 0 : 1;
}

std::vector<Runner> native_runners(const char* object) {
  const DeviceInfo device = native_device(std::make_shared<const NativeKernels>(object));
  return {{"compiled ahead of time", device, Form::cpu}};
}

int run_planted(const char* object, const char* definitions) {
  constexpr int count = 16;
  const auto driver = open_driver(native_device(std::make_shared<const NativeKernels>(object)), {});
  const kernels::Source source{"planted", nullptr, nullptr};
  const auto numbers = driver->allocate(count * sizeof(float));
  const std::array arguments = {Argument::of_memory(numbers.get()), Argument::of(count),
                                Argument::of_local(count * sizeof(float))};
  driver->launch(driver->kernel(source, definitions, "planted"), arguments,
                 {{0, 0}, {count, 1}, {count, 1}});
  driver->finish();
  return 0;
}

// Every filter, or the named ones, on each device in turn.
class Kernels {
 public:
  explicit Kernels(std::vector<std::string> names) : names_(std::move(names)) {}

  void run(const Runner& runner) {
    keep_memory = runner.device.platform == "Oclgrind";
    const bool is_fresh = keep_memory || runner.device.built_in;
    const auto open = [is_fresh](const Runner& r) {
      return is_fresh ? open_fresh(r) : testing::open(r);
    };
    Runner in_pieces = runner;
    // Oclgrind takes long to begin a launch.
    if (!keep_memory) in_pieces.device.most_rows = 1;
    const Devices device{open(runner), open(in_pieces)};
    for (const RegisteredFilter& f : not_empty(Registry::get().all(), "filters")) {
      if (!is_wanted(f.filter->info().id)) continue;
      const Cases cases(*f.filter);
      for (const Values& values : values_of(cases))
        run_values(runner, device, *f.filter, cases, values);
      for (const Values& values : cases.in_long_rows())
        run_rows(runner, *device.whole, *f.filter, values);
    }
    if (!is_wanted("transforms")) return;
    if (runner.device.built_in) {
      std::printf("%s: transforms\n", runner.label.c_str());
      count(native_fourier_is_right(runner.device));
    }
    for (const int channels : {4, 1}) {
      std::printf("%s: around a transform, %d channels\n", runner.label.c_str(), channels);
      count(run_fft_kernels(runner, channels));
    }
  }

  int runs() const { return runs_; }
  int failures() const { return failures_; }

 private:
  // A device as it is, and one that cuts every launch into rows of groups.
  struct Devices {
    std::unique_ptr<Backend> whole, in_pieces;
  };

  bool is_wanted(const std::string& name) const {
    return names_.empty() || std::find(names_.begin(), names_.end(), name) != names_.end();
  }

  void count(bool passed) {
    ++runs_;
    if (!passed) ++failures_;
  }

  // A case with every kind of pixels: 4 channels, 1, and 3 bytes.
  void run_values(const Runner& runner, const Devices& device, const Filter& filter,
                  const Cases& cases, const Values& values) {
    // Oclgrind's arithmetic fails VkFFT's check; see run_fft_kernels().
    const bool fft = values.has("method") && values.choice("method") == "fft";
    if (fft && runner.device.platform == "Oclgrind") return;
    if (filter.neutral(values)) return;
    for (const int kind : {4, 1, 3}) {
      if (!tries(cases, values, kind)) continue;
      if (kind == 1 && gives_colour(filter, values)) continue;  // gray has four channels there
      std::printf("%s: %s, %d channels\n", runner.label.c_str(),
                  text_of(filter.info(), values).c_str(), kind);
      std::fflush(stdout);
      run_kind(device, filter, values, kind);
    }
  }

  void run_rows(const Runner& runner, Backend& device, const Filter& filter, const Values& values) {
    if (filter.neutral(values)) return;
    std::printf("%s: %s, long rows\n", runner.label.c_str(),
                text_of(filter.info(), values).c_str());
    std::fflush(stdout);
    const bool as_it_is = filter.tolerance(values) == 0;
    count(run_one(device, *reference_, filter.info(), values,
                  {long_width, few_rows, gives_colour(filter, values) ? 3 : 1, SampleType::f32,
                   AlphaKind::none, as_it_is ? Coding::srgb() : Coding::linear()}));
  }

  void run_kind(const Devices& devices, const Filter& filter, const Values& values, int kind) {
    Backend& device = *devices.whole;
    const FilterInfo& info = filter.info();
    // Bit-exact comparisons need equal inputs: no conversion before.
    const bool as_it_is = kind == 3 || filter.tolerance(values) == 0;
    const PictureFormat format{kind == 3 ? whole_width : width,
                               height,
                               kind,
                               kind == 3 ? SampleType::u8 : SampleType::f32,
                               kind == 4 ? AlphaKind::straight : AlphaKind::none,
                               as_it_is ? Coding::srgb() : Coding::linear()};
    count(run_one(device, *reference_, info, values, format));
    count(run_part(*devices.in_pieces, *reference_, info, values, format));
    // Oclgrind finds nothing more in these.
    if (kind == 3 || keep_memory) return;
    count(run_spoilt(device, *reference_, info, values, format, false));
    if (kind != 1) count(run_spoilt(device, *reference_, info, values, format, true));
  }

  const std::vector<std::string> names_;
  const std::unique_ptr<Backend> reference_ = make_reference_backend(1e9);
  int runs_ = 0, failures_ = 0;
};

}  // namespace

int main(int argc, char** argv) try {
  if (argc > 1 && std::string(argv[1]) == "--accuracy") {
    int w = 700, h = 500;
    if (argc > 2 && std::sscanf(argv[2], "%dx%d", &w, &h) != 2) return 2;
    return accuracy(w, h);
  }
  if (argc == 4 && std::string(argv[1]) == "--planted") return run_planted(argv[2], argv[3]);
  const bool native = argc > 2 && std::string(argv[1]) == "--native";
  Kernels kernels({argv + (native ? 3 : 1), argv + argc});
  for (const Runner& runner : native ? native_runners(argv[2]) : runners()) kernels.run(runner);
  std::printf("%d passed, %d failed\n", kernels.runs() - kernels.failures(), kernels.failures());
  if (kernels.runs() == 0) {
    throw std::runtime_error("there is no filter of that name: nothing was run");
  }
  return kernels.failures() == 0 ? 0 : 1;
} catch (const std::exception& e) {
  std::printf("failed: %s\n", e.what());
  return 1;
}
