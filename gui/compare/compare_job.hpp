// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Runs a comparison off the GUI thread.
#pragma once

#include <QImage>
#include <QObject>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "compare/comparison_report.hpp"
#include "document/opened_picture.hpp"
#include "document/single_job.hpp"
#include "engine/session.hpp"

namespace sfumato::gui {

struct CompareRequest {
  PicturePtr picture;
  Grid grid;
  SessionOptions session;
  CellSize cell;
};

/// What is known of a result.
struct ResultFacts {
  bool filtered = true;  ///< false: the original
  double first_seconds = 0;
  std::optional<double> warm_seconds = {};
  std::optional<Difference> difference = {};
};

/// A finished comparison, and what it was made of.
struct Compared {
  std::string title;             ///< of the picture
  std::filesystem::path source;  ///< its file
  Grid grid;
  std::unique_ptr<ComparisonRun> run;
};
using ComparedPtr = std::shared_ptr<const Compared>;

/// One comparison at a time. Functions and signals: on this object's thread.
class CompareJob : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;

  /// Returns false if one is running.
  bool start(CompareRequest request);
  void cancel() { single_.cancel(); }
  bool is_running() const { return single_.is_running(); }

 Q_SIGNALS:
  /// A variant is rendered whole: its picture in sRGB, upright, and what is known of it.
  void measured(int variant, const QImage& picture, const sfumato::gui::ResultFacts& facts);
  void progressed(double part);
  /// The end. `compared` is null if it was cancelled, or failed: then `fault` says why.
  void finished(const sfumato::gui::ComparedPtr& compared, const QString& fault);

 private:
  void work(const CompareRequest& request);
  ComparedPtr compare(const CompareRequest& request);

  SingleJob single_;  // destroyed first: its thread uses the others
};

/// A cell as an image that shares nothing with it; null for an empty one.
QImage image_of(const HeldPicture& cell);

}  // namespace sfumato::gui
