// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The export's thread.
#include "document/exporter.hpp"

#include <QElapsedTimer>
#include <algorithm>

#include "document/fault.hpp"
#include "document/paths.hpp"
#include "engine/plan.hpp"
#include "filters/filter.hpp"
#include "params/core_text.hpp"

namespace sfumato::gui {
namespace {

// The window shows what was opened; a file of another content must not be filtered in its name.
class InputChanged : public FileError {
 public:
  explicit InputChanged(const QString& name)
      : FileError(foreign_message(
            Exporter::tr("“%1” was changed after it was opened; nothing was exported. Open "
                         "it again to go on with what it holds now.")
                .arg(name)
                .toStdString())) {}
};

void check_unchanged(const OpenedPicture& picture) {
  const auto now = stamp_of(picture.path);
  if (now && picture.stamp && *now != *picture.stamp) {
    throw InputChanged(shown_path(picture.path.filename()));
  }
}

}  // namespace

bool Exporter::start(ExportJob job) {
  return single_.start([this, job = std::move(job)] { run(job); });
}

void Exporter::run(const ExportJob& job) {
  std::vector<Message> warnings;
  QString fault;
  bool written = false;
  Input input_was = Input::as_opened;
  try {
    WriteOptions write = job.options;
    write.in_color = makes_colour(job.recipe);
    write.input_path = job.picture->path;
    write.cancelled = [this] { return single_.cancelled(); };
    check_output(job.output, write);
    check_unchanged(*job.picture);
    ReadOptions read;
    read.channels = job.picture->channels;
    const auto input = open_picture(job.picture->path, read);
    const auto output = create_picture(job.output, write, *input);
    warnings = input->warnings();
    warnings.insert(warnings.end(), output->warnings().begin(), output->warnings().end());
    Session session(job.session);
    RenderOptions options;
    options.roles = role_files(*input, {}, [&](const Message& w) { warnings.push_back(w); });
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
    check_unchanged(*job.picture);
    output->commit();
    written = true;
    const auto now = stamp_of(job.picture->path);
    if (now && now != job.picture->stamp) input_was = Input::replaced;
  } catch (const Cancelled&) {
    // nothing was left behind
  } catch (const InputChanged& error) {
    fault = fault_of(error);
    input_was = Input::changed;
  } catch (const std::exception& error) {
    fault = fault_of(error);
  }
  QStringList said;
  for (const Message& warning : warnings) said << core_text(warning);
  single_.done();
  QMetaObject::invokeMethod(
      this,
      [=, this] {
        input_ = input_was;
        Q_EMIT finished(written, fault, said);
      },
      Qt::QueuedConnection);
}

}  // namespace sfumato::gui
