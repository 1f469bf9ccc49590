// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A hint in an empty place.
#pragma once

#include <QLabel>
#include <QVBoxLayout>

namespace sfumato::gui {

/// A faint sentence in the middle of `place`; it ignores drags and clicks.
inline QLabel* empty_hint(QWidget& place, const QString& text) {
  auto* hint = new QLabel(text, &place);
  hint->setWordWrap(true);
  hint->setAlignment(Qt::AlignCenter);
  hint->setForegroundRole(QPalette::PlaceholderText);
  hint->setAttribute(Qt::WA_TransparentForMouseEvents);
  auto* layout = new QVBoxLayout(&place);
  layout->setContentsMargins(12, 12, 12, 12);
  layout->addWidget(hint);
  return hint;
}

}  // namespace sfumato::gui
