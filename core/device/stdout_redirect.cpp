// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Swaps file descriptor 1.
#include "device/stdout_redirect.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>

namespace sfumato {
namespace {

std::atomic<bool> stdout_is_ours{false};

}  // namespace

void keep_drivers_off_stdout() {
  stdout_is_ours = true;
}

StdoutRedirect::StdoutRedirect() {
  if (!stdout_is_ours) return;
  kept_ = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  if (kept_ < 0) return;
  std::fflush(stdout);  // earlier output is ours
  if (::dup2(STDERR_FILENO, STDOUT_FILENO) >= 0) return;
  const int null_device = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (null_device < 0) return;
  ::dup2(null_device, STDOUT_FILENO);
  ::close(null_device);
}

StdoutRedirect::~StdoutRedirect() {
  if (kept_ < 0) return;
  std::fflush(stdout);  // drivers share its buffer
  ::dup2(kept_, STDOUT_FILENO);
  ::close(kept_);
}

}  // namespace sfumato
