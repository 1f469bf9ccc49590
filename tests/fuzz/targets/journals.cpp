// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A journal that anyone may have written, as a batch that resumes reads it.
#include "batch/journal.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>

#include "fuzz/targets/seeds.hpp"

namespace {

using namespace sfumato;
namespace fs = std::filesystem;

// In memory, and removed at the end.
class Folder {
 public:
  Folder() {
    std::string name = "/dev/shm/sfumato-journals-XXXXXX";
    if (::mkdtemp(name.data()) == nullptr) fuzz::broken("there is a folder for journals");
    path_ = name;
    file_ = ::open(journal().c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  }
  ~Folder() {
    std::error_code error;
    fs::remove_all(path_, error);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  const fs::path& path() const { return path_; }
  fs::path journal() const { return path_ / journal_name(1, 1); }
  void fill(const std::uint8_t* data, std::size_t size) const {
    if (::ftruncate(file_, 0) != 0 || ::pwrite(file_, data, size, 0) < 0) std::abort();
  }

 private:
  fs::path path_;
  int file_ = -1;
};

BatchItem item_in(const fs::path& folder) {
  BatchItem item;
  item.source.path = folder / "a.png";
  item.target = folder / "b.png";
  item.stamp = {10, 20};
  return item;
}

}  // namespace

std::vector<std::string> sfumato::fuzz::seeds() {
  return {R"({"state":"begun","source":"a.png","size":10,"time":20,"recipe":"r","target":"b.png"}
{"state":"begun","source":"a.png","size":10,"time":20,"recipe":"r","target":"b.png","mark":"7"}
{"state":"done","source":"a.png","size":10,"time":20,"recipe":"r","target":"b.png","output":[3,4],
"seconds":0.5,"device":"x","warnings":["w"],"warning_messages":[{"id":"w","template":"w"}]}
)",
          R"({"state":"failed","source":"/x/a%C3%A4.png","size":10,"time":20,"recipe":"r",
"target":"/x/b.png","outside":true,"frame":3,"source_mark":"9","roles":"q","replaced":[1,2],
"reason":"why","reason_message":{"id":"r","template":"why {a}","values":{"a":"b"}}}
{"state":"cancelled","source":"a.png","recipe":"r","target":"../b.png"}
)",
          R"({"state":"plan","recipe":"r","shards":2,"count":9,"inputs":"i"}
{"state":"plan","recipe":"r","shards":0,"count":-1,"inputs":""})"};
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Folder folder;
  static const BatchItem item = item_in(folder.path());
  folder.fill(data, size);
  try {
    JournalOptions options;
    options.only_look = true;
    const Journal journal(folder.path(), 1, 1, options);
    journal.recall(item, "r");
    journal.is_output(item.target);
    outputs_in(folder.journal());
    read_journal(folder.journal(), [](const JournalLine& line) {
      if (printed(line).find('\n') != std::string::npos) fuzz::broken("a line is one line");
    });
  } catch (const MessageError&) {
    return 0;
  }
  return 0;
}
