// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// One start of Krita for tests: the plan for `sfumato_test`, and its results.
#pragma once

#include <signal.h>
#include <unistd.h>

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QJsonValue>
#include <QProcess>
#include <QProcessEnvironment>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "filters/registry.hpp"
#include "io/pixel_file.hpp"
#include "support/registry_walk.hpp"

namespace sfumato::testing {

inline bool thoroughly() {
  return qEnvironmentVariableIsSet("SFUMATO_TEST_ALL");
}

// In Krita's terms, with the profile that fits `linear`.
inline QJsonObject document_of(const PictureFormat& f) {
  static const char* const depths[] = {"U8", "U16", "F16", "F32"};
  const bool linear = f.coding == Coding::linear();
  const QString profile = f.channels == 4
                              ? (linear ? QStringLiteral("sRGB-elle-V2-g10.icc")
                                        : QStringLiteral("sRGB-elle-V2-srgbtrc.icc"))
                              : (linear ? QStringLiteral("Gray-D50-elle-V2-g10.icc")
                                        : QStringLiteral("Gray-D50-elle-V2-srgbtrc.icc"));
  return {
      {QStringLiteral("width"), f.width},
      {QStringLiteral("height"), f.height},
      {QStringLiteral("model"), f.channels == 4 ? QStringLiteral("RGBA") : QStringLiteral("GRAYA")},
      {QStringLiteral("depth"), QLatin1String(depths[static_cast<int>(f.type)])},
      {QStringLiteral("profile"), profile}};
}

inline double distance(Image& a, Image& b) {
  const PictureFormat& f = a.format;
  const double step = f.type == SampleType::u8 ? 255 : f.type == SampleType::u16 ? 65535 : 1;
  double most = 0;
  for (int y = 0; y < f.height; ++y) {
    for (int x = 0; x < f.width; ++x) {
      const int last = f.channels - 1;
      if (a.get(x, y, last) == 0 && b.get(x, y, last) == 0) continue;
      for (int c = 0; c < f.channels; ++c) {
        const double d = std::abs(static_cast<double>(a.get(x, y, c)) - b.get(x, y, c)) * step;
        most = std::isnan(d) ? 1e9 : std::max(most, d);
      }
    }
  }
  return most;
}

// Opaque floats: in other formats, files would round.
inline Image opaque(const Image& from) {
  Image out({from.format.width, from.format.height, 4, SampleType::f32, AlphaKind::straight,
             Coding::linear()});
  const int last = from.format.color_channels() - 1;
  for (int y = 0; y < out.format.height; ++y) {
    for (int x = 0; x < out.format.width; ++x) {
      for (int c = 0; c < 3; ++c) out.set(x, y, c, Image(from).get(x, y, std::min(c, last)));
      out.set(x, y, 3, 1);
    }
  }
  return out;
}

/// What is planned, and the results by the plan's names.
class KritaRun {
 protected:
  QString path(const QString& name) const { return folder_.filePath(name); }

  // A layer's bytes in Krita's order: integer colours with blue first.
  QJsonObject pixels(const QString& name, Image image, int x = 0, int y = 0) {
    const PictureFormat& f = image.format;
    if (f.channels == 4 && is_integer(f.type)) {
      for (int v = 0; v < f.height; ++v) {
        for (int u = 0; u < f.width; ++u) {
          const float red = image.get(u, v, 0), blue = image.get(u, v, 2);
          image.set(u, v, 0, blue);
          image.set(u, v, 2, red);
        }
      }
    }
    QFile file(path(name));
    if (file.open(QFile::WriteOnly)) {
      file.write(image.bytes.data(), static_cast<qint64>(image.bytes.size()));
    }
    return {{QStringLiteral("file"), file.fileName()},
            {QStringLiteral("x"), x},
            {QStringLiteral("y"), y},
            {QStringLiteral("width"), f.width},
            {QStringLiteral("height"), f.height}};
  }

  QJsonObject plan(const QString& name, const Recipe& recipe, const PictureFormat& format) {
    QJsonObject one = document_of(format);
    one[QStringLiteral("name")] = name;
    one[QStringLiteral("recipe")] = QString::fromStdString(print_recipe(recipe, Registry::get()));
    recipes_[name] = recipe;
    return one;
  }

  void filtered(const QString& name, const Recipe& recipe, const Image& input) {
    QJsonObject one = plan(name, recipe, input.format);
    one[QStringLiteral("layer")] = pixels(name + QStringLiteral(".in"), input);
    inputs_.emplace(name, input);
    plan_.append(one);
  }

  // Adds to the last planned entry.
  void also(const QString& key, const QJsonValue& value) {
    QJsonObject one = plan_.last().toObject();
    one[key] = value;
    plan_.replace(plan_.size() - 1, one);
  }

  Image result(const QString& name) const {
    const auto file = open_pixel_file(path(name + QStringLiteral(".result")).toStdString(), {});
    Image out(file->format());
    file->read(out.format.rect(), out.bytes.data(), out.view().row_stride);
    return out;
  }

  // A rendering of an 8-bit document, "before" or "after".
  Image seen(const QString& name, const char* when) const {
    const PictureFormat& f = inputs_.at(name).format;
    Image out(f);
    QFile file(path(name + QLatin1Char('.') + QLatin1String(when)));
    if (!file.open(QFile::ReadOnly)) return out;
    const QByteArray bytes = file.readAll();
    if (bytes.size() != static_cast<qsizetype>(out.bytes.size())) return out;
    for (qsizetype i = 0; i < bytes.size(); i += 4) {
      for (const auto& [to, from] : {std::pair(0, 2), {1, 1}, {2, 0}, {3, 3}}) {
        out.bytes[static_cast<std::size_t>(i + to)] = bytes[i + from];
      }
    }
    return out;
  }

  // The name of the new layer.
  static QString name_of(const Recipe& recipe) {
    QStringList labels;
    for (const Step& step : recipe.steps) {
      labels << QString::fromStdString(Registry::get().at(step.filter).filter->info().label);
    }
    return labels.join(QStringLiteral(", "));
  }

  /// With our extension and the test's, and nothing of the user's.
  void run_krita() {
    const QDir home(path(QStringLiteral("home")));
    const QString extensions = home.filePath(QStringLiteral("data/krita/pykrita"));
    QVERIFY(home.mkpath(QStringLiteral("data/krita/pykrita")));
    QVERIFY(home.mkpath(QStringLiteral("config")));
    QVERIFY(home.mkpath(QStringLiteral("tmp")));
    for (const char* file :
         {SFUMATO_KRITA "/sfumato", SFUMATO_KRITA "/kritapykrita_sfumato.desktop",
          SFUMATO_KRITA_TEST "/sfumato_test",
          SFUMATO_KRITA_TEST "/kritapykrita_sfumato_test.desktop"}) {
      const QFileInfo info(QString::fromUtf8(file));
      QVERIFY(QFile::link(info.filePath(), extensions + QLatin1Char('/') + info.fileName()));
    }
    QFile settings(home.filePath(QStringLiteral("config/kritarc")));
    QVERIFY(settings.open(QFile::WriteOnly));
    settings.write("[python]\nenable_sfumato=true\nenable_sfumato_test=true\n");
    settings.close();
    QFile file(path(QStringLiteral("plan.json")));
    QVERIFY(file.open(QFile::WriteOnly));
    file.write(QJsonDocument(plan_).toJson());
    file.close();
    QProcess krita;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("HOME"), home.path());
    environment.insert(QStringLiteral("XDG_DATA_HOME"), home.filePath(QStringLiteral("data")));
    environment.insert(QStringLiteral("XDG_CONFIG_HOME"), home.filePath(QStringLiteral("config")));
    environment.insert(QStringLiteral("TMPDIR"), home.filePath(QStringLiteral("tmp")));
    environment.insert(QStringLiteral("SFUMATO_TEST_FOLDER"), folder_.path());
    environment.insert(QStringLiteral("PYTHONDONTWRITEBYTECODE"), QStringLiteral("1"));
    environment.insert(QStringLiteral("LC_ALL"), QStringLiteral("C.UTF-8"));
    environment.insert(QStringLiteral("LANGUAGE"), QStringLiteral("en"));
    environment.remove(QStringLiteral("DISPLAY"));
    environment.remove(QStringLiteral("QT_QPA_PLATFORM"));
    krita.setProcessEnvironment(environment);
    krita.setProcessChannelMode(QProcess::MergedChannels);
    krita.setChildProcessModifier([] { ::setpgid(0, 0); });  // its whole group is ended with it
    // Krita first examines the screen over a separate connection. A server restarts when its last
    // connection closes, and may refuse the next one meanwhile.
    krita.start(QStringLiteral(SFUMATO_XVFB),
                {QStringLiteral("-a"), QStringLiteral("-s"),
                 QStringLiteral("-screen 0 1200x800x24 -noreset"),
                 QStringLiteral(SFUMATO_KRITA_PROGRAM), QStringLiteral("--nosplash")});
    const bool ended = krita.waitForFinished(thoroughly() ? 3600000 : 600000);
    if (!ended) ::kill(static_cast<pid_t>(-krita.processId()), SIGTERM);
    said_ = krita.readAll().right(4000);
    QVERIFY2(ended, said_.constData());
    QFile results(path(QStringLiteral("results.json")));
    if (!results.exists()) {
      QFile so_far(path(QStringLiteral("so_far.json")));
      if (so_far.open(QFile::ReadOnly)) said_ += "so far: " + so_far.readAll().right(1000);
    }
    QVERIFY2(results.open(QFile::ReadOnly), said_.constData());
    for (const QJsonValue& one : QJsonDocument::fromJson(results.readAll()).array()) {
      results_[one[QStringLiteral("name")].toString()] = one.toObject();
    }
    QCOMPARE(results_.size(), static_cast<std::size_t>(plan_.size()));
  }

  QTemporaryDir folder_;
  QJsonArray plan_;
  std::map<QString, QJsonObject> results_;
  QByteArray said_;
  std::map<QString, Image> inputs_;
  std::map<QString, Recipe> recipes_;
};

}  // namespace sfumato::testing
