// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// GIMP's console for tests: scripts that load pixels, call procedures and write pixels again.
#pragma once

#include <unistd.h>

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QProcessEnvironment>
#include <QTemporaryDir>
#include <QTest>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "filters/registry.hpp"
#include "io/pixel_file.hpp"
#include "params/layer_reference.hpp"
#include "params/text.hpp"
#include "support/registry_walk.hpp"

namespace sfumato::testing {

// A string literal for Script-Fu.
inline QString quoted(const QString& text) {
  QString out = text;
  out.replace(QLatin1Char('\\'), QStringLiteral("\\\\"));
  out.replace(QLatin1Char('"'), QStringLiteral("\\\""));
  return QLatin1Char('"') + out + QLatin1Char('"');
}

// A long one: Script-Fu reads no more than 1,024 bytes of a text at once.
inline QString quoted_in_parts(const QString& text) {
  constexpr int part = 200;
  QString out = QStringLiteral("(string-append");
  for (int i = 0; i < text.size(); i += part) out += QLatin1Char(' ') + quoted(text.mid(i, part));
  return out + QLatin1Char(')');
}

// Script-Fu's colours have 8 bits and no opacity.
inline Value as_script_has_it(const Parameter& p, const Value& value) {
  if (p.kind != Kind::color) return value;
  const auto& color = std::get<Color>(value);
  const auto eight = [](double v) { return std::round(std::clamp(v, 0.0, 1.0) * 255) / 255; };
  return Color{eight(color.r), eight(color.g), eight(color.b), 1};
}

inline QString argument(const Parameter& p, const Value& value) {
  switch (p.kind) {
    case Kind::real:
      return QString::fromStdString(print_number(std::get<double>(value)));
    case Kind::integer:
      return QString::number(std::get<std::int64_t>(value));
    case Kind::boolean:
      return std::get<bool>(value) ? QStringLiteral("1") : QStringLiteral("0");
    case Kind::color: {
      const auto& c = std::get<Color>(value);
      return QStringLiteral("'(%1 %2 %3)")
          .arg(std::lround(c.r * 255))
          .arg(std::lround(c.g * 255))
          .arg(std::lround(c.b * 255));
    }
    default:
      return quoted(QString::fromStdString(print(p, value)));
  }
}

// An operation's choices are words with dashes.
inline QString argument_of_operation(const Parameter& p, const Value& value) {
  QString out = argument(p, value);
  return p.kind == Kind::choice ? out.replace(QLatin1Char('_'), QLatin1Char('-')) : out;
}

// Differences between the two versions of GIMP.
constexpr bool is_3 = SFUMATO_GIMP_3;
inline const QString drawables = is_3 ? QStringLiteral("(vector layer)") : QStringLiteral("layer");
inline const QString new_group =
    is_3 ? QStringLiteral("(car (gimp-group-layer-new image \"group\"))")
         : QStringLiteral("(car (gimp-layer-group-new image))");

inline QString procedure_of(const FilterInfo& info) {
  QString name = QString::fromStdString(info.id);
  return QStringLiteral("plug-in-sfumato-") + name.replace(QLatin1Char('_'), QLatin1Char('-'));
}

inline PixelFile header_of(const PictureFormat& format, int x = 0, int y = 0) {
  PixelFile out;
  out.format = format;
  out.x = x;
  out.y = y;
  out.canvas_width = 100;
  out.canvas_height = 80;
  return out;
}

inline Image image_of(const QString& path) {
  const auto file = open_pixel_file(path.toStdString(), {});
  Image out(file->format());
  file->read(out.format.rect(), out.bytes.data(), out.view().row_stride);
  return out;
}

// In steps of the stored numbers for integers, else as numbers.
inline double distance(Image& a, Image& b, const Rect& region) {
  const PictureFormat& f = a.format;
  const double step = f.type == SampleType::u8 ? 255 : f.type == SampleType::u16 ? 65535 : 1;
  double most = 0;
  for (int y = region.y0; y < region.y1; ++y) {
    for (int x = region.x0; x < region.x1; ++x) {
      const bool clear =
          f.has_alpha() && a.get(x, y, f.channels - 1) == 0 && b.get(x, y, f.channels - 1) == 0;
      for (int c = 0; c < f.channels && !clear; ++c) {
        const double d = std::abs(static_cast<double>(a.get(x, y, c)) - b.get(x, y, c)) * step;
        most = std::isnan(d) ? 1e9 : std::max(most, d);
      }
    }
  }
  return most;
}

// Weighted by alpha, since rounding errors are large in nearly transparent colours.
inline double seen_distance(Image& got, Image& want) {
  double most = 0;
  for (int y = 0; y < want.format.height; ++y) {
    for (int x = 0; x < want.format.width; ++x) {
      const float alpha = want.get(x, y, 3);
      for (int c = 0; c < 4; ++c) {
        const double d = std::abs(static_cast<double>(got.get(x, y, c)) - want.get(x, y, c)) *
                         (c < 3 ? alpha : 1);
        most = std::isnan(d) ? 1e9 : std::max(most, d);
      }
    }
  }
  return most;
}

inline bool thoroughly() {
  return qEnvironmentVariableIsSet("SFUMATO_TEST_ALL");
}

// All processes below one, by name.
inline std::vector<int> children_of(qint64 parent, const QByteArray& name) {
  std::vector<int> out;
  if (parent <= 0) return out;  // of an ended process: all processes descend from 0
  for (const QString& entry : QDir(QStringLiteral("/proc")).entryList(QDir::Dirs)) {
    QFile status(QStringLiteral("/proc/%1/status").arg(entry));
    if (entry.toInt() == 0 || !status.open(QFile::ReadOnly)) continue;
    const QByteArray text = status.readAll();
    if (!text.contains("PPid:\t" + QByteArray::number(parent) + "\n")) continue;
    if (text.startsWith("Name:\t" + name + "\n")) out.push_back(entry.toInt());
    for (const int below : children_of(entry.toLongLong(), name)) out.push_back(below);
  }
  return out;
}

/// A GIMP with our plug-ins and those of the tests, and nothing of the user's.
class GimpConsole {
 protected:
  void set_up_plug_ins() {
    QVERIFY(QDir(folder_.path()).mkpath(QStringLiteral("home")));
    const QDir plug_ins(path(QStringLiteral("gimp/plug-ins")));
    QVERIFY(plug_ins.mkpath(QStringLiteral(".")));
    for (const char* file : {SFUMATO_PLUG_IN, SFUMATO_TEST_PLUG_IN}) {
      const QFileInfo info(QString::fromUtf8(file));
      QVERIFY(plug_ins.mkpath(info.fileName()));
      QVERIFY(QFile::link(info.filePath(),
                          plug_ins.filePath(info.fileName() + QLatin1Char('/') + info.fileName())));
    }
  }

  QString path(const QString& name) const { return folder_.filePath(name); }

  void write(const QString& name, Image& image, int x = 0, int y = 0) {
    write_pixel_file(path(name).toStdString(), header_of(image.format, x, y), image.view());
  }

  /// (load ...) gives a new image and its layer as `image` and `layer`.
  static QString load(const QString& file) {
    return QStringLiteral(
               "(let* ((loaded (plug-in-sfumato-test-load %1 0)) (image (car loaded)) "
               "(layer (cadr loaded)) (failed FALSE)) ")
        .arg(quoted(file));
  }
  /// Another layer of `image`, as an argument.
  QString layer_from(const QString& name) const {
    return QStringLiteral("(cadr (plug-in-sfumato-test-load %1 image))").arg(quoted(path(name)));
  }
  QString dump(const QString& name) const {
    return QStringLiteral(" (plug-in-sfumato-test-dump layer %1) ").arg(quoted(path(name)));
  }
  static QString end() { return QStringLiteral(" (gimp-image-delete image))\n"); }

  static QString call(const FilterInfo& info, const Values& values,
                      const std::map<std::string, QString>& roles = {}) {
    QString out =
        QStringLiteral("(%1 RUN-NONINTERACTIVE image %2").arg(procedure_of(info), drawables);
    for (const Parameter& p : info.parameters) {
      if (p.kind == Kind::image) {
        const auto role = roles.find(p.name);
        out += QLatin1Char(' ') + (role == roles.end() ? QStringLiteral("-1") : role->second);
      } else {
        out += QLatin1Char(' ') + argument(p, values.at(p.name));
      }
    }
    return out + QLatin1Char(')');
  }
  static QString call(const Recipe& recipe) {
    return call(Registry::get().at(recipe.steps[0].filter).filter->info(), recipe.steps[0].values);
  }

  /// The recipe as if left by the dialog, applied again.
  static QString repeated(const Recipe& recipe) {
    const QString text = QString::fromStdString(print_recipe(recipe, Registry::get()));
    QString kept;
    if (is_3) {
      kept = QStringLiteral("(gimp-attach-parasite (list \"plug-in-sfumato\" 1 %1))")
                 .arg(quoted_in_parts(text));
    } else {
      QStringList bytes;
      for (const char c : text.toUtf8()) {
        bytes << QString::number(static_cast<unsigned char>(c));
      }
      kept = QStringLiteral("(gimp-procedural-db-set-data \"plug-in-sfumato\" %1 '#(%2))")
                 .arg(bytes.size())
                 .arg(bytes.join(QLatin1Char(' ')));
    }
    return kept + QStringLiteral("(plug-in-sfumato RUN-WITH-LAST-VALS image %1)").arg(drawables);
  }

  /// GIMP's console on a script, in a language ("de").
  std::unique_ptr<QProcess> start(const QString& script,
                                  const QString& language = QStringLiteral("en")) {
    QFile file(path(QStringLiteral("script.scm")));
    if (!file.open(QFile::WriteOnly)) return nullptr;
    file.write(script.toUtf8());
    file.close();
    auto process = std::make_unique<QProcess>();
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("HOME"), path(QStringLiteral("home")));
    environment.insert(is_3 ? QStringLiteral("GIMP3_DIRECTORY") : QStringLiteral("GIMP2_DIRECTORY"),
                       path(QStringLiteral("gimp")));
    environment.insert(QStringLiteral("XDG_CACHE_HOME"), path(QStringLiteral("cache")));
    environment.insert(QStringLiteral("LC_ALL"), QStringLiteral("C.UTF-8"));
    environment.insert(QStringLiteral("LANGUAGE"), language);
    for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}) {
      environment.remove(QLatin1String(name));
    }
    for (const auto& [name, value] : environment_) environment.insert(name, value);
    process->setProcessEnvironment(environment);
    process->setProcessChannelMode(QProcess::MergedChannels);
    QStringList words{QStringLiteral("--no-interface"), QStringLiteral("--no-data"),
                      QStringLiteral("--no-fonts")};
    if (is_3) words << QStringLiteral("--batch-interpreter=plug-in-script-fu-eval");
    words << QStringLiteral("-b") << QStringLiteral("(load %1)").arg(quoted(file.fileName()));
    words << (is_3 ? QStringList{QStringLiteral("--quit")}
                   : QStringList{QStringLiteral("-b"), QStringLiteral("(gimp-quit 1)")});
    process->start(QStringLiteral(SFUMATO_GIMP_CONSOLE), words);
    return process;
  }

  void run_script(const QString& script, const QString& language = QStringLiteral("en")) {
    const auto process = start(script, language);
    QVERIFY(process != nullptr && process->waitForFinished(600000));
    said_ = process->readAll();
    QVERIFY2(process->exitStatus() == QProcess::NormalExit, said_.constData());
  }

  Image by_session(const Recipe& recipe, Image& input, const RenderOptions& options = {}) {
    return sfumato::testing::run(session_, recipe, input, input.format, options);
  }

  QTemporaryDir folder_;
  std::map<QString, QString> environment_;  ///< beside the test's own
  Session session_;
  QByteArray said_;
};

}  // namespace sfumato::testing
