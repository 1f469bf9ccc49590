// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Standard output is ours: what drivers print while they are loaded goes to standard error.
#pragma once

namespace sfumato {

/// For the start of our own programs, before their first thread: list_devices() puts standard
/// output aside while it loads drivers. In others' processes it is left as it is.
void keep_drivers_off_stdout();

/// While it lives, standard output leads to standard error, if keep_drivers_off_stdout() was
/// called. One at a time, and nobody may write to standard output beside it.
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
