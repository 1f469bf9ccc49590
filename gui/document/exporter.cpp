// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The export's thread.
#include "document/exporter.hpp"

#include <QElapsedTimer>
#include <utility>

#include "document/fault.hpp"
#include "document/paths.hpp"
#include "io/render_file.hpp"
#include "params/core_text.hpp"

namespace sfumato::gui {
namespace {

// The window shows the file as it was opened; changed content must not be exported unseen.
class InputChanged : public FileError {
 public:
  explicit InputChanged(const QString& name)
      : FileError(foreign_message(
            Exporter::tr("“%1” was changed after it was opened; nothing was exported. Open it "
                         "again to continue with its present content.")
                .arg(name)
                .toStdString())) {}
};

void check_unchanged(const OpenedPicture& picture) {
  const auto now = version_of(picture.path);
  if (now && picture.version && *now != *picture.version) {
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
    const OpenedPicture& picture = *job.picture;
    FileJob file;
    file.input = picture.path;
    file.output = job.output;
    file.recipe = job.recipe;
    file.read.channels = picture.channels;
    file.write = job.options;
    file.warn = [&](const Message& warning) { warnings.push_back(warning); };
    QElapsedTimer clock;
    clock.start();
    file.progress = [&](double part) {
      if (clock.elapsed() < 50) return;
      clock.restart();
      Q_EMIT progressed(part);
    };
    file.cancelled = [this] { return single_.cancelled(); };
    file.before_commit = [&picture] { check_unchanged(picture); };
    check_files(file);
    check_unchanged(picture);
    const auto session = make_session(job.session);
    const RenderReport report = render_file(*session, std::move(file)).render;
    warnings.insert(warnings.end(), report.warnings.begin(), report.warnings.end());
    written = true;
    const auto now = version_of(picture.path);
    if (now && now != picture.version) input_was = Input::replaced;
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
