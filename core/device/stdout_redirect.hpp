// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Keeps standard output clean: what drivers print while loading goes to standard error.
#pragma once

namespace sfumato {

/// For the start of our own programs, before the first thread: lets list_devices() redirect
/// standard output while it loads drivers. In a host's process it stays untouched.
void keep_drivers_off_stdout();

/// While it lives, standard output leads to standard error, if keep_drivers_off_stdout() was
/// called. Only one may exist at a time, and nothing else may write to standard output meanwhile.
class StdoutRedirect {
 public:
  StdoutRedirect();
  ~StdoutRedirect();
  StdoutRedirect(const StdoutRedirect&) = delete;
  StdoutRedirect& operator=(const StdoutRedirect&) = delete;

 private:
  int kept_ = -1;
};

}  // namespace sfumato
