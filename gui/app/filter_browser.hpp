// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// All filters by category, with a search field.
#pragma once

#include <QWidget>
#include <string>

class QLineEdit;
class QTreeWidget;

namespace sfumato::gui {

/// Typing narrows the list by name, summary and category; Return or a double click adds a filter.
class FilterBrowser : public QWidget {
  Q_OBJECT

 public:
  explicit FilterBrowser(QWidget* parent = nullptr);
  void focus_search();

 Q_SIGNALS:
  void chosen(const std::string& filter);

 private:
  void narrow(const QString& words);
  void choose();

  QLineEdit* search_;
  QTreeWidget* tree_;
};

}  // namespace sfumato::gui
