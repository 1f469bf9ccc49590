// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// VkFFT plans.
#include "gpu/fft.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

// The whole of VkFFT is one header of C; its warnings are its own.
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
#pragma GCC diagnostic ignored "-Wstringop-overflow"
#endif
#include <vkFFT.h>
#pragma GCC diagnostic pop

namespace sfumato {

int fft_size(int n) {
  for (int size = std::max(1, n);; ++size) {
    int rest = size;
    for (const int prime : {2, 3, 5, 7}) {
      while (rest % prime == 0) rest /= prime;
    }
    if (rest == 1) return size;
  }
}

struct FftCache::Plan {
  VkFFTApplication app = {};
  VkFFTConfiguration configuration = {};
  // VkFFT keeps pointers to these.
  cl_context context = nullptr;
  cl_device_id device = nullptr;
  cl_command_queue queue = nullptr;
  cl_mem buffer = nullptr;
  std::uint64_t bytes = 0;
  bool ready = false;

  ~Plan() {
    if (ready) deleteVkFFT(&app);
  }
};

FftCache::FftCache(cl::Context context, const DeviceInfo& device, cl::CommandQueue queue,
                   BufferPool& pool)
    : context_(context), device_(device), queue_(queue), pool_(pool) {}

FftCache::~FftCache() = default;

FftCache::Plan& FftCache::plan(int width, int height, int batch) {
  auto& slot = plans_[{width, height, batch}];
  if (slot) return *slot;
  auto made = std::make_unique<Plan>();
  Plan& p = *made;
  p.context = context_();
  p.device = device_.handle();
  p.queue = queue_();
  p.bytes = static_cast<std::uint64_t>(width) * static_cast<std::uint64_t>(height) *
            static_cast<std::uint64_t>(batch) * 8;
  const auto scratch = pool_.take(static_cast<std::size_t>(p.bytes));
  p.buffer = (*scratch)();
  VkFFTConfiguration& c = p.configuration;
  c.FFTdim = 2;
  c.size[0] = static_cast<std::uint64_t>(width);
  c.size[1] = static_cast<std::uint64_t>(height);
  c.numberBatches = static_cast<std::uint64_t>(batch);
  c.context = &p.context;
  c.device = &p.device;
  c.buffer = &p.buffer;
  c.bufferSize = &p.bytes;
  c.useLUT = 1;  // computed sines lose digits on some devices
  if (!device_.cpu && device_.vendor.find("NVIDIA") != std::string::npos) c.registerBoost = 4;
  const VkFFTResult result = initializeVkFFT(&p.app, c);
  if (result != VKFFT_SUCCESS) {
    throw DeviceError(CL_INVALID_VALUE, "VkFFT has no plan for " + std::to_string(width) + " x " +
                                            std::to_string(height) + " (code " +
                                            std::to_string(static_cast<int>(result)) + ")");
  }
  p.ready = true;
  slot = std::move(made);
  try {
    check(p, width, height, batch);
  } catch (...) {
    plans_.erase({width, height, batch});
    throw;
  }
  return *slot;
}

void FftCache::transform(cl::Buffer& buffer, int width, int height, int batch, bool inverse) {
  Plan& p = plan(width, height, batch);
  p.buffer = buffer();
  VkFFTLaunchParams launch = {};
  launch.commandQueue = &p.queue;
  launch.buffer = &p.buffer;
  const VkFFTResult result = VkFFTAppend(&p.app, inverse ? 1 : -1, &launch);
  if (result != VKFFT_SUCCESS) {
    throw DeviceError(CL_OUT_OF_RESOURCES, "VkFFT failed to run (code " +
                                               std::to_string(static_cast<int>(result)) + ")");
  }
}

// The transform of a unit impulse is a wave of length 1 everywhere: a few samples of it tell a
// wrong plan from a right one.
void FftCache::check(Plan& p, int width, int height, int batch) {
  const auto buffer = pool_.take(static_cast<std::size_t>(p.bytes));
  const int x = width / 3, y = height / 2;
  const std::size_t picture = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  const auto place = [&](int b, int u, int v) {
    return (static_cast<std::size_t>(b) * picture +
            static_cast<std::size_t>(v) * static_cast<std::size_t>(width) +
            static_cast<std::size_t>(u)) *
           8;
  };
  const float one[2] = {1.0f, 0.0f};
  double worst = 0;
  try {
    const float zero = 0.0f;
    queue_.enqueueFillBuffer(*buffer, zero, 0, static_cast<std::size_t>(p.bytes));
    for (int b = 0; b < batch; ++b) {
      queue_.enqueueWriteBuffer(*buffer, CL_TRUE, place(b, x, y), sizeof one, one);
    }
    transform(*buffer, width, height, batch, false);
    std::uint32_t pick = 12345;
    for (int i = 0; i < 24; ++i) {
      pick = pick * 1664525u + 1013904223u;
      const int u = static_cast<int>((pick >> 8) % static_cast<unsigned>(width));
      pick = pick * 1664525u + 1013904223u;
      const int v = static_cast<int>((pick >> 8) % static_cast<unsigned>(height));
      float got[2] = {};
      queue_.enqueueReadBuffer(*buffer, CL_TRUE, place(i % batch, u, v), sizeof got, got);
      const double turn = static_cast<double>(u) * x / width + static_cast<double>(v) * y / height;
      const std::complex<double> want = std::polar(1.0, -2 * std::numbers::pi * turn);
      const double error = std::abs(std::complex<double>(got[0], got[1]) - want);
      worst = std::isfinite(error) ? std::max(worst, error) : 1e9;
    }
  } catch (const cl::Error& e) {
    throw DeviceError(e.err(), "checking a Fourier plan failed (" + status_name(e.err()) + ")");
  }
  if (worst > 1e-4) {
    throw DeviceError(CL_INVALID_VALUE, "VkFFT computes " + std::to_string(width) + " x " +
                                            std::to_string(height) + " wrongly here");
  }
}

}  // namespace sfumato
