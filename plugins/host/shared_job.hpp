// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A render's request to a worker, with the shared memory that belongs to it.
#pragma once

#include <vector>

#include "device/descriptor.hpp"
#include "engine/pixels.hpp"
#include "engine/roles.hpp"
#include "host/protocol.hpp"

namespace sfumato::hosts {

/// Can be sent again, to a second worker. Throws std::bad_alloc, and what sources throw.
class SharedJob {
 public:
  /// `spare` must outlive it.
  explicit SharedJob(SpareMemory& spare) : spare_(spare) {}

  /// Copies a part of a picture.
  SharedImage add(PixelSource& from, const Rect& part);
  /// Copies what the roles have of the part that is needed.
  void add_roles(const Roles& roles, const Rect& needed);
  /// A few slots of some MiB, so that one is read while others are filled.
  void add_slots(const PixelSink& sink, const Rect& region);

  /// In the order of the request.
  const std::vector<int>& descriptors() const { return descriptors_; }
  /// The pixels of a piece that came.
  HostView view(const Piece& piece) const;
  /// For later requests, once no worker writes any more.
  void give_back();

  RenderRequest request;

 private:
  int attach(SharedMemory memory);

  SpareMemory& spare_;
  std::vector<SharedMemory> memories_;  // by descriptor
  std::vector<int> descriptors_;
};

}  // namespace sfumato::hosts
