// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The steps of the recipe: switched by their boxes, reordered by dragging.
#pragma once

#include <QWidget>

class QListWidget;
class QToolButton;

namespace sfumato::gui {

class Document;

class StackView : public QWidget {
  Q_OBJECT

 public:
  explicit StackView(Document& document, QWidget* parent = nullptr);

 private:
  void fill();
  void moved();
  void update_buttons();

  Document& document_;
  QListWidget* list_;
  QToolButton *duplicate_, *remove_, *up_, *down_;
  bool filling_ = false;
};

}  // namespace sfumato::gui
