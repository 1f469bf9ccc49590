// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Each line is appended by a single write.
#include "batch/journal.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <thread>

#include "device/files.hpp"
#include "io/target.hpp"
#include "text/system_reason.hpp"

namespace sfumato {
namespace {

namespace fs = std::filesystem;
using State = PriorResult::State;

// Identifies a source under one recipe.
std::string key_of(const fs::path& place, std::int64_t frame, const std::string& recipe_hash) {
  return place.string() + '\0' + std::to_string(frame) + '\0' + recipe_hash;
}

// Identifies one version of it and of its role pictures.
std::string key_of(const std::string& source, const FileStamp& stamp, const std::string& roles) {
  return source + '\0' + std::to_string(stamp.size) + '\0' + std::to_string(stamp.time) + '\0' +
         roles;
}

// 0 unless the source is one of several in its file (not a sequence's), or -1 all of them.
std::int64_t frame_of(const BatchItem& item) {
  if (item.source.joined) return -1;
  return item.source.is_numbered() ? item.source.frame.value_or(0) : 0;
}

// Opens another shard's journal briefly; locks it unless a program holds it.
class Borrowed {
 public:
  Borrowed(const fs::path& journal, int flags)
      : descriptor_(::open(journal.c_str(), flags | O_CLOEXEC | O_NOFOLLOW)),
        locked_(descriptor_ >= 0 && ::flock(descriptor_, LOCK_EX | LOCK_NB) == 0) {}
  ~Borrowed() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  Borrowed(const Borrowed&) = delete;
  Borrowed& operator=(const Borrowed&) = delete;

  int descriptor() const { return descriptor_; }
  bool is_locked() const { return locked_; }
  bool is_held() const { return descriptor_ >= 0 && !locked_; }

 private:
  int descriptor_;
  bool locked_;
};

// The last plan in a shard's journal under this recipe; `inputs` is empty if there is none.
JournalLine last_plan(const fs::path& journal, const std::string& recipe) {
  JournalLine said;
  read_journal(journal, [&](const JournalLine& line) {
    if (line.state == "plan" && line.recipe == recipe) said = line;
  });
  return said;
}

Message inputs_message(std::int64_t count) {
  if (count == 1) return message({"batch.one_input", "{count} input"}, count);
  return message({"batch.inputs", "{count} inputs"}, count);
}

Message shard_of_others(const fs::path& file, std::int64_t before, std::int64_t now) {
  if (before == now) {
    return message({"batch.shard_of_others",
                    "{file}: this shard was made from {before}, but these are different ones, so "
                    "that some would be left out; give the same inputs or, if they have really "
                    "changed, run once without --shard and with --resume"},
                   file.string(), inputs_message(before));
  }
  return message({"batch.shard_of_more",
                  "{file}: this shard was made from {before}, but now there are {count}, so that "
                  "some would be left out; give the same inputs or, if they have really changed, "
                  "run once without --shard and with --resume"},
                 file.string(), inputs_message(before), now);
}

}  // namespace

Journal::Journal(const fs::path& folder, int shard, int shards, JournalOptions options)
    // The slash at the end gives "out" and "out/" the same form.
    : folder_((fs::absolute(folder) / "").lexically_normal().parent_path()),
      path_(folder_ / journal_name(shard, shards)),
      shards_(shards),
      options_(std::move(options)) {
  const std::vector<fs::path> files = journals();
  if (!files.empty() && files.back() == path_ && !options_.only_look) {
    open();
    read_ = true;
  }
  for (const fs::path& file : files) {
    const bool torn = read_journal(file, [&](const JournalLine& line) { take(line, file); });
    if (file == path_) torn_ = torn;
  }
}

Journal::~Journal() {
  if (descriptor_ >= 0) ::close(descriptor_);  // which also releases the lock
}

// Our own comes last, so that its lines override those of other shards.
std::vector<fs::path> Journal::journals() const {
  std::error_code error;
  std::vector<fs::path> files;
  for (fs::directory_iterator at(folder_, error), end; !error && at != end; at.increment(error)) {
    std::error_code unknown;
    const bool ordinary = fs::is_regular_file(at->symlink_status(unknown));
    if (is_journal(at->path()) && ordinary) files.push_back(at->path());
  }
  std::sort(files.begin(), files.end());
  std::stable_partition(files.begin(), files.end(),
                        [this](const fs::path& file) { return file != path_; });
  return files;
}

void Journal::open() {
  if (descriptor_ >= 0) return;
  files::check_links(folder_);
  files::make_folder(folder_);
  descriptor_ = open_to_append(path_);
  const int error = errno;
  std::error_code unknown;
  const fs::file_status there = fs::symlink_status(path_, unknown);
  if (descriptor_ < 0 && fs::exists(there) && !fs::is_regular_file(there)) {
    throw FileError(message({"journal.not_ordinary",
                             "{file}: this is not an ordinary file, and cannot be a journal; "
                             "remove it"},
                            path_.string()));
  }
  if (descriptor_ < 0) {
    throw FileError(message({"journal.not_made",
                             "{file}: the journal cannot be written ({reason}); choose a folder "
                             "that you may write to"},
                            path_.string(), system_reason(error)));
  }
  const auto end = std::chrono::steady_clock::now() + options_.patience;
  while (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    const bool given_up = options_.given_up && options_.given_up();
    if (!given_up && std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      continue;
    }
    ::close(descriptor_);
    descriptor_ = -1;
    throw BatchError(
        message({"batch.folder_in_use",
                 "{folder}: another batch is running in this folder; wait until it ends"},
                folder_.string()));
  }
  // The directory entry of a new journal must survive a power cut, too.
  const int folder = ::open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return;
  ::fsync(folder);
  ::close(folder);
}

// Whether our journal got its first lines, from another program, after journals were read.
bool Journal::is_stale() const {
  struct stat there {};
  return !read_ && ::fstat(descriptor_, &there) == 0 && there.st_size > 0;
}

bool Journal::hold() {
  const std::lock_guard lock(mutex_);
  try {
    open();
  } catch (const FileError&) {
    return true;
  }
  if (is_stale()) return false;
  read_ = true;
  return true;
}

void Journal::take(const JournalLine& line, const fs::path& file) {
  if (line.state == "plan") return;
  const auto target = target_of(line, folder_, places_);
  if (!target) return;
  if (line.state == "begun") {
    open_[file].insert(*target);
    if (line.file_id.empty()) return;  // nothing of it was made yet
  } else {
    open_[file].erase(*target);
  }
  const bool done = line.state == "done";
  const fs::path source = places_.of(line.source);
  const std::string of = key_of(source, line.frame, line.recipe),
                    key = key_of(of, line.stamp, line.roles);
  Record& record = known_[key];
  if (record.target != *target) record = {};
  record.target = *target;
  if (!line.source_file_id.empty()) record.source_file_id = line.source_file_id;
  OutputRecord& made = made_[places_.of(*target)];
  if (!done && line.state != "begun") {
    // Its temporary is gone, and another file may get the same mark; an earlier output may still
    // exist.
    record.file_id.clear();
    if (made.source == source) made.file_id.clear();
    record.state = record.output && is_unchanged(record) ? State::done : State::failed;
    return;
  }
  record.state = done ? State::done : State::started;
  if (!line.file_id.empty()) {
    record.file_id = line.file_id;
    record.replaced = line.replaced;
  }
  if (done) record.work = {line.seconds, line.device, line.warnings};
  if (line.output) {
    record.output = line.output;
    record.file_id.clear();  // a file that is overwritten later would keep it
  }
  latest_[of] = key;
  made.key = key;
  made.source = source;
  made.frame = line.frame;
  made.file_id = record.file_id;
  made.done = made.done || done;
}

PriorResult Journal::recall(const BatchItem& item, const std::string& recipe_hash) const {
  const std::lock_guard lock(mutex_);
  PriorResult earlier;
  const fs::path source = places_.of(item.source.path);
  const auto made = made_.find(places_.of(item.target));
  earlier.taken = made != made_.end() && !made->second.source.empty() &&
                  (made->second.source != source || made->second.frame != frame_of(item));
  const std::string of = key_of(source, frame_of(item), recipe_hash);
  const auto found = known_.find(key_of(of, item.stamp, item.roles_stamp));
  const auto latest = latest_.find(of);
  const Record* record = found != known_.end()     ? &found->second
                         : latest != latest_.end() ? &known_.at(latest->second)
                                                   : nullptr;
  if (record == nullptr) return earlier;
  // A target outside the folder counts only if the item has the same target now.
  const bool inside = *record->target.lexically_relative(folder_).begin() != "..";
  if (!inside && record->target != item.target) return earlier;
  const std::string* key = found != known_.end() ? &found->first : nullptr;
  if (places_.of(record->target) == source) {
    earlier.state = state_in_place(*record, key != nullptr);
  } else if (key != nullptr) {
    earlier.state = state_of(*record, *key);
  } else if (is_ours(*record)) {
    earlier.state = State::started;
    earlier.changed = true;
    earlier.same_file = !record->source_file_id.empty() &&
                        record->source_file_id == persistent_id_of(item.source.path);
  }
  if (earlier.state == State::unknown) return earlier;
  earlier.target = record->target;
  earlier.work = record->work;
  // A finished output is replaced only if the user wants it made again.
  earlier.ours = earlier.state == State::done || is_ours(*record);
  return earlier;
}

bool Journal::is_output(const fs::path& file) const {
  const std::lock_guard lock(mutex_);
  const fs::path place = places_.of(file);
  const auto found = made_.find(place);
  if (found == made_.end() || found->second.source == place) return false;
  const OutputRecord& made = found->second;
  return made.done || (!made.file_id.empty() && persistent_id_of(file) == made.file_id);
}

void Journal::append(const JournalLine& line, bool on_the_disk) {
  std::int64_t number = 0;
  {
    const std::lock_guard lock(mutex_);
    open();
    if (is_stale()) {
      throw BatchError(message(
          {"batch.folder_changed",
           "{folder}: another batch has run in this folder meanwhile; start this one again"},
          folder_.string()));
    }
    read_ = true;
    const std::string text = (torn_ ? "\n" : "") + printed(line) + '\n';
    const ssize_t written = ::write(descriptor_, text.data(), text.size());
    torn_ = written != static_cast<ssize_t>(text.size());
    if (torn_) fail(written < 0 ? errno : ENOSPC);
    take(line, path_);
    number = ++written_;
  }
  if (on_the_disk) sync(number);
}

void Journal::sync(std::int64_t number) {
  const std::lock_guard turn(syncing_);
  if (synced_ >= number) return;
  const std::int64_t upto = [this] {
    const std::lock_guard lock(mutex_);
    return written_;
  }();
  if (::fdatasync(descriptor_) != 0 && errno != EINVAL && errno != EROFS) fail(errno);
  synced_ = upto;
}

void Journal::fail(int error) const {
  throw FileError(message({"journal.not_written",
                           "{file}: the journal cannot be written ({reason}); make room and "
                           "resume"},
                          path_.string(), system_reason(error)));
}

JournalLine Journal::line_of(const char* state, const BatchItem& item,
                             const std::string& recipe_hash) const {
  JournalLine line;
  line.state = state;
  line.recipe = recipe_hash;
  line.source = item.source.path;
  line.stamp = item.stamp;
  line.roles = item.roles_stamp;
  line.frame = frame_of(item);
  line.target = item.target.lexically_relative(folder_);
  line.outside = line.target.empty() || *line.target.begin() == "..";
  if (line.outside) line.target = item.target;
  return line;
}

void Journal::begin(const BatchItem& item, const std::string& recipe_hash) {
  // Not flushed: only sweep() needs it, and a power cut that loses the line is likely to lose the
  // temporary, too.
  JournalLine line = line_of("begun", item, recipe_hash);
  line.source_file_id = persistent_id_of(item.source.path);
  append(line, false);
}

void Journal::made(const BatchItem& item, const std::string& recipe_hash,
                   const fs::path& temporary) {
  JournalLine line = line_of("begun", item, recipe_hash);
  line.source_file_id = persistent_id_of(item.source.path);
  line.file_id = persistent_id_of(temporary);
  if (item.replaces) line.replaced = stamp_of(item.target);
  append(line, true);
}

void Journal::end(const BatchItem& item, const std::string& recipe_hash, const ItemResult& result) {
  const bool done = result.state == ItemResult::State::done,
             failed = result.state == ItemResult::State::failed;
  JournalLine line = line_of(done ? "done" : failed ? "failed" : "cancelled", item, recipe_hash);
  line.reason = result.reason;
  line.seconds = result.seconds;
  line.device = result.device;
  line.warnings = result.warnings;
  if (done) line.output = stamp_of(item.target);
  append(line, true);
}

void Journal::agree(const BatchPlan& plan) {
  JournalLine line;
  line.state = "plan";
  line.recipe = plan.recipe_hash;
  line.shards = shards_;
  line.count = plan.count;
  line.inputs = plan.inputs_hash;
  if (shards_ > 1) check_others(line);
  if (options_.only_look) return;
  if (shards_ < 2) return free_others(line);
  append(line, true);
  try {
    check_others(line);  // another may have recorded its plan at the same moment
  } catch (const BatchError&) {
    line.inputs.clear();  // so that other shards are not bound by it
    append(line, true);
    throw;
  }
}

void Journal::check_others(const JournalLine& plan) const {
  for (const fs::path& file : journals()) {
    if (file == path_) continue;
    const JournalLine said = last_plan(file, plan.recipe);
    if (said.inputs.empty() || said.shards != plan.shards ||
        (said.inputs == plan.inputs && said.count == plan.count))
      continue;
    throw BatchError(shard_of_others(file, said.count, plan.count));
  }
}

void Journal::free_others(const JournalLine& plan) const {
  for (const fs::path& file : journals()) {
    JournalLine said = file != path_ ? last_plan(file, plan.recipe) : JournalLine();
    if (said.inputs.empty()) continue;
    const Borrowed other(file, O_RDWR | O_APPEND);
    if (!other.is_locked()) continue;
    said.inputs.clear();
    // The first newline ends a line that may be incomplete.
    const std::string text = '\n' + printed(said) + '\n';
    if (::write(other.descriptor(), text.data(), text.size()) < 0) fail(errno);
  }
}

// Targets that programs which hold other journals have started and not ended.
Journal::Targets Journal::in_work() const {
  Targets targets;
  for (const fs::path& file : journals()) {
    if (file == path_ || !Borrowed(file, O_RDONLY).is_held()) continue;
    CanonicalPaths places;
    read_journal(file, [&](const JournalLine& line) {
      const auto target = target_of(line, folder_, places);
      if (!target || line.state == "plan") return;
      if (line.state == "begun") {
        targets.insert(files::followed(*target));
      } else {
        targets.erase(files::followed(*target));
      }
    });
  }
  return targets;
}

void Journal::sweep() const {
  std::map<fs::path, fs::path> left;                   // temporaries, and their targets
  std::map<fs::path, std::vector<std::string>> names;  // by folder
  for (const auto& [file, targets] : open_) {
    for (const fs::path& target : targets) {
      const fs::path beside = files::followed(target), folder = beside.parent_path();
      const auto [at, first] = names.try_emplace(folder);
      if (first) at->second = files::temporaries_in(folder);
      for (const std::string& name : at->second) {
        if (files::is_temporary_of(name, beside)) left[folder / name] = beside;
      }
    }
  }
  if (left.empty()) return;
  // A program writes "begun" before it makes a temporary, so that those made since are seen here.
  const Targets theirs = in_work();
  for (const auto& [temporary, target] : left) {
    if (theirs.count(target) == 0) files::remove_left_over(temporary);
  }
}

std::map<fs::path, fs::path> outputs_in(const fs::path& journal) {
  std::map<fs::path, fs::path> out;
  CanonicalPaths places;
  try {
    read_journal(journal, [&](const JournalLine& line) {
      const auto target = target_of(line, journal.parent_path(), places);
      if (!target || line.state == "failed" || line.state == "plan") return;
      const fs::path source = places.of(line.source), place = places.of(*target);
      const bool made = line.state == "done" ||
                        (!line.file_id.empty() && persistent_id_of(*target) == line.file_id);
      if (made && source != place) out[place] = source;
    });
  } catch (const FileError&) {
    // An unreadable journal lists no outputs.
  }
  return out;
}

}  // namespace sfumato
