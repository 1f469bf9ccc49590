// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Base of filters that are a single convolution: everything but the matrix and the texts.
#pragma once

#include <memory>
#include <utility>

#include "filters/shared/convolution/convolution.hpp"

namespace sfumato {

/// One convolution, chosen for a picture and a device.
class PreparedConvolution final : public PreparedFilter {
 public:
  explicit PreparedConvolution(Convolution convolution) : convolution_(std::move(convolution)) {}

  Needs needs() const override { return convolution_needs(convolution_); }
  void run(const TileJob& job, Passes& passes) const override {
    run_convolution(convolution_, job, passes);
  }
  void reference(const ReferenceJob& job) const override {
    convolution_reference(convolution_, job);
  }
  Message explain() const override { return explain_convolution(convolution_); }

 private:
  const Convolution convolution_;
};

class ConvolvingFilter : public Filter {
 public:
  double tolerance(const Values& values) const override {
    return convolution_tolerance(request(values), border_of(values) == Border::renormalise);
  }

  PreparedPtr prepare(const Values& values, const Picture& picture,
                      const Target& target) const override {
    return std::make_unique<PreparedConvolution>(
        choose_convolution(request(values), picture, target));
  }

 protected:
  /// The matrix, and how its sums are finished.
  virtual ConvolutionRequest request(const Values& values) const = 0;
};

}  // namespace sfumato
