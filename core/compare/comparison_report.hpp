// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What a comparison shows: as a table, a sheet, a page and charts.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "compare/chart.hpp"
#include "compare/comparison_run.hpp"
#include "compare/sheet.hpp"

namespace sfumato {

/// Makes words of a message: those of the user's language.
using Words = std::function<std::string(const Message&)>;
inline std::string english_words(const Message& sentence) {
  return in_english(sentence);
}

/// What is compared, in words.
struct ComparisonTitle {
  std::string title;               ///< "Gaussian blur"
  std::vector<std::string> notes;  ///< values, picture, device
  Words words = english_words;     ///< of all else that is written
};

/// "12.3 ms" or "1.23 s".
std::string time_text(double seconds);
/// "61.0 dB", "identical", or "-" where samples are not finite.
std::string psnr_text(const Difference& difference, const Words& words = english_words);
/// "0.0021", or how many samples are not finite.
std::string largest_text(const Difference& difference, const Words& words = english_words);

/// What stands beside a variant: its times and its error.
std::vector<std::string> notes_of(const ComparisonRun& run, std::size_t variant,
                                  const Words& words = english_words);

/// One row of variants is shown whole, in detail, and by differences, in lines of at most five; a
/// grid whole, or in detail if that was asked for, and by differences.
Sheet sheet_of(const ComparisonRun& run, const Grid& grid, const ComparisonTitle& title,
               bool detail_asked);

/// A page in HTML that needs no other file and no network: two variants with a slider between them,
/// and a table. Throws FileError.
std::string page_of(const ComparisonRun& run, const Grid& grid, const ComparisonTitle& title);

/// Time, and error if there are bases, against the grid's number: a line for each series.
std::vector<Chart> charts_of(const ComparisonRun& run, const Grid& grid,
                             const ComparisonTitle& title);

}  // namespace sfumato
