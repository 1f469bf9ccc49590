// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Keeps libpng and LibRaw from printing errors on stderr, which OpenImageIO does not always do: the
// program reports them in its own words. Functions that the module defines are found before those
// of the libraries loaded with it, so OpenImageIO and LibRaw call these. In a host that has loaded
// libpng itself, libpng's own are called, and at worst a line is printed.
#include <dlfcn.h>
#include <png.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#define SFUMATO_FOUND_FIRST extern "C" __attribute__((visibility("default")))

namespace {

// OpenImageIO has one handler for readers and one for writers.
constexpr std::size_t most_handlers = 4;
std::array<std::atomic<png_error_ptr>, most_handlers> handlers{};

// If a handler returns, libpng prints the error and then jumps in the same way.
template <std::size_t Slot>
[[noreturn]] void handle_and_leave(png_structp png, png_const_charp text) {
  handlers[Slot].load()(png, text);
  png_longjmp(png, 1);
}
constexpr std::array<png_error_ptr, most_handlers> leaving = {
    handle_and_leave<0>, handle_and_leave<1>, handle_and_leave<2>, handle_and_leave<3>};

png_error_ptr leaving_after(png_error_ptr handler) {
  if (handler == nullptr) return nullptr;
  for (std::size_t i = 0; i < most_handlers; ++i) {
    png_error_ptr held = nullptr;
    if (handlers[i].compare_exchange_strong(held, handler) || held == handler) return leaving[i];
  }
  return handler;
}

void ignore(png_structp, png_const_charp) {}

}  // namespace

SFUMATO_FOUND_FIRST void png_set_error_fn(png_structrp png, png_voidp pointer,
                                          png_error_ptr on_error, png_error_ptr on_warning) {
  using Function = void(png_structrp, png_voidp, png_error_ptr, png_error_ptr);
  static auto* const next = reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, "png_set_error_fn"));
  if (next == nullptr) return;
  next(png, pointer, leaving_after(on_error), on_warning != nullptr ? on_warning : ignore);
}

// LibRaw calls this for data that is damaged or ends early; it fails afterwards by itself.
SFUMATO_FOUND_FIRST void default_data_callback(void*, const char*, std::int64_t) {}
