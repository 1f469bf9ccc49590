// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A filter that is one convolution: everything but its matrix and its words.
#pragma once

#include "filters/shared/convolution/convolution.hpp"

namespace sfumato {

class ConvolvingFilter : public Filter {
 public:
  double tolerance(const Values& values) const override {
    return convolution_tolerance(ask(values), border_of(values) == Border::renormalise);
  }

  Needs needs(const Values& values, const Picture& picture, const Target& target) const override {
    return convolution_needs(choose_convolution(ask(values), picture, target), picture, target);
  }

  void run(const TileJob& job, Passes& passes) const override {
    run_convolution(*remembered_convolution(ask(job.values), job, passes), job, passes, info().id);
  }

  void reference(const ReferenceJob& job) const override {
    convolution_reference(ask(job.values), job);
  }

  std::string explain(const Values& values, const Picture& picture,
                      const Target& target) const override {
    if (target.reference) return "every product, in float64";
    return explain_convolution(choose_convolution(ask(values), picture, target));
  }

 protected:
  /// The matrix, and what becomes of its sums.
  virtual ConvolutionAsk ask(const Values& values) const = 0;
};

}  // namespace sfumato
