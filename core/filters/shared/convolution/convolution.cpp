// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Chooses a method of convolution and runs it.
#include "filters/shared/convolution/convolution.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "filters/shared/convolution/finish.hpp"
#include "filters/shared/convolution/strip.hpp"
#include "filters/shared/fourier/fourier.hpp"
#include "filters/shared/integer_division.hpp"
#include "filters/shared/pixel_launch.hpp"

namespace sfumato {
namespace {

// Default results per sweep in convolution/cpu.clh and convolution/gpu.clh, and strip width of the
// former.
constexpr int cpu_down = 4, cpu_strip_vectors = 16, gpu_down = 8;
constexpr int row_group = 64, row_results = 4;
// Matrices with up to this many rows are compiled in.
constexpr int most_rows_compiled = 7;
// The largest sweep height to choose from.
constexpr int most_sweep_rows = 8;
// What fits into a processor's own cache, and the largest ring that still pays off.
constexpr std::size_t most_cached = std::size_t{1} << 19, largest_ring = std::size_t{1} << 20;

double size_sum(const Matrix& matrix) {
  return std::accumulate(matrix.values.begin(), matrix.values.end(), 0.0,
                         [](double sum, double w) { return sum + std::abs(w); });
}

std::vector<float> floats(const std::vector<double>& values) {
  return {values.begin(), values.end()};
}

std::vector<float> floats(const std::vector<std::vector<double>>& parts) {
  std::vector<float> all;
  for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

// [j][i]: the sum of the weights in rows before j and columns before i.
std::vector<double> sums_before(const Matrix& matrix) {
  const auto stride = static_cast<std::size_t>(matrix.columns) + 1;
  std::vector<double> sums(stride * (static_cast<std::size_t>(matrix.rows) + 1), 0.0);
  for (int j = 0; j < matrix.rows; ++j) {
    for (int i = 0; i < matrix.columns; ++i) {
      const std::size_t at = static_cast<std::size_t>(j) * stride + static_cast<std::size_t>(i);
      sums[at + stride + 1] = matrix.at(j, i) + sums[at + stride] + sums[at + 1] - sums[at];
    }
  }
  return sums;
}

// Local memory of the one-item groups, in bytes.
std::size_t line_bytes(const Matrix& matrix, int channels, int vectors = cpu_strip_vectors) {
  const int lanes = 16 / channels;
  return static_cast<std::size_t>(vectors + ceil_div(matrix.columns - 1, lanes)) * 64;
}
std::size_t direct_ring(const Matrix& matrix, int channels, int vectors, int down) {
  return line_bytes(matrix, channels, vectors) * static_cast<std::size_t>(matrix.rows + down);
}
// What CPU devices sum: whole pixels, or vectors of gray and of the opacity that is missing.
struct Sums {
  int channels, planes;
};
Sums sums_of(const Convolution& c) {
  const int gray = gray_samples(c);
  return gray > 0 ? Sums{1, gray} : Sums{c.picture.channels, 1};
}
std::size_t factored_ring(const Convolution& c, int vectors) {
  const Matrix& matrix = c.request.matrix;
  const Sums sums = sums_of(c);
  const std::size_t ring = static_cast<std::size_t>(c.factors.rank()) *
                           static_cast<std::size_t>(matrix.rows + cpu_down) *
                           static_cast<std::size_t>(vectors) * 64;
  return (ring + line_bytes(matrix, sums.channels, vectors)) *
         static_cast<std::size_t>(sums.planes);
}
// What CPU devices keep in local memory, less some alignment; the rest goes to a buffer.
std::size_t local_room(const Target& target) {
  return std::min(target.local_memory, std::size_t{1} << 20) - 4096;
}
// Whether the narrowest ring of each plane still pays off.
bool factored_fits(const Convolution& c) {
  return factored_ring(c, cpu_strip_vectors / 2) <=
         largest_ring * static_cast<std::size_t>(sums_of(c).planes);
}
// Halves the strip if a whole one does not fit.
int factored_vectors(const Convolution& c) {
  const std::size_t room = std::min(most_cached, local_room(c.target));
  const bool whole = factored_ring(c, cpu_strip_vectors) <= room;
  return whole ? cpu_strip_vectors : cpu_strip_vectors / 2;
}

FourierFrame frame_of(const Convolution& c) {
  return fourier_frame(c.picture, c.reach_x(), c.reach_y());
}
std::size_t fft_bytes(const Convolution& c) {
  const FourierFrame frame = frame_of(c);
  const Picture& picture = c.picture;
  const std::size_t sums = static_cast<std::size_t>(picture.width + 16) *
                           static_cast<std::size_t>(picture.height) *
                           static_cast<std::size_t>(picture.channels) * 4;
  // The picture, the weights, and the unfinished sums.
  return fourier_bytes(frame, picture.channels) + frame.samples() * 8 + sums;
}

// Relative costs: milliseconds for 3000 x 2000 RGBA pixels on two processors, microseconds for 7680
// x 4320 on an H200 (tests/bench/RESULTS.md).
struct Costs {
  double direct, factored, fft;
};
Costs costs_of(const Convolution& c) {
  const Matrix& m = c.request.matrix;
  const double taps = static_cast<double>(m.rows) * m.columns, sides = m.rows + m.columns;
  const int rank = c.factors.rank(), gray = gray_samples(c);
  // Of what sums of whole pixels take.
  const double part = gray == 0 ? 1 : gray == 1 ? 0.3 : 0.55;
  if (c.target.form == Form::cpu) {
    return {10 + 0.155 * taps * (m.rows + cpu_down - 1) / m.rows,
            (gray > 0 ? 12.5 : 12) + 0.24 * part * rank * sides, 480};
  }
  const bool unrolled = m.rows <= most_rows_compiled;
  const double direct = unrolled ? 250 + 19 * taps : 1000 + 26.5 * taps;
  if (!fits_strip(c)) return {direct, rank * (600 + 13 * sides), 5100};
  return {direct, 400 + part * rank * sides * (sides < 80 ? 7.5 : 12.5), 5100};
}

// Sizes of the strips of CPU devices, and the bytes of each strip's ring.
struct Strips {
  int vectors = cpu_strip_vectors, down = cpu_down, rows = 256;
  int channels = 4;  // of the vectors
  std::size_t ring = 0;

  int columns() const { return vectors * (16 / channels); }
  // The first rows of a band are summed twice, so bands are long compared with the matrix.
  int band(const Matrix& matrix) const { return std::max(rows, 4 * matrix.rows) / down * down; }
};

// If even the narrowest ring exceeds local memory, rings take the fastest width.
Strips strips_of(const Convolution& c) {
  const Matrix& matrix = c.request.matrix;
  const Target& target = c.target;
  const int channels = c.picture.channels;
  Strips strips;
  strips.channels = channels;
  if (c.method == ConvolutionMethod::factored) {
    strips.channels = sums_of(c).channels;
    strips.vectors = factored_vectors(c);
    strips.ring = factored_ring(c, strips.vectors);
    return strips;
  }
  const auto size = [&](const char* name) {
    return target.tuned("convolve", convolution_tunables(), name);
  };
  strips.rows = size("strip_rows");
  const auto ring = [&](int vectors) {
    return direct_ring(matrix, channels, vectors, strips.down);
  };
  const int requested = size("strip_vectors");
  const std::size_t room = std::min(most_cached, local_room(target));
  for (strips.vectors = requested; strips.vectors > 4 && ring(strips.vectors) > room;) {
    strips.vectors /= 2;
  }
  if (ring(strips.vectors) > local_room(target)) strips.vectors = requested;
  strips.ring = ring(strips.vectors);
  return strips;
}

// One convolution of one tile.
class Runner {
 public:
  Runner(const Convolution& convolution, const TileJob& job, Passes& passes)
      : c_(convolution),
        job_(job),
        passes_(passes),
        finish_(finish_of(convolution)),
        sums_(passes.table(job.edge.border() == Border::renormalise
                               ? floats(sums_before(convolution.request.matrix))
                               : std::vector<float>{0.0f})) {}

  void direct() {
    const Matrix& matrix = c_.request.matrix;
    const auto weights = passes_.table(floats(matrix.values));
    const double work = 2.0 * static_cast<double>(matrix.values.size());
    if (passes_.form() == Form::cpu) {
      on_strips("direct", work, {Argument::of_memory(weights.get())});
      return;
    }
    const std::size_t columns = static_cast<std::size_t>(size("group_columns")),
                      rows = static_cast<std::size_t>(size("group_rows"));
    Launch launch = columns_launch("direct", work, size("results"), {columns, rows});
    passes_.launch(launch, job_.input, job_.input.plane, job_.edge, job_.output, job_.output.plane,
                   weights, sums_, finish_);
  }

  void factored() {
    const auto rows = floats(c_.factors.rows), columns = floats(c_.factors.columns);
    const Matrix& matrix = c_.request.matrix;
    const double work = 2.0 * (matrix.rows + matrix.columns) * c_.factors.rank();
    if (passes_.form() == Form::cpu) {
      const auto row_table = passes_.table(rows), column_table = passes_.table(columns);
      on_strips("factored", work,
                {Argument::of_memory(row_table.get()), Argument::of_memory(column_table.get()),
                 Argument::of(c_.factors.rank())});
      return;
    }
    if (fits_strip(c_)) {
      run_strip(c_, job_, passes_, sums_);
      return;
    }
    const Rect out = job_.output.plane.rect();
    const DeviceImage summed = passes_.scratch(out.grown(0, c_.reach_y()), job_.input.channels);
    const DeviceImage kept =
        c_.factors.rank() > 1 ? passes_.scratch(out, job_.input.channels) : job_.output;
    for (int k = 0; k < c_.factors.rank(); ++k) {
      const auto at = static_cast<std::size_t>(k);
      sum_rows(summed, c_.factors.rows[at]);
      const auto weights = passes_.table(floats(c_.factors.columns[at]));
      Launch launch = columns_launch("columns", 2.0 * matrix.rows, gpu_down, {32, 4});
      passes_.launch(launch, summed, summed.plane, kept, kept.plane, k == 0 ? 1 : 0,
                     k + 1 == c_.factors.rank() ? 1 : 0, job_.input, job_.input.plane, job_.edge,
                     job_.output, job_.output.plane, weights, sums_, finish_);
    }
  }

  void fft() {
    const int channels = job_.input.channels;
    const FourierFrame frame = frame_of(c_);
    const Matrix& matrix = c_.request.matrix;
    FourierImage image(passes_, frame, channels), kernel(passes_, frame, 1);
    const auto weights = passes_.table(floats(matrix.values));
    kernel.multiply("fft_lay_weights", weights, matrix.columns, matrix.rows);
    kernel.transform(false);
    image.load(job_.input, job_.edge);
    image.transform(false);
    image.multiply("fft_multiply_by", kernel.data(),
                   static_cast<float>(1.0 / static_cast<double>(frame.samples())));
    image.transform(true);
    const DeviceImage sums = passes_.scratch(job_.output.plane.rect(), channels);
    image.store(sums, job_.edge, no_norms(c_.picture));
    const Launch launch = pixel_launch("convolution_finish", options("FINISH"),
                                       job_.output.plane.width, job_.output.plane.height, 20);
    passes_.launch(launch, sums, sums.plane, job_.input, job_.input.plane, job_.edge, job_.output,
                   job_.output.plane, sums_, finish_);
    image.tell_bad_samples();
  }

 private:
  std::string options(const char* pass) const {
    return "-D CHANNELS=" + std::to_string(job_.input.channels) + " -D PASS_" + pass +
           (passes_.form() == Form::cpu ? " -D FORM_CPU" : "");
  }

  std::string rows_option() const {
    const int rows = c_.request.matrix.rows;
    return rows <= most_rows_compiled ? " -D ROWS=" + std::to_string(rows) : "";
  }

  int size(const char* name) const {
    return c_.target.tuned("convolve", convolution_tunables(), name);
  }

  void on_strips(const std::string& method, double work, const std::vector<Argument>& own) {
    const Plane& out = job_.output.plane;
    const Strips strips = strips_of(c_);
    const int strip = strips.columns(), band = strips.band(c_.request.matrix);
    Launch launch;
    launch.kernel = "convolution_" + method;
    launch.options = options(method == "direct" ? "DIRECT" : "FACTORED");
    launch.options += " -D DOWN=" + std::to_string(strips.down);
    launch.options +=
        method == "direct" ? rows_option() : " -D STRIP_VECTORS=" + std::to_string(strips.vectors);
    const int gray = gray_samples(c_);
    if (method != "direct" && gray > 0) launch.options += " -D GRAY=" + std::to_string(gray);
    launch.global = {static_cast<std::size_t>(ceil_div(out.width, strip)),
                     static_cast<std::size_t>(ceil_div(out.height, band))};
    launch.work = work * strip * band;
    std::vector<Argument> arguments = {
        Argument::of_memory(job_.input.buffer.get()), Argument::of(job_.input.plane),
        Argument::of(job_.edge), Argument::of_memory(job_.output.buffer.get()), Argument::of(out)};
    arguments.insert(arguments.end(), own.begin(), own.end());
    arguments.push_back(Argument::of_memory(sums_.get()));
    arguments.push_back(Argument::of(finish_));
    if (method == "direct") arguments.push_back(Argument::of(strips.vectors));
    arguments.push_back(Argument::of(band));
    std::shared_ptr<DeviceMemory> rings;
    if (strips.ring > local_room(c_.target)) {
      launch.options += " -D RING_APART";
      rings = passes_.buffer(launch.global[0] * launch.global[1] * strips.ring);
      arguments.push_back(Argument::of_memory(rings.get()));
    } else {
      arguments.push_back(Argument::of_local(strips.ring));
    }
    passes_.launch_with(launch, arguments);
  }

  Launch columns_launch(const char* kernel, double work, int down,
                        std::array<std::size_t, 2> group) const {
    const Plane& out = job_.output.plane;
    Launch launch;
    launch.kernel = std::string("convolution_") + kernel;
    launch.options = options(std::string(kernel) == "direct" ? "DIRECT" : "FACTORED");
    launch.options += rows_option() + " -D DOWN=" + std::to_string(down) +
                      " -D GROUP_X=" + std::to_string(group[0]) +
                      " -D GROUP_Y=" + std::to_string(group[1]);
    launch.local = group;
    launch.global = {static_cast<std::size_t>(out.width),
                     static_cast<std::size_t>(ceil_div(out.height, down))};
    launch.work = work * down;
    return launch;
  }

  void sum_rows(const DeviceImage& to, const std::vector<double>& row) {
    const auto weights = passes_.table(floats(row));
    const int columns = c_.request.matrix.columns;
    Launch launch;
    launch.kernel = "convolution_rows";
    launch.options = options("FACTORED");
    launch.local = {row_group, 1};
    launch.global = {static_cast<std::size_t>(ceil_div(to.plane.width, row_results)),
                     static_cast<std::size_t>(to.plane.height)};
    launch.work = 2.0 * columns * row_results;
    const std::size_t line = static_cast<std::size_t>(row_group * row_results + columns - 1) *
                             static_cast<std::size_t>(job_.input.channels) * sizeof(float);
    passes_.launch_with(
        launch,
        {Argument::of_memory(job_.input.buffer.get()), Argument::of(job_.input.plane),
         Argument::of(job_.edge), Argument::of_memory(to.buffer.get()), Argument::of(to.plane),
         Argument::of_memory(weights.get()), Argument::of(columns), Argument::of_local(line)});
  }

  const Convolution& c_;
  const TileJob& job_;
  Passes& passes_;
  const Finish finish_;
  const std::shared_ptr<DeviceMemory> sums_;
};

}  // namespace

Finish finish_of(const Convolution& c) {
  const ConvolutionRequest& request = c.request;
  const float none = 0;
  return {static_cast<float>(request.scale),
          static_cast<float>(request.offset),
          static_cast<float>(weight_sum(request.matrix)),
          request.gray ? request.gray_weights[0] : none,
          request.gray ? request.gray_weights[1] : none,
          request.gray ? request.gray_weights[2] : none,
          c.picture.has_alpha ? 1 : 0,
          request.matrix.columns,
          request.matrix.rows};
}

int gray_samples(const Convolution& c) {
  if (!c.request.gray || c.picture.channels != 4) return 0;
  return c.picture.has_alpha ? 2 : 1;
}

double weight_sum(const Matrix& matrix) {
  return std::accumulate(matrix.values.begin(), matrix.values.end(), 0.0);
}

double convolution_tolerance(const ConvolutionRequest& request, bool renormalises) {
  const double most =
      std::max(1.0, size_sum(request.matrix)) * std::max(1.0, std::abs(request.scale));
  return 2e-5 * most * (renormalises ? 8 : 1);
}

Convolution choose_convolution(ConvolutionRequest request, const Picture& picture,
                               const Target& target) {
  Convolution c;
  const std::string method = request.method;
  c.request = std::move(request);
  c.picture = picture;
  c.target = target;
  const Matrix& m = c.request.matrix;
  const bool on_strips = target.form == Form::cpu;
  const bool direct_fits =
      !on_strips || direct_ring(m, picture.channels, 4, most_sweep_rows) <= largest_ring;
  if ((method == "direct" && direct_fits) || target.reference) return c;
  if (method == "fft") {
    c.method = ConvolutionMethod::fft;
    return c;
  }
  // A tenth of the tolerance goes to the factoring, the rest to rounding.
  c.factors = c.request.factors.rank() > 0 ? c.request.factors : factored(m, 2e-6 * size_sum(m));
  const bool fits = !on_strips || factored_fits(c);
  if (fits && (method == "factored" || method == "direct")) {
    c.method = ConvolutionMethod::factored;
    return c;
  }
  const Costs costs = costs_of(c);
  double least = direct_fits ? costs.direct : std::numeric_limits<double>::infinity();
  if (fits && costs.factored < least) {
    c.method = ConvolutionMethod::factored;
    least = costs.factored;
  }
  const bool fft_fits = !target.in_tiles && fft_bytes(c) <= target.global_memory / 2;
  if (fft_fits && costs.fft < least) c.method = ConvolutionMethod::fft;
  return c;
}

Needs convolution_needs(const Convolution& c) {
  const Picture& picture = c.picture;
  const Target& target = c.target;
  Needs needs;
  needs.halo_x = c.reach_x();
  needs.halo_y = c.reach_y();
  needs.reference_work = 3.0 * static_cast<double>(c.request.matrix.values.size());
  if (target.reference) return needs;
  if (c.method == ConvolutionMethod::fft) {
    needs.whole_image = true;
    needs.scratch = fft_bytes(c);
  } else if (target.form == Form::cpu) {
    const Strips strips = strips_of(c);
    if (strips.ring > local_room(target)) {
      const int strip = strips.columns(), band = strips.band(c.request.matrix);
      needs.scratch_per_pixel = static_cast<double>(strips.ring) / strip / band;
      // One more for the remainder of a row or column of them.
      needs.scratch =
          strips.ring * static_cast<std::size_t>(picture.width / strip + picture.height / band + 1);
    }
  } else if (c.method == ConvolutionMethod::factored && !fits_strip(c)) {
    needs.scratch_per_pixel = 4.0 * picture.channels * (c.factors.rank() > 1 ? 2 : 1);
  }
  return needs;
}

void run_convolution(const Convolution& c, const TileJob& job, Passes& passes) {
  Runner runner(c, job, passes);
  if (c.method == ConvolutionMethod::direct) runner.direct();
  if (c.method == ConvolutionMethod::factored) runner.factored();
  if (c.method == ConvolutionMethod::fft) runner.fft();
}

Message explain_convolution(const Convolution& c) {
  if (c.target.reference) {
    return message({"convolution.reference", "every product, in float64"});
  }
  const int columns = c.request.matrix.columns, rows = c.request.matrix.rows;
  if (c.method == ConvolutionMethod::direct) {
    return message({"convolution.direct", "{columns} x {rows} weights, direct"}, columns, rows);
  }
  if (c.method == ConvolutionMethod::fft) {
    return message({"convolution.fft",
                    "{columns} x {rows} weights, by Fourier transforms, the whole picture at once"},
                   columns, rows);
  }
  const int rank = c.factors.rank();
  if (rank == 1) {
    return message({"convolution.factored_once",
                    "{columns} x {rows} weights, factored into a column and a row"},
                   columns, rows);
  }
  return message(
      {"convolution.factored",
       "{columns} x {rows} weights, factored into {rank} products of a column and a row"},
      columns, rows, rank);
}

}  // namespace sfumato
