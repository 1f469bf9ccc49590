// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// VkFFT plans.
#include "device/fft.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include "device/opencl_memory.hpp"

// VkFFT prints numbers into its kernels and calls setlocale() for that, restoring a locale string
// that is already freed. setlocale() is disabled here; the planning thread uses the C locale
// instead.
#include <locale.h>

namespace {
inline char* keep_locale() {
  static char c[] = "C";
  return c;
}

// VkFFT fills all local memory that a device states. CPU drivers keep the work-items of a group on
// the stack of a thread: of a group that fills 512 KiB, up to 11 MB, more than threads have. Half
// of that leaves room, is no slower, and gives the same plans on all of them.
constexpr cl_ulong most_local_memory = cl_ulong{1} << 18;

inline cl_int device_info(cl_device_id device, cl_device_info what, std::size_t size, void* value,
                          std::size_t* stated_size) {
  const cl_int status = clGetDeviceInfo(device, what, size, value, stated_size);
  if (status != CL_SUCCESS || what != CL_DEVICE_LOCAL_MEM_SIZE) return status;
  cl_device_type type = 0;
  clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, nullptr);
  auto& bytes = *static_cast<cl_ulong*>(value);
  if ((type & CL_DEVICE_TYPE_CPU) != 0) bytes = std::min(bytes, most_local_memory);
  return status;
}
}  // namespace
#define setlocale(category, locale) keep_locale()
#define clGetDeviceInfo device_info

// VkFFT is a single C header; its warnings are not ours.
#define VKFFT_BACKEND 3
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wextra"
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wunused-function"
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wformat-overflow"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wstringop-overflow"
#endif
#include <vkFFT.h>
#pragma GCC diagnostic pop
#undef clGetDeviceInfo
#undef setlocale

namespace sfumato {
namespace {

// Samples that a CPU device transforms along one axis in about ten milliseconds.
constexpr int piece_samples = 1 << 18;

// While it lives, this thread alone writes numbers with a decimal point.
class LocaleOfC {
 public:
  LocaleOfC() : plain_(newlocale(LC_ALL_MASK, "C", nullptr)), before_(uselocale(plain_)) {}
  ~LocaleOfC() {
    uselocale(before_);
    freelocale(plain_);
  }
  LocaleOfC(const LocaleOfC&) = delete;
  LocaleOfC& operator=(const LocaleOfC&) = delete;

 private:
  locale_t plain_, before_;
};

// The largest divisor of n that is at most `most`, or 1.
int part_of(int n, int most) {
  for (int part = std::min(n, most); part > 1; --part) {
    if (n % part == 0) return part;
  }
  return 1;
}

// Whether n has no prime factors but the first `count` ones.
bool has_only_primes(int n, int count) {
  constexpr std::array<int, 6> primes = {2, 3, 5, 7, 11, 13};
  for (int i = 0; i < count; ++i) {
    while (n % primes[static_cast<std::size_t>(i)] == 0) n /= primes[static_cast<std::size_t>(i)];
  }
  return n == 1;
}

// Whether n has no prime factors but 2, 3, 5 and 7.
bool is_smooth(int n) {
  return has_only_primes(n, 4);
}

// A line of rows or columns cut into pieces: first `longer` of size + 1, then those of `size`.
struct Pieces {
  int size = 1, longer = 0;
};

// Cuts n into pieces of about `most`, all equal if there is a divisor near it. VkFFT has no plan
// for one column out of several.
Pieces pieces_of(int n, int most) {
  most = std::max(most, 2);
  const int part = part_of(n, most);
  if (part == n || 2 * part >= most) return {part, 0};
  const int count = std::min((n + most - 1) / most, n / 2);
  return {n / count, n % count};
}

}  // namespace

int fft_size(int n) {
  int size = std::max(1, n);
  while (!is_smooth(size)) ++size;
  return size;
}

bool fft_is_direct(int n) {
  return has_only_primes(n, 6);
}

int fft_library_version() {
  return VkFFTGetVersion();
}

struct FftCache::Plan {
  VkFFTApplication app = {};
  VkFFTConfiguration configuration = {};
  // VkFFT keeps pointers to these.
  cl_context context = nullptr;
  cl_device_id device = nullptr;
  cl_command_queue queue = nullptr;
  cl_mem buffer = nullptr;
  cl_mem between_passes = nullptr;
  std::uint64_t bytes = 0, between_bytes = 0;
  bool in_passes = false;
  bool ready = false;

  ~Plan() {
    if (ready) deleteVkFFT(&app);
  }

  // VkFFT's own buffer between two passes over columns is as wide as they are together, but it
  // writes rows as long as the picture's to it.
  void take_wide_rows_between_passes(int height) {
    if (!fft_is_direct(height)) return;
    between_passes = buffer;
    between_bytes = bytes;
    configuration.userTempBuffer = 1;
    configuration.tempBuffer = &between_passes;
    configuration.tempBufferSize = &between_bytes;
  }
};

FftCache::FftCache(const cl::Context& context, const DeviceInfo& device, cl::CommandQueue& queue)
    : context_(context), device_(device), queue_(queue) {}

FftCache::~FftCache() = default;

FftCache::Plan& FftCache::plan(const Shape& shape, const FourierJob& job) {
  auto& slot = plans_[shape];
  if (slot) return *slot;
  auto made = std::make_unique<Plan>();
  Plan& p = *made;
  p.context = context_();
  p.device = device_.handle;
  p.queue = queue_();
  const auto width = static_cast<std::uint64_t>(shape.width);
  const auto height = static_cast<std::uint64_t>(shape.height);
  const auto count = static_cast<std::uint64_t>(shape.count);
  p.bytes = width * height * 8 * (shape.along == TransformAxes::both ? count : 1);
  const auto scratch = job.take(static_cast<std::size_t>(p.bytes));
  p.buffer = OpenClMemory::of(*scratch).handle();
  VkFFTConfiguration& c = p.configuration;
  c.FFTdim = shape.along == TransformAxes::rows || height == 1 ? 1 : 2;
  c.size[0] = shape.along == TransformAxes::columns ? count : width;
  c.size[1] = shape.along == TransformAxes::rows ? 1 : height;
  if (shape.along == TransformAxes::columns) {
    c.omitDimension[0] = 1;
    c.bufferStride[0] = width;
    c.bufferStride[1] = width * height;
    p.take_wide_rows_between_passes(shape.height);
  } else {
    c.numberBatches = count;
  }
  c.specifyOffsetsAtLaunch = shape.along == TransformAxes::both ? 0 : 1;
  c.context = &p.context;
  c.device = &p.device;
  c.buffer = &p.buffer;
  c.bufferSize = &p.bytes;
  c.useLUT = 1;  // computed sines are inaccurate on some devices
  if (!device_.cpu && device_.vendor.find("NVIDIA") != std::string::npos) c.registerBoost = 4;
  const LocaleOfC plain;
  const VkFFTResult result = initializeVkFFT(&p.app, c);
  if (result != VKFFT_SUCCESS) {
    plans_.erase(shape);
    throw DeviceError(CL_INVALID_VALUE,
                      message({"fft.no_plan",
                               "VkFFT has no plan for {width} x {height} (code "
                               "{code})"},
                              shape.width, shape.height, static_cast<int>(result)));
  }
  p.ready = true;
  p.in_passes = c.userTempBuffer != 0 && p.app.localFFTPlan->numAxisUploads[1] > 1;
  slot = std::move(made);
  try {
    check(p, shape, *scratch, job);
  } catch (...) {
    plans_.erase(shape);
    throw;
  }
  return *slot;
}

void FftCache::append(Plan& p, const DeviceMemory& pictures, std::size_t offset,
                      const FourierJob& job) {
  p.buffer = OpenClMemory::of(pictures).handle();
  const auto between_passes =
      p.in_passes ? job.take(static_cast<std::size_t>(p.bytes)) : std::shared_ptr<DeviceMemory>();
  if (between_passes) p.between_passes = OpenClMemory::of(*between_passes).handle();
  VkFFTLaunchParams launch = {};
  launch.commandQueue = &p.queue;
  launch.buffer = &p.buffer;
  launch.bufferOffset = offset;
  const VkFFTResult result = VkFFTAppend(&p.app, job.inverse ? 1 : -1, &launch);
  if (result != VKFFT_SUCCESS) {
    throw DeviceError(
        CL_OUT_OF_RESOURCES,
        message({"fft.failed", "VkFFT failed to run (code {code})"}, static_cast<int>(result)));
  }
}

void FftCache::transform(DeviceMemory& pictures, const FourierJob& job) {
  FourierJob turned = job;
  if (job.width == 1) std::swap(turned.width, turned.height);  // the same numbers, same places
  if (turned.width == 1) return;
  if (device_.cpu) return transform_in_pieces(pictures, turned);
  Plan& whole = plan({turned.width, turned.height, TransformAxes::both, turned.batch}, job);
  append(whole, pictures, 0, job);
  job.between();
}

struct FftCache::PlannedPieces {
  int total = 0;  // rows or columns
  Pieces pieces;
  Plan* usual = nullptr;
  Plan* longer = nullptr;

  // Calls body(plan, at) for each piece in turn.
  template <typename Body>
  void each(const std::function<void()>& between, Body&& body) const {
    for (int at = 0, i = 0; at < total; ++i) {
      const bool is_longer = i < pieces.longer;
      body(is_longer ? *longer : *usual, at);
      between();
      at += pieces.size + (is_longer ? 1 : 0);
    }
  }
};

FftCache::PlannedPieces FftCache::planned(int width, int height, TransformAxes along,
                                          const FourierJob& job) {
  PlannedPieces p;
  p.total = along == TransformAxes::rows ? height : width;
  p.pieces = pieces_of(p.total, piece_samples / (along == TransformAxes::rows ? width : height));
  p.usual = &plan({width, height, along, p.pieces.size}, job);
  p.longer = &plan({width, height, along, p.pieces.size + (p.pieces.longer > 0 ? 1 : 0)}, job);
  return p;
}

void FftCache::transform_in_pieces(DeviceMemory& pictures, const FourierJob& job) {
  int height = job.height, batch = job.batch;
  // A batch of one-row pictures is the rows of one picture.
  const bool one_row = height == 1;
  if (one_row) std::swap(height, batch);
  const std::size_t row = static_cast<std::size_t>(job.width) * 8;
  const std::size_t picture = row * static_cast<std::size_t>(height);
  // Plans before the first launch: if planning fails, the data is still unchanged.
  const PlannedPieces rows = planned(job.width, height, TransformAxes::rows, job);
  const PlannedPieces columns =
      one_row ? PlannedPieces{} : planned(job.width, height, TransformAxes::columns, job);
  for (int b = 0; b < batch; ++b) {
    const std::size_t first = static_cast<std::size_t>(b) * picture;
    rows.each(job.between, [&](Plan& along, int y) {
      append(along, pictures, first + static_cast<std::size_t>(y) * row, job);
    });
    columns.each(job.between, [&](Plan& along, int x) {
      append(along, pictures, first + static_cast<std::size_t>(x) * 8, job);
    });
  }
}

// The transform of a unit impulse is a wave of magnitude 1 everywhere, so a few samples reveal a
// wrong plan. A plan for one axis must leave the other rows or columns at 0.
void FftCache::check(Plan& p, const Shape& shape, const DeviceMemory& scratch,
                     const FourierJob& job) {
  const cl::Buffer buffer = OpenClMemory::of(scratch).buffer();
  FourierJob forward = job;
  forward.inverse = false;
  const bool along_x = shape.along != TransformAxes::columns,
             along_y = shape.along != TransformAxes::rows;
  const int width = along_x ? shape.width : shape.count;
  const int height = along_y ? shape.height : shape.count;
  const int batch = along_x && along_y ? shape.count : 1;
  const int x = width / 3, y = height / 2;
  const std::size_t picture =
      static_cast<std::size_t>(shape.width) * static_cast<std::size_t>(shape.height);
  const auto place = [&](int b, int u, int v) {
    return (static_cast<std::size_t>(b) * picture +
            static_cast<std::size_t>(v) * static_cast<std::size_t>(shape.width) +
            static_cast<std::size_t>(u)) *
           8;
  };
  const float one[2] = {1.0f, 0.0f};
  double worst = 0;
  try {
    const float zero = 0.0f;
    queue_.enqueueFillBuffer(buffer, zero, 0, static_cast<std::size_t>(p.bytes));
    for (int b = 0; b < batch; ++b) {
      queue_.enqueueWriteBuffer(buffer, CL_TRUE, place(b, x, y), sizeof one, one);
    }
    append(p, scratch, 0, forward);
    std::uint32_t pick = 12345;
    const auto pick_below = [&pick](int n) {
      pick = pick * 1664525u + 1013904223u;
      return static_cast<int>((pick >> 8) % static_cast<unsigned>(n));
    };
    for (int i = 0; i < 24; ++i) {
      const int u = along_x || i % 4 == 0 ? pick_below(width) : x;
      const int v = along_y || i % 4 == 0 ? pick_below(height) : y;
      float got[2] = {};
      queue_.enqueueReadBuffer(buffer, CL_TRUE, place(i % batch, u, v), sizeof got, got);
      double turn = 0;
      if (along_x) turn += static_cast<double>(u) * x / width;
      if (along_y) turn += static_cast<double>(v) * y / height;
      const bool outside = (!along_x && u != x) || (!along_y && v != y);
      const std::complex<double> want =
          outside ? 0.0 : std::polar(1.0, -2 * std::numbers::pi * turn);
      const double error = std::abs(std::complex<double>(got[0], got[1]) - want);
      worst = std::isfinite(error) ? std::max(worst, error) : 1e9;
    }
  } catch (const cl::Error& e) {
    throw DeviceError(e.err(),
                      message({"fft.unchecked", "checking a Fourier plan failed ({status})"},
                              status_name(e.err())));
  }
  if (worst > 1e-4) {
    throw DeviceError(CL_INVALID_VALUE,
                      message({"fft.wrong", "VkFFT computes {width} x {height} wrongly here"},
                              shape.width, shape.height));
  }
}

}  // namespace sfumato
