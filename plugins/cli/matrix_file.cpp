// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "matrix_file.hpp"

#include <algorithm>
#include <sstream>
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

std::vector<double> numbers_of(const fs::path& path, std::string line, int number) {
  std::replace_if(
      line.begin(), line.end(),
      [](char c) { return c == ',' || c == ';' || c == '\t' || c == '\r'; }, ' ');
  std::istringstream words(line);
  std::vector<double> row;
  for (std::string word; words >> word;) {
    double value = 0;
    if (!parse_number(word, value)) {
      throw FileError(message({"matrix.no_number", "{file}: line {line}: {word} is no number"},
                              files::shown(path), number, in_quotes(word)));
    }
    row.push_back(value);
  }
  return row;
}

std::string from_text(const fs::path& path) {
  std::istringstream lines(files::read_text(path));
  std::vector<std::vector<double>> rows;
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first == std::string::npos || line[first] == '#') continue;
    std::vector<double> row = numbers_of(path, line, number);
    if (row.empty()) continue;
    if (!rows.empty() && row.size() != rows.front().size()) {
      throw FileError(message(
          {"matrix.uneven", "{file}: line {line} has {count} numbers, those before it {wanted}"},
          files::shown(path), number, row.size(), rows.front().size()));
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
  check_input(path);
  return has_picture_extension(path) ? from_picture(path, contained) : from_text(path);
}

}  // namespace sfumato::cli
