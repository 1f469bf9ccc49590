// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Plans the passes of the methods `bilinear` and `bilinear_float` on GPUs: rows, then columns, by
// fetches between two pixels.
#include "filters/shared/gaussian/passes.hpp"

namespace sfumato::gaussian {
namespace {

class FetchesPlanner : private PassBuilder {
 public:
  using PassBuilder::PassBuilder;

  PassPlan plan() {
    if (s_.method == GaussianMethod::bilinear) {
      sampled();
    } else {
      computed();
    }
    return std::move(plan_);
  }

 private:
  // Two neighbouring taps become one fetch between them, with their combined weight.
  std::vector<double> pairs_of_taps() const {
    std::vector<double> pairs{0.0, s_.taps[0]};
    for (int k = 1; k <= s_.radius; k += 2) {
      const double next = k < s_.radius ? s_.taps[k + 1] : 0.0;
      const double both = s_.taps[k] + next;
      pairs.push_back(k + next / both);
      pairs.push_back(both);
    }
    return pairs;
  }

  // In float, from buffers.
  void computed() {
    const std::vector<double> pairs = pairs_of_taps();
    const int count = static_cast<int>(pairs.size()) / 2 - 1;
    const Rect r = held();
    const int id = scratch(), taps = table(pairs), norm = norm_table();
    const Plane between = room(id, {out_.x, out_.x + out_.width - 1}, {r.y0, r.y1 - 1});
    const auto add = [&](bool down, BufferArg from, const Plane& in, BufferArg to,
                         const Plane& out) {
      PlannedPass pass;
      pass.kernel = "gaussian_pairs";
      pass.options = options("PAIRS", !down, down) + (down ? " -D LAST_PASS" : "");
      pass.args = {from, in, edge_, to, out, TableArg{taps}, count, TableArg{norm}, int{down}};
      pass.global = {items(out.width, 16) * 16, items(out.height, 8) * 8};
      pass.local = {16, 8};
      plan_.passes.push_back(std::move(pass));
    };
    add(false, BufferArg{BufferArg::source}, in_, BufferArg{id}, between);
    add(true, BufferArg{id}, between, BufferArg{BufferArg::result}, out_);
  }

  // By the sampler of images.
  void sampled() {
    const std::vector<double> pairs = pairs_of_taps();
    const int count = static_cast<int>(pairs.size()) / 2 - 1;
    const TableArg taps{table(pairs)};
    const int grow = s_.radius + 1;
    const Plane all{
        out_.x - grow, out_.y - grow, out_.width + 2 * grow, out_.height + 2 * grow, 0, 0};
    const Plane tall{out_.x, out_.y - grow, out_.width, out_.height + 2 * grow, 0, 0};
    const int first = image(all), second = image(tall);
    const auto over = [](const Plane& p) {
      return std::array<std::size_t, 2>{items(p.width, 16) * 16, items(p.height, 8) * 8};
    };
    const auto add = [&](const char* kernel, const char* name, bool reads, bool writes,
                         std::vector<PassArg> args, const Plane& p) {
      PlannedPass pass;
      pass.kernel = kernel;
      pass.options = options(name, reads, writes);
      pass.args = std::move(args);
      pass.global = over(p);
      pass.local = {16, 8};
      plan_.passes.push_back(std::move(pass));
    };
    add("gaussian_to_image", "TO_IMAGE", true, false,
        {BufferArg{}, in_, edge_, ImageArg{first}, all}, all);
    add("gaussian_image_rows", "IMAGE_ROWS", false, false,
        {ImageArg{first}, all, ImageArg{second}, tall, taps, count}, tall);
    add("gaussian_image_columns", "IMAGE_COLUMNS", false, true,
        {ImageArg{second}, tall, BufferArg{BufferArg::result}, out_, taps, count,
         TableArg{norm_table()}, edge_.border() == Border::renormalise ? 1 : 0},
        out_);
  }

  int image(const Plane& p) {
    PlannedScratch s;
    s.image = true;
    s.width = p.width;
    s.height = p.height;
    plan_.scratch.push_back(s);
    return static_cast<int>(plan_.scratch.size()) - 1;
  }
};

}  // namespace

PassPlan plan_fetches(const GaussianScheme& scheme, const Plane& in, const Edge& edge,
                      const Plane& out) {
  return FetchesPlanner(scheme, in, edge, out).plan();
}

}  // namespace sfumato::gaussian
