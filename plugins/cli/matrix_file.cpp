// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "matrix_file.hpp"

#include <algorithm>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include "batch/inputs.hpp"
#include "image/transfer.hpp"
#include "io/io.hpp"
#include "io/target.hpp"
#include "params/suggest.hpp"
#include "params/text.hpp"
#include "text/message.hpp"

namespace sfumato::cli {
namespace {

namespace fs = std::filesystem;

constexpr int most_side = 4096;  // a larger file is refused before it is parsed as a value

std::string joined(const std::vector<std::vector<double>>& rows) {
  std::string out;
  for (const std::vector<double>& row : rows) {
    if (!out.empty()) out += "; ";
    for (std::size_t i = 0; i < row.size(); ++i) out += (i == 0 ? "" : " ") + print_number(row[i]);
  }
  return out;
}

struct Line {
  int number = 0;  // in the file, from 1
  std::string text;
};

// Those with numbers.
std::vector<Line> lines_of(const std::string& text) {
  constexpr std::string_view mark = "\xef\xbb\xbf";  // that the file is in UTF-8
  std::istringstream in(text.starts_with(mark) ? text.substr(mark.size()) : text);
  std::vector<Line> out;
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    const std::size_t first = line.find_first_not_of(" \t\r;,");
    if (first != std::string::npos && line[first] != '#') out.push_back({number, line});
  }
  return out;
}

// What lies between semicolons.
std::vector<Line> parts_of(const Line& line) {
  std::vector<Line> out;
  std::istringstream in(line.text);
  for (std::string part; std::getline(in, part, ';');) {
    const std::size_t first = part.find_first_not_of(" \t\r");
    if (first == std::string::npos) continue;
    out.push_back({line.number, part.substr(first, part.find_last_not_of(" \t\r") + 1 - first)});
  }
  return out;
}

// Semicolons separate rows where several numbers lie between two of them, as in the option's own
// notation; else numbers, as spreadsheets write them where a comma stands before decimals.
std::vector<Line> rows_of(std::vector<Line> lines) {
  std::vector<Line> parts, rows;
  bool all_have_parts = true;
  for (const Line& line : lines) {
    const bool has_parts = line.text.find(';') != line.text.npos;
    all_have_parts = all_have_parts && has_parts;
    const std::vector<Line> own = has_parts ? parts_of(line) : std::vector<Line>{};
    parts.insert(parts.end(), own.begin(), own.end());
    if (own.empty()) rows.push_back(line);
    rows.insert(rows.end(), own.begin(), own.end());
  }
  const auto has_decimal_comma = [](const Line& part) {
    return std::count(part.text.begin(), part.text.end(), ',') <= 1 &&
           part.text.find_first_of(" \t.") == part.text.npos;
  };
  if (all_have_parts && std::all_of(parts.begin(), parts.end(), has_decimal_comma)) {
    for (Line& line : lines) std::replace(line.text.begin(), line.text.end(), ',', '.');
    return lines;
  }
  const bool rows_lie_between = std::any_of(parts.begin(), parts.end(), [](const Line& part) {
    return part.text.find_first_of(" \t,") != part.text.npos;
  });
  return rows_lie_between ? rows : lines;
}

std::vector<double> numbers_of(const fs::path& path, Line line) {
  std::replace_if(
      line.text.begin(), line.text.end(),
      [](char c) { return c == ',' || c == ';' || c == '\t' || c == '\r'; }, ' ');
  std::istringstream words(line.text);
  std::vector<double> row;
  for (std::string word; words >> word;) {
    double value = 0;
    if (!parse_number(word, value)) {
      throw FileError(message({"matrix.no_number", "{file}: line {line}: {word} is no number"},
                              files::shown(path), line.number, in_quotes(word)));
    }
    row.push_back(value);
  }
  return row;
}

std::string from_text(const fs::path& path) {
  std::vector<std::vector<double>> rows;
  for (const Line& line : rows_of(lines_of(files::read_text(path)))) {
    std::vector<double> row = numbers_of(path, line);
    if (!rows.empty() && row.size() != rows.front().size()) {
      throw FileError(message(
          {"matrix.uneven", "{file}: line {line} has {count} numbers, those before it {wanted}"},
          files::shown(path), line.number, row.size(), rows.front().size()));
    }
    rows.push_back(std::move(row));
  }
  if (rows.empty()) {
    throw FileError(
        message({"matrix.empty", "{file}: there is no number in it"}, files::shown(path)));
  }
  return joined(rows);
}

std::string from_picture(const fs::path& path, bool contained) {
  ReadOptions options;
  options.contained = contained;
  options.max_pixels = std::uint64_t{most_side} * most_side;
  const auto picture = open_picture(path, options);
  HeldPicture held = read_all(*picture);
  const PictureFormat& f = held.format;
  const int colors = f.color_channels();
  std::vector<std::vector<double>> rows;
  for (int y = 0; y < f.height; ++y) {
    const auto* from = static_cast<const char*>(held.view().row(y));
    std::vector<double> row;
    for (int x = 0; x < f.width; ++x, from += f.pixel_bytes()) {
      double sum = 0;
      for (int c = 0; c < colors; ++c) {
        sum += static_cast<double>(read_sample(from + c * sample_bytes(f.type), f.type));
      }
      row.push_back(sum / colors);
    }
    rows.push_back(std::move(row));
  }
  return joined(rows);
}

}  // namespace

std::string matrix_from_file(const fs::path& path, bool contained) {
  return has_picture_extension(path) ? from_picture(path, contained) : from_text(path);
}

}  // namespace sfumato::cli
