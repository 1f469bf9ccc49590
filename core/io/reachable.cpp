// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// No call to a file system that does not answer can be ended, but a thread can wait in our place.
#include "io/reachable.hpp"

#include <sys/stat.h>

#include <future>
#include <memory>
#include <system_error>
#include <thread>

#include "io/io.hpp"
#include "io/module.hpp"

namespace sfumato::files {

void check_reachable(const std::filesystem::path& path, std::chrono::milliseconds patience,
                     const std::function<void(const std::filesystem::path&)>& find) {
  auto found = std::make_shared<std::promise<void>>();
  const std::future<void> answer = found->get_future();
  std::thread finder;
  try {
    finder = std::thread([path, find, found] {
      struct stat state {};
      if (find) {
        find(path);
      } else {
        ::stat(path.c_str(), &state);
      }
      found->set_value();
    });
  } catch (const std::system_error&) {
    return;  // no thread can be had: whoever reads the file waits
  }
  if (answer.wait_for(patience) == std::future_status::ready) return finder.join();
  finder.detach();
  throw FileError(message({"file.no_answer",
                           "{file}: the file's folder does not answer; it may lie on a server "
                           "that cannot be reached"},
                          shown(path)));
}

}  // namespace sfumato::files
