// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// How soon the editor answers: opening to first paint, a slider's move to the first and to the
// finished preview, and the longest stall of the event loop while a slow filter runs.
// Usage: sfumato-preview-bench PHOTO [--device D]
#include <QApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QTimer>
#include <algorithm>
#include <cstdio>
#include <vector>

#include "app/main_window.hpp"
#include "filters/registry.hpp"
#include "preview/preview_view.hpp"

using namespace sfumato;
using namespace sfumato::gui;

namespace {

double median(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  return v.empty() ? 0 : v[v.size() / 2];
}

// The longest time between two turns of the event loop, which is asked every millisecond.
class Heartbeat {
 public:
  Heartbeat() {
    timer_.setTimerType(Qt::PreciseTimer);
    timer_.setInterval(1);
    QObject::connect(&timer_, &QTimer::timeout, [this] {
      longest_ = std::max(longest_, beat_.nsecsElapsed());
      beat_.start();
    });
    beat_.start();
    timer_.start();
  }
  void reset() {
    longest_ = 0;
    beat_.start();
  }
  double longest_ms() const { return static_cast<double>(longest_) * 1e-6; }

 private:
  QTimer timer_;
  QElapsedTimer beat_;
  qint64 longest_ = 0;
};

struct Answer {
  double first_ms = 0, refined_ms = 0;
};

// Sets the recipe and waits for its first and its finished preview, painted.
Answer answer_to(PreviewView& view, const Recipe& recipe) {
  const int finest = std::max(1, static_cast<int>(1 / view.zoom() + 1e-6));
  Answer answer;
  QElapsedTimer clock;
  QEventLoop loop;
  const auto connection = QObject::connect(
      &view, &PreviewView::shown, &loop, [&](const std::shared_ptr<const PreviewResult>& result) {
        if (!(result->request.recipe == recipe)) return;
        view.repaint();
        const double ms = static_cast<double>(clock.nsecsElapsed()) * 1e-6;
        if (answer.first_ms == 0) answer.first_ms = ms;
        answer.refined_ms = ms;
        if (result->request.reduction <= finest) loop.quit();
      });
  clock.start();
  view.set_recipe(recipe);
  loop.exec();
  QObject::disconnect(connection);
  return answer;
}

Recipe recipe_with(const char* filter, const Values& given) {
  const FilterInfo& info = Registry::get().at(filter).filter->info();
  return recipe_of(info, complete(info.parameters, given));
}

// A slider that is moved eleven times, a little each time.
template <typename Number>
void slide(PreviewView& view, const char* filter, const char* parameter, Number from,
           Values given) {
  std::vector<double> first, refined;
  for (int i = 0; i < 12; ++i) {
    // A pixel further, or a hundredth.
    given.set(parameter, from + i * (std::is_integral_v<Number> ? Number{1} : from / 100));
    const Answer answer = answer_to(view, recipe_with(filter, given));
    if (i == 0) continue;  // compiles the program
    first.push_back(answer.first_ms);
    refined.push_back(answer.refined_ms);
  }
  char name[64];
  std::snprintf(name, sizeof name, "%s %s=%g", filter, parameter, static_cast<double>(from));
  std::printf("%-36s %10.1f %10.1f\n", name, median(first), median(refined));
  std::fflush(stdout);
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
    std::fputs("usage: sfumato-preview-bench PHOTO [--device D]\n", stderr);
    return 2;
  }
  const int at = static_cast<int>(arguments.indexOf(QStringLiteral("--device")));
  SessionOptions options;
  if (at > 0) options.device = arguments.value(at + 1).toStdString();

  Renderer renderer(options);
  PreviewView view(renderer);
  view.resize(1200, 800);
  view.show();
  Heartbeat heartbeat;

  PicturePtr picture;
  std::vector<double> opening;
  for (int i = 0; i < 5; ++i) {
    QElapsedTimer clock;
    clock.start();
    try {
      picture = open_whole(arguments[1].toStdString());
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s\n", error.what());
      return 1;
    }
    QEventLoop loop;
    QObject::connect(&view, &PreviewView::shown, &loop, &QEventLoop::quit);
    view.set_picture(picture);
    loop.exec();
    view.repaint();
    if (i > 0) opening.push_back(static_cast<double>(clock.nsecsElapsed()) * 1e-6);
  }
  const PictureFormat& f = picture->format();
  std::printf("%d x %d pixels in a view of 1200 x 800\n", f.width, f.height);
  std::printf("opening to first paint: %.0f ms\n\n", median(opening));
  std::printf("%-36s %10s %10s\n", "a slider's move", "first ms", "refined ms");
  heartbeat.reset();
  for (const double sigma : {1.0, 8.0, 60.0, 300.0}) slide(view, "gaussian", "sigma", sigma, {});
  for (const double sigma : {4.0, 12.0, 40.0}) slide(view, "bilateral", "sigma", sigma, {});
  Values exact;
  exact.set("method", Choice("exact"));
  slide(view, "bilateral", "sigma", 12.0, exact);
  slide(view, "median", "radius", std::int64_t{12}, {});
  std::printf("\nlongest stall of the event loop meanwhile: %.1f ms\n", heartbeat.longest_ms());
  return 0;
}
