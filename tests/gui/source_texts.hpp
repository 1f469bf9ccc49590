// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Texts in C++ sources, put together as far as they can be seen.
#pragma once

#include <QRegularExpression>
#include <QSet>
#include <QStringList>
#include <algorithm>
#include <utility>

namespace sfumato::testing {

inline constexpr QChar gap(1);  // where a value stands between words

inline bool is_prose(const QString& text) {
  static const QRegularExpression word(QStringLiteral("[a-z]{3}"));
  return text.contains(u' ') && word.match(text).hasMatch();
}

inline QString unescaped(QString literal) {
  if (literal == QLatin1String("{}")) return gap;
  return literal.replace(QLatin1String("{}"), gap)
      .replace(QLatin1String("\\n"), QLatin1String("\n"))
      .replace(QRegularExpression(QStringLiteral("\\\\(.)")), QStringLiteral("\\1"));
}

struct Text {
  QString words;       // with gaps
  bool whole = false;  // if thrown: an argument, not a part of one
};

// The texts of a statement: what is joined by + or stands side by side is one, and what is between
// its words a gap. Brackets, and the sides of a condition, hold texts of their own.
class Texts {
 public:
  void literal(const QString& text) { open_.last() += unescaped(text); }
  void other(const QString& token) {
    if (QStringLiteral("([").contains(token)) {
      open_.last() += gap;
      open_ << QString();
    } else if (QStringLiteral(")]").contains(token)) {
      end();
      if (open_.size() > 1) open_.removeLast();
    } else if (QStringLiteral(",?:").contains(token)) {
      end();
    } else if (token != QLatin1String("+") && !open_.last().endsWith(gap)) {
      open_.last() += gap;
    }
  }
  QList<Text> take() {
    while (open_.size() > 1) {
      end();
      open_.removeLast();
    }
    end();
    return std::exchange(found_, {});
  }

 private:
  void end() {
    const QString text = std::exchange(open_.last(), {});
    if (is_prose(text)) found_ << Text{text, open_.size() == 2};
  }

  QStringList open_{QString()};
  QList<Text> found_;
};

struct Statement {
  QList<Text> texts;
  QSet<QString> names;  // of functions and types
};

inline QList<Statement> statements_of(const QString& source) {
  static const QRegularExpression tokens(
      QStringLiteral("(//[^\n]*|/\\*.*?\\*/|\\s+)|R\"\\((.*?)\\)\"|\"((?:[^\"\\\\]|\\\\.)*)\"|"
                     "('(?:[^'\\\\]|\\\\.)+'|::|[0-9][0-9A-Za-z.']*|[A-Za-z_]\\w*|.)"),
      QRegularExpression::DotMatchesEverythingOption);
  QList<Statement> statements;
  Texts texts;
  QSet<QString> names;
  auto matches = tokens.globalMatch(source);
  while (matches.hasNext()) {
    const auto token = matches.next();
    if (token.hasCaptured(1)) continue;
    const QString word = token.captured(4);
    if (token.hasCaptured(2) || token.hasCaptured(3)) {
      texts.literal(token.captured(2) + token.captured(3));
    } else if (word.size() == 1 && QStringLiteral(";{}").contains(word)) {
      statements << Statement{texts.take(), std::exchange(names, {})};
    } else {
      names << word;
      texts.other(word);
    }
  }
  return statements;
}

// Whether the sentence, or what a sentence is made of, is among those that are known.
class KnownTexts {
 public:
  explicit KnownTexts(const QStringList& sentences) : sentences_(sentences) {
    for (const QString& sentence : sentences) {
      QString pattern = QRegularExpression::escape(sentence);
      pattern.replace(QRegularExpression(QStringLiteral("\\\\%[1-9]")), QStringLiteral(".+"));
      whole_ << QRegularExpression(QRegularExpression::anchoredPattern(pattern));
    }
  }

  // As a part of a sentence; a whole one begins and ends where the text does.
  bool has(const QString& text, bool whole) const {
    static const QRegularExpression letter(QStringLiteral("[a-z]"));
    const QStringList pieces = text.split(gap), words = pieces.filter(letter);
    QStringList escaped;
    for (const QString& piece : words) escaped << QRegularExpression::escape(piece);
    QString pattern = escaped.join(QLatin1String(".*"));
    if (whole && pieces.first().contains(letter)) pattern.prepend(u'^');
    if (whole && pieces.last().contains(letter)) pattern.append(u'$');
    const auto fits = [&](const QRegularExpression& one) { return one.match(text).hasMatch(); };
    return !sentences_.filter(QRegularExpression(pattern)).isEmpty() ||
           std::any_of(whole_.begin(), whole_.end(), fits);
  }

 private:
  QStringList sentences_;
  QList<QRegularExpression> whole_;
};

}  // namespace sfumato::testing
