// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Tiles on an OpenCL device.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "device/passes.hpp"
#include "engine/backend.hpp"

namespace sfumato {
namespace kernels {
extern const Source engine_transfer;
extern const Source engine_blend;
}  // namespace kernels

namespace {

class DeviceBackendImage final : public BackendImage {
 public:
  explicit DeviceBackendImage(DeviceImage pixels) : image(std::move(pixels)) {
    plane = image.plane;
    channels = image.channels;
  }
  DeviceImage image;
};

const DeviceImage& device_image(const BackendImagePtr& pointer) {
  return static_cast<const DeviceBackendImage&>(*pointer).image;
}

BackendImagePtr wrapped(DeviceImage image) {
  return std::make_shared<DeviceBackendImage>(std::move(image));
}

// What cl/engine/transfer.cl converts, as its twin there says it.
struct Conversion {
  int src_type, src_n, dst_type, dst_n;
  int from_curve = 0, to_curve = 0;
  int from_alpha, to_alpha;
  int kept_type = -1, by_table = 0, dithered = 0;

  Conversion(SampleType from_type, int from_channels, SampleType to_type, int to_channels,
             const PixelState& from, const PixelState& to)
      : src_type(static_cast<int>(from_type)),
        src_n(from_channels),
        dst_type(static_cast<int>(to_type)),
        dst_n(to_channels),
        from_alpha(static_cast<int>(from.alpha)),
        to_alpha(static_cast<int>(to.alpha)) {
    // Equal curves need no conversion; two equal powers count as linear for the same reason.
    if (from.coding == to.coding) return;
    from_curve = static_cast<int>(from.coding.curve);
    to_curve = static_cast<int>(to.coding.curve);
  }

  bool is_gray() const { return src_n == 1 && dst_n == 1; }
  /// Compiled into the form for GPUs.
  std::string definitions() const {
    const std::pair<const char*, int> all[] = {
        {"SRC_TYPE", src_type},     {"SRC_N", src_n},           {"DST_TYPE", dst_type},
        {"DST_N", dst_n},           {"FROM_CURVE", from_curve}, {"TO_CURVE", to_curve},
        {"FROM_ALPHA", from_alpha}, {"TO_ALPHA", to_alpha},     {"KEPT_TYPE", kept_type},
        {"BY_TABLE", by_table},     {"DITHERED", dithered}};
    std::string text;
    for (const auto& [name, value] : all) {
      text += std::string(" -D") + name + "=" + std::to_string(value);
    }
    return text;
  }
};

class DeviceBackend final : public Backend {
 public:
  DeviceBackend(const DeviceInfo& info, Target target, const MemoryLimits& limits,
                const std::filesystem::path& cache_folder,
                std::function<void(std::int64_t)> before_launch)
      : context_(info, target.form, limits.all, static_cast<std::size_t>(limits.tile * 1.5),
                 cache_folder),
        target_(std::move(target)),
        tile_limit_(limits.tile),
        whole_limit_(limits.whole) {
    context_.warn = [this](const Message& sentence) {
      if (warn) warn(sentence);
    };
    context_.before_launch = std::move(before_launch);
    context_.keep_going = [this] { return !tick || tick(-1.0); };
  }

  std::string name() const override { return context_.info().title(); }

  Target target() const override { return target_; }

  double tile_limit() const override { return tile_limit_; }
  double whole_limit() const override { return whole_limit_; }
  void set_tile_limit(double bytes) override {
    tile_limit_ = bytes;
    context_.pool().trim();
  }

  DeviceContext& context() { return context_; }

  BackendImagePtr take_samples(const Rect& region, const PictureFormat& format,
                               const FillRows& fill) override {
    DeviceImage image = samples_image(region, format);
    const std::size_t pitch = static_cast<std::size_t>(image.plane.stride) * format.pixel_bytes();
    const std::size_t bytes = pitch * static_cast<std::size_t>(region.height());
    if (context_.info().shares_memory) {
      // The caller works in the device's memory itself.
      context_.with_mapped(*image.buffer, bytes, Driver::Access::write,
                           [&](void* memory) { fill(memory, static_cast<std::ptrdiff_t>(pitch)); });
    } else {
      // Includes the space after the last row that whole vectors may touch.
      const std::size_t all = samples_bytes(image.plane, format);
      staging_.assign(all, 0);
      fill(staging_.data(), static_cast<std::ptrdiff_t>(pitch));
      context_.write(*image.buffer, staging_.data(), all);
    }
    return wrapped(std::move(image));
  }

  BackendImagePtr load(const BackendImagePtr& samples, const PictureFormat& format,
                       const PixelState& state, int channels) override {
    const DeviceImage& from = device_image(samples);
    DeviceImage to = context_.image(from.plane.rect(), channels);
    const PixelState stored{format.coding, format.alpha};
    transfer({format.type, format.channels, SampleType::f32, channels, stored, state}, stored,
             state, from, to, from);
    return wrapped(std::move(to));
  }

  BackendImagePtr convert(const BackendImagePtr& image, const PixelState& from,
                          const PixelState& to) override {
    if (from == to) return image;
    const DeviceImage& source = device_image(image);
    DeviceImage result = context_.image(source.plane.rect(), source.channels);
    transfer({SampleType::f32, source.channels, SampleType::f32, source.channels, from, to}, from,
             to, source, result, source);
    return wrapped(std::move(result));
  }

  BackendImagePtr run(const Plan& plan, const PlannedStep& step, const BackendImagePtr& input,
                      const Edge& edge, const Rect& out, const BoundRoles& roles) override {
    DeviceImage result = plan.on_samples() ? samples_image(out, plan.output)
                                           : context_.image(out, device_image(input).channels);
    TileJob job{device_image(input), edge, result, {}};
    for (const auto& [name, image] : roles) job.roles.emplace(name, device_image(image));
    Passes passes(context_, *step.entry->source);
    step.prepared->run(job, passes);
    return wrapped(std::move(result));
  }

  BackendImagePtr blend(const BackendImagePtr& original, const BackendImagePtr& result,
                        const BackendImagePtr& mask, float amount, AlphaKind alpha) override {
    const DeviceImage& before = device_image(original);
    const DeviceImage& after = device_image(result);
    const DeviceImage& weights = mask ? device_image(mask) : after;
    Launch launch = point_launch("blend", after.plane, 1, 10);
    launch.options += " -DCHANNELS=" + std::to_string(after.channels) +
                      " -DMASK_N=" + std::to_string(mask ? weights.channels : 0) +
                      (alpha == AlphaKind::straight ? " -DSTRAIGHT" : "");
    Passes passes(context_, kernels::engine_blend);
    passes.launch(launch, before, before.plane, after, after.plane, weights, weights.plane, amount);
    return result;
  }

  void store(const BackendImagePtr& image, const PixelState& state, const Rect& region,
             const PictureFormat& format, const BackendImagePtr& samples,
             const PictureFormat& samples_format, bool dither,
             const std::function<void(const HostView&)>& take) override {
    const DeviceImage& from = device_image(image);
    DeviceImage to = from;
    if (!from.is_samples) {
      to = samples_image(region, format);
      const PixelState stored{format.coding, format.alpha};
      Conversion conversion{SampleType::f32, from.channels, format.type,
                            format.channels, state,         stored};
      conversion.dithered = dither && is_integer(format.type) ? 1 : 0;
      const bool keep = samples && keeps_hidden_color(samples_format, format);
      if (keep) conversion.kept_type = static_cast<int>(samples_format.type);
      transfer(conversion, state, stored, from, to, keep ? device_image(samples) : from);
    }
    const std::size_t pitch = static_cast<std::size_t>(to.plane.stride) * format.pixel_bytes();
    // Samples written by a filter may cover more than the region, namely the whole picture.
    const std::size_t first =
        static_cast<std::size_t>(to.plane.index(region.x0, region.y0)) * format.pixel_bytes();
    const std::size_t bytes = first + pitch * static_cast<std::size_t>(region.height() - 1) +
                              static_cast<std::size_t>(region.width()) * format.pixel_bytes();
    if (context_.info().shares_memory) {
      context_.with_mapped(*to.buffer, bytes, Driver::Access::read, [&](void* memory) {
        take(HostView{static_cast<char*>(memory) + first, static_cast<std::ptrdiff_t>(pitch),
                      region});
      });
    } else {
      staging_.resize(bytes);
      context_.read(*to.buffer, staging_.data(), bytes);
      take(HostView{staging_.data() + first, static_cast<std::ptrdiff_t>(pitch), region});
    }
  }

 private:
  static std::size_t samples_bytes(const Plane& plane, const PictureFormat& format) {
    const std::size_t pixels =
        static_cast<std::size_t>(plane.stride) * static_cast<std::size_t>(plane.height) + 16;
    return pixels * format.pixel_bytes() + 64;
  }

  DeviceImage samples_image(const Rect& rect, const PictureFormat& format) {
    DeviceImage image;
    image.channels = format.channels;
    image.type = format.type;
    image.is_samples = true;
    image.plane = {rect.x0, rect.y0, rect.width(), rect.height(), (rect.width() + 15) / 16 * 16, 0};
    image.buffer = context_.pool().take(samples_bytes(image.plane, format));
    return image;
  }

  // A launch over the rows of a plane: `pixels` per item on GPUs, spans on CPUs.
  Launch point_launch(const char* kernel, const Plane& plane, int pixels, double work) const {
    const bool cpu = context_.form() == Form::cpu;
    const std::size_t span = cpu ? 512 : static_cast<std::size_t>(pixels);
    Launch launch;
    launch.kernel = kernel;
    launch.local = {cpu ? 1u : 64u, 1};
    launch.global = {(static_cast<std::size_t>(plane.width) + span - 1) / span,
                     static_cast<std::size_t>(plane.height)};
    launch.work = work * static_cast<double>(span);
    launch.options = cpu ? "-DFORM_CPU" : "-DLOCAL_X=" + std::to_string(launch.local[0]);
    return launch;
  }

  void transfer(Conversion conversion, const PixelState& from_state, const PixelState& to_state,
                const DeviceImage& from, const DeviceImage& to, const DeviceImage& original) {
    std::vector<float> table{0.0f};
    const bool decodes = from_state.coding != to_state.coding &&
                         from_state.coding.curve != Coding::Curve::linear &&
                         to_state.coding.curve == Coding::Curve::linear;
    if (from.type == SampleType::u8 && from.is_samples && decodes &&
        from_state.alpha != AlphaKind::premultiplied) {
      // The table decodes the samples, so the kernel sees linear values on both sides.
      conversion.by_table = 1;
      conversion.from_curve = conversion.to_curve = static_cast<int>(Coding::Curve::linear);
      table.resize(256);
      for (int i = 0; i < 256; ++i) {
        table[static_cast<std::size_t>(i)] =
            static_cast<float>(decode(from_state.coding, i / 255.0));
      }
    }
    Launch launch = point_launch("transfer", to.plane, conversion.is_gray() ? 16 : 4, 30);
    Passes passes(context_, kernels::engine_transfer);
    const auto decoding = passes.table(table);
    const float gamma = from_state.coding.gamma, inverse_gamma = 1.0f / to_state.coding.gamma;
    if (context_.form() == Form::cpu) {
      passes.launch(launch, from, from.plane, to, to.plane, original, original.plane, decoding,
                    gamma, inverse_gamma, conversion);
    } else {
      launch.options += conversion.definitions();
      passes.launch(launch, from, from.plane, to, to.plane, original, original.plane, decoding,
                    gamma, inverse_gamma);
    }
  }

  DeviceContext context_;
  const Target target_;
  double tile_limit_, whole_limit_;
  std::vector<char> staging_;
};

}  // namespace

Target target_of(const DeviceInfo& info, Form form, std::shared_ptr<const Tuning> tuning) {
  Target target;
  target.form = form;
  target.images = info.images;
  target.local_memory = info.local_memory;
  target.global_memory = info.global_memory;
  target.max_group = info.max_group;
  target.compute_units = info.compute_units;
  target.built_in = info.built_in;
  target.device = info.identity();
  target.tuning = std::move(tuning);
  return target;
}

std::unique_ptr<Backend> make_device_backend(const DeviceInfo& info, const Target& target,
                                             const MemoryLimits& limits,
                                             const std::filesystem::path& cache_folder,
                                             std::function<void(std::int64_t)> before_launch) {
  return std::make_unique<DeviceBackend>(info, target, limits, cache_folder,
                                         std::move(before_launch));
}

}  // namespace sfumato
