// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// How fast the whole window responds: from opening to first paint, from a slider's move to the
// first and to the final preview, results shown during a drag, and the longest stall of the event
// loop meanwhile, with the largest processor time of the GUI thread ("own"). With --live: previews
// per second of the named filters, or of all, while their first slider moves. Usage:
// sfumato-preview-bench PHOTO [--device D] [--live [FILTER...]]
#include <time.h>

#include <QApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QStandardPaths>
#include <QTimer>
#include <algorithm>
#include <cstdio>
#include <stdexcept>
#include <vector>

#include "app/main_window.hpp"
#include "filters/registry.hpp"
#include "params/text.hpp"
#include "preview/preview_view.hpp"

using namespace sfumato;
using namespace sfumato::gui;

namespace {

double median(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  return v.empty() ? 0 : v[v.size() / 2];
}

// Processor time of this thread in nanoseconds, excluding waits.
qint64 computed() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec * qint64{1000000000} + now.tv_nsec;
}

// The longest time between two iterations of the event loop, sampled every millisecond, and the
// largest processor time between two.
class Heartbeat {
 public:
  Heartbeat() {
    timer_.setTimerType(Qt::PreciseTimer);
    timer_.setInterval(1);
    QObject::connect(&timer_, &QTimer::timeout, [this] {
      const qint64 now = computed();
      longest_ = std::max(longest_, beat_.nsecsElapsed());
      most_ = std::max(most_, now - before_);
      beat_.start();
      before_ = now;
    });
    reset();
    timer_.start();
  }
  void reset() {
    longest_ = most_ = 0;
    before_ = computed();
    beat_.start();
  }
  double longest_ms() const { return static_cast<double>(longest_) * 1e-6; }
  double most_ms() const { return static_cast<double>(most_) * 1e-6; }

 private:
  QTimer timer_;
  QElapsedTimer beat_;
  qint64 longest_ = 0, most_ = 0, before_ = 0;
};

struct Answer {
  double first_ms = 0, refined_ms = 0;
};

double ms_of(const QElapsedTimer& clock) {
  return static_cast<double>(clock.nsecsElapsed()) * 1e-6;
}

// Sets the value and waits for its first and its final preview to be painted.
Answer answer_to(MainWindow& window, const std::string& parameter, const Value& value) {
  Answer answer;
  QElapsedTimer clock;
  QEventLoop loop;
  const auto connection =
      QObject::connect(&window.preview(), &PreviewView::shown, &loop, [&](const ResultPtr& result) {
        if (!(result->request.recipe == window.document().recipe())) return;
        window.preview().repaint();
        const double ms = ms_of(clock);
        if (answer.first_ms == 0) answer.first_ms = ms;
        answer.refined_ms = ms;
        if (result->stage != PreviewStage::coarse) loop.quit();
      });
  clock.start();
  window.document().set_value(0, parameter, value, true);
  loop.exec();
  QObject::disconnect(connection);
  return answer;
}

// One step with these values, and its first preview, which may compile a program.
void start(MainWindow& window, const char* filter, const Values& given) {
  const FilterInfo& info = Registry::get().at(filter).filter->info();
  QEventLoop loop;
  const auto connection =
      QObject::connect(&window.preview(), &PreviewView::shown, &loop, [&](const ResultPtr& result) {
        if (result->stage == PreviewStage::coarse) return;
        if (result->request.recipe == window.document().recipe()) loop.quit();
      });
  window.document().replace_recipe(recipe_of(info, complete(info.parameters, given)), {});
  loop.exec();
  QObject::disconnect(connection);
}

QByteArray name_of(const char* filter, const char* parameter, double from) {
  return QStringLiteral("%1 %2=%3")
      .arg(QLatin1String(filter), QLatin1String(parameter))
      .arg(from)
      .toLatin1();
}

// One pixel more, or a hundredth.
template <typename Number>
Number moved(Number from, int steps) {
  return from + steps * (std::is_integral_v<Number> ? Number{1} : from / 100);
}

// A slider moved eleven times, a little each time.
template <typename Number>
void slide(MainWindow& window, Heartbeat& heartbeat, const char* filter, const char* parameter,
           Number from, Values given = {}) {
  given.set(parameter, from);
  start(window, filter, given);
  heartbeat.reset();
  std::vector<double> first, refined;
  for (int i = 1; i < 12; ++i) {
    const Answer answer = answer_to(window, parameter, moved(from, i));
    first.push_back(answer.first_ms);
    refined.push_back(answer.refined_ms);
  }
  std::printf("%-36s %10.1f %10.1f %10.1f %10.1f\n",
              name_of(filter, parameter, static_cast<double>(from)).constData(), median(first),
              median(refined), heartbeat.longest_ms(), heartbeat.most_ms());
  std::fflush(stdout);
}

// A slider dragged with a new value every 16 ms for two seconds.
template <typename Number>
void drag(MainWindow& window, Heartbeat& heartbeat, const char* filter, const char* parameter,
          Number from, Values given = {}) {
  given.set(parameter, from);
  start(window, filter, given);
  heartbeat.reset();
  int shown = 0;
  double longest = 0;
  QElapsedTimer since;
  since.start();
  const auto connection = QObject::connect(&window.preview(), &PreviewView::shown, [&] {
    ++shown;
    longest = std::max(longest, ms_of(since));
    since.start();
  });
  QEventLoop loop;
  QTimer mouse;
  mouse.setTimerType(Qt::PreciseTimer);
  int moves = 0;
  QObject::connect(&mouse, &QTimer::timeout, [&] {
    window.document().set_value(0, parameter, moved(from, ++moves % 40), false);
    if (moves == 125) loop.quit();
  });
  mouse.start(16);
  loop.exec();
  QObject::disconnect(connection);
  std::printf("%-36s %10d %10.1f %10.1f %10.1f\n",
              name_of(filter, parameter, static_cast<double>(from)).constData(), shown, longest,
              heartbeat.longest_ms(), heartbeat.most_ms());
  std::fflush(stdout);
}

// The times from opening a file to its first paint, in ms, without the first of `count`. Throws
// std::runtime_error if it cannot be opened.
std::vector<double> opening_times(MainWindow& window, const QString& file, int count) {
  std::vector<double> times;
  for (int i = 0; i < count; ++i) {
    QElapsedTimer clock;
    QEventLoop loop;
    QString fault;
    QObject::connect(&window, &MainWindow::opened, &loop, [&](const QString& what) {
      fault = what;
      if (!what.isEmpty()) loop.quit();
    });
    QObject::connect(&window.preview(), &PreviewView::shown, &loop, &QEventLoop::quit);
    clock.start();
    window.open_file(file);
    loop.exec();
    if (!fault.isEmpty()) throw std::runtime_error(fault.toStdString());
    window.preview().repaint();
    if (i == 0) {
      std::printf("the first opening, which loads the file module: %.0f ms\n", ms_of(clock));
    } else {
      times.push_back(ms_of(clock));
    }
  }
  return times;
}

void measure_slides(MainWindow& window, Heartbeat& heartbeat, const Values& exact) {
  std::printf("%-36s %10s %10s %10s %10s\n", "a slider's move", "first ms", "refined ms",
              "stall ms", "own ms");
  for (const double sigma : {1.0, 8.0, 60.0, 300.0}) {
    slide(window, heartbeat, "gaussian", "sigma", sigma);
  }
  for (const double sigma : {4.0, 12.0, 40.0}) {
    slide(window, heartbeat, "bilateral", "sigma", sigma);
  }
  slide(window, heartbeat, "bilateral", "sigma", 12.0, exact);
  slide(window, heartbeat, "median", "radius", std::int64_t{12});
}

// A parameter to move: the first shown slider, else the share of the result.
const Parameter& slider_of(const FilterInfo& info, const Values& values) {
  for (const Parameter& p : info.parameters) {
    const bool number = p.kind == Kind::real || p.kind == Kind::integer;
    if (number && p.slider.max > p.slider.min && p.visible_if.evaluate(values)) return p;
  }
  return *info.parameters.find("mix");
}

// The value of a slider that runs to and fro over its middle half in 64 steps.
Value slid(const Parameter& p, int step) {
  const int there = step % 64 < 32 ? step % 64 : 64 - step % 64;
  const double at = value_at(p, 0.25 + there / 64.0);
  if (p.kind == Kind::integer) return static_cast<std::int64_t>(at);
  return at;
}

// Previews per second, without and with coarse ones.
struct Pace {
  double whole = 0, all = 0;
};

// While the slider of a filter moves every 8 ms for two seconds.
Pace drag_live(MainWindow& window, const Parameter& p) {
  int shown = 0, whole = 0;
  QElapsedTimer clock;
  const auto connection =
      QObject::connect(&window.preview(), &PreviewView::shown, [&](const ResultPtr& result) {
        window.preview().repaint();
        ++shown;
        whole += result->stage != PreviewStage::coarse ? 1 : 0;
      });
  QEventLoop loop;
  QTimer mouse;
  mouse.setTimerType(Qt::PreciseTimer);
  int moves = 0;
  constexpr double most_ms = 2000;
  QObject::connect(&mouse, &QTimer::timeout, [&] {
    window.document().set_value(0, p.name, slid(p, ++moves), false);
    if (ms_of(clock) >= most_ms) loop.quit();
  });
  clock.start();
  mouse.start(8);
  loop.exec();
  QObject::disconnect(connection);
  const double seconds = ms_of(clock) / 1000;
  return {whole / seconds, shown / seconds};
}

// The first time, a filter may compile a program for each value.
void drag_twice(MainWindow& window, const FilterInfo& info, const Parameter& p,
                const Values& given = {}) {
  start(window, info.id.c_str(), given);
  const Pace first = drag_live(window, p), second = drag_live(window, p);
  std::string name = info.id;
  for (const auto& [parameter, value] : given) {
    name += " " + parameter + "=" + print(*info.parameters.find(parameter), value);
  }
  std::printf("%-24s %-16s %8.1f %8.1f %8.1f %8.1f\n", name.c_str(), p.name.c_str(), first.whole,
              first.all, second.whole, second.all);
  std::fflush(stdout);
}

// Each of the filters that needs no other picture; of all if none is named.
void measure_live(MainWindow& window, const QStringList& filters) {
  std::printf("%-41s %17s %17s\n", "previews per second: whole, all", "the first time", "again");
  for (const RegisteredFilter& f : Registry::get().all()) {
    const FilterInfo& info = f.filter->info();
    const bool alone = std::none_of(info.roles.begin(), info.roles.end(),
                                    [](const RoleInfo& role) { return role.required; });
    const bool wanted = filters.isEmpty() || filters.contains(QString::fromStdString(info.id));
    if (!wanted || !alone || info.id == "geometry_blur") continue;
    drag_twice(window, info, slider_of(info, defaults(info.parameters)));
    if (info.id != "median") continue;
    Values small;
    small.set("radius", std::int64_t{1});
    drag_twice(window, info, *info.parameters.find("mix"), small);
  }
}

void measure_drags(MainWindow& window, Heartbeat& heartbeat, const Values& exact) {
  std::printf("\n%-36s %10s %10s %10s %10s\n", "a drag of two seconds", "shown", "gap ms",
              "stall ms", "own ms");
  drag(window, heartbeat, "gaussian", "sigma", 60.0);
  drag(window, heartbeat, "bilateral", "sigma", 12.0);
  drag(window, heartbeat, "bilateral", "sigma", 30.0, exact);  // slow
}

}  // namespace

int main(int argc, char** argv) {
  qputenv("QT_QPA_PLATFORM", qEnvironmentVariableIsSet("QT_QPA_PLATFORM")
                                 ? qgetenv("QT_QPA_PLATFORM")
                                 : QByteArray("offscreen"));
  QApplication app(argc, argv);
  QApplication::setApplicationName(QStringLiteral("sfumato-preview-bench"));
  const QStringList arguments = QApplication::arguments();
  if (arguments.size() < 2) {
    std::fputs("usage: sfumato-preview-bench PHOTO [--device D] [--live [FILTER...]]\n", stderr);
    return 2;
  }
  const int at = static_cast<int>(arguments.indexOf(QStringLiteral("--device")));
  if (at > 0) Settings::use_for_this_run(arguments.value(at + 1));
  QStandardPaths::setTestModeEnabled(true);  // not the user's own layout

  MainWindow window(Settings{});
  const bool live = arguments.contains(QStringLiteral("--live"));
  window.resize(live ? QSize(2600, 1500) : QSize(1800, 920));  // room for 1920 x 1080 at 1:1
  window.show();
  QEventLoop settling;  // the window is laid out and painted
  QTimer::singleShot(500, &settling, &QEventLoop::quit);
  settling.exec();
  Heartbeat heartbeat;
  std::vector<double> opening;
  try {
    opening = opening_times(window, arguments[1], live ? 1 : 5);
  } catch (const std::runtime_error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  const PictureFormat& f = window.document().picture()->format();
  std::printf("%d x %d pixels in a view of %d x %d\n", f.width, f.height, window.preview().width(),
              window.preview().height());
  std::printf("opening to first paint: %.0f ms, stall %.1f ms, of which computed %.1f ms\n\n",
              median(opening), heartbeat.longest_ms(), heartbeat.most_ms());
  if (live) {
    window.preview().zoom_full();
    const auto first = arguments.indexOf(QStringLiteral("--live")) + 1;
    measure_live(window, arguments.mid(first));
    window.document().undo_stack().setClean();
    return 0;
  }
  Values exact;
  exact.set("method", Choice("exact"));
  measure_slides(window, heartbeat, exact);
  measure_drags(window, heartbeat, exact);
  window.document().undo_stack().setClean();
  return 0;
}
