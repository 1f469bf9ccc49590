// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Finds the files that words stand for, in an order that does not depend on the file system.
#include "batch/inputs.hpp"

#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>

#include "batch/errors.hpp"
#include "batch/journal.hpp"
#include "batch/name_patterns.hpp"
#include "io/jpeg_head.hpp"
#include "io/target.hpp"
#include "params/suggest.hpp"
#include "text/system_reason.hpp"

namespace sfumato {
namespace {

namespace fs = std::filesystem;

constexpr int deepest = 64;  // folders within folders

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

bool has_extension(const fs::path& path, const std::set<std::string>& of) {
  const std::string extension = lower(path.extension().string());
  return extension.size() > 1 && of.count(extension.substr(1)) != 0;
}

bool is_netpbm(const fs::path& path) {
  return has_extension(path, {"pbm", "pgm", "ppm", "pnm"});
}

bool is_hidden(const fs::path& path) {
  return path.filename().string().starts_with('.');
}

bool lies_below(const fs::path& path, const fs::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first ==
         folder.end();
}

// The entries of a folder, sorted by name.
std::vector<fs::directory_entry> entries_of(const fs::path& folder, std::error_code& error) {
  std::vector<fs::directory_entry> out;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    out.push_back(*at);
  }
  std::sort(out.begin(), out.end(), [](const fs::directory_entry& a, const fs::directory_entry& b) {
    return natural_less(a.path().filename().string(), b.path().filename().string());
  });
  return out;
}

// "7", "7 to 9, 12" for messages.
std::string listed(const std::vector<std::int64_t>& numbers) {
  std::string out;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t j = i;
    while (j + 1 < numbers.size() && numbers[j + 1] == numbers[j] + 1) ++j;
    out += (out.empty() ? "" : ", ") + std::to_string(numbers[i]);
    if (j > i) out += (j == i + 1 ? ", " : " to ") + std::to_string(numbers[j]);
    i = j + 1;
  }
  return out;
}

class Search {
 public:
  explicit Search(const InputQuery& request)
      : request_(request),
        output_(request.output_folder.empty() ? fs::path() : full_path(request.output_folder)) {}

  FoundInputs run() {
    for (const std::string& word : request_.words) add_word(word);
    for (const std::string& word : request_.listed) add_listed(word);
    if (request_.join) say_alone();
    return std::move(found_);
  }

 private:
  void add_word(const std::string& word) {
    known_ = false;
    any_left_out_ = false;
    made_.clear();
    add(word);
    if (!known_ && !request_.may_be_none) refuse_as_empty(word);
  }

  void add_listed(const std::string& word) {
    std::error_code error;
    FoundInput file{full_path(word), {}};
    file.named = true;
    try {
      if (fs::exists(fs::status(word, error))) return add_word(word);
      file.fault = missing(word, error);
    } catch (const BatchError& refusal) {
      file.fault = refusal.message();
    }
    add_once(file);
  }

  void add(const std::string& word) {
    std::error_code error;
    const fs::file_status status = fs::status(word, error);
    const std::error_code why = error;
    if (fs::is_directory(status)) {
      root_ = fs::weakly_canonical(word, error);
      return add_folder(full_path(word), {}, request_.recursive ? 0 : -1);
    }
    if (fs::exists(status)) return add_named(full_path(word));
    if (const auto sequence = sequence_of(word)) return add_sequence(*sequence, word);
    if (is_wild(word)) return add_pattern(word);
    if (request_.may_be_none) return;
    throw BatchError(missing(word, why));
  }

  static Message missing(const std::string& word, const std::error_code& why) {
    if (!why || why == std::errc::no_such_file_or_directory || why == std::errc::not_a_directory) {
      return message({"batch.no_input", "{input}: there is no such file or folder; check the name"},
                     files::shown(word));
    }
    return message({"batch.no_input_for",
                    "{input}: the file or folder cannot be used ({reason}); check the name"},
                   files::shown(word), system_reason(why));
  }

  void add_named(const fs::path& path) {
    FoundInput file{path, {}};
    file.named = true;
    add_file(file);
  }

  void add_file(const FoundInput& file) {
    if (!file.named && is_left_out(file.path)) {
      any_left_out_ = true;
      return;
    }
    if (!has_movie_extension(file.path)) return request_.join ? add_joined(file) : add_pages(file);
    if (!request_.movie_frames) return add_once(file);
    FoundInput frame = file;
    frame.version = version_of(file.path);
    MovieCount count;
    try {
      count = request_.movie_frames(file.path);
    } catch (const FileError& error) {
      frame.fault = error.message();
      return add_once(frame);
    }
    frame.movie = true;
    frame.joined = request_.join;
    if (frame.joined) {
      add_once(frame);
    } else {
      if (request_.page > 0) return add_numbered(frame, request_.page);
      for (std::int64_t i = 1; i <= count.pictures; ++i) add_numbered(frame, i);
    }
    if (count.fault.empty()) return;
    FoundInput damaged = file;
    damaged.fault = count.fault;
    add_once(damaged);
  }

  void add_pages(const FoundInput& file) {
    if (!may_have_pages(file.path) || (!request_.pages && request_.page == 0)) {
      return add_once(file);
    }
    FoundInput page = file;
    page.version = version_of(file.path);
    page.paged = true;
    // A file that lacks the page fails, except where several pictures are the rare case.
    const bool counted = request_.page == 0 || (request_.pages && is_netpbm(file.path));
    if (!counted) return add_numbered(page, request_.page);
    int count = 1;
    try {
      count = request_.pages(file.path);
    } catch (const FileError& error) {
      page.paged = false;
      page.fault = error.message();
      return add_once(page);
    }
    if (count <= 1) return add_once(file);
    if (request_.page > 0) return add_numbered(page, request_.page);
    for (int i = 1; i <= count; ++i) add_numbered(page, i);
  }

  // An animation as one input; other files are pictures.
  void add_joined(const FoundInput& file) {
    if (!may_be_animation(file.path) || !request_.pages) return add_once(file);
    FoundInput whole = file;
    whole.version = version_of(file.path);
    try {
      whole.joined = request_.pages(file.path) > 1;
    } catch (const FileError& error) {
      whole.fault = error.message();
    }
    add_once(whole);
  }

  void add_numbered(FoundInput picture, std::int64_t number) {
    picture.frame = number;
    add_once(picture);
  }

  bool is_left_out(const fs::path& file) {
    return (request_.left_out && request_.left_out(file)) || made_.count(places_.of(file)) != 0;
  }

  bool is_output_folder(const fs::path& folder) const {
    std::error_code error;
    return !output_.empty() && fs::equivalent(folder, output_, error);
  }

  // The entries of a folder; one that cannot be read becomes an input that fails.
  std::vector<fs::directory_entry> entries_or_fault(const fs::path& folder, const fs::path& below) {
    std::error_code error;
    auto entries = entries_of(folder, error);
    if (error && error != std::errc::no_such_file_or_directory) {
      add_fault(folder, below,
                message({"folder.not_read",
                         "{folder}: the folder cannot be read ({reason}); its pictures are left "
                         "out"},
                        folder.string(), system_reason(error)));
    }
    return entries;
  }

  void add_fault(const fs::path& path, const fs::path& below, Message fault) {
    FoundInput file{path, below};
    file.fault = std::move(fault);
    add_once(file);
  }

  // Also reads the folder's journals. Outputs whose sources are elsewhere count as ordinary
  // pictures.
  std::vector<fs::directory_entry> look_into(const fs::path& folder, const fs::path& below) {
    auto entries = entries_or_fault(folder, below);
    // The caller has read the journals of the output folder already.
    const bool own = request_.left_out && is_output_folder(folder);
    for (const fs::directory_entry& entry : entries) {
      std::error_code error;
      if (own || !is_journal(entry.path()) || !entry.is_regular_file(error)) continue;
      for (const auto& [output, source] : outputs_in(entry.path())) {
        if (lies_below(source, root_)) made_.insert(output);
      }
    }
    return entries;
  }

  void add_once(const FoundInput& file) {
    known_ = true;
    const std::int64_t whole = file.joined ? -2 : -1;  // a fault of the file is an input, too
    if (seen_.insert({file.path, file.is_numbered() ? file.frame.value_or(0) : whole}).second) {
      found_.files.push_back(file);
    }
  }

  // `depth` -1: without subfolders.
  void add_folder(const fs::path& folder, const fs::path& below, int depth) {
    for (const fs::directory_entry& entry : look_into(folder, below)) {
      if (is_hidden(entry.path())) continue;
      const bool taken = has_picture_extension(entry.path()) || has_movie_extension(entry.path());
      std::error_code error;
      if (entry.is_directory(error) && !entry.is_symlink(error)) {
        if (depth < 0 || depth >= deepest || is_output_folder(entry.path())) continue;
        add_folder(entry.path(), below / entry.path().filename(), depth + 1);
      } else if (taken && entry.is_regular_file(error)) {
        add_file({entry.path(), below});
      } else if (taken && entry.is_symlink(error) && !entry.exists(error)) {
        add_fault(entry.path(), below,
                  message({"link.leads_nowhere",
                           "{file}: the link leads to no file; repair or remove it"},
                          entry.path().string()));
      }
    }
  }

  void add_sequence(const Sequence& sequence, const std::string& word) {
    const fs::path folder = full_path(sequence.folder);
    std::vector<FoundInput> frames;
    for (const fs::directory_entry& entry : entries_or_fault(folder, {})) {
      const auto frame = frame_in(entry.path().filename().string(), sequence);
      const bool wanted = frame && (!sequence.range || (*frame >= sequence.range->first &&
                                                        *frame <= sequence.range->second));
      if (wanted) frames.push_back({entry.path(), {}, frame});
    }
    std::sort(frames.begin(), frames.end(), [](const FoundInput& a, const FoundInput& b) {
      return a.frame != b.frame ? a.frame < b.frame : a.path < b.path;
    });
    for (FoundInput& frame : frames) {
      frame.named = true;
      add_once(frame);
    }
    if (sequence.range && !frames.empty()) tell_missing(sequence, frames, word);
  }

  void tell_missing(const Sequence& sequence, const std::vector<FoundInput>& frames,
                    const std::string& word) {
    std::vector<std::int64_t> missing;
    std::size_t at = 0;
    for (std::int64_t n = sequence.range->first; n <= sequence.range->second; ++n) {
      while (at < frames.size() && *frames[at].frame < n) ++at;
      if (at == frames.size() || *frames[at].frame != n) missing.push_back(n);
      if (missing.size() > 1000) break;
    }
    if (!missing.empty()) {
      found_.warnings.push_back(message({"frames.missing", "{input}: frames are missing: {frames}"},
                                        in_quotes(word), listed(missing)));
    }
  }

  void add_pattern(const std::string& word) {
    const Pattern pattern = pattern_of(word);
    std::error_code error;
    root_ = fs::weakly_canonical(pattern.folder, error);
    match(pattern.folder, {}, pattern.names, 0, 0);
  }

  void match(const fs::path& folder, const fs::path& below, const std::vector<std::string>& names,
             std::size_t at, int depth) {
    if (at >= names.size() || depth > deepest) return;
    const bool any_depth = names[at] == "**";
    if (any_depth) match(folder, below, names, at + 1, depth);
    for (const fs::directory_entry& entry : look_into(folder, below)) {
      const std::string name = entry.path().filename().string();
      std::error_code error;
      const bool is_folder = entry.is_directory(error);
      if (any_depth) {
        if (is_folder && !entry.is_symlink(error) && !is_hidden(name) &&
            !is_output_folder(entry.path())) {
          match(entry.path(), below / name, names, at, depth + 1);
        }
        continue;
      }
      if (!fits_pattern(name, names[at])) continue;
      if (is_folder) {
        if (is_wild(names[at]) && is_output_folder(entry.path())) continue;
        match(entry.path(), below / name, names, at + 1, depth + 1);
      } else if (at + 1 == names.size()) {
        add_file({entry.path(), below});
      }
    }
  }

  // Of pictures, there is nothing to join.
  void say_alone() {
    const auto alone = std::count_if(found_.files.begin(), found_.files.end(),
                                     [](const auto& f) { return !f.joined && f.fault.empty(); });
    if (alone == 0) return;
    found_.warnings.push_back(
        alone == 1 ? message({"batch.one_alone",
                              "1 input is a single picture; it is written as one, not as an "
                              "animation"})
                   : message({"batch.alone",
                              "{count} inputs are single pictures; they are written as such, not "
                              "as animations"},
                             alone));
  }

  [[noreturn]] void refuse_as_empty(const std::string& word) const {
    std::error_code error;
    if (any_left_out_) {
      throw BatchError(message({"batch.only_outputs",
                                "{input}: all pictures there are outputs of earlier batches of "
                                "this folder; name the files themselves to filter them again"},
                               in_quotes(word)));
    }
    if (fs::is_directory(word, error)) {
      if (request_.recursive) {
        throw BatchError(
            message({"batch.no_pictures", "{input}: there are no pictures in this folder"},
                    in_quotes(word)));
      }
      throw BatchError(message({"batch.no_pictures_here",
                                "{input}: there are no pictures in this folder; search its "
                                "subfolders too (--recursive)"},
                               in_quotes(word)));
    }
    throw BatchError(
        message({"batch.no_match", "{input}: no file matches this name"}, in_quotes(word)));
  }

  const InputQuery& request_;
  fs::path output_;
  FoundInputs found_;
  std::set<std::pair<fs::path, std::int64_t>> seen_;
  CanonicalPaths places_;
  fs::path root_;            // where the current word searches, links followed
  std::set<fs::path> made_;  // outputs that earlier runs made of files there
  bool known_ = false;       // the current word matches a file, perhaps one that was found before
  bool any_left_out_ = false;
};

}  // namespace

FoundInputs find_inputs(const InputQuery& request) {
  return Search(request).run();
}

fs::path searched_folder(const std::string& word) {
  std::error_code error;
  if (fs::is_directory(word, error)) return full_path(word);
  if (fs::exists(word, error)) return {};
  if (const auto sequence = sequence_of(word)) return full_path(sequence->folder);
  return is_wild(word) ? pattern_of(word).folder : fs::path();
}

const std::set<std::string>& picture_extensions() {
  static const std::set<std::string> all = {
      "png", "apng", "jpg", "jpeg", "jpe", "jfif", "mpo", "tif", "tiff", "exr", "webp", "pfm",
      "ppm", "pgm", "pnm", "pbm", "hdr", "rgbe", "heic", "heif", "avif", "gif", "bmp", "dib", "psd",
      "psb", "dpx", "cin", "tga", "jp2", "jpf", "jpx", "j2k", "j2c", "jpc", "dds", "fits", "fit",
      "fts", "ico", "sgi", "rgb", "rgba", "bw", "pic", "iff", "rla",
      // Of cameras.
      "3fr", "arw", "cap", "cr2", "cr3", "crw", "dcr", "dng", "erf", "fff", "iiq", "k25", "kdc",
      "mef", "mos", "mrw", "nef", "nrw", "orf", "pef", "ptx", "raf", "raw", "rw2", "rwl", "rwz",
      "sr2", "srf", "srw", "x3f"};
  return all;
}

const std::set<std::string>& movie_extensions() {
  static const std::set<std::string> all = {"mp4", "mov", "mkv",  "avi", "webm",
                                            "m4v", "mpg", "mpeg", "mxf"};
  return all;
}

bool has_picture_extension(const fs::path& path) {
  return has_extension(path, picture_extensions());
}

bool has_movie_extension(const fs::path& path) {
  return has_extension(path, movie_extensions());
}

bool may_be_animation(const fs::path& path) {
  static const std::set<std::string> all = {"gif", "webp", "png", "apng"};
  return has_extension(path, all);
}

bool may_have_pages(const fs::path& path) {
  static const std::set<std::string> all = {"tif",  "tiff", "gif",  "webp", "png", "apng",
                                            "heic", "heif", "avif", "psd",  "psb", "ico",
                                            "mpo",  "fits", "fit",  "fts"};
  static const std::set<std::string> jpeg = {"jpg", "jpeg", "jpe", "jfif"};
  return has_extension(path, all) || is_netpbm(path) ||
         (has_extension(path, jpeg) && files::has_picture_index(path));
}

}  // namespace sfumato
