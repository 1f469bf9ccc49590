// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Timing filters on resident pictures.
#include <algorithm>
#include <chrono>
#include <cstring>
#include <vector>

#include "bench.hpp"
#include "device/program_cache.hpp"
#include "engine/backend.hpp"
#include "engine/survey.hpp"
#include "filters/registry.hpp"
#include "params/text.hpp"

namespace sfumato::bench {
namespace {

constexpr char copy_text[] = R"(
#ifdef STRIPS
kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void copy(global const float16* a, global float16* b, int count) {
  const int each = 4096;
  const int first = (int)get_global_id(0) * each;
  const int last = min(first + each, count);
  for (int i = first; i < last; ++i) b[i] = a[i];
}
#else
kernel void copy(global const float4* a, global float4* b, int count) {
  const int i = (int)get_global_id(0);
  if (i < count) b[i] = a[i];
}
#endif
)";
const kernels::Source copy_source{"copy", copy_text, copy_text + sizeof copy_text - 1};

// The processor's own copy, where no compiler makes the kernels above.
double copy_by_threads_ms(DeviceContext& context, DeviceMemory& from, DeviceMemory& to,
                          std::size_t bytes) {
  constexpr std::size_t strip = std::size_t{1} << 20;
  double ms = 0;
  context.with_mapped(from, bytes, Driver::Access::read, [&](void* source) {
    context.with_mapped(to, bytes, Driver::Access::read, [&](void* target) {
      ms = median_ms([&] {
        ParallelRows().run(0, static_cast<int>((bytes + strip - 1) / strip), [&](int row) {
          const std::size_t at = static_cast<std::size_t>(row) * strip;
          std::memcpy(static_cast<char*>(target) + at, static_cast<const char*>(source) + at,
                      std::min(strip, bytes - at));
        });
      });
    });
  });
  return ms;
}

}  // namespace

double median_ms(const std::function<void()>& run, const Patience& patience) {
  using clock = std::chrono::steady_clock;
  run();
  std::vector<double> times;
  const auto start = clock::now();
  while (static_cast<int>(times.size()) < patience.most &&
         (times.size() < 3 ||
          std::chrono::duration<double>(clock::now() - start).count() < patience.seconds)) {
    const auto before = clock::now();
    run();
    times.push_back(std::chrono::duration<double, std::milli>(clock::now() - before).count());
    const double best = *std::min_element(times.begin(), times.end());
    if (patience.enough_ms > 0 && times.size() > 1 && best > patience.enough_ms) return best;
  }
  if (patience.least) return *std::min_element(times.begin(), times.end());
  std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2),
                   times.end());
  return times[times.size() / 2];
}

std::string Case::label() const {
  std::string text = filter;
  for (const auto& [name, value] : values) {
    if (name == "light") continue;
    const auto rows = std::count(value.begin(), value.end(), ';') + 1;
    const auto spaces = std::count(value.begin(), value.end(), ' ');
    text += " " + name + "=" +
            (value.size() <= 24
                 ? value
                 : "of " + std::to_string((spaces + 1) / rows) + " x " + std::to_string(rows));
  }
  return text;
}

double Case::number(const std::string& name, double otherwise) const {
  for (const auto& [key, value] : values) {
    double number = 0;
    if (key == name && parse_number(value, number)) return number;
  }
  return otherwise;
}

struct DeviceBench::State {
  DeviceContext context;
  int width, height;
  Tuning tuning;
  std::vector<DeviceImage> float_in, float_out;  // by channels: [0] one, [1] four
  DeviceImage code_in, code_out;
  std::map<std::string, DeviceImage, std::less<>> roles;

  State(const DeviceInfo& info, int w, int h)
      : context(info, info.natural_form(), info.global_memory / 10 * 9, info.global_memory / 10 * 9,
                default_cache_folder()),
        width(w),
        height(h),
        tuning(load_tuning(info, info.natural_form(), default_cache_folder())) {
    const Rect rect{0, 0, w, h};
    for (const int channels : {1, 4}) {
      float_in.push_back(context.image(rect, channels));
      float_out.push_back(context.image(rect, channels));
      fill(float_in.back(), channels);
      fill(float_out.back(), channels);
    }
    code_in = samples(rect);
    code_out = samples(rect);
    // A render's roles: smooth normals, a ramp of depth with steps.
    roles.emplace("normal", context.image(rect, 4));
    roles.emplace("depth", context.image(rect, 1));
    std::vector<float> normal, depth;
    for (int y = 0; y < h; ++y) {
      for (int x = 0; x < roles.at("normal").plane.stride; ++x) {
        const float tilt = (x / 97 + y / 61) % 3 == 0 ? 0.6f : 0.0f;
        for (const float v : {tilt, 0.0f, tilt == 0 ? 1.0f : 0.8f, 0.0f}) normal.push_back(v);
        depth.push_back(1.0f + static_cast<float>(x / 128));
      }
    }
    write(roles.at("normal"), normal.data(), normal.size() * 4);
    write(roles.at("depth"), depth.data(), depth.size() * 4);
    roles.emplace("kernel", context.image({0, 0, 31, 31}, 4));
    const std::vector<float> even(
        static_cast<std::size_t>(roles.at("kernel").plane.stride) * 31 * 4, 1.0f);
    write(roles.at("kernel"), even.data(), even.size() * 4);
  }

  // Every other role is aligned: the picture itself.
  const DeviceImage& role(const RoleInfo& info) const {
    const auto found = roles.find(info.parameter);
    return found != roles.end() ? found->second : float_in[info.channels == 1 ? 0 : 1];
  }

  DeviceImage samples(const Rect& rect) {
    DeviceImage image;
    image.channels = 4;
    image.type = SampleType::u8;
    image.is_samples = true;
    image.plane = {0, 0, rect.width(), rect.height(), (rect.width() + 15) / 16 * 16, 0};
    const std::size_t bytes =
        static_cast<std::size_t>(image.plane.stride) * static_cast<std::size_t>(rect.height()) * 4 +
        128;
    image.buffer = context.pool().take(bytes);
    std::vector<std::uint8_t> noise(bytes);
    std::uint32_t seed = 3;
    for (std::uint8_t& v : noise) {
      seed = seed * 1664525u + 1013904223u;
      v = static_cast<std::uint8_t>(seed >> 24);
    }
    write(image, noise.data(), bytes);
    return image;
  }

  // Noise with a photograph's contrast: at full contrast, the weights of a bilateral filter become
  // denormal, with which some processors are a hundred times slower.
  void fill(const DeviceImage& image, int channels) {
    std::vector<float> noise(static_cast<std::size_t>(image.plane.stride) *
                             static_cast<std::size_t>(image.plane.height) *
                             static_cast<std::size_t>(channels));
    std::uint32_t seed = 1;
    for (std::size_t i = 0; i < noise.size(); ++i) {
      seed = seed * 1664525u + 1013904223u;
      noise[i] = channels == 4 && i % 4 == 3
                     ? 1.0f
                     : 0.35f + 0.3f * static_cast<float>(seed >> 8) / 16777216.0f;
    }
    write(image, noise.data(), noise.size() * sizeof(float));
  }

  // The filter's survey of the resident picture, made once.
  std::shared_ptr<const SurveyResult> survey(const std::string& filter, const Values& values,
                                             std::size_t set, const Target& target) {
    const DeviceImage& image = float_in[set];
    const int channels = image.channels == 4 ? 4 : 1;
    const PictureFormat format{width,
                               height,
                               channels,
                               SampleType::f32,
                               channels == 4 ? AlphaKind::straight : AlphaKind::none,
                               Coding::srgb()};
    const std::size_t pitch =
        static_cast<std::size_t>(image.plane.stride) * static_cast<std::size_t>(channels) * 4;
    std::vector<char> pixels(pitch * static_cast<std::size_t>(height));
    context.read(*image.buffer, pixels.data(), pixels.size());
    MemorySource source(format, {pixels.data(), static_cast<std::ptrdiff_t>(pitch), format.rect()});
    const Recipe recipe = recipe_of(Registry::get().at(filter).filter->info(), values);
    return survey_picture(make_plan(recipe, format, format, target), source).at(0);
  }

  void write(const DeviceImage& image, const void* data, std::size_t bytes) {
    context.write(*image.buffer, data, bytes);
  }
};

DeviceBench::DeviceBench(const DeviceInfo& info, int width, int height)
    : state_(std::make_unique<State>(info, width, height)) {}
DeviceBench::~DeviceBench() = default;

const DeviceInfo& DeviceBench::info() const {
  return state_->context.info();
}

Form DeviceBench::form() const {
  return state_->context.form();
}

TuningOrigin DeviceBench::sizes_from() const {
  return state_->tuning.origin();
}

double DeviceBench::copy_ms() {
  State& s = *state_;
  const DeviceImage &from = s.float_in[1], &to = s.float_out[1];
  const std::size_t pixels =
      static_cast<std::size_t>(from.plane.stride) * static_cast<std::size_t>(s.height);
  if (info().built_in) return copy_by_threads_ms(s.context, *from.buffer, *to.buffer, pixels * 16);
  Passes passes(s.context, copy_source);
  double best = 0;
  for (const bool strips : {false, true}) {
    if (strips && s.context.form() != Form::cpu) continue;
    for (const std::size_t local : {64u, 256u}) {
      Launch launch;
      launch.kernel = "copy";
      launch.options = strips ? "-DSTRIPS" : "";
      const std::size_t count = strips ? pixels / 4 : pixels;
      launch.local = {strips ? 1 : local, 1};
      launch.global = {strips ? (count + 4095) / 4096 : count, 1};
      launch.work = 1e-6;  // in one piece
      const double ms = median_ms([&] {
        passes.launch(launch, from, to, static_cast<int>(count));
        s.context.finish();
      });
      best = best == 0 ? ms : std::min(best, ms);
    }
  }
  return best;
}

Result DeviceBench::measure(const Case& c, const Patience& patience) {
  State& s = *state_;
  const RegisteredFilter& entry = Registry::get().at(c.filter);
  const Filter& filter = *entry.filter;
  Values values;
  for (const auto& [name, text] : c.values) {
    set_text(values, filter.info().parameters, name, text);
  }
  for (const RoleInfo& role : filter.info().roles) {
    values.set(role.parameter, ImageRef{"resident", ""});
  }
  values = complete(filter.info().parameters, values);
  filter.check(values);

  const bool samples = c.kind[0] == 'u';
  const std::size_t set = c.kind == "f32x1" || c.kind == "u8x1" ? 0 : 1;
  Picture picture;
  picture.width = s.width;
  picture.height = s.height;
  picture.channels = set == 0 ? 1 : 4;
  picture.has_alpha = c.kind == "f32x4";
  picture.samples = samples ? StoredSamples::plain : StoredSamples::none;
  picture.samples_packed3 = c.kind == "u8x3";
  const Tuning sizes =
      c.sizes.empty() ? s.tuning : Tuning(TuningOrigin::user, std::vector<Sizes>{c.sizes});
  const Target target =
      target_of(s.context.info(), s.context.form(), std::make_shared<const Tuning>(sizes));
  if (samples && !filter.takes_samples(values, picture.samples, target)) {
    throw NoSuchForm(c.filter + " does not work on 8-bit samples itself");
  }
  if (filter.survey(values, picture, target)) {
    picture.surveyed = s.survey(c.filter, values, set, target);
  }
  const PreparedPtr prepared = filter.prepare(values, picture, target);
  const Edge edge({0, 0, s.width, s.height}, border_of(values));
  TileJob job{
      samples ? s.code_in : s.float_in[set], edge, samples ? s.code_out : s.float_out[set], {}};
  if (samples && set == 0) job.input.channels = job.output.channels = 1;
  for (const RoleInfo& role : filter.info().roles) {
    job.roles.emplace(role.parameter, s.role(role));
  }
  Passes passes(s.context, *entry.source);
  Result result;
  result.method = in_english(prepared->explain());
  result.milliseconds = median_ms(
      [&] {
        prepared->run(job, passes);
        s.context.finish();
      },
      patience);
  return result;
}

double DeviceBench::transforms_ms() {
  State& s = *state_;
  Passes passes(s.context, copy_source);
  // Two channels are one complex picture.
  const std::size_t bytes =
      static_cast<std::size_t>(s.width) * static_cast<std::size_t>(s.height) * 2 * 8;
  const auto data = passes.buffer(bytes);
  s.context.write(*data, std::vector<char>(bytes, 0).data(), bytes);
  return median_ms([&] {
    passes.transform(*data, s.width, s.height, 2, false);
    passes.transform(*data, s.width, s.height, 2, true);
    s.context.finish();
  });
}

}  // namespace sfumato::bench
