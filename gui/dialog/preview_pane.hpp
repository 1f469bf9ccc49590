// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The preview of a dialog: how it shows, and what there is to say of it.
#pragma once

#include <QWidget>

class QHBoxLayout;
class QLabel;

namespace sfumato::gui {

class PreviewView;
class PreviewRenderer;

/// A PreviewView with buttons for its modes and its zoom, and a line below it for the engine's
/// warnings and the dialog's own sentences. GUI thread.
class PreviewPane : public QWidget {
  Q_OBJECT

 public:
  /// `renderer` outlives it.
  explicit PreviewPane(PreviewRenderer& renderer, QWidget* parent = nullptr);

  PreviewView& view() { return *view_; }
  void say(const QString& sentence);
  void hush();
  /// What is said, as far as it is seen.
  QString notice() const;

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  QHBoxLayout* make_buttons();
  void use_screen_profile();

  PreviewView* view_;
  QLabel* notice_;
};

}  // namespace sfumato::gui
