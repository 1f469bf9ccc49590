// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Lines are not trusted when they are read: anyone may have written them.
#include "batch/journal_line.hpp"

#include <ext/stdio_filebuf.h>

#include <cerrno>
#include <charconv>
#include <istream>
#include <nlohmann/json.hpp>
#include <system_error>

#include "device/files.hpp"
#include "io/io.hpp"
#include "text/message_json.hpp"
#include "text/system_reason.hpp"

namespace sfumato {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr char journal_stem[] = "sfumato-batch";
constexpr char ending[] = ".jsonl";
constexpr std::size_t longest_line = 1 << 20;

// Names need not be UTF-8: bytes that are not ASCII, and "%", are kept as %XX.
std::string as_text(const std::string& bytes) {
  std::string out;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80 && c != '%') {
      out += c;
      continue;
    }
    char hex[4];
    std::snprintf(hex, sizeof hex, "%%%02X", byte);
    out += hex;
  }
  return out;
}

std::string as_bytes(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned byte = 0;
    const char* const digits = text.data() + i + 1;
    if (text[i] == '%' && i + 2 < text.size() &&
        std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2) {
      out += static_cast<char>(byte);
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

// A path relative to a folder; empty if it is not below the folder.
fs::path below(const fs::path& path, const fs::path& folder) {
  const fs::path rest = path.lexically_relative(folder);
  return rest.empty() || *rest.begin() == ".." || rest == "." ? fs::path() : rest;
}

// Older journals have only the sentences.
std::vector<Message> warnings_in(const ordered_json& said) {
  if (const auto at = said.find("warning_messages"); at != said.end()) {
    if (auto messages = messages_of_json(*at)) return std::move(*messages);
  }
  std::vector<Message> out;
  const auto at = said.find("warnings");
  if (at == said.end() || !at->is_array()) return out;
  for (const auto& warning : *at) {
    if (warning.is_string()) out.push_back(foreign_message(warning.get<std::string>()));
  }
  return out;
}

// The values of a line by name; empty or 0 if they are missing or of another type.
struct Fields {
  std::string text(const char* name) const {
    const auto at = said.find(name);
    return at != said.end() && at->is_string() ? at->get<std::string>() : std::string();
  }
  bool flag(const char* name) const {
    const auto at = said.find(name);
    return at != said.end() && at->is_boolean() && at->get<bool>();
  }
  std::int64_t number(const char* name) const {
    const auto at = said.find(name);
    return at != said.end() ? whole(*at) : 0;
  }
  double real(const char* name) const {
    const auto at = said.find(name);
    return at != said.end() && at->is_number() ? at->get<double>() : 0;
  }
  std::optional<FileStamp> stamp(const char* name) const {
    const auto at = said.find(name);
    if (at == said.end() || !at->is_array() || at->size() != 2) return std::nullopt;
    return FileStamp{static_cast<std::uintmax_t>(whole((*at)[0])), whole((*at)[1])};
  }
  static std::int64_t whole(const ordered_json& value) {
    return value.is_number_integer() ? value.get<std::int64_t>() : 0;
  }

  ordered_json said;
};

std::optional<JournalLine> parsed(const std::string& text_of_line) {
  const Fields fields{ordered_json::parse(text_of_line, nullptr, false)};
  if (!fields.said.is_object()) return std::nullopt;
  JournalLine line;
  line.state = fields.text("state");
  line.recipe = fields.text("recipe");
  if (line.state == "plan") {
    const std::int64_t shards = fields.number("shards");
    line.shards = shards > 0 && shards < 10'000'000 ? static_cast<int>(shards) : 0;
    line.count = fields.number("count");
    line.inputs = fields.text("inputs");
    return line;
  }
  line.source = as_bytes(fields.text("source"));
  line.target = as_bytes(fields.text("target"));
  line.outside = fields.flag("outside");
  line.frame = fields.number("frame");
  line.stamp = {static_cast<std::uintmax_t>(fields.number("size")), fields.number("time")};
  line.file_id = fields.text("mark");
  line.replaced = fields.stamp("replaced");
  line.output = fields.stamp("output");
  line.source_file_id = fields.text("source_mark");
  line.roles = fields.text("roles");
  line.device = fields.text("device");
  line.seconds = fields.real("seconds");
  line.warnings = warnings_in(fields.said);
  if (line.source.empty() || line.target.empty()) return std::nullopt;
  return line;
}

}  // namespace

fs::path CanonicalPaths::of(const fs::path& path) {
  const fs::path whole = fs::absolute(path).lexically_normal();
  const fs::path folder = whole.parent_path();
  const auto [at, first] = folders_.try_emplace(folder);
  if (first) {
    std::error_code error;
    at->second = fs::weakly_canonical(folder, error);
    if (error) at->second = folder;
  }
  return at->second / whole.filename();
}

std::string printed(const JournalLine& line) {
  const auto stamp = [](const FileStamp& of) { return ordered_json::array({of.size, of.time}); };
  ordered_json out{{"state", line.state}};
  if (line.state == "plan") {
    out["recipe"] = line.recipe;
    out["shards"] = line.shards;
    out["count"] = line.count;
    out["inputs"] = line.inputs;
  } else {
    out["source"] = as_text(line.source.string());
    out["size"] = line.stamp.size;
    out["time"] = line.stamp.time;
    out["recipe"] = line.recipe;
    out["target"] = as_text(line.target.string());
    if (line.outside) out["outside"] = true;
    if (line.frame != 0) out["frame"] = line.frame;
    if (!line.source_file_id.empty()) out["source_mark"] = line.source_file_id;
    if (!line.roles.empty()) out["roles"] = line.roles;
    if (!line.file_id.empty()) out["mark"] = line.file_id;
    if (line.replaced) out["replaced"] = stamp(*line.replaced);
    if (line.output) out["output"] = stamp(*line.output);
    if (!line.reason.empty()) {
      out["reason"] = in_english(line.reason);
      out["reason_message"] = json_of(line.reason);
    }
    if (line.state == "done") {
      out["seconds"] = line.seconds;
      out["device"] = line.device;
      if (!line.warnings.empty()) {
        out["warnings"] = in_english(line.warnings);
        out["warning_messages"] = json_of(line.warnings);
      }
    }
  }
  return out.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

bool read_journal(const fs::path& file, const std::function<void(const JournalLine&)>& take) {
  // What reads it closes it.
  __gnu_cxx::stdio_filebuf<char> content(open_ordinary(file), std::ios::in);
  if (!content.is_open()) {
    throw FileError(message({"journal.not_read", "{file}: the journal cannot be read ({reason})"},
                            file.string(), system_reason(errno)));
  }
  std::istream stream(&content);
  bool torn = false;
  for (std::string text; std::getline(stream, text);) {
    torn = stream.eof();
    if (text.empty() || text.size() > longest_line) continue;
    if (const auto line = parsed(text)) take(*line);
  }
  return torn;
}

std::optional<fs::path> target_of(const JournalLine& line, const fs::path& folder,
                                  CanonicalPaths& places) {
  if (line.target.is_relative()) {
    const fs::path rest = below((folder / line.target).lexically_normal(), folder);
    return rest.empty() ? std::nullopt : std::optional(folder / rest);
  }
  fs::path rest = below(line.target.lexically_normal(), folder);
  if (rest.empty()) rest = below(places.of(line.target), places.of(folder / "x").parent_path());
  if (!rest.empty()) return folder / rest;
  return line.outside ? std::optional(line.target.lexically_normal()) : std::nullopt;
}

bool is_journal(const fs::path& path) {
  const std::string name = path.filename().string();
  return name.starts_with(journal_stem) && name.ends_with(ending);
}

std::string journal_name(int shard, int shards) {
  std::string name = journal_stem;
  if (shards > 1) name += "." + std::to_string(shard) + "-of-" + std::to_string(shards);
  return name + ending;
}

}  // namespace sfumato
