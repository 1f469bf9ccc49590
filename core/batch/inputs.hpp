// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The input files of a batch, from folders, patterns, numbered sequences and movies.
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
  std::filesystem::path below;  ///< its folder, relative to the searched one; empty for named files
  std::optional<std::int64_t> frame = {};  ///< of a numbered sequence, a movie, or a file of pages
  bool movie = false;                      ///< `frame` counts the movie's pictures, from 1
  bool paged = false;                      ///< `frame` counts the file's pages or frames, from 1
  bool joined = false;                     ///< all pictures of a movie or animation, in one file
  bool named = false;  ///< by itself or as a sequence; else found in a folder or by a pattern
  Message fault = {};  ///< why it will fail, if that is known already
  /// The file whose pictures were counted; all of them must come from it.
  std::optional<FileVersion> version = {};

  /// Whether it is one of several pictures in its file.
  bool is_numbered() const { return (movie || paged) && !joined; }
};

struct InputQuery {
  /// Each word is the first of these that fits:
  /// - an existing file, whatever its name; a movie (by its extension) stands for all its frames;
  /// - a folder: the pictures and movies in it (by their extensions), sorted by name, without
  ///   hidden ones;
  /// - a numbered sequence, "shot.####.exr" or "shot.%04d.exr": all frames that exist (with at
  ///   least that many digits), or those of a range, "shot.1001-1100####.exr";
  /// - a pattern with *, ? or [a-z] in its names, ** standing for folders at any depth.
  std::vector<std::string> words;
  bool recursive = false;  ///< searches subfolders, too; links to folders are not followed
  /// The folder of outputs. It is not searched when it is within a searched folder, under any name.
  std::filesystem::path output_folder = {};
  /// Whether to leave out a file that was found, not named, because an earlier run made it. Empty:
  /// leaves none out. Outputs that the journals of searched folders list are always left out if
  /// they were made from files below the given folder.
  std::function<bool(const std::filesystem::path&)> left_out = {};
  /// Counts the frames of a movie (Movies::count()). Empty: movies are treated as pictures. A
  /// damaged movie yields the frames that it has, then the movie itself as a file that fails. May
  /// throw FileError.
  std::function<MovieCount(const std::filesystem::path&)> movie_frames = {};
  /// Counts the pages or frames of a file that may have several (may_have_pages()), each of which
  /// becomes an input. Empty: a file stands for its first one. May throw FileError.
  std::function<int(const std::filesystem::path&)> pages = {};
  /// Only the picture of this number, from 1, of movies and of files with pages or frames; 0: all
  /// that the functions above count. PNM files that hold a single picture, as `pages` counts, are
  /// taken whatever the number.
  std::int64_t page = 0;
  /// Movies and animations (may_be_animation(), of which `pages` counts several frames) become one
  /// input each.
  bool join = false;
  bool may_be_none = false;  ///< a word need not match any file (yet)
  /// More files and folders, after `words`, taken literally: never as patterns or sequences. One
  /// that does not exist becomes a file that fails; the others are not affected.
  std::vector<std::string> listed = {};
};

struct FoundInputs {
  std::vector<FoundInput> files;  ///< each file once, in the order of the words
  std::vector<Message> warnings;  ///< frames that a range lacks, pictures among animations
};

/// Throws BatchError, whose text names the word, for a word that matches no file. Files and movies
/// that exist but cannot be read are found all the same, and each fails on its own later. So do
/// folders that cannot be read, and broken links with the extension of a picture or movie.
FoundInputs find_inputs(const InputQuery& request);

/// The folder that a word names or searches; empty for a file, or a name that does not exist.
std::filesystem::path searched_folder(const std::string& word);

/// Extensions of files that are taken from folders: lower case, without the dot.
const std::set<std::string>& picture_extensions();
const std::set<std::string>& movie_extensions();

/// Whether files with this name are taken from folders.
bool has_picture_extension(const std::filesystem::path& path);
bool has_movie_extension(const std::filesystem::path& path);
/// Whether a file may be an animation, by its name.
bool may_be_animation(const std::filesystem::path& path);
/// Whether a file may hold several pages or frames: by its name, or of a JPEG file by its head.
bool may_have_pages(const std::filesystem::path& path);

}  // namespace sfumato
