// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Sentences are recognised by their words; what stands between them are values, which may be
// sentences in their turn.
#include "params/core_text.hpp"

#include <QCoreApplication>
#include <QRegularExpression>
#include <QStringList>
#include <vector>

namespace sfumato::gui {
namespace {

constexpr int deepest = 4;  // a reason within a fault within a step

// As core and its file module say them; the first that fits counts.
constexpr const char* templates[] = {
    // Files
    QT_TRANSLATE_NOOP("Core", "%1: there is no such file; check the name"),
    QT_TRANSLATE_NOOP("Core", "%1: the file cannot be read (%2); check its permissions"),
    QT_TRANSLATE_NOOP("Core", "%1: the file cannot be read; check its permissions"),
    QT_TRANSLATE_NOOP("Core", "%1: the file may not be read (%2); check its permissions"),
    QT_TRANSLATE_NOOP("Core", "%1: this is a folder; give a picture in it"),
    QT_TRANSLATE_NOOP("Core", "%1: this is a folder; give the name of a file in it"),
    QT_TRANSLATE_NOOP("Core", "%1: this is not an ordinary file; save the picture to one first"),
    QT_TRANSLATE_NOOP("Core", "%1: this is not an ordinary file; choose another name"),
    QT_TRANSLATE_NOOP("Core", "%1: the file is empty; make it again"),
    QT_TRANSLATE_NOOP("Core", "%1: symbolic links lead back to themselves; choose another name"),
    QT_TRANSLATE_NOOP("Core",
                      "%1: this is not a picture in a format that can be read; convert it to PNG, "
                      "TIFF or OpenEXR first"),
    QT_TRANSLATE_NOOP("Core",
                      "%1: the %2 file is damaged, cut short or of an unknown variant (%3); make "
                      "it again"),
    QT_TRANSLATE_NOOP("Core",
                      "%1: the file is damaged or cut short near row %2 of %3 (%4); make it again"),
    QT_TRANSLATE_NOOP("Core",
                      "%1: the file is cut short: %2 pixels are promised, but not all are there; "
                      "make it again"),
    QT_TRANSLATE_NOOP("Core",
                      "%1: the file claims %2 pixels, more than the limit of %3; if it really is "
                      "that large, raise the limit (--max-pixels)"),
    QT_TRANSLATE_NOOP("Core",
                      "%1: its %2 pixels take %3 of memory, and %4 are free; close other programs "
                      "or make the picture smaller"),
    QT_TRANSLATE_NOOP("Core", "%1: the picture is in %2; convert it to RGB"),
    QT_TRANSLATE_NOOP("Core", "%1: the picture's profile is for %2; convert it to RGB"),
    QT_TRANSLATE_NOOP("Core",
                      "%1: the installed OpenImageIO cannot read %2 files; convert it to PNG, TIFF "
                      "or OpenEXR first"),
    QT_TRANSLATE_NOOP("Core", "%1: there is no channel or layer %2; the file has %3"),
    QT_TRANSLATE_NOOP("Core",
                      "%1: the file exists already; choose another name or allow overwriting "
                      "(--overwrite)"),
    QT_TRANSLATE_NOOP("Core",
                      "%1: this is the input itself; choose another name or allow overwriting "
                      "(--overwrite)"),
    QT_TRANSLATE_NOOP("Core",
                      "%1: a file of this name has appeared meanwhile and was left as it is; "
                      "choose another name or allow overwriting (--overwrite)"),
    QT_TRANSLATE_NOOP("Core", "%1: there is no folder %2; make it first or choose another"),
    QT_TRANSLATE_NOOP("Core", "%1: the folder %2 may not be written to (%3); choose another"),
    QT_TRANSLATE_NOOP("Core",
                      "%1: no file can be made in the folder %2 (%3); choose a folder that you may "
                      "write to"),
    QT_TRANSLATE_NOOP("Core",
                      "%1: the file cannot be written (%2); free some space or choose another "
                      "folder"),
    QT_TRANSLATE_NOOP("Core", "%1: the file cannot be written (%2)"),
    QT_TRANSLATE_NOOP("Core", "%1: the file cannot be written to the disk (%2)"),
    QT_TRANSLATE_NOOP("Core",
                      "%1: the file cannot be written whole; free some space or choose another "
                      "folder"),
    QT_TRANSLATE_NOOP("Core",
                      "%1: the %2 file cannot be written (%3); free some space or choose another "
                      "folder"),
    QT_TRANSLATE_NOOP("Core", "%1: the %2 file cannot be written (%3); choose another format"),
    QT_TRANSLATE_NOOP("Core", "%1: the finished file cannot be given its name (%2)"),
    QT_TRANSLATE_NOOP("Core", "%1: the name has no extension to choose the format by; use %2"),
    QT_TRANSLATE_NOOP("Core", "%1: files ending in %2 cannot be written; use %3"),
    QT_TRANSLATE_NOOP("Core",
                      "%1: %2 holds %3 numbers, not %4; choose another depth or another format"),
    QT_TRANSLATE_NOOP("Core",
                      "%1: %2 holds pictures of up to %3 pixels a side; choose TIFF, PNG or "
                      "OpenEXR"),
    // Roles
    QT_TRANSLATE_NOOP("Core",
                      "%1: the %2 (%3) cannot be laid on %4 (%5); give one of the same size"),
    QT_TRANSLATE_NOOP("Core",
                      "%1: the %2 (%3) lies beside %4 (%5), and they have no pixel in common; give "
                      "one that lies on it"),
    QT_TRANSLATE_NOOP("Core",
                      "the %1 picture is %2 pixels, but the picture is %3; both must have the same "
                      "size"),
    QT_TRANSLATE_NOOP("Core",
                      "the %1 picture lies beside the picture: they have no pixel in common"),
    QT_TRANSLATE_NOOP("Core", "%1 needs a picture for its role %2"),
    QT_TRANSLATE_NOOP("Core",
                      "%1 needs a picture whose edges it keeps: one for guide, for normal, for "
                      "depth, or for several of them"),
    // Devices
    QT_TRANSLATE_NOOP("Core", "%1 failed (%2); going on with %3"),
    QT_TRANSLATE_NOOP("Core", "%1 ran out of memory; going on with smaller tiles"),
    QT_TRANSLATE_NOOP("Core",
                      "no OpenCL device works here: computing without one, which takes about %1 s"),
    QT_TRANSLATE_NOOP("Core", "reference (no OpenCL)"),
    QT_TRANSLATE_NOOP("Core", "cancelled"),
    // Recipes and presets
    QT_TRANSLATE_NOOP("Core", "step %1 (%2): %3"),
    QT_TRANSLATE_NOOP("Core", "step %1: %2"),
    QT_TRANSLATE_NOOP("Core", "unknown filter %1"),
    QT_TRANSLATE_NOOP("Core",
                      "recipe needs %1 version %2; this program knows version %3: update Sfumato"),
    QT_TRANSLATE_NOOP("Core",
                      "the recipe has format version %1; this program knows version %2: update "
                      "Sfumato"),
    QT_TRANSLATE_NOOP("Core", "this is not a Sfumato recipe: it has no \"sfumato\" version"),
    QT_TRANSLATE_NOOP("Core", "this is not a Sfumato recipe: it is no JSON object"),
    QT_TRANSLATE_NOOP("Core", "the recipe has no \"steps\""),
    QT_TRANSLATE_NOOP("Core", "the recipe's \"steps\" must be an array"),
    QT_TRANSLATE_NOOP("Core", "the recipe's \"steps\" are empty: it does nothing"),
    QT_TRANSLATE_NOOP("Core", "the recipe cannot be read: %1"),
    QT_TRANSLATE_NOOP("Core", "a recipe without steps does nothing"),
    QT_TRANSLATE_NOOP("Core", "a preset needs a name"),
    QT_TRANSLATE_NOOP("Core", "there is a preset %1 already; choose another name"),
    QT_TRANSLATE_NOOP("Core", "cannot write %1; check the folder's permissions and the room left"),
    QT_TRANSLATE_NOOP("Core", "cannot delete %1: %2"),
    // Parameters
    QT_TRANSLATE_NOOP("Core", "unknown parameter %1 of %2; there are %3"),
    QT_TRANSLATE_NOOP("Core", "unknown parameter %1 of %2"),
    QT_TRANSLATE_NOOP("Core", "%1: %2 is outside %3 to %4"),
    QT_TRANSLATE_NOOP("Core", "%1: %2 is not allowed; give a number from %3 to %4"),
    QT_TRANSLATE_NOOP("Core", "%1: %2 is not allowed; give a number of at least %3"),
    QT_TRANSLATE_NOOP("Core", "%1: %2 is not allowed; give a number of at most %3"),
    QT_TRANSLATE_NOOP("Core", "%1: %2 is not one of %3"),
    QT_TRANSLATE_NOOP("Core",
                      "%1: %2 is not a number; write rows like \"0 -1 0; -1 5 -1; 0 -1 0\""),
    QT_TRANSLATE_NOOP("Core",
                      "%1: %2 is not a matrix; write as many numbers in every row, like \"0 -1 0; "
                      "-1 5 -1; 0 -1 0\""),
    QT_TRANSLATE_NOOP("Core", "%1: a matrix of %2 is larger than %3"),
    QT_TRANSLATE_NOOP("Core", "%1: a matrix of %2 has no middle; both sizes must be odd"),
    QT_TRANSLATE_NOOP("Core", "%1: a matrix needs at least one row and one column"),
    // Reasons that the system gives
    QT_TRANSLATE_NOOP("Core", "No such file or directory"),
    QT_TRANSLATE_NOOP("Core", "Permission denied"),
    QT_TRANSLATE_NOOP("Core", "Operation not permitted"),
    QT_TRANSLATE_NOOP("Core", "No space left on device"),
    QT_TRANSLATE_NOOP("Core", "Disk quota exceeded"),
    QT_TRANSLATE_NOOP("Core", "File too large"),
    QT_TRANSLATE_NOOP("Core", "File name too long"),
    QT_TRANSLATE_NOOP("Core", "Read-only file system"),
    QT_TRANSLATE_NOOP("Core", "Input/output error"),
    QT_TRANSLATE_NOOP("Core", "Too many open files"),
};

// What any sentence about a name may end with.
constexpr const char* suggestion = QT_TRANSLATE_NOOP("Core", "did you mean %1?");

const QRegularExpression& placeholder() {
  static const QRegularExpression made(QStringLiteral("%([1-9])"));
  return made;
}

// The words of the template, with values of any kind between them, in the order of their numbers.
QRegularExpression pattern_of(const char* text) {
  QString pattern = QRegularExpression::escape(QLatin1String(text));
  pattern.replace(QRegularExpression(QStringLiteral("\\\\%[1-9]")), QStringLiteral("(.+?)"));
  return QRegularExpression(QRegularExpression::anchoredPattern(pattern),
                            QRegularExpression::DotMatchesEverythingOption);
}

QString filled(const QString& text, const QStringList& values) {
  QString out;
  qsizetype from = 0;
  auto places = placeholder().globalMatch(text);
  while (places.hasNext()) {
    const auto place = places.next();
    out += text.mid(from, place.capturedStart() - from);
    out += values.value(place.captured(1).toInt() - 1);
    from = place.capturedEnd();
  }
  return out + text.mid(from);
}

QString translated(const char* text, const QStringList& values) {
  static const QRegularExpression option(QStringLiteral(" \\(--[a-z-]+\\)"));
  return filled(QCoreApplication::translate("Core", text).remove(option), values);
}

QString translated(const QString& sentence, int depth) {
  static const QRegularExpression suggested = pattern_of("%1; did you mean %2?");
  static const std::vector<QRegularExpression> patterns = [] {
    std::vector<QRegularExpression> made;
    for (const char* text : templates) made.push_back(pattern_of(text));
    return made;
  }();
  if (depth > deepest) return sentence;
  if (const auto match = suggested.match(sentence); match.hasMatch()) {
    return translated(match.captured(1), depth) + QStringLiteral("; ") +
           translated(suggestion, {match.captured(2)});
  }
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    const auto match = patterns[i].match(sentence);
    if (!match.hasMatch()) continue;
    QStringList values = match.capturedTexts().mid(1);
    for (QString& value : values) value = translated(value, depth + 1);
    return translated(templates[i], values);
  }
  return sentence;
}

}  // namespace

QString core_text(const QString& sentence) {
  return translated(sentence, 0);
}

QString core_text(const std::string& sentence) {
  return core_text(QString::fromStdString(sentence));
}

}  // namespace sfumato::gui
