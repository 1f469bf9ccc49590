// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Prints completions for a shell.
#include "batch/completion_writer.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <vector>

#include "device/device.hpp"
#include "engine/presets.hpp"
#include "engine/start.hpp"

namespace sfumato {

void CompletionWriter::cut_option(const std::string& option) {
  before_ = option + "=";
  typed_ = typed_.substr(before_.size());
}

void CompletionWriter::word(const std::string& word, const std::string& text) const {
  if (word.rfind(typed_, 0) != 0) return;
  if (described_) {
    std::printf("%s%s\t%s\n", before_.c_str(), word.c_str(), text.c_str());
  } else {
    std::printf("%s%s\n", before_.c_str(), word.c_str());
  }
}

void CompletionWriter::files(const std::set<std::string>& extensions) const {
  if (!described_) return;
  std::string list;
  for (const std::string& e : extensions) list += (list.empty() ? "\t" : " ") + e;
  std::printf("\tfiles%s\n", list.c_str());
}

void CompletionWriter::folders() const {
  if (described_) std::puts("\tfolders");
}

void CompletionWriter::message(const std::string& text) const {
  if (described_) std::printf("\tmessage\t%s\n", text.c_str());
}

void complete_presets(const CompletionWriter& offers) {
  const Presets presets(user_preset_folder());
  for (const Preset& p : presets.all()) offers.word(p.id, p.summary);
}

void complete_devices(const CompletionWriter& offers) {
  const std::vector<std::pair<std::string, std::string>> words{
      {"auto", "the best that works"},
      {"gpu", "the best GPU"},
      {"cpu", "the processor, by OpenCL"},
      {"reference", "plain C++, slow, without OpenCL"}};
  for (const auto& [word, text] : words) offers.word(word, text);
  std::fflush(stdout);
  // The shell is waiting, so drivers that were not tried yet are not loaded.
  if (!start_opencl_as_known()) return;
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  ::alarm(2);
  const std::vector<DeviceInfo> devices = list_devices();
  for (std::size_t i = 0; i < devices.size(); ++i) {
    offers.word(std::to_string(i),
                std::string(devices[i].cpu ? "CPU: " : "GPU: ") + devices[i].title());
  }
}

}  // namespace sfumato
