// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A preview with a picture, and its results.
#pragma once

#include <QSignalSpy>
#include <QTest>
#include <string>
#include <vector>

#include "answered.hpp"
#include "preview/overlays.hpp"
#include "preview/preview_renderer.hpp"
#include "preview/preview_view.hpp"
#include "support/pictures.hpp"

namespace sfumato::testing {

inline gui::ResultPtr last_of(QSignalSpy& spy) {
  return spy.isEmpty() ? nullptr : spy.last().at(0).value<gui::ResultPtr>();
}

inline SessionOptions on(const std::string& device) {
  SessionOptions options;
  options.device = device;
  return options;
}

/// Whether the last result is of that recipe, and no finer one follows.
inline bool is_shown(const QSignalSpy& shown, const Recipe& recipe) {
  if (shown.isEmpty()) return false;
  const auto result = shown.back()[0].value<gui::ResultPtr>();
  return result->last && result->request.recipe == recipe;
}

/// The same for a recipe of one step, whatever its values.
inline bool is_shown(const QSignalSpy& shown, const std::string& filter) {
  if (shown.isEmpty()) return false;
  const Recipe& recipe = shown.back()[0].value<gui::ResultPtr>()->request.recipe;
  return recipe.steps.size() == 1 && recipe.steps[0].filter == filter && is_shown(shown, recipe);
}

/// Slow on any processor, although no single row is: the reference can stop between rows.
inline Recipe endless(const char* sigma = "40") {
  return one_step("bilateral", {{"sigma", sigma}, {"method", "exact"}});
}

/// A view of 400 x 300 with a picture, and its children's signals.
struct Shown {
  gui::PreviewRenderer renderer;
  gui::PreviewView view;
  QSignalSpy results;
  gui::Badge* badge;
  gui::ProgressRing* ring;

  explicit Shown(const gui::PicturePtr& picture, const std::string& device = {})
      : renderer(on(device)),
        view(renderer),
        results(&view, &gui::PreviewView::shown),
        badge(view.findChild<gui::Badge*>()),
        ring(view.findChild<gui::ProgressRing*>()) {
    view.resize(400, 300);
    view.show();
    view.set_picture(picture);
  }

  bool finished() { return answered(results, renderer); }
  // A description for debugging failed tests.
  QString state() const {
    return QStringLiteral("\"%1\", %2, ring at %3")
        .arg(badge->text(), renderer.is_busy() ? QStringLiteral("busy") : QStringLiteral("idle"))
        .arg(ring->progress());
  }
  // A long render, with its ring visible.
  bool starts_endless() {
    view.set_recipe(endless());
    return QTest::qWaitFor([&] { return ring->isVisible() && ring->progress() > 0; }, 180000);
  }
};

}  // namespace sfumato::testing
