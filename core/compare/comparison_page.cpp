// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The page in HTML: all pictures are within it.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "compare/comparison_report.hpp"
#include "compare/markup.hpp"
#include "io/target.hpp"
#include "text/system_reason.hpp"

namespace sfumato {
namespace {

namespace fs = std::filesystem;

// For the files of one page.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "sfumato-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) {
      throw FileError(message({"file.no_temporary_folder",
                               "{folder}: no folder for temporary files can be made ({reason})"},
                              files::shown(fs::temp_directory_path()), system_reason(errno)));
    }
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code error;
    fs::remove_all(path_, error);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

std::string data_address(const HeldPicture& picture, const TemporaryFolder& folder, bool exact) {
  if (picture.bytes.empty()) return {};
  const fs::path file = folder.path() / (exact ? "picture.png" : "picture.jpg");
  WriteOptions options;
  options.overwrite = true;
  options.quality = 92;
  const auto out = create_picture(file, options, picture.format);
  out->write(picture.view());
  out->commit();
  std::ifstream in(file, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(in)), {});
  return (exact ? "data:image/png;base64," : "data:image/jpeg;base64,") + base64(bytes);
}

// What the page's script reads.
std::string pictures_of(const ComparisonRun& run, const Grid& grid) {
  const TemporaryFolder folder;
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < grid.variants.size(); ++i) {
    const ComparedVariant& result = run.results()[i];
    if (grid.variants[i].left_out) continue;
    all.push_back({{"title", grid.variants[i].title},
                   {"whole", data_address(result.whole, folder, false)},
                   {"detail", data_address(result.detail, folder, true)},
                   {"difference", data_address(result.whole_difference, folder, false)}});
  }
  // No text within it ends the script.
  std::string text = all.dump();
  for (std::size_t at = text.find("</"); at != text.npos; at = text.find("</", at + 3)) {
    text.replace(at, 2, "<\\/");
  }
  return text;
}

std::string table_of(const ComparisonRun& run, const Grid& grid, const Words& words) {
  const auto head = [&](const Message& title) { return "<th>" + escaped(words(title)); };
  std::string out = "<table><thead><tr>" + head(message({"page.variant", "variant"})) +
                    head(message({"page.time", "time"})) + head(message({"page.first", "first"})) +
                    "<th>PSNR" + head(message({"page.largest", "largest difference"})) +
                    head(message({"page.computed", "computed"})) + "</tr></thead><tbody>\n";
  for (std::size_t i = 0; i < grid.variants.size(); ++i) {
    const ComparedVariant& r = run.results()[i];
    if (grid.variants[i].left_out) continue;
    const auto cell = [](const std::string& text) { return "<td>" + escaped(text); };
    out += "<tr><th>" + escaped(grid.variants[i].title) + cell(time_text(r.seconds())) +
           cell(time_text(r.first_seconds)) +
           cell(r.difference ? psnr_text(*r.difference, words) : std::string("-")) +
           cell(r.difference ? largest_text(*r.difference, words) : std::string("-")) +
           cell(r.explained.empty() ? std::string() : words(r.explained)) + "</tr>\n";
  }
  return out + "</tbody></table>\n";
}

// The lists of variants, and of what is shown of them: differences, if there are some.
std::string choices_of(const ComparisonRun& run, const Words& words) {
  const auto list = [&](const char* id, const Message& label, const std::string& options) {
    return "<label>" + escaped(words(label)) + " <select id=\"" + id + "\">" + options +
           "</select></label>\n";
  };
  const auto option = [&](const char* value, const Message& label) {
    return std::string("<option value=\"") + value + "\">" + escaped(words(label)) + "</option>\n";
  };
  std::string kinds = option("whole", message({"page.whole", "whole picture"})) +
                      option("detail", message({"sheet.detail", "detail"}));
  const auto& results = run.results();
  if (std::any_of(results.begin(), results.end(),
                  [](const ComparedVariant& r) { return !r.whole_difference.bytes.empty(); })) {
    kinds += option("difference", message({"sheet.difference", "difference"}));
  }
  return "<div class=\"choice\">" + list("left", message({"page.left", "left"}), {}) +
         list("right", message({"page.right", "right"}), {}) +
         list("kind", message({"page.shown", "shown"}), kinds) + "</div>\n";
}

constexpr const char* style = R"(
:root{color-scheme:light dark;--paper:#fafafa;--ink:#1a1a1f;--dim:#5d5d66;--line:#d9d9df}
@media (prefers-color-scheme:dark){:root{--paper:#1c1c20;--ink:#ececf0;--dim:#a2a2ac;--line:#3a3a42}}
body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:72rem;padding:0 1.5rem;
background:var(--paper);color:var(--ink)}
h1{font-size:1.5rem;margin:0 0 .3rem}p{margin:.1rem 0;color:var(--dim)}
.choice{display:flex;flex-wrap:wrap;gap:.5rem 1.5rem;margin:1.2rem 0 .6rem}
select{font:inherit;padding:.15rem .4rem}
.pair{position:relative;display:block;width:fit-content;max-width:100%;line-height:0;
overflow:hidden;border:1px solid var(--line);touch-action:none;cursor:ew-resize}
.pair img{display:block;max-width:100%;height:auto;user-select:none}
.pair .over{position:absolute;inset:0;clip-path:inset(0 0 0 var(--at,50%))}
.pair .over img{width:100%}
.pair .bar{position:absolute;top:0;bottom:0;left:var(--at,50%);width:2px;margin-left:-1px;
background:#fff;box-shadow:0 0 3px #000}
input[type=range]{width:100%;margin:.5rem 0 1rem}
table{border-collapse:collapse;margin-top:1.5rem;width:100%}
th,td{text-align:left;padding:.3rem .8rem .3rem 0;border-bottom:1px solid var(--line)}
thead th{color:var(--dim);font-weight:normal}tbody th{font-weight:600}
)";

constexpr const char* script = R"(
const all=JSON.parse(document.getElementById('pictures').textContent);
const by=id=>document.getElementById(id);
const left=by('left'),right=by('right'),kind=by('kind'),at=by('at'),pair=by('pair');
for(const list of [left,right])all.forEach((v,i)=>list.add(new Option(v.title,i)));
right.value=all.length>1?1:0;
function show(){
  const k=kind.value,a=all[left.value],b=all[right.value];
  by('under').src=a[k]||a.whole;by('upper').src=b[k]||b.whole;
  by('under').alt=a.title;by('upper').alt=b.title;
}
function move(part){at.value=Math.round(1000*Math.min(1,Math.max(0,part)));slide();}
function slide(){pair.style.setProperty('--at',at.value/10+'%');}
function follow(e){
  if(e.type==='pointermove'&&!(e.buttons&1))return;
  const box=pair.getBoundingClientRect();move((e.clientX-box.left)/box.width);
}
pair.addEventListener('pointerdown',e=>{pair.setPointerCapture(e.pointerId);follow(e);});
pair.addEventListener('pointermove',follow);
at.addEventListener('input',slide);
for(const list of [left,right,kind])list.addEventListener('change',show);
show();slide();
)";

}  // namespace

std::string page_of(const ComparisonRun& run, const Grid& grid, const ComparisonTitle& title) {
  const Words& words = title.words;
  std::string out =
      "<!DOCTYPE html>\n<html lang=\"" + escaped(words(message({"page.language", "en"}))) +
      "\"><head><meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width\">\n<title>" +
      escaped(title.title) + "</title>\n<style>" + style + "</style></head>\n<body>\n";
  out += "<h1>" + escaped(title.title) + "</h1>\n";
  for (const std::string& note : title.notes) out += "<p>" + escaped(note) + "</p>\n";
  out += choices_of(run, words);
  out +=
      R"(<div class="pair" id="pair"><img id="under" draggable="false" alt=""><div class="over"><img id="upper"
draggable="false" alt=""></div><div class="bar"></div></div>
<input type="range" id="at" min="0" max="1000" value="500" aria-label=")";
  out += escaped(words(message({"page.begins", "where the right one begins"}))) + "\">\n";
  out += table_of(run, grid, words);
  out += "<script type=\"application/json\" id=\"pictures\">" + pictures_of(run, grid) +
         "</script>\n<script>" + script + "</script>\n</body></html>\n";
  return out;
}

}  // namespace sfumato
