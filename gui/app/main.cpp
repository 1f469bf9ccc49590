// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// sfumato-editor [--device D] [--new-instance] [--batch [--recipe RECIPE]] [FILE...]
#include <QApplication>
#include <QIcon>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "app/command_line.hpp"
#include "app/editor_windows.hpp"
#include "app/single_instance.hpp"
#include "device/native_driver.hpp"
#include "device/standard_streams.hpp"
#include "engine/build_info.hpp"
#include "engine/start.hpp"
#include "params/core_text.hpp"
#include "params/translation.hpp"

namespace {

using namespace sfumato;

void name_application() {
  QCoreApplication::setApplicationName(QStringLiteral("sfumato-editor"));
  QCoreApplication::setOrganizationName(QStringLiteral("sfumato"));
  QCoreApplication::setApplicationVersion(QStringLiteral(SFUMATO_VERSION));
}

// Handles help, versions and completions, without a window system.
int speak(int argc, char** argv) {
  const QCoreApplication app(argc, argv);
  name_application();
  const QStringList words = QCoreApplication::arguments();
  const bool described = words.value(1) == QLatin1String("--complete-described");
  if (described || words.value(1) == QLatin1String("--complete")) {
    gui::print_completions(words.mid(2), described);
    return 0;
  }
  if (words.contains(QLatin1String("--version")) || words.contains(QLatin1String("-v"))) {
    std::puts(
        version_text("sfumato-editor", build_info(), std::string("Qt ") + qVersion()).c_str());
    return 0;
  }
  gui::install_translations(gui::Settings::load().language);
  gui::read_command_line();
  return 0;
}

struct EarlyStart {
  bool forwarded = false, reference = false;
};

// Determines, without a window system, whether another process takes this start over or it uses no
// driver, so that drivers are not tried in vain. Starts no thread.
EarlyStart look_ahead(int argc, char** argv) {
  const QCoreApplication app(argc, argv);
  name_application();
  const std::optional<gui::CommandLine> line = gui::command_line_if_plain();
  if (!line) return {};
  const bool single = !line->alone && line->device.isEmpty();
  return {.forwarded = single && gui::SingleInstance().forward_to_running(line->words),
          .reference = line->device == QLatin1String("reference")};
}

}  // namespace

int main(int argc, char** argv) {
  sfumato::open_standard_streams();
  begin_program(argc, argv);
  if (gui::only_speaks(argc, argv)) return speak(argc, argv);
  const EarlyStart early = look_ahead(argc, argv);
  if (early.forwarded) return 0;
  // Before the first thread, which Qt may start, since drivers and folders are set through the
  // environment.
  StartOptions options;
  if (early.reference) options.device = "reference";
  options.any_time = true;
  const Start start = start_devices(options);
  yield_to_the_interface();
  QApplication app(argc, argv);
  name_application();
  QApplication::setApplicationDisplayName(QStringLiteral("Sfumato"));
  QApplication::setDesktopFileName(QStringLiteral("sfumato-editor"));
  QApplication::setWindowIcon(QIcon(QStringLiteral(":/icons/sfumato-editor.png")));

  const auto settings = gui::Settings::load();
  gui::install_translations(settings.language);
  const gui::CommandLine line = gui::read_command_line();

  gui::SingleInstance instance;
  const bool single = !line.alone && line.device.isEmpty();
  if (single && instance.forward_to_running(line.words)) return 0;
  if (single) instance.listen();
  if (!line.device.isEmpty()) gui::Settings::use_for_this_run(line.device);
  if (!built_in_fits(settings.device_now().toStdString())) set_opencl_aside(false);

  gui::apply_theme(settings.theme);
  gui::EditorWindows windows;
  QObject::connect(&instance, &gui::SingleInstance::words_given, &windows,
                   &gui::EditorWindows::take);
  windows.take(line.words);
  QStringList messages;
  for (const Message& sentence : start.sentences) messages << gui::core_text(sentence);
  windows.tell(messages);
  windows.offer_recovery();
  return QApplication::exec();
}
