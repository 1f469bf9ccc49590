// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Waiting for previews.
#pragma once

#include <QTest>

#include "preview/preview_renderer.hpp"

namespace sfumato::testing {

/// Whether a result arrives (`results` is a QSignalSpy, or a list filled by a slot) within three
/// minutes and nothing more will come. A renderer becomes idle before its last result reaches this
/// thread.
template <typename Results>
bool answered(const Results& results, const gui::PreviewRenderer& renderer) {
  const auto done = [&] { return !results.isEmpty() && !renderer.is_busy(); };
  if (!QTest::qWaitFor(done, 180000)) return false;
  QCoreApplication::processEvents();
  return QTest::qWaitFor(done, 180000);
}

}  // namespace sfumato::testing
