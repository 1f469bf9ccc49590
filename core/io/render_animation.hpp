// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Renders all pictures of an animation or a movie into one file.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "io/animation_output.hpp"
#include "io/movie.hpp"
#include "io/render_file.hpp"

namespace sfumato {

/// The steps of such a render, as those of FileRender; one picture is encoded while the next is
/// filtered. `job.output` names an animation's format; job.read.page and job.read.frame are not
/// used. A movie's sound is taken over, as is how long each picture is shown. One thread at a time.
class AnimationRender {
 public:
  /// `is_movie`: read by Movies, else by the file module.
  AnimationRender(FileJob job, bool is_movie);

  /// Opens the first picture and finds out how many there are.
  void open_input();
  void begin_output();
  /// Runs the recipe on each picture. The report is the last one's, its warnings are those of all,
  /// once.
  RenderReport filter(Renderer& renderer);
  void commit();

  const FileJob& job() const { return job_; }
  /// The first picture, from open_input() to filter().
  const InputPicture& input() const { return *first_; }
  /// After begin_output().
  const AnimationOutput& output() const { return *output_; }
  std::int64_t pictures() const { return times_.pictures; }

 private:
  std::unique_ptr<InputPicture> open(std::int64_t number) const;
  double start_of(std::int64_t number) const;
  void stop_if_cancelled() const;
  void pass_on(const std::vector<Message>& warnings) const;

  FileJob job_;
  bool is_movie_;
  std::optional<FileVersion> version_;
  MovieCount times_;  // of an animation, too
  double step_ = 0;   // seconds; 0: they differ
  std::unique_ptr<InputPicture> first_;
  std::unique_ptr<AnimationOutput> output_;
};

}  // namespace sfumato
