// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Defines OpenCL's functions, which call those of libOpenCL.so.1. This file is compiled by itself:
// a linker that wraps a function (tests/kernels) only sees calls from other files.
#include "device/opencl_loader.hpp"

#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <CL/cl_gl.h>
#include <dlfcn.h>

#include <atomic>
#include <cstddef>
#include <tuple>
#include <type_traits>

namespace {

std::atomic<bool> was_called{false};

// Never closed: drivers have threads, and handlers that run at exit.
void* library() {
  static void* const opened = ::dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
  return opened;
}

// As if the library were linked, what is preloaded comes first: that is how Oclgrind works. Null if
// there is no such function.
void* found(const char* name) {
  was_called = true;
  if (void* entry = ::dlsym(RTLD_DEFAULT, name); entry != nullptr) return entry;
  return library() != nullptr ? ::dlsym(library(), name) : nullptr;
}

template <typename Function>
struct Signature;
template <typename R, typename... P>
struct Signature<R(P...)> {
  using Result = R;
  template <std::size_t i>
  using Parameter = std::tuple_element_t<i, std::tuple<P...>>;
};

// Calls `entry`. Without one, returns the status, or null with the status in the last argument.
template <typename R, typename... P>
R call(R (*entry)(P...), cl_int otherwise, std::type_identity_t<P>... arguments) {
  if (entry != nullptr) return entry(arguments...);
  if constexpr (std::is_same_v<R, cl_int>) {
    return otherwise;
  } else {
    const auto last = std::get<sizeof...(P) - 1>(std::tuple(arguments...));
    if constexpr (std::is_same_v<decltype(last), cl_int* const>) {
      if (last != nullptr) *last = otherwise;
    }
    return nullptr;
  }
}

}  // namespace

// FORWARD(n, name): defines the function, which has n parameters. It is hidden: drivers and hosts
// call the library itself.
#define PARAMETER(name, i) Signature<decltype(name)>::Parameter<i> a##i
#define PARAMETERS_1(name) PARAMETER(name, 0)
#define PARAMETERS_2(name) PARAMETERS_1(name), PARAMETER(name, 1)
#define PARAMETERS_3(name) PARAMETERS_2(name), PARAMETER(name, 2)
#define PARAMETERS_4(name) PARAMETERS_3(name), PARAMETER(name, 3)
#define PARAMETERS_5(name) PARAMETERS_4(name), PARAMETER(name, 4)
#define PARAMETERS_6(name) PARAMETERS_5(name), PARAMETER(name, 5)
#define PARAMETERS_7(name) PARAMETERS_6(name), PARAMETER(name, 6)
#define PARAMETERS_8(name) PARAMETERS_7(name), PARAMETER(name, 7)
#define PARAMETERS_9(name) PARAMETERS_8(name), PARAMETER(name, 8)
#define PARAMETERS_10(name) PARAMETERS_9(name), PARAMETER(name, 9)
#define PARAMETERS_11(name) PARAMETERS_10(name), PARAMETER(name, 10)
#define PARAMETERS_12(name) PARAMETERS_11(name), PARAMETER(name, 11)
#define PARAMETERS_13(name) PARAMETERS_12(name), PARAMETER(name, 12)
#define PARAMETERS_14(name) PARAMETERS_13(name), PARAMETER(name, 13)
#define ARGUMENTS_1 a0
#define ARGUMENTS_2 ARGUMENTS_1, a1
#define ARGUMENTS_3 ARGUMENTS_2, a2
#define ARGUMENTS_4 ARGUMENTS_3, a3
#define ARGUMENTS_5 ARGUMENTS_4, a4
#define ARGUMENTS_6 ARGUMENTS_5, a5
#define ARGUMENTS_7 ARGUMENTS_6, a6
#define ARGUMENTS_8 ARGUMENTS_7, a7
#define ARGUMENTS_9 ARGUMENTS_8, a8
#define ARGUMENTS_10 ARGUMENTS_9, a9
#define ARGUMENTS_11 ARGUMENTS_10, a10
#define ARGUMENTS_12 ARGUMENTS_11, a11
#define ARGUMENTS_13 ARGUMENTS_12, a12
#define ARGUMENTS_14 ARGUMENTS_13, a13
#define FORWARD(count, name) FORWARD_OR(CL_INVALID_OPERATION, count, name)
#define FORWARD_OR(otherwise, count, name)                                                       \
  extern "C" __attribute__((visibility("hidden"))) Signature<decltype(name)>::Result CL_API_CALL \
  name(PARAMETERS_##count(name)) {                                                               \
    static const auto entry = reinterpret_cast<decltype(&(name))>(found(#name));                 \
    return call(entry, otherwise, ARGUMENTS_##count);                                            \
  }

// Every function of OpenCL 1.2 that is not deprecated in it.
FORWARD_OR(CL_PLATFORM_NOT_FOUND_KHR, 3, clGetPlatformIDs)
FORWARD(5, clGetPlatformInfo)
FORWARD(5, clGetDeviceIDs)
FORWARD(5, clGetDeviceInfo)
FORWARD(5, clCreateSubDevices)
FORWARD(1, clRetainDevice)
FORWARD(1, clReleaseDevice)
FORWARD(6, clCreateContext)
FORWARD(5, clCreateContextFromType)
FORWARD(1, clRetainContext)
FORWARD(1, clReleaseContext)
FORWARD(5, clGetContextInfo)
FORWARD(1, clRetainCommandQueue)
FORWARD(1, clReleaseCommandQueue)
FORWARD(5, clGetCommandQueueInfo)
FORWARD(5, clCreateBuffer)
FORWARD(5, clCreateSubBuffer)
FORWARD(6, clCreateImage)
FORWARD(1, clRetainMemObject)
FORWARD(1, clReleaseMemObject)
FORWARD(6, clGetSupportedImageFormats)
FORWARD(5, clGetMemObjectInfo)
FORWARD(5, clGetImageInfo)
FORWARD(3, clSetMemObjectDestructorCallback)
FORWARD(1, clRetainSampler)
FORWARD(1, clReleaseSampler)
FORWARD(5, clGetSamplerInfo)
FORWARD(5, clCreateProgramWithSource)
FORWARD(7, clCreateProgramWithBinary)
FORWARD(5, clCreateProgramWithBuiltInKernels)
FORWARD(1, clRetainProgram)
FORWARD(1, clReleaseProgram)
FORWARD(6, clBuildProgram)
FORWARD(9, clCompileProgram)
FORWARD(9, clLinkProgram)
FORWARD(1, clUnloadPlatformCompiler)
FORWARD(5, clGetProgramInfo)
FORWARD(6, clGetProgramBuildInfo)
FORWARD(3, clCreateKernel)
FORWARD(4, clCreateKernelsInProgram)
FORWARD(1, clRetainKernel)
FORWARD(1, clReleaseKernel)
FORWARD(4, clSetKernelArg)
FORWARD(5, clGetKernelInfo)
FORWARD(6, clGetKernelArgInfo)
FORWARD(6, clGetKernelWorkGroupInfo)
FORWARD(2, clWaitForEvents)
FORWARD(5, clGetEventInfo)
FORWARD(2, clCreateUserEvent)
FORWARD(1, clRetainEvent)
FORWARD(1, clReleaseEvent)
FORWARD(2, clSetUserEventStatus)
FORWARD(4, clSetEventCallback)
FORWARD(5, clGetEventProfilingInfo)
FORWARD(1, clFlush)
FORWARD(1, clFinish)
FORWARD(9, clEnqueueReadBuffer)
FORWARD(14, clEnqueueReadBufferRect)
FORWARD(9, clEnqueueWriteBuffer)
FORWARD(14, clEnqueueWriteBufferRect)
FORWARD(9, clEnqueueFillBuffer)
FORWARD(9, clEnqueueCopyBuffer)
FORWARD(13, clEnqueueCopyBufferRect)
FORWARD(11, clEnqueueReadImage)
FORWARD(11, clEnqueueWriteImage)
FORWARD(8, clEnqueueFillImage)
FORWARD(9, clEnqueueCopyImage)
FORWARD(9, clEnqueueCopyImageToBuffer)
FORWARD(9, clEnqueueCopyBufferToImage)
FORWARD(10, clEnqueueMapBuffer)
FORWARD(12, clEnqueueMapImage)
FORWARD(6, clEnqueueUnmapMemObject)
FORWARD(7, clEnqueueMigrateMemObjects)
FORWARD(9, clEnqueueNDRangeKernel)
FORWARD(10, clEnqueueNativeKernel)
FORWARD(4, clEnqueueMarkerWithWaitList)
FORWARD(4, clEnqueueBarrierWithWaitList)
FORWARD(2, clGetExtensionFunctionAddressForPlatform)
FORWARD(4, clCreateCommandQueue)
FORWARD(5, clCreateSampler)
FORWARD(5, clEnqueueTask)

// Those for OpenGL that the bindings refer to.
FORWARD(4, clCreateFromGLBuffer)
FORWARD(4, clCreateFromGLRenderbuffer)
FORWARD(6, clCreateFromGLTexture)
FORWARD(3, clGetGLObjectInfo)
FORWARD(6, clEnqueueAcquireGLObjects)
FORWARD(6, clEnqueueReleaseGLObjects)

namespace sfumato {

bool opencl_was_called() {
  return was_called;
}

std::string opencl_library() {
  Dl_info info{};
  const void* entry = found("clGetPlatformIDs");
  if (entry == nullptr || ::dladdr(entry, &info) == 0 || info.dli_fname == nullptr) return {};
  return info.dli_fname;
}

}  // namespace sfumato
