// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The steps of the recipe: enabled by check boxes, reordered by dragging.
#pragma once

#include <QWidget>

class QLabel;
class QListWidget;
class QToolButton;

namespace sfumato::gui {

class Document;

class StackView : public QWidget {
  Q_OBJECT

 public:
  explicit StackView(Document& document, QWidget* parent = nullptr);

  /// Marks the step that cannot run, with the reason; -1: none.
  void mark(int step, const QString& why = {});

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void draw_icons();
  void show_marked();
  void fill();
  void update_buttons();

  Document& document_;
  QListWidget* list_;
  QLabel* hint_;
  QToolButton *duplicate_, *remove_, *up_, *down_;
  int marked_ = -1;
  QString why_;
  bool filling_ = false;
};

}  // namespace sfumato::gui
