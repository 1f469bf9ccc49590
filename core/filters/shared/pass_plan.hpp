// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A filter's kernel launches as data, and what planning needs to know of the device.
//
// To execute a plan: allocate every scratch (buffers 64-byte aligned, contents need no clearing;
// images as CL_RGBA, CL_FLOAT, read and write), upload every table (read-only floats), then run the
// passes in order. A pass is the kernel `kernel` of the filter's .cl built with `options`, its
// arguments set in order, enqueued over `global` and `local` items. The launch may be cut along
// dimension 1 with a global offset, at multiples of local[1]; kernels never use group ids.
// Arguments: BufferArg is a buffer: `source`, `result`, `base` (to which a result is added) or a
// scratch's number; Plane, Edge, int and float are passed by value; TableArg is a table as a
// buffer; ValueArg is a table by value (all of its bytes); LocalArg is local memory of that many
// bytes; ImageArg is a scratch that is an image.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <variant>
#include <vector>

#include "image/plane.hpp"

namespace sfumato {

/// Layout of pixels in the buffers at both ends: floats, 8-bit samples with the same channels as
/// the sums, or 8-bit RGB without padding (sums of four channels, alpha 1).
enum class PixelStorage : int { f32, u8, u8_packed3 };

struct PlanDevice {
  bool cpu = false;  ///< the form of the kernels
  bool nvidia = false;
  bool built_in = false;  ///< its kernels were compiled with the program
  unsigned compute_units = 1;
  std::size_t local_memory = std::size_t{1} << 20;  ///< bytes; holds the strips of the CPU forms
  bool images = false;
  std::size_t max_image = 8192;  ///< the smaller of the two size limits of a 2-D image
};

struct BufferArg {
  static constexpr int base = -3, source = -2, result = -1;
  int id = source;
};
struct ImageArg {
  int id = 0;
};
struct TableArg {
  int id = 0;
};
struct ValueArg {
  int id = 0;
};
struct LocalArg {
  std::size_t bytes = 0;
};
using PassArg =
    std::variant<BufferArg, ImageArg, TableArg, ValueArg, LocalArg, Plane, Edge, int, float>;

struct PlannedPass {
  std::string kernel;
  std::string options;
  std::vector<PassArg> args;
  std::array<std::size_t, 2> global{1, 1}, local{1, 1};
};

/// Intermediate pixels: a buffer of this many floats, or an image of width times height.
struct PlannedScratch {
  std::size_t floats = 0;
  bool image = false;
  int width = 0, height = 0;
};

struct PassPlan {
  std::vector<PlannedScratch> scratch;
  std::vector<std::vector<float>> tables;
  std::vector<PlannedPass> passes;
};

}  // namespace sfumato
