// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The preview of a dialog, with its modes and messages.
#pragma once

#include <QWidget>

class QHBoxLayout;
class QLabel;

namespace sfumato::gui {

class PreviewView;
class PreviewRenderer;

/// A PreviewView with buttons for its modes and zoom, and a line below for warnings of the engine
/// and messages of the dialog. GUI thread.
class PreviewPane : public QWidget {
  Q_OBJECT

 public:
  /// `renderer` must outlive it.
  explicit PreviewPane(PreviewRenderer& renderer, QWidget* parent = nullptr);

  PreviewView& view() { return *view_; }
  void say(const QString& sentence);
  void hide_message();
  /// The visible message.
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
