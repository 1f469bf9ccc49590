// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A slider that goes where it is clicked and leaves steps to its owner.
#pragma once

#include <QSlider>

class QTimer;

namespace sfumato::gui {

/// Its 0..1000 are positions, not values: a key's step is the owner's to take. GUI thread only.
class NumberSlider final : public QSlider {
  Q_OBJECT

 public:
  static constexpr int positions = 1000;

  explicit NumberSlider(QWidget* parent = nullptr);

 Q_SIGNALS:
  /// Dragged, clicked, or sent to an end by a key.
  void moved(int position);
  /// Arrow keys and the wheel: 1 or -1, page keys 10 or -10.
  void stepped(int steps);
  /// A gesture ended.
  void settled();
  /// Double clicked.
  void default_wanted();

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void keyReleaseEvent(QKeyEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

 private:
  QRect handle() const;
  int position_at(int x) const;
  void go(int position);

  int grip_ = 0;         // from the handle's middle to where it was taken
  int wheel_angle_ = 0;  // not yet a whole step
  QTimer* rest_;
};

}  // namespace sfumato::gui
