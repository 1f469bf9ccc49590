// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The picture of the differences between two pictures.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "io/compare_pictures.hpp"

namespace sfumato::cli {

enum class DifferenceKind {
  absolute,  ///< |a - b| of each channel; a difference in opacity shows in all
  signs,     ///< half of the white where they are equal, brighter where the second is
  map        ///< the largest of a pixel's differences by a scale of colours, which is drawn below
};

/// Written from top to bottom, as its rows come.
class DifferenceOutput {
 public:
  /// Differences are multiplied by `gain`. In formats of floats, signs are kept as they are and
  /// equal is 0. Throws FileError.
  DifferenceOutput(const std::filesystem::path& path, const WriteOptions& options,
                   DifferenceKind kind, double gain, const PictureDifference& plan);

  void add(const ComparedRows& rows);
  /// After the last row. Throws FileError.
  void finish();

 private:
  void put(const ComparedRows& rows, int row, float* to) const;
  float in_file(float colour) const;
  void draw_scale();

  const DifferenceKind kind_;
  const double gain_;
  const int width_, height_, channels_, colours_;
  const double white_;
  const bool exceeds_scale_;  // some differences are larger than that of the brightest colour
  std::unique_ptr<OutputPicture> out_;
  PictureFormat format_;
  std::vector<float> row_;
  std::vector<char> bytes_;
  bool floats_ = false;
};

}  // namespace sfumato::cli
