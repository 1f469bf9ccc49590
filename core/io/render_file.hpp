// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The one way of a picture from file to file.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/renderer.hpp"
#include "io/io.hpp"

namespace sfumato {

/// A recipe to be applied to one file, and who follows how it goes. Functions may be empty.
struct FileJob {
  std::filesystem::path input, output;
  Recipe recipe;
  ReadOptions read = {};
  WriteOptions write = {};  ///< as the user chose them; output_options() completes them
  /// Hears what the files say of themselves, as in PictureInfo::warnings. What the renderer has
  /// to say is in RenderReport::warnings.
  std::function<void(const Message& warning)> warn = {};
  /// `part` of the filtering, 0 to 1; many times a second.
  std::function<void(double part)> progress = {};
  /// Asked many times a second, on any thread; true ends the render by Cancelled.
  std::function<bool()> cancelled = {};
  /// Called before the output takes its name; what it throws leaves everything as it was.
  std::function<void()> before_commit = {};
};

/// The options that the job's output is created with: the user's, with what recipe, input and
/// cancelling add to them.
WriteOptions output_options(const FileJob& job);

/// Throws FileError for what can be told of the two files without loading a library.
void check_files(const FileJob& job);

/// The steps of the way, for those who do other work between them: a batch reads one picture while
/// it filters another. Each step throws what ends the job: FileError, EngineError, Cancelled,
/// std::bad_alloc. A render that is destroyed before commit() leaves nothing behind. One thread at
/// a time.
///
/// Pixels go through in strips, file to file, unless hold_input() was called: then filter() works
/// from memory to memory, and commit() encodes the result.
class FileRender {
 public:
  explicit FileRender(FileJob job) : job_(std::move(job)) {}

  void open_input();
  void begin_output();
  /// Decodes the whole input into `memory`, whose size is changed to fit.
  void hold_input(std::vector<char> memory);
  /// Runs the recipe. `memory` as in hold_input(), for the result of a picture that is held.
  RenderReport filter(Renderer& renderer, std::vector<char> memory = {});
  /// Encodes the result where it is held, and gives the output its name.
  void commit();

  const FileJob& job() const { return job_; }
  /// After open_input().
  const InputPicture& input() const { return *input_; }
  /// After begin_output().
  const OutputPicture& output() const { return *output_; }
  bool is_held() const { return !before_.bytes.empty() || !after_.bytes.empty(); }

  /// The memory of what is held and needed no more: the input's after filter(), the result's after
  /// commit(), both where the render has ended. Empty where there is none.
  std::vector<char> take_input_memory();
  std::vector<char> take_output_memory();

 private:
  void stop_if_cancelled() const;
  void pass_on(const std::vector<Message>& warnings) const;

  FileJob job_;
  std::unique_ptr<InputPicture> input_;
  std::unique_ptr<OutputPicture> output_;  // started, not committed
  HeldPicture before_, after_;
};

struct FileReport {
  PictureFormat format;  ///< the input's
  RenderReport render;
};

/// All steps one after the other, in strips; the output appears whole or not at all. Throws as they
/// do.
FileReport render_file(Renderer& renderer, FileJob job);

}  // namespace sfumato
