// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Rows of a picture, shared out to threads.
#include "image/parallel_rows.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "image/processors.hpp"
#include "image/vector_state.hpp"

namespace sfumato {

void ParallelRows::run(int y0, int y1, const std::function<void(int y)>& body) const {
  const int total = y1 - y0;
  if (total <= 0) return;
  std::atomic<int> next{y0};
  std::atomic<bool> stop{false};
  std::mutex mutex;
  std::exception_ptr failure;
  int done = 0;

  // A cancelled thread tells the others before their next row.
  const auto count_row = [&] {
    const std::lock_guard lock(mutex);
    if (stop) return false;
    ++done;
    stop = tick_ && !tick_(done, total);
    return !stop;
  };
  const auto work = [&] {
    reset_vector_state();
    while (!stop) {
      const int y = next++;
      if (y >= y1) return;
      try {
        body(y);
        if (!count_row()) throw Cancelled();
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!failure) failure = std::current_exception();
        stop = true;
      }
    }
  };
  const unsigned wanted = threads_ != 0 ? threads_ : compute_threads();
  const unsigned count = std::clamp(wanted, 1u, static_cast<unsigned>(total));
  {
    std::vector<std::jthread> helpers;
    try {
      for (unsigned i = 1; i < count; ++i) helpers.emplace_back(work);
    } catch (const std::system_error&) {
      // No more threads can be had: those at work do everything.
    }
    work();
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace sfumato
