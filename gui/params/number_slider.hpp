// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A slider that jumps to the clicked position and leaves steps to its owner.
#pragma once

#include <QSlider>

class QTimer;

namespace sfumato::gui {

/// Its range 0..1000 means positions, not values: the owner handles steps. GUI thread only.
class NumberSlider final : public QSlider {
  Q_OBJECT

 public:
  static constexpr int positions = 1000;

  explicit NumberSlider(QWidget* parent = nullptr);

 Q_SIGNALS:
  /// Dragged, clicked, or moved to an end by a key.
  void moved(int position);
  /// Arrow keys and the wheel: 1 or -1; page keys: 10 or -10.
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

  int grip_ = 0;         // from the handle's centre to the grabbed position
  int wheel_angle_ = 0;  // less than a full step so far
  QTimer* rest_;
};

}  // namespace sfumato::gui
