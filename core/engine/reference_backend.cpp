// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Tiles by the scalar references: slow, but the definition of the right result.
#include <algorithm>

#include "engine/backend.hpp"

namespace sfumato {
namespace {

class HostImage final : public BackendImage {
 public:
  HostImage(const Rect& rect, int n)
      : values(static_cast<std::size_t>(rect.area()) * static_cast<std::size_t>(n)) {
    plane = {rect.x0, rect.y0, rect.width(), rect.height(), rect.width(), 0};
    channels = n;
  }
  FloatView view() { return {values.data(), plane, channels}; }
  std::vector<float> values;
};

class HostSamples final : public BackendImage {
 public:
  std::vector<char> bytes;
  HostView view() {
    return {bytes.data(), static_cast<std::ptrdiff_t>(bytes.size()) / std::max(1, plane.height),
            plane.rect()};
  }
};

HostImage& host(const BackendImagePtr& image) {
  return static_cast<HostImage&>(*image);
}

class ReferenceBackend final : public Backend {
 public:
  ReferenceBackend(double limit, double tile) : whole_limit_(limit), tile_limit_(tile) {}

  std::string name() const override { return "reference (no OpenCL)"; }
  Target target() const override {
    Target target;
    target.reference = true;
    return target;
  }
  double tile_limit() const override { return tile_limit_; }
  void set_tile_limit(double bytes) override { tile_limit_ = bytes; }
  double whole_limit() const override { return whole_limit_; }

  BackendImagePtr take_samples(const Rect& region, const PictureFormat& format,
                               const FillRows& fill) override {
    auto samples = std::make_shared<HostSamples>();
    samples->plane = {region.x0, region.y0, region.width(), region.height(), region.width(), 0};
    samples->channels = format.channels;
    samples->bytes.resize(static_cast<std::size_t>(region.area()) * format.pixel_bytes());
    const HostView view = samples->view();
    fill(view.data, view.row_stride);
    return samples;
  }

  BackendImagePtr load(const BackendImagePtr& samples, const PictureFormat& format,
                       const PixelState& state, int channels) override {
    auto image = std::make_shared<HostImage>(samples->plane.rect(), channels);
    load_pixels(static_cast<HostSamples&>(*samples).view(), format, image->view(), state, rows());
    return image;
  }

  BackendImagePtr convert(const BackendImagePtr& image, const PixelState& from,
                          const PixelState& to) override {
    if (from == to) return image;
    auto result = std::make_shared<HostImage>(image->plane.rect(), image->channels);
    result->values = host(image).values;
    const FloatView view = result->view();
    rows().run(view.plane.y, view.plane.y + view.plane.height, [&](int y) {
      for (int x = view.plane.x; x < view.plane.x + view.plane.width; ++x) {
        convert_pixel(view.at(x, y), view.channels, from, to);
      }
    });
    return result;
  }

  BackendImagePtr run(const Plan&, const PlannedStep& step, const BackendImagePtr& input,
                      const Edge& edge, const Rect& out, const BoundRoles& roles) override {
    auto result = std::make_shared<HostImage>(out, input->channels);
    const int width = strip_width(step, out, input->channels);
    for (int x = 0; x < out.width(); x += width) {
      FloatView strip = result->view();
      strip.plane.x += x;
      strip.plane.offset += x;
      strip.plane.width = std::min(width, out.width() - x);
      ParallelRows runner = rows(x, strip.plane.width, out.width());
      ReferenceJob job{host(input).view(), edge, strip, {}, runner};
      for (const auto& [name, image] : roles) job.roles.emplace(name, host(image).view());
      step.prepared->reference(job);
    }
    return result;
  }

  BackendImagePtr blend(const BackendImagePtr& original, const BackendImagePtr& result,
                        const BackendImagePtr& mask, float amount, AlphaKind alpha) override {
    const FloatView before = host(original).view();
    const FloatView after = host(result).view();
    rows().run(after.plane.y, after.plane.y + after.plane.height, [&](int y) {
      for (int x = after.plane.x; x < after.plane.x + after.plane.width; ++x) {
        float w = amount;
        if (mask) {
          const float* m = host(mask).view().at(x, y);
          w *= mask->channels == 1 ? m[0] : 0.2126f * m[0] + 0.7152f * m[1] + 0.0722f * m[2];
        }
        blend_pixel(before.at(x, y), after.at(x, y), after.channels, w,
                    alpha == AlphaKind::straight);
      }
    });
    return result;
  }

  void store(const BackendImagePtr& image, const PixelState& state, const Rect& region,
             const PictureFormat& format, const BackendImagePtr& samples,
             const PictureFormat& samples_format, bool dither,
             const std::function<void(const HostView&)>& take) override {
    const std::size_t pitch = static_cast<std::size_t>(region.width()) * format.pixel_bytes();
    std::vector<char> bytes(pitch * static_cast<std::size_t>(region.height()));
    const HostView out{bytes.data(), static_cast<std::ptrdiff_t>(pitch), region};
    const bool keep = samples && keeps_hidden_color(samples_format, format);
    HostView kept;
    if (keep) kept = static_cast<HostSamples&>(*samples).view();
    store_pixels(host(image).view(), state, out, format, keep ? &kept : nullptr,
                 keep ? &samples_format : nullptr, dither, rows());
    take(out);
  }

 private:
  static void blend_pixel(const float* a, float* b, int channels, float w, bool straight) {
    if (w == 1.0f) return;
    if (w == 0.0f) {
      std::copy_n(a, channels, b);
      return;
    }
    if (channels == 4 && straight) {
      const float alpha = a[3] + (b[3] - a[3]) * w;
      const float wa = a[3] * (1.0f - w), wb = b[3] * w;
      for (int c = 0; c < 3; ++c) {
        b[c] = alpha == 0.0f ? a[c] + (b[c] - a[c]) * w : (a[c] * wa + b[c] * wb) / alpha;
      }
      b[3] = alpha;
      return;
    }
    for (int c = 0; c < channels; ++c) b[c] = a[c] + (b[c] - a[c]) * w;
  }

  // Cancelling is checked between rows. Rows that take long are cut into strips, as far as that
  // does not recompute their shared work too often.
  static int strip_width(const PlannedStep& step, const Rect& out, int channels) {
    constexpr double long_row = 0.4, soon = 0.1;  // s
    const double pixel = step.needs.reference_work * channels / reference_speed;
    if (step.needs.whole_image || pixel * out.width() < long_row) return std::max(1, out.width());
    return std::max(1, static_cast<int>(std::min(soon / pixel, 1.0 * out.width())));
  }

  // For columns from `x` on, out of `all`.
  ParallelRows rows(int x = 0, int width = 1, int all = 1) const {
    return ParallelRows([=, this](int done, int total) {
      return !tick || tick((x + static_cast<double>(done) / total * width) / all);
    });
  }

  double whole_limit_, tile_limit_;
};

}  // namespace

std::unique_ptr<Backend> make_reference_backend(double limit, double tile) {
  return std::make_unique<ReferenceBackend>(limit, tile);
}

}  // namespace sfumato
