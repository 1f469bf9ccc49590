// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The export's thread.
#include "document/exporter.hpp"

#include <QElapsedTimer>
#include <algorithm>

#include "engine/plan.hpp"
#include "filters/filter.hpp"

namespace sfumato::gui {

bool Exporter::start(ExportJob job) {
  return single_.start([this, job = std::move(job)] { run(job); });
}

void Exporter::run(const ExportJob& job) {
  std::vector<std::string> warnings;
  QString fault;
  bool written = false;
  try {
    WriteOptions write = job.options;
    write.in_color = makes_colour(job.recipe);
    write.input_path = job.picture->path;
    write.cancelled = [this] { return single_.cancelled(); };
    check_output(job.output, write);
    ReadOptions read;
    read.channels = job.picture->channels;
    const auto input = open_picture(job.picture->path, read);
    const auto output = create_picture(job.output, write, *input);
    warnings = input->warnings();
    warnings.insert(warnings.end(), output->warnings().begin(), output->warnings().end());
    Session session(job.session);
    RenderOptions options;
    options.roles = role_files(*input, {}, [&](const std::string& w) { warnings.push_back(w); });
    options.dither = write.dither;
    QElapsedTimer clock;
    clock.start();
    options.progress = [&](double part) {
      if (clock.elapsed() >= 50) {
        clock.restart();
        Q_EMIT progressed(part);
      }
      return !single_.cancelled();
    };
    const RenderReport report = session.render(job.recipe, *input, *output, options);
    warnings.insert(warnings.end(), report.warnings.begin(), report.warnings.end());
    if (single_.cancelled()) throw Cancelled();
    output->commit();
    written = true;
  } catch (const Cancelled&) {
    // nothing was left behind
  } catch (const std::exception& error) {
    fault = QString::fromUtf8(error.what());
  }
  QStringList said;
  for (const std::string& warning : warnings) said << QString::fromStdString(warning);
  single_.done();
  QMetaObject::invokeMethod(
      this, [=, this] { Q_EMIT finished(written, fault, said); }, Qt::QueuedConnection);
}

}  // namespace sfumato::gui
