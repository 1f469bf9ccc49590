// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Renders a picture from file to file.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/plan.hpp"
#include "engine/renderer.hpp"
#include "io/io.hpp"

namespace sfumato {

/// A recipe to apply to one file, and the functions that follow its progress, which may be empty.
struct FileJob {
  std::filesystem::path input, output;
  Recipe recipe;
  ReadOptions read = {};
  WriteOptions write = {};  ///< as the user chose them; output_options() completes them
  /// Gets the warnings about the files, as in PictureInfo::warnings. Those of the renderer are in
  /// RenderReport::warnings.
  std::function<void(const Message& warning)> warn = {};
  /// `part` of the filtering is done, 0 to 1. Called many times a second.
  std::function<void(double part)> progress = {};
  /// Called many times a second, on any thread; true ends the render by Cancelled.
  std::function<bool()> cancelled = {};
  /// Called before the output is renamed into place; if it throws, no file has changed.
  std::function<void()> before_commit = {};
};

/// The options with which the job's output is created: the user's, completed by the recipe, the
/// input and `cancelled`.
WriteOptions output_options(const FileJob& job);

/// The options with which `input` is rendered: roles from their files, progress and cancelling. The
/// job and the picture must outlive them.
RenderOptions render_options(const FileJob& job, const InputPicture& input);

/// Checks both files as far as possible without loading a library. Throws FileError.
void check_files(const FileJob& job);

/// The steps of a render, for callers that do other work in between: a batch reads one picture
/// while it filters another. A step that throws ends the job: FileError, EngineError, Cancelled or
/// std::bad_alloc. A render that is destroyed before commit() leaves no file behind. One thread at
/// a time.
///
/// Pixels go through in strips, file to file, unless hold_input() was called: then filter() works
/// from memory to memory, and commit() encodes the result.
class FileRender {
 public:
  explicit FileRender(FileJob job);

  void open_input();
  void begin_output();
  /// Decodes the whole input into `memory`, whose size is changed to fit.
  void hold_input(std::vector<char> memory);
  /// Runs the recipe. If the input is held, the result goes into `memory`, resized as in
  /// hold_input().
  RenderReport filter(Renderer& renderer, std::vector<char> memory = {});
  /// Encodes the result if it is held, and renames the output into place. Throws FileError if the
  /// input was written to after it had been opened.
  void commit();

  const FileJob& job() const { return job_; }
  /// After open_input().
  const InputPicture& input() const { return *input_; }
  /// After begin_output().
  const OutputPicture& output() const { return *output_; }
  bool is_held() const { return !before_.bytes.empty() || !after_.bytes.empty(); }

  /// Memory to be reused: that of the held input after filter(), and of the held result after
  /// commit(); both after a step that threw. Empty if nothing is held.
  std::vector<char> take_input_memory();
  std::vector<char> take_output_memory();

 private:
  void stop_if_cancelled() const;
  void pass_on(const std::vector<Message>& warnings) const;
  RenderReport filter_input(Renderer& renderer, std::vector<char> memory);
  void make_layer(Renderer& renderer, const RenderOptions& options);

  FileJob job_;
  std::unique_ptr<InputPicture> input_;
  std::unique_ptr<OutputPicture> output_;  // started, not committed
  std::optional<RecipeLayer> layer_;       // of the output
  std::shared_ptr<FileLayer> held_layer_;
  HeldPicture before_, after_;
};

struct FileReport {
  PictureFormat format;  ///< the input's
  RenderReport render;
};

/// Runs all steps, in strips; the output appears whole or not at all. Throws as the steps do.
FileReport render_file(Renderer& renderer, FileJob job);

}  // namespace sfumato
