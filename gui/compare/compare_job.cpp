// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "compare/compare_job.hpp"

#include <QElapsedTimer>
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "document/fault.hpp"
#include "preview/color_transform.hpp"

namespace sfumato::gui {
namespace {

double changed_curve(double value, Coding from, Coding to) {
  return encode(to, decode(from, value));
}

// Through 16 bits, as the screen's colours are computed.
ShowColors colors_of(const OpenedPicture& picture) {
  const QByteArray profile(reinterpret_cast<const char*>(picture.icc_profile.data()),
                           static_cast<qsizetype>(picture.icc_profile.size()));
  const bool gray = picture.format().color_channels() < 3;
  const DisplayColors display = display_colors(profile, gray, {});
  if (!display.by_profile || !display.transform) return {};
  return [transform = display.transform, coding = picture.format().coding](float* pixels,
                                                                           std::size_t count) {
    QImage row(static_cast<int>(count), 1, QImage::Format_RGBA64);
    auto* codes = reinterpret_cast<quint16*>(row.bits());
    for (std::size_t i = 0; i < 4 * count; ++i) {
      const double value =
          i % 4 == 3 ? 1 : changed_curve(static_cast<double>(pixels[i]), Coding::srgb(), coding);
      codes[i] = static_cast<quint16>(std::lround(65535 * std::clamp(value, 0.0, 1.0)));
    }
    transform->apply(row);
    codes = reinterpret_cast<quint16*>(row.bits());
    for (std::size_t i = 0; i < 4 * count; ++i) {
      if (i % 4 != 3) pixels[i] = static_cast<float>(codes[i]) / 65535;
    }
  };
}

}  // namespace

QImage image_of(const HeldPicture& cell) {
  if (cell.bytes.empty()) return {};
  return QImage(reinterpret_cast<const uchar*>(cell.bytes.data()), cell.format.width,
                cell.format.height, static_cast<qsizetype>(cell.format.row_bytes()),
                QImage::Format_RGB888)
      .copy();
}

bool CompareJob::start(CompareRequest request) {
  return single_.start([this, request = std::move(request)] { work(request); });
}

ComparedPtr CompareJob::compare(const CompareRequest& request) {
  const auto compared = std::make_shared<Compared>();
  compared->title = request.picture->title;
  compared->source = request.picture->path;
  compared->grid = request.grid;
  const std::size_t count = request.grid.variants.size();
  // Pictures for roles are laid over the file.
  ReadOptions read;
  read.channels = request.picture->channels;
  const auto file = open_picture(request.picture->path, read);
  ComparisonOptions options;
  options.whole = options.detail_cell = request.cell;
  options.orientation = request.picture->orientation;
  options.colors = colors_of(*request.picture);
  options.roles = role_files(*file, read, [](const Message&) {});
  QElapsedTimer clock;
  clock.start();
  options.progress = [&](std::size_t number, double part) {
    if (clock.elapsed() > 50) {
      clock.restart();
      Q_EMIT progressed((static_cast<double>(number) + part) / static_cast<double>(count));
    }
    return !single_.cancelled();
  };
  const ComparisonRun* run = nullptr;
  options.measured = [&](std::size_t number) {
    const ComparedVariant& result = run->results()[number];
    const bool filtered = !request.grid.variants[number].recipe.steps.empty();
    Q_EMIT measured(static_cast<int>(number), image_of(result.whole),
                    {filtered, result.first_seconds, result.warm_seconds, result.difference});
  };
  const auto renderer_for = [&request](const Variant& variant) {
    SessionOptions session = request.session;
    if (!variant.device.empty()) session.device = variant.device;
    session.form = variant.form;
    return make_session(session);
  };
  compared->run = std::make_unique<ComparisonRun>(
      std::shared_ptr<const HeldPicture>(request.picture, &request.picture->pixels),
      request.grid.variants, renderer_for, options);
  run = compared->run.get();
  compared->run->run();
  return compared;
}

void CompareJob::work(const CompareRequest& request) {
  ComparedPtr compared;
  QString fault;
  try {
    compared = compare(request);
  } catch (const Cancelled&) {
    // what was measured stays
  } catch (const std::exception& error) {
    fault = fault_of(error);
  }
  single_.done();
  QMetaObject::invokeMethod(
      this, [=, this] { Q_EMIT finished(compared, fault); }, Qt::QueuedConnection);
}

}  // namespace sfumato::gui
