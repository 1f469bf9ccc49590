// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What a batch is given, as files: folders, patterns, numbered sequences and movies.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "io/movie.hpp"

namespace sfumato {

/// One picture to filter.
struct FoundInput {
  std::filesystem::path path;   ///< absolute, without "." and ".."
  std::filesystem::path below;  ///< its folder, from the one that was given; empty for files
  std::optional<std::int64_t> frame = {};  ///< of a numbered sequence or a movie
  bool movie = false;                      ///< `frame` counts the movie's pictures, from 1
  bool named = false;  ///< itself or its sequence; else found in a folder or by a pattern
  Message fault = {};  ///< known already: why it will fail
};

struct InputQuery {
  /// Each is one of these, the first that fits:
  /// - a file that is there, whatever it is called; a movie (by its extension) is all its frames;
  /// - a folder: the pictures in it, by their extensions, in order of name; hidden ones left out;
  /// - a numbered sequence, "shot.####.exr" or "shot.%04d.exr": all numbers that are there (of at
  ///   least so many digits), or those of a range, "shot.1001-1100####.exr";
  /// - a pattern with *, ? or [a-z] in its names, ** standing for folders at any depth.
  std::vector<std::string> words;
  bool recursive = false;  ///< folders with all folders in them; links to folders are not followed
  /// Not searched where it lies in a folder that is, by whatever name: the outputs.
  std::filesystem::path output_folder = {};
  /// Whether a file that is found, not named, is left out: an output of an earlier run. May be
  /// empty: none is. What the journals of folders that are searched say was made of files below the
  /// folder that was given is left out always.
  std::function<bool(const std::filesystem::path&)> left_out = {};
  /// How many frames a movie has (Movies::count()); empty: movies are taken for pictures. A damaged
  /// one is all frames that it has, and behind them itself, as a file that fails. Throws FileError.
  std::function<MovieCount(const std::filesystem::path&)> movie_frames = {};
  bool may_be_none = false;  ///< a word may stand for nothing (yet)
  /// After the words: files and folders by their very names, never patterns or sequences. What is
  /// not there is a file that fails, and stops no other.
  std::vector<std::string> listed = {};
};

struct FoundInputs {
  std::vector<FoundInput> files;  ///< each file once, in the order of the words
  std::vector<Message> warnings;  ///< frames of a range that are not there
};

/// Throws BatchError, naming the word, for one that stands for nothing. A file that is there but
/// cannot be read, a movie too, is found all the same: its failure is the file's own. So are
/// folders that cannot be read, and links that lead nowhere but are called like pictures.
FoundInputs find_inputs(const InputQuery& request);

/// The folder that a word is, or whose files it may stand for; empty: it is a file.
std::filesystem::path searched_folder(const std::string& word);

/// Extensions of files that are taken from folders: lower case, without the dot.
const std::set<std::string>& picture_extensions();
const std::set<std::string>& movie_extensions();

/// Whether files with this name are taken from folders.
bool has_picture_extension(const std::filesystem::path& path);
bool has_movie_extension(const std::filesystem::path& path);

}  // namespace sfumato
