// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "batch/found_files.hpp"

#include <QFileInfo>
#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "document/fault.hpp"
#include "document/paths.hpp"
#include "io/movie.hpp"

namespace sfumato::gui {
namespace {

// Whether another choice may find other pictures in the file.
bool depends_on_choice(const FoundInput& input) {
  return input.movie || input.paged || input.joined || has_movie_extension(input.path) ||
         may_have_pages(input.path);
}

InputQuery query_of(const FrameChoice& frames, Movies& movies) {
  InputQuery query;
  query.join = !frames.join.isEmpty();
  query.movie_frames = [&movies](const std::filesystem::path& movie) {
    return movies.count(movie);
  };
  if (frames.pages || query.join) {
    query.pages = [](const std::filesystem::path& file) { return count_pages(file, {}); };
  }
  return query;
}

void append(FoundInputs& to, FoundInputs more) {
  std::move(more.files.begin(), more.files.end(), std::back_inserter(to.files));
  std::move(more.warnings.begin(), more.warnings.end(), std::back_inserter(to.warnings));
}

}  // namespace

QString folder_beside(const QString& folder) {
  return folder + QStringLiteral("/sfumato");
}

FoundFiles find_files(const QStringList& paths, const QString& outputs, const FrameChoice& frames) {
  FoundFiles found;
  const QFileInfo first(paths.front());
  found.folder = first.isDir() ? first.absoluteFilePath() : first.absolutePath();
  QStringList faults;
  Movies movies;
  // An invalid path does not exclude the others.
  for (const QString& path : paths) {
    try {
      InputQuery query = query_of(frames, movies);
      query.words = {native_path(path).string()};
      query.recursive = true;
      query.output_folder = native_path(outputs.isEmpty() ? folder_beside(found.folder) : outputs);
      append(found.inputs, find_inputs(query));
    } catch (const std::exception& error) {
      faults << fault_of(error);
    }
  }
  found.fault = faults.join(QLatin1Char('\n'));
  return found;
}

FoundInputs found_again(const std::vector<FoundInput>& files, const FrameChoice& frames) {
  FoundInputs found;
  std::set<std::filesystem::path> done;
  Movies movies;
  for (const FoundInput& file : files) {
    if (!depends_on_choice(file)) {
      found.files.push_back(file);
      continue;
    }
    if (!done.insert(file.path).second) continue;
    InputQuery query = query_of(frames, movies);
    query.listed = {file.path.string()};
    FoundInputs some;
    try {
      some = find_inputs(query);
    } catch (const std::exception&) {
      some.files = {file};  // fails when it is processed
    }
    for (FoundInput& input : some.files) {
      input.below = file.below;
      input.named = file.named;
    }
    append(found, std::move(some));
  }
  return found;
}

}  // namespace sfumato::gui
