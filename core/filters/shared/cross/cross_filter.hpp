// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Means over a window, weighted by distance and by similarity in colour, normal and depth, shared
// by atrous and joint_bilateral. The kernels are those of cross/cross.clh.
#pragma once

#include <algorithm>
#include <vector>

#include "filters/filter.hpp"

namespace sfumato {

/// How far pixels may differ and still mix, as standard deviations: for colours the distance in
/// red, green and blue, for normals that of the vectors, for depths the difference relative to the
/// larger. 0: not compared.
struct CrossRange {
  double color = 0, normal = 0, depth = 0;

  /// Widens ranges that floats cannot resolve.
  CrossRange bounded() const {
    const auto bound = [](double range) { return range > 0 ? std::max(range, 1e-9) : 0.0; };
    return {bound(color), bound(normal), bound(depth)};
  }
};

/// The samples around a pixel: 2 * half.size() - 1 in each direction, `step` pixels apart. half[k]
/// is the weight at k samples' distance; a position has the product of its two weights.
struct CrossWindow {
  std::vector<double> half;
  int step = 1;

  int reach() const { return (static_cast<int>(half.size()) - 1) * step; }
};

/// Straight colours weighted by alpha, which is kept; or all channels averaged alike.
enum class CrossAlpha { weighs, averaged };

/// What is compared, given a range and the bound roles ("guide", "normal", "depth"): the guide's
/// colours if there is one, and the picture's own if `own_color`.
struct CrossCompared {
  bool guide = false, own_color = false, normal = false, depth = false;
};
template <typename Roles>
CrossCompared cross_compared(const CrossRange& range, const Roles& roles, bool own_color) {
  CrossCompared c;
  c.guide = range.color > 0 && roles.find("guide") != roles.end();
  c.own_color = range.color > 0 && own_color && !c.guide;
  c.normal = range.normal > 0 && roles.find("normal") != roles.end();
  c.depth = range.depth > 0 && roles.find("depth") != roles.end();
  return c;
}

/// The same before pictures are bound: by the roles that `values` names.
CrossCompared cross_compared(const CrossRange& range, const Values& values, bool own_color);

/// Runs windows over the pictures of one tile of `picture` on a device.
class CrossPasses {
 public:
  CrossPasses(const Picture& picture, const TileJob& job, Passes& passes,
              const CrossCompared& compared, CrossAlpha alpha);

  /// Computes every pixel of `to` from `from`, under the job's border rule. Ranges that were 0 in
  /// the constructor must stay 0.
  void run(const DeviceImage& from, const DeviceImage& to, const CrossWindow& window,
           const CrossRange& range);

 private:
  void pack_looks();
  void run_parts(const DeviceImage& from, const DeviceImage& to, const CrossWindow& window,
                 const cl_float4& falloffs, const std::shared_ptr<DeviceMemory>& places);
  const DeviceImage& role_or_input(const char* name, bool compared) const;
  Launch window_launch(const char* kernel, int columns, int rows) const;

  const TileJob& job_;
  Passes& passes_;
  CrossCompared compared_;
  int sums_;
  bool weighs_;
  std::string options_;
  // On GPUs, what is compared beside the picture's own colours: normals with depths, and guides
  // with inverse depths.
  Plane place_;
  std::shared_ptr<DeviceMemory> surfaces_, tints_;
};

/// Device memory for that besides the pictures: bytes per pixel of the input, and a fixed amount.
struct CrossScratch {
  double per_pixel = 0;
  std::size_t fixed = 0;
};
CrossScratch cross_scratch(const Picture& picture, const Target& target,
                           const CrossCompared& compared, const CrossWindow& widest_window);

/// The definition, in float64. A sample has no weight if it, or its difference, is not finite; two
/// infinite depths are equal. With the border `zero`, all values outside the picture are 0. The
/// pixel's own sample always counts.
void cross_reference(const Picture& picture, const ReferenceJob& job, const FloatView& from,
                     const FloatView& to, const CrossWindow& window, const CrossRange& range,
                     const CrossCompared& compared, CrossAlpha alpha);

}  // namespace sfumato
