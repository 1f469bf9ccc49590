// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The heading of a collapsible section.
#pragma once

#include <QToolButton>

namespace sfumato::gui {

/// An arrow, a text and a line to the right edge; checked while the section is open.
class SectionButton final : public QToolButton {
  Q_OBJECT

 public:
  SectionButton(const QString& text, QWidget* parent);
  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
};

}  // namespace sfumato::gui
