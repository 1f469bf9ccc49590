// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Krita runs the extension as `sfumato_test` tells it to: the session's pixels on a new layer, in
// every depth, through selections; and documents that stay as they were where nothing comes of it.
#include <unistd.h>

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>
#include <csignal>
#include <map>
#include <random>

#include "io/handover.hpp"
#include "support/registry_walk.hpp"

using namespace sfumato;
using namespace sfumato::testing;

namespace {

bool thoroughly() {
  return qEnvironmentVariableIsSet("SFUMATO_TEST_ALL");
}

// As Krita names them, with the profile that fits `linear`.
QJsonObject document_of(const PictureFormat& f) {
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

double distance(Image& a, Image& b) {
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

}  // namespace

class TestKrita : public QObject {
  Q_OBJECT

 private:
  QTemporaryDir folder_;
  Session session_;
  QJsonArray plan_;
  std::map<QString, QJsonObject> results_;
  QByteArray said_;
  std::map<QString, Image> inputs_;
  std::map<QString, Recipe> recipes_;

  QString path(const QString& name) const { return folder_.filePath(name); }

  // A layer's bytes as Krita keeps them: integers of colours with blue first.
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

  void add_pixels() {
    const Recipe gaussian = one_step("gaussian", {{"sigma", "2.5"}});
    for (const RegisteredFilter& entry : Registry::get().all()) {
      const FilterInfo& info = entry.filter->info();
      const Recipe recipe = recipe_of(info, busy_values(*entry.filter));
      Image input = scene({37, 29, 4, SampleType::u8, AlphaKind::straight, Coding::srgb()});
      try {
        run(session_, recipe, input, input.format);
      } catch (const std::exception&) {
        continue;  // it needs another picture
      }
      filtered(QString::fromStdString(info.id), recipe, input);
    }
    for (const int channels : {2, 4}) {
      for (const SampleType type : {SampleType::u16, SampleType::f16, SampleType::f32}) {
        if (channels == 2 && type == SampleType::f16) continue;
        const Coding coding = is_integer(type) ? Coding::srgb() : Coding::linear();
        filtered(QStringLiteral("depth%1_%2").arg(static_cast<int>(type)).arg(channels), gaussian,
                 scene({37, 29, channels, type, AlphaKind::straight, coding}));
      }
    }
    filtered(QStringLiteral("one_pixel"), gaussian,
             scene({1, 1, 4, SampleType::u8, AlphaKind::straight, Coding::srgb()}));
  }

  void add_selections() {
    const PictureFormat format{40, 30, 4, SampleType::u8, AlphaKind::straight, Coding::srgb()};
    const Recipe recipe = one_step("gaussian", {{"sigma", "4"}});
    Image input = scene(format);
    for (int y = 0; y < 30; ++y) {
      for (int x = 0; x < 40; ++x) input.set(x, y, 3, 1);
    }
    Image mask({20, 12, 1, SampleType::u8, AlphaKind::none, Coding::linear()});
    for (int y = 0; y < 12; ++y) {
      for (int x = 0; x < 20; ++x) mask.set(x, y, 0, static_cast<float>(x) / 19);
    }
    QJsonObject one = plan(QStringLiteral("selection"), recipe, format);
    one[QStringLiteral("layer")] = pixels(QStringLiteral("selection.in"), input);
    one[QStringLiteral("selection")] = pixels(QStringLiteral("selection.mask"), mask, 10, 9);
    inputs_.emplace(QStringLiteral("selection"), input);
    plan_.append(one);
    one[QStringLiteral("name")] = QStringLiteral("empty_selection");
    one[QStringLiteral("selection")] = QJsonObject{};
    plan_.append(one);
  }

  void add_roles() {
    const PictureFormat format{40, 30, 4, SampleType::f32, AlphaKind::straight, Coding::linear()};
    const QString name = QStringLiteral("roles");
    Recipe recipe = one_step("joint_bilateral", {{"guide", "layer:Guide"}});
    Image guide = scene(format, 5);
    for (int y = 0; y < 30; ++y) {
      for (int x = 0; x < 40; ++x) guide.set(x, y, 3, 1);
    }
    filtered(name, recipe, scene(format));
    QJsonObject one = plan_.last().toObject();
    one[QStringLiteral("others")] =
        QJsonObject{{QStringLiteral("Guide"), pixels(QStringLiteral("guide.in"), guide)}};
    plan_.replace(plan_.size() - 1, one);
    inputs_.emplace(QStringLiteral("guide"), guide);
    // The same document without that layer.
    one.remove(QStringLiteral("others"));
    one[QStringLiteral("name")] = QStringLiteral("no_such_layer");
    plan_.append(one);
  }

  void add_refusals() {
    const PictureFormat format{40, 30, 4, SampleType::u8, AlphaKind::straight, Coding::srgb()};
    const Recipe recipe = one_step("gaussian", {{"sigma", "2"}});
    QJsonObject group = plan(QStringLiteral("group"), recipe, format), locked = group, cmyk = group,
                lab = group;
    group[QStringLiteral("kind")] = QStringLiteral("grouplayer");
    locked[QStringLiteral("name")] = QStringLiteral("locked");
    locked[QStringLiteral("locked")] = true;
    cmyk[QStringLiteral("name")] = QStringLiteral("cmyk");
    cmyk[QStringLiteral("model")] = QStringLiteral("CMYKA");
    cmyk[QStringLiteral("profile")] = QString();
    lab[QStringLiteral("name")] = QStringLiteral("lab");
    lab[QStringLiteral("model")] = QStringLiteral("LABA");
    lab[QStringLiteral("depth")] = QStringLiteral("U16");
    lab[QStringLiteral("profile")] = QString();
    for (const QJsonObject& one : {group, locked, cmyk, lab}) plan_.append(one);
  }

  void add_kills() {
    const PictureFormat format{120, 90, 4, SampleType::u8, AlphaKind::straight, Coding::srgb()};
    const Recipe recipe = one_step("bilateral", {{"sigma", "4"}});
    const Image input = scene(format);
    const int times = thoroughly() ? 100 : 4;
    std::mt19937 random(5);
    for (int i = 0; i < times; ++i) {
      for (const char* what : {"dialog", "worker"}) {
        // The first at once: however fast the machine is, one is met at work.
        const int after = i == 0 ? 0 : static_cast<int>(random() % 1000);
        const QString name = QStringLiteral("killed_%1_%2").arg(QLatin1String(what)).arg(i);
        filtered(name, recipe, input);
        QJsonObject one = plan_.last().toObject();
        one[QStringLiteral("kill")] = QJsonObject{{QStringLiteral("what"), QLatin1String(what)},
                                                  {QStringLiteral("after_ms"), after}};
        plan_.replace(plan_.size() - 1, one);
      }
    }
  }

  Image result(const QString& name) const {
    const auto file = open_handover(path(name + QStringLiteral(".result")).toStdString(), {});
    Image out(file->format());
    file->read(out.format.rect(), out.bytes.data(), out.view().row_stride);
    return out;
  }

  void compare(const QString& name, const RenderOptions& options = {}) {
    const QJsonObject& one = results_[name];
    QVERIFY2(!one.contains(QStringLiteral("fault")) && one.contains(QStringLiteral("layer")),
             qPrintable(name + QLatin1Char(' ') + QJsonDocument(one).toJson() + said_));
    QVERIFY2(one[QStringLiteral("intact")].toBool() && one[QStringLiteral("above")].toBool(),
             qPrintable(name));
    const Recipe& recipe = recipes_[name];
    QCOMPARE(one[QStringLiteral("layer")].toString().toStdString(),
             Registry::get().at(recipe.steps[0].filter).filter->info().label);
    Image& input = inputs_.at(name);
    Image got = result(name), want = run(session_, recipe, input, input.format, options);
    QVERIFY(got.format.type == want.format.type && got.format.coding == want.format.coding);
    QCOMPARE(got.format.width, want.format.width);
    const double far = distance(got, want);
    QVERIFY2(far <= (is_integer(got.format.type) ? 1.01 : 1e-4),
             qPrintable(name + QStringLiteral(": %1").arg(far)));
  }

 private slots:
  // One start of Krita for all.
  void initTestCase() {
    add_pixels();
    add_selections();
    add_roles();
    add_refusals();
    add_kills();
    const QDir home(path(QStringLiteral("home")));
    const QString extensions = home.filePath(QStringLiteral("data/krita/pykrita"));
    QVERIFY(home.mkpath(QStringLiteral("data/krita/pykrita")));
    QVERIFY(home.mkpath(QStringLiteral("config")));
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
    environment.insert(QStringLiteral("SFUMATO_TEST_FOLDER"), folder_.path());
    environment.insert(QStringLiteral("PYTHONDONTWRITEBYTECODE"), QStringLiteral("1"));
    environment.remove(QStringLiteral("DISPLAY"));
    environment.remove(QStringLiteral("QT_QPA_PLATFORM"));
    krita.setProcessEnvironment(environment);
    krita.setProcessChannelMode(QProcess::MergedChannels);
    krita.start(
        QStringLiteral(SFUMATO_XVFB),
        {QStringLiteral("-a"), QStringLiteral("-s"), QStringLiteral("-screen 0 1200x800x24"),
         QStringLiteral(SFUMATO_KRITA_PROGRAM), QStringLiteral("--nosplash")});
    const bool ended = krita.waitForFinished(thoroughly() ? 1200000 : 240000);
    if (!ended) ::kill(static_cast<pid_t>(-krita.processId()), SIGTERM);
    said_ = krita.readAll().right(4000);
    QVERIFY2(ended, said_.constData());
    QFile results(path(QStringLiteral("results.json")));
    QVERIFY2(results.open(QFile::ReadOnly), said_.constData());
    for (const QJsonValue& one : QJsonDocument::fromJson(results.readAll()).array()) {
      results_[one[QStringLiteral("name")].toString()] = one.toObject();
    }
    QCOMPARE(results_.size(), static_cast<std::size_t>(plan_.size()));
  }

  void the_sessions_pixels_on_a_new_layer() {
    for (const auto& [name, input] : inputs_) {
      if (name.startsWith(QLatin1String("killed")) || name == QLatin1String("selection") ||
          name == QLatin1String("guide") || name == QLatin1String("roles")) {
        continue;
      }
      compare(name);
      if (QTest::currentTestFailed()) return;
    }
  }

  void another_layer_plays_a_role() {
    RenderOptions options;
    options.roles = [this](int, const std::string& role,
                           const ImageRef&) -> std::shared_ptr<PixelSource> {
      if (role != "guide") return nullptr;
      const Image& guide = inputs_.at(QStringLiteral("guide"));
      Image plain({40, 30, 3, SampleType::f32, AlphaKind::none, Coding::linear()});
      for (int y = 0; y < 30; ++y) {
        for (int x = 0; x < 40; ++x) {
          for (int c = 0; c < 3; ++c) plain.set(x, y, c, Image(guide).get(x, y, c));
        }
      }
      return std::make_shared<OwnedSource>(std::move(plain));
    };
    compare(QStringLiteral("roles"), options);
    const QJsonObject& without = results_[QStringLiteral("no_such_layer")];
    QVERIFY(without[QStringLiteral("message")].toString().contains(QStringLiteral("Guide")));
    QVERIFY(without[QStringLiteral("intact")].toBool());
  }

  void selections_are_respected() {
    const QString name = QStringLiteral("selection");
    QVERIFY2(results_[name].contains(QStringLiteral("layer")),
             QJsonDocument(results_[name]).toJson().constData());
    Image& input = inputs_.at(name);
    Image got = result(name), all = run(session_, recipes_[name], input, input.format);
    int mixed = 0;
    for (int y = 0; y < 30; ++y) {
      for (int x = 0; x < 40; ++x) {
        const bool within = x > 10 && x < 30 && y >= 9 && y < 21;
        for (int c = 0; c < 3; ++c) {
          const float a = input.get(x, y, c), b = all.get(x, y, c), v = got.get(x, y, c);
          if (!within) {
            QCOMPARE(v, a);
            continue;
          }
          QVERIFY(v >= std::min(a, b) - 1.1f / 255 && v <= std::max(a, b) + 1.1f / 255);
          mixed += std::abs(v - a) > 3.0f / 255 && std::abs(v - b) > 3.0f / 255 ? 1 : 0;
        }
      }
    }
    QVERIFY(mixed > 30);
  }

  void refusals_leave_the_document() {
    for (const char* name : {"group", "locked", "cmyk", "lab", "empty_selection"}) {
      const QJsonObject& one = results_[QLatin1String(name)];
      QVERIFY2(!one[QStringLiteral("message")].toString().isEmpty() &&
                   one[QStringLiteral("intact")].toBool(),
               QJsonDocument(one).toJson().constData());
    }
  }

  void killed_at_any_moment() {
    int kills = 0;
    for (const auto& [name, one] : results_) {
      if (!name.startsWith(QLatin1String("killed"))) continue;
      kills += one[QStringLiteral("killed")].toBool() ? 1 : 0;
      QVERIFY2(one[QStringLiteral("intact")].toBool(), QJsonDocument(one).toJson().constData());
      if (one.contains(QStringLiteral("layer"))) {
        compare(name);
        if (QTest::currentTestFailed()) return;
      } else {
        QVERIFY(name.contains(QLatin1String("dialog")));
        QVERIFY(!one[QStringLiteral("message")].toString().isEmpty());
      }
    }
    QVERIFY(kills > 0);
  }
};

QTEST_GUILESS_MAIN(TestKrita)
#include "test_krita.moc"
