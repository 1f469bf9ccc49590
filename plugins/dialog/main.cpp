// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// sfumato-dialog [options] PICTURE RESULT: shows the filter dialog for pixels that a host passed in
// a file, or only applies a recipe to them.
#include <QApplication>
#include <QCommandLineParser>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QProgressDialog>
#include <QSocketNotifier>
#include <QTimer>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/settings.hpp"
#include "device/native_driver.hpp"
#include "device/standard_streams.hpp"
#include "dialog/application.hpp"
#include "dialog/host_dialogs.hpp"
#include "dialog/host_line.hpp"
#include "dialog/job.hpp"
#include "dialog/language.hpp"
#include "document/background.hpp"
#include "document/paths.hpp"
#include "engine/build_info.hpp"
#include "engine/start.hpp"
#include "filters/registry.hpp"
#include "image/parallel_rows.hpp"
#include "io/pixel_file.hpp"
#include "io/target.hpp"
#include "params/translation.hpp"

using namespace sfumato;
using namespace sfumato::hosts;

namespace {

using nlohmann::ordered_json;

QString words(const char* text) {
  return QString::fromUtf8(text);
}

struct Arguments {
  QString picture, result, recipe, start, selection, title, category;
  std::vector<std::string> layers;
  qulonglong parent = 0;
  bool attached = false, dark = false;
  SessionOptions session;
};

class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

[[noreturn]] void print_help(const QCommandLineParser& parser) {
  static char name[] = "sfumato-dialog";
  static char* names[] = {name, nullptr};
  static int count = 1;
  const QCoreApplication application(count, names);  // helpText() needs its name
  std::fputs(parser.helpText().toUtf8().constData(), stdout);
  std::exit(0);
}

[[noreturn]] void print_version() {
  std::puts(version_text("sfumato-dialog", build_info(), std::string("Qt ") + qVersion()).c_str());
  std::exit(0);
}

Arguments read_arguments(const QStringList& given) {
  QCommandLineParser parser;
  const auto option = [&](const char* name, const char* value, const char* help) {
    const QCommandLineOption made(words(name), words(help), words(value));
    parser.addOption(made);
    return made;
  };
  parser.setApplicationDescription(words("Filters pixels that a program passed in a file."));
  parser.addHelpOption();
  parser.addVersionOption();
  const auto recipe = option("recipe", "file", "Apply this recipe, without a dialog.");
  const auto start = option("start", "file", "Begin with this recipe's filter and values.");
  const auto selection =
      option("selection", "file", "Gray pixels: how strongly each pixel is filtered.");
  const auto title = option("title", "text", "The picture's title.");
  const auto category = option("category", "name", "Begin with the filters of this category.");
  const auto layer = option("layer", "name", "A layer that the host provides on request.");
  const auto parent = option("parent", "window", "The host's window (X11).");
  const auto device = option("device", "device", "auto, gpu, cpu, reference or a name.");
  const QCommandLineOption attached(words("attached"),
                                    words("The host listens on standard input and output."));
  parser.addOption(attached);
  const QCommandLineOption dark(words("dark"), words("The host's windows are dark."));
  parser.addOption(dark);
  parser.addPositionalArgument(words("picture"), words("The file of pixels."));
  parser.addPositionalArgument(words("result"), words("The file for the result."));
  if (!parser.parse(given)) throw UsageError(parser.errorText().toStdString());
  if (parser.isSet(words("help"))) print_help(parser);
  if (parser.isSet(words("version"))) print_version();
  const QStringList files = parser.positionalArguments();
  if (files.size() != 2) throw UsageError("give the picture's file and the result's");
  Arguments out;
  out.picture = files[0];
  out.result = files[1];
  out.recipe = parser.value(recipe);
  out.start = parser.value(start);
  out.selection = parser.value(selection);
  out.title = parser.value(title);
  out.category = parser.value(category);
  out.parent = parser.value(parent).toULongLong();
  out.attached = parser.isSet(attached);
  out.dark = parser.isSet(dark);
  out.session = chosen_session();
  if (parser.isSet(device)) out.session.device = parser.value(device).toStdString();
  for (const QString& name : parser.values(layer)) out.layers.push_back(name.toStdString());
  // Before the first thread: this changes the environment, which names drivers and folders.
  StartOptions start_options;
  start_options.device = out.session.device;
  out.session.notes = start_devices(start_options).sentences;
  yield_to_the_interface();
  return out;
}

gui::PicturePtr opened(const Arguments& arguments) {
  const auto file = open_pixel_file(arguments.picture.toStdString(), {});
  auto picture = std::make_shared<gui::OpenedPicture>();
  static_cast<PictureInfo&>(*picture) = file->info();
  gui::make_profile_plain(*picture);
  picture->pixels = read_all(*file);
  picture->title = arguments.title.toStdString();
  return picture;
}

void throw_end(HostLine& line, bool accepted, const Recipe* recipe,
               const std::vector<Message>& messages) {
  ordered_json end{{"accepted", accepted}};
  if (recipe != nullptr) {
    end["recipe"] = ordered_json::parse(print_recipe(*recipe, Registry::get()));
    end["name"] = name_of(*recipe);
  }
  end["message"] = user_text(messages);
  line.tell(end.dump(-1, ' ', false, ordered_json::error_handler_t::replace));
}

// Removes the files of a host that has ended; nobody else would.
void clean_after(const Arguments& arguments, const HostLine& line) {
  if (line.alive()) return;
  const QString folder = QFileInfo(arguments.picture).absolutePath();
  for (const QString& file : {arguments.picture, arguments.result, arguments.recipe,
                              arguments.start, arguments.selection}) {
    if (!file.isEmpty() && QFileInfo(file).absolutePath() == folder) QFile::remove(file);
  }
  for (const QString& layer : QDir(folder).entryList({words("layer-*")}, QDir::Files)) {
    QFile::remove(folder + QLatin1Char('/') + layer);
  }
  QDir().rmdir(folder);  // fails if anything else is in it
}

// The outcome of a job.
struct Outcome {
  bool done = false;
  std::vector<Message> messages;
};

// `go_on` is called with the part done, 0 to 1; false cancels.
Outcome render(const Arguments& arguments, const Recipe& recipe, HostLine& line,
               gui::HostLayers& layers, const std::function<bool(double)>& go_on) {
  Job job;
  job.picture = arguments.picture.toStdString();
  job.selection = arguments.selection.toStdString();
  job.result = arguments.result.toStdString();
  job.title = arguments.title.toStdString();
  job.recipe = recipe;
  job.layers = &layers;
  job.session = arguments.session;
  double told = -1;
  job.progress = [&](double part) {
    if (part - told >= 0.01 || part < told) {
      told = part;
      line.tell(ordered_json{{"progress", part}}.dump());
    }
    return go_on(part) && line.alive();
  };
  Outcome out;
  try {
    out.messages = run(job);
    out.done = true;
  } catch (const Cancelled&) {
  } catch (const std::bad_alloc&) {
    out.messages = {message({"host.no_memory", "There is not enough memory."})};
  } catch (const std::exception& error) {
    out.messages = {message_in(error)};
  }
  return out;
}

Outcome render_with_progress(const Arguments& arguments, const Recipe& recipe, HostLine& line,
                             gui::HostLayers& layers) {
  QProgressDialog window(gui::FilterDialog::tr("Filtering…"), gui::FilterDialog::tr("Cancel"), 0,
                         1000);
  window.setWindowTitle(QStringLiteral("Sfumato: %1").arg(QString::fromStdString(name_of(recipe))));
  window.setAutoClose(false);
  window.setAutoReset(false);
  put_before(window, arguments.parent);
  std::atomic<bool> wanted = true;
  std::atomic<double> part = 0;
  QObject::connect(&window, &QProgressDialog::canceled, [&] { wanted = false; });
  QTimer shown;
  QObject::connect(&shown, &QTimer::timeout,
                   [&] { window.setValue(static_cast<int>(1000 * part)); });
  shown.start(50);
  Outcome out;
  QEventLoop loop;
  gui::in_background(
      &loop,
      [&] {
        return render(arguments, recipe, line, layers, [&](double now) {
          part = now;
          return wanted.load();
        });
      },
      [&](const Outcome& outcome) {
        out = outcome;
        loop.quit();
      });
  loop.exec();
  return out;
}

int run_dialog(const Arguments& arguments, HostLine& line) {
  set_up_application(arguments.dark);
  const gui::PicturePtr picture = opened(arguments);
  LineLayers layers(line, arguments.layers);
  Question question;
  question.picture = picture;
  question.category = arguments.category.toStdString();
  if (!arguments.start.isEmpty())
    begin_with(question, files::read_text(gui::native_path(arguments.start)));
  question.session = arguments.session;
  question.layers = &layers;
  question.host_window = arguments.parent;
  question.host_is_there = [&line] { return line.alive(); };
  const std::optional<Recipe> recipe = ask_for_recipe(question);
  if (!recipe) {
    throw_end(line, false, nullptr, {});
    return 0;
  }
  const Outcome outcome = render_with_progress(arguments, *recipe, line, layers);
  throw_end(line, outcome.done, &*recipe, outcome.messages);
  return outcome.done || outcome.messages.empty() ? 0 : 1;
}

int run_recipe(const Arguments& arguments, HostLine& line) {
  gui::install_translations(gui::Settings::load().language);
  const Recipe recipe =
      parse_recipe(files::read_text(gui::native_path(arguments.recipe)), Registry::get());
  LineLayers layers(line, arguments.layers);
  const Outcome outcome = render(arguments, recipe, line, layers, [](double) { return true; });
  throw_end(line, outcome.done, &recipe, outcome.messages);
  return outcome.done ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  sfumato::open_standard_streams();
  begin_program(argc, argv);
  std::signal(SIGPIPE, SIG_IGN);
  name_program();
  std::unique_ptr<QCoreApplication> application;
  bool attached = false;
  try {
    QStringList words;
    for (int i = 0; i < argc; ++i) words << QString::fromLocal8Bit(argv[i]);
    const Arguments arguments = read_arguments(words);
    attached = arguments.attached;
    HostLine line(attached);
    // A recipe alone needs no screen.
    const bool alone = !arguments.recipe.isEmpty();
    if (!alone && !find_screen()) {
      application = std::make_unique<QCoreApplication>(argc, argv);  // for the user's language
      gui::install_translations(gui::Settings::load().language);
      throw EngineError(message({"dialog.no_screen", "There is no screen to show the window on."}));
    }
    application = alone ? std::make_unique<QCoreApplication>(argc, argv)
                        : std::make_unique<QApplication>(argc, argv);
    const int status = alone ? run_recipe(arguments, line) : run_dialog(arguments, line);
    clean_after(arguments, line);
    return status;
  } catch (const UsageError& error) {
    std::fprintf(stderr, "sfumato-dialog: %s\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "sfumato-dialog: %s\n", error.what());
    HostLine line(attached);
    throw_end(line, false, nullptr, {message_in(error)});
    return 1;
  }
}
