// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// All filters by category, with a search field.
#pragma once

#include <QWidget>
#include <map>
#include <memory>
#include <string>

#include "document/opened_picture.hpp"

class QLabel;
class QLineEdit;
class QTreeWidget;
class QTreeWidgetItem;

namespace sfumato::gui {

class Thumbnails;

/// Typing narrows the list by name, summary and category; Return or a double click adds a filter.
/// Each filter has a thumbnail of its effect on the picture.
class FilterBrowser : public QWidget {
  Q_OBJECT

 public:
  explicit FilterBrowser(QWidget* parent = nullptr);
  ~FilterBrowser() override;
  void focus_search();

  /// Shows thumbnails of this picture; null: none.
  void set_picture(const PicturePtr& picture);
  /// The source of thumbnails, to be paused while the preview is busy.
  Thumbnails& thumbnails() { return *thumbnails_; }

 Q_SIGNALS:
  void chosen(const std::string& filter);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void fill();
  void narrow(const QString& words);
  void choose();
  void show_thumbnail(const std::string& filter);
  void show_thumbnails();

  QLineEdit* search_;
  QTreeWidget* tree_;
  QLabel* nothing_;
  std::map<std::string, QTreeWidgetItem*> items_;
  std::unique_ptr<Thumbnails> thumbnails_;
};

}  // namespace sfumato::gui
