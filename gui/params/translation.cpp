// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Our translations are embedded; Qt's are in Qt's folder.
#include "params/translation.hpp"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QLocale>
#include <QTranslator>

namespace sfumato::gui {
namespace {

bool install(const QString& file, const QString& folder) {
  auto* translator = new QTranslator(qApp);
  if (translator->load(file, folder)) return QCoreApplication::installTranslator(translator);
  delete translator;
  return false;
}

const Translations*& installed() {
  static const Translations* now = &Translations::of("en");
  return now;
}

}  // namespace

const Translations& translations() {
  return *installed();
}

void install_translations(const QString& language) {
  const QLocale locale = language.isEmpty() ? QLocale() : QLocale(language);
  for (QString name : locale.uiLanguages()) {
    if (QLocale(name).language() == QLocale::English) break;
    name.replace(QLatin1Char('-'), QLatin1Char('_'));
    if (!install(QStringLiteral("sfumato_") + name, QStringLiteral(":/i18n"))) continue;
    installed() = &Translations::of(name.toStdString());
    install(QStringLiteral("qtbase_") + name, QLibraryInfo::path(QLibraryInfo::TranslationsPath));
    return;
  }
  installed() = &Translations::of("en");
  install(QStringLiteral("sfumato_en"), QStringLiteral(":/i18n"));  // for plural forms
}

}  // namespace sfumato::gui
