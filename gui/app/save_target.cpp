// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The desktop's dialog with our own question, since the dialog asks before the suffix is added.
#include "app/save_target.hpp"

#include <QCoreApplication>
#include <QFileDialog>
#include <QFileInfo>

#include "app/question.hpp"

namespace sfumato::gui {

QString choose_target(QWidget* parent, const QString& title, const QString& start,
                      const QString& filter, const QString& suffix) {
  QString path = start;
  while (true) {
    path = QFileDialog::getSaveFileName(parent, title, path, filter, nullptr,
                                        QFileDialog::DontConfirmOverwrite);
    if (path.isEmpty()) return {};
    if (QFileInfo(path).suffix().compare(suffix, Qt::CaseInsensitive) != 0) {
      path += QLatin1Char('.') + suffix;
    }
    if (!QFileInfo::exists(path)) return path;
    const QString question = QCoreApplication::translate("SaveTarget", "“%1” exists. Replace it?");
    if (ask_before_loss(parent, title, question.arg(QFileInfo(path).fileName()))) return path;
  }
}

}  // namespace sfumato::gui
