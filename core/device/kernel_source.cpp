// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "device/kernel_source.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

namespace sfumato::kernels {
namespace {

std::string_view bytes_of(std::string_view name) {
  const auto files = embedded_files();
  const auto found = std::lower_bound(files.begin(), files.end(), name,
                                      [](const auto& f, auto wanted) { return f.name < wanted; });
  if (found == files.end() || found->name != name) {
    throw std::logic_error("no file of kernels: " + std::string(name));
  }
  return found->bytes();
}

// The path in a line that includes a file; empty for other lines.
std::string_view included_by(std::string_view line) {
  constexpr std::string_view begin = "#include \"";
  if (!line.starts_with(begin)) return {};
  line.remove_prefix(begin.size());
  return line.substr(0, line.find('"'));
}

class Resolver {
 public:
  void add(std::string_view name, std::string_view bytes) {
    say_line(1, name);
    int number = 0;
    // Even what follows the last line's end is a line.
    for (bool more = true; more;) {
      const std::size_t end = bytes.find('\n');
      const std::string_view line = bytes.substr(0, end), included = included_by(line);
      more = end != std::string_view::npos;
      bytes.remove_prefix(more ? end + 1 : bytes.size());
      ++number;
      if (included.empty()) {
        text_.append(line).append("\n");
      } else if (seen_.insert(included).second) {
        add(included, bytes_of(included));
        say_line(number + 1, name);
      }
    }
  }

  std::string take() { return std::move(text_); }

 private:
  void say_line(int number, std::string_view name) {
    text_.append("#line ").append(std::to_string(number)).append(" \"").append(name).append("\"\n");
  }

  std::string text_;
  std::set<std::string_view> seen_;
};

}  // namespace

std::string Source::text() const {
  if (file == nullptr) return {begin, end};
  Resolver resolver;
  resolver.add(file, {begin, end});
  return resolver.take();
}

}  // namespace sfumato::kernels
