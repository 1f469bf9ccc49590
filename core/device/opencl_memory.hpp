// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// An OpenCL buffer or image as DeviceMemory, for the files that call OpenCL.
#pragma once

#include "device/driver.hpp"
#include "device/opencl.hpp"

namespace sfumato {

class OpenClMemory final : public DeviceMemory {
 public:
  OpenClMemory(const cl::Context& context, std::size_t bytes)
      : DeviceMemory(bytes), memory_(cl::Buffer(context, CL_MEM_READ_WRITE, bytes)) {}
  OpenClMemory(const cl::Context& context, std::size_t width, std::size_t height)
      : DeviceMemory(width * height * 4 * sizeof(float)),
        memory_(cl::Image2D(context, CL_MEM_READ_WRITE, cl::ImageFormat(CL_RGBA, CL_FLOAT), width,
                            height)),
        width_(width),
        height_(height) {}

  bool is_image() const { return width_ > 0; }
  cl_mem handle() const { return memory_(); }
  cl::Buffer buffer() const { return cl::Buffer(memory_(), true); }
  cl::Image2D image() const { return cl::Image2D(memory_(), true); }
  std::array<std::size_t, 3> size() const { return {width_, height_, 1}; }

  static const OpenClMemory& of(const DeviceMemory& memory) {
    return dynamic_cast<const OpenClMemory&>(memory);
  }

 private:
  cl::Memory memory_;
  std::size_t width_ = 0, height_ = 0;
};

}  // namespace sfumato
