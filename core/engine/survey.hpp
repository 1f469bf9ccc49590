// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Looking at a picture before it is filtered, for filters that choose by its pixels.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "engine/pixels.hpp"
#include "engine/plan.hpp"

namespace sfumato {

/// Takes the samples that a filter wishes for out of a picture that goes by in bands, or is read.
class SurveySink final : public PixelSink {
 public:
  SurveySink(const PictureFormat& format, SurveyRequest request);
  ~SurveySink() override;

  const PictureFormat& format() const override { return format_; }
  void write(const HostView& pixels) override;

  /// Reads the rows that hold samples, from top to bottom; `tick` (may be empty) is called between
  /// them. Throws what the source or the tick throws.
  void read(PixelSource& source, const std::function<void()>& tick);

  /// What was taken, as float pixels of `channels` in `state`.
  Survey survey(const PixelState& state, int channels);

 private:
  struct Layout;

  PictureFormat format_;
  SurveyRequest request_;
  std::unique_ptr<Layout> layout_;
  std::size_t grid_ = 0;     // samples of the grid
  std::vector<int> counts_;  // windows of each kind
  std::vector<char> samples_;
};

/// What the step's filter learns from the samples of the picture that it will be given. Throws what
/// the tick throws.
std::shared_ptr<const SurveyResult> survey_step(const PlannedStep& step, SurveySink& samples,
                                                int channels, std::function<void()> tick = {});

/// Has the source keep its pixels if they are few: it will be read more than once.
void keep_if_small(PixelSource& source);

/// Shows the filter of the plan's first step what it wishes to see of `source`, and returns what it
/// learned, by step, to be handed to make_plan(); empty where it wishes for nothing. A small
/// picture is kept by the source; a large one is read from top to bottom here, and again when it is
/// filtered. Throws what the source or the tick throws.
SurveyResults survey_picture(const Plan& plan, PixelSource& source,
                             const std::function<void()>& tick = {});

}  // namespace sfumato
