// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "batch/devices.hpp"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <utility>

#include "device/device.hpp"
#include "engine/errors.hpp"
#include "engine/memory.hpp"
#include "engine/session.hpp"

namespace sfumato {
namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;
constexpr std::size_t program = 256 * mebibyte;   // the program, its libraries, its strips
constexpr std::size_t compiler = 192 * mebibyte;  // of a driver, in our process
constexpr std::size_t least_for_pictures = 64 * mebibyte;
constexpr std::size_t usual_tiles =
    128 * mebibyte;  // of a session on a CPU device, without a limit

constexpr std::size_t tiles_of_limit = 8;

// From this limit on, tiles with large halos may take that part of it, too.
constexpr std::size_t plenty = 2048 * mebibyte;
std::size_t most_tile(std::size_t limit) {
  return limit < plenty ? usual_tiles / 2 : limit / tiles_of_limit;
}

// What works in main memory among the devices chosen; nullopt: nothing does.
std::optional<Target> cpu_target(const SessionOptions& options) {
  std::optional<Target> target;
  if (options.device == "reference") {
    target.emplace().reference = true;
    return target;
  }
  try {
    for (const DeviceInfo& info : choose_devices(list_devices(), options.device)) {
      if (info.cpu) target = target_of(info, options.form.value_or(info.natural_form()));
    }
  } catch (const NoDeviceFits& error) {
    throw EngineError(error.message());
  }
  return target;
}

// What `limit` leaves for pictures, after the program and its tiles.
std::size_t left_for_pictures(std::size_t limit, const SessionOptions& options, std::size_t devices,
                              bool is_request) {
  const std::size_t requested = std::max(options.memory_limit, options.preferred_tile);
  const std::size_t large = options.most_tile + options.most_tile / 2;
  const std::size_t tiles =
      requested != 0 ? requested + requested / 2 : std::max(usual_tiles, large);
  const std::size_t taken = program + compiler + tiles * devices;
  if (is_request && limit < taken + least_for_pictures) {
    options.log(message({"batch.limit_too_low",
                         "a limit of {limit} MB of main memory cannot be kept: at least about "
                         "{needed} MB will be used"},
                        limit / mebibyte, (taken + least_for_pictures) / mebibyte));
  }
  return std::max(limit > taken ? limit - taken : 0, least_for_pictures);
}

}  // namespace

BatchDevices open_devices(const BatchOptions& batch) {
  BatchDevices out;
  const std::size_t limit = batch.memory_limit != 0 ? batch.memory_limit : usable_memory() / 2;
  SessionOptions options = batch.session;
  if (options.device.empty()) {
    const char* request = std::getenv("SFUMATO_DEVICE");
    options.device = request != nullptr ? request : "auto";
  }
  // If memory is scarce, tiles are small; otherwise most are those of a single render. Pictures
  // that cannot be tiled take what a single render takes, or go to the next device.
  options.most_tile = most_tile(limit);
  if (options.memory_limit == 0 && limit < tiles_of_limit * usual_tiles) {
    options.preferred_tile = std::max(limit / tiles_of_limit, 32 * mebibyte);
  }
  if (batch.memory_limit != 0) options.preferred_band = std::max(limit / 10, 32 * mebibyte);
  const int first = options.passed_over;
  const int count = std::max(1, Session(options).device_count() - first);
  for (int i = 0; i < count; ++i) {
    options.passed_over = first + i;
    out.renderers.push_back(make_session(options));
  }
  out.for_pictures =
      left_for_pictures(limit, options, out.renderers.size(), batch.memory_limit != 0);
  out.threads_that_fit = out.for_pictures / least_for_pictures;
  out.cpu = cpu_target(options);
  return out;
}

// Of a small limit, and of a large one, tiles take a part and half as much again.
std::size_t limit_for_pictures(std::size_t bytes) {
  constexpr std::size_t parts = 2 * tiles_of_limit;
  const std::size_t beside_tiles = program + compiler + bytes;
  const std::size_t share = beside_tiles / (parts - 3) * parts + parts;
  if (share < tiles_of_limit * usual_tiles) return share;
  const std::size_t usual = std::max(beside_tiles + usual_tiles, tiles_of_limit * usual_tiles);
  return usual < plenty ? usual : std::max(share, plenty);
}

}  // namespace sfumato
