// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Surveys a picture before it is filtered, for filters that choose their method by its pixels.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "engine/pixels.hpp"
#include "engine/plan.hpp"

namespace sfumato {

/// Collects the samples that a filter requested, from bands written to it or by reading a source.
class SurveySink final : public PixelSink {
 public:
  SurveySink(const PictureFormat& format, SurveyRequest request);
  ~SurveySink() override;

  const PictureFormat& format() const override { return format_; }
  void write(const HostView& pixels) override;

  /// Reads the rows that hold samples, from top to bottom. `tick` (may be empty) is called between
  /// rows. Throws what the source or the tick throws.
  void read(PixelSource& source, const std::function<void()>& tick);

  /// The collected samples as float pixels of `channels` in `state`.
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

/// The filter's evaluation of the samples of its input picture. Throws what the tick throws.
std::shared_ptr<const SurveyResult> survey_step(const PlannedStep& step, SurveySink& samples,
                                                int channels, std::function<void()> tick = {});

/// Makes the source keep its pixels if they are few, since it will be read more than once.
void keep_if_small(PixelSource& source);

/// Surveys `source` for the plan's first step. Returns the results by step, for make_plan(); empty
/// if the filter requests none. The source keeps a small picture; a large one is read from top to
/// bottom here, and again when it is filtered. Throws what the source or the tick throws.
SurveyResults survey_picture(const Plan& plan, PixelSource& source,
                             const std::function<void()>& tick = {});

}  // namespace sfumato
