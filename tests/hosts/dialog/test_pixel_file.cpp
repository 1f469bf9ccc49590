// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Pixels in exchange files: every value is preserved, nothing invalid is accepted, and
// sfumato-dialog writes a result whole or not at all.
#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QProcessEnvironment>
#include <QTemporaryDir>
#include <QTest>
#include <cstring>
#include <random>

#include "io/pixel_file.hpp"
#include "support/profiles.hpp"
#include "support/registry_walk.hpp"

using namespace sfumato;
using namespace sfumato::testing;

class TestPixelFile : public QObject {
  Q_OBJECT

 private:
  QTemporaryDir folder_;
  Session session_;

  QString path(const QString& name) const { return folder_.filePath(name); }
  std::filesystem::path file(const QString& name) const { return path(name).toStdString(); }

  void write(const QString& name, Image& image, bool bgr = false, int x = 0, int y = 0) {
    PixelFile header;
    header.format = image.format;
    header.bgr = bgr;
    header.x = x;
    header.y = y;
    header.canvas_width = 200;
    header.canvas_height = 100;
    write_pixel_file(file(name), header, image.view());
  }

  Image read(const QString& name) const {
    const auto picture = open_pixel_file(file(name), {});
    Image out(picture->format());
    picture->read(out.format.rect(), out.bytes.data(), out.view().row_stride);
    return out;
  }

  QByteArray bytes_of(const QString& name) const {
    QFile in(path(name));
    return in.open(QFile::ReadOnly) ? in.readAll() : QByteArray();
  }
  void put(const QString& name, const QByteArray& bytes) const {
    QFile out(path(name));
    QVERIFY(out.open(QFile::WriteOnly | QFile::Truncate));
    out.write(bytes);
  }

  struct Said {
    int status = -1;
    QJsonObject last;
    QByteArray all;
  };
  Said dialog(const QStringList& words, const QByteArray& answer = {}) const {
    QProcess process;
    process.start(QStringLiteral(SFUMATO_DIALOG_PROGRAM), words);
    if (!answer.isEmpty()) process.write(answer);
    Said out;
    // Attached, it would stop without its host: the line stays open until it ends.
    if (!process.waitForFinished(120000)) return out;
    out.status = process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -2;
    out.all = process.readAllStandardOutput() + process.readAllStandardError();
    for (const QByteArray& line : out.all.split('\n')) {
      const QJsonObject object = QJsonDocument::fromJson(line).object();
      if (object.contains(QStringLiteral("accepted"))) out.last = object;
    }
    return out;
  }

  QString recipe(const Recipe& recipe) const {
    put(QStringLiteral("recipe.json"),
        QByteArray::fromStdString(print_recipe(recipe, Registry::get())));
    return path(QStringLiteral("recipe.json"));
  }

 private slots:
  void every_number_comes_back() {
    for (const SampleType type :
         {SampleType::u8, SampleType::u16, SampleType::f16, SampleType::f32}) {
      for (int channels = 1; channels <= 4; ++channels) {
        for (const bool bgr : {false, true}) {
          const AlphaKind alpha = channels % 2 == 0 ? AlphaKind::straight : AlphaKind::none;
          Image image = scene({23, 17, channels, type, alpha, Coding::power(2.2f)});
          write(QStringLiteral("trip"), image, bgr, -3, 4);
          QVERIFY(is_pixel_file(file(QStringLiteral("trip"))));
          Image back = read(QStringLiteral("trip"));
          QVERIFY(back.bytes == image.bytes);
          QVERIFY(back.format.coding == image.format.coding);
          const auto picture = open_picture(file(QStringLiteral("trip")));
          QVERIFY((picture->info().data_window == Rect{-3, 4, 20, 21}));
          QVERIFY((picture->info().display_window == Rect{0, 0, 200, 100}));
        }
      }
    }
  }

  // A role is positioned like its layer on the canvas.
  void roles_lie_on_the_canvas() {
    Image image = scene({20, 10, 4, SampleType::u8, AlphaKind::straight, Coding::srgb()});
    Image role = scene({8, 6, 4, SampleType::u8, AlphaKind::straight, Coding::srgb()}, 3);
    write(QStringLiteral("picture"), image, true, 10, 10);
    write(QStringLiteral("role"), role, true, 15, 8);
    const auto of = open_picture(file(QStringLiteral("picture")));
    ReadOptions options;
    options.role = "guide";
    options.of = of.get();
    const auto laid = open_picture(file(QStringLiteral("role")), options);
    QCOMPARE(laid->format().channels, 3);
    QVERIFY((laid->covered() == Rect{5, 0, 13, 4}));
    unsigned char pixel[3];
    laid->read({6, 1, 7, 2}, pixel, 3);
    for (int c = 0; c < 3; ++c) {
      QCOMPARE(pixel[c], static_cast<unsigned char>(*role.sample(1, 3, c)));
    }
  }

  void hostile_files_are_refused() {
    Image image = scene({23, 17, 4, SampleType::u8, AlphaKind::straight, Coding::srgb()});
    write(QStringLiteral("good"), image);
    const QByteArray good = bytes_of(QStringLiteral("good"));
    std::mt19937 random(3);
    int opened = 0;
    for (int i = 0; i < 3000; ++i) {
      QByteArray bad = good;
      // Sets one number of the header, or the file's length, to any value.
      const int at = 8 + 4 * static_cast<int>(random() % 14);
      const quint32 values[] = {
          0u, 1u, 0xffffffffu, 0x7fffffffu, 0x80000000u, 65536u, static_cast<quint32>(random())};
      const quint32 value = values[random() % 7];
      if (i % 8 == 0) {
        bad.truncate(static_cast<qsizetype>(random() % static_cast<unsigned>(good.size())));
      } else {
        std::memcpy(bad.data() + at, &value, 4);
      }
      put(QStringLiteral("bad"), bad);
      try {
        const auto picture = open_pixel_file(file(QStringLiteral("bad")), {});
        Image out(picture->format());
        picture->read(out.format.rect(), out.bytes.data(), out.view().row_stride);
        ++opened;  // another position on the canvas, another order: still valid
      } catch (const FileError& error) {
        QVERIFY(std::strlen(error.what()) > 10);
      }
    }
    QVERIFY(opened > 0 && opened < 2000);
    for (const char* name : {"/dev/null", "/dev/zero", "/", "/nowhere"}) {
      QVERIFY_THROWS_EXCEPTION(FileError, open_pixel_file(name, {}));
    }
  }

  // A result with alpha is as opaque as the selection; one without is blended over the picture.
  void a_recipe_over_a_selection_data() {
    QTest::addColumn<int>("channels");
    QTest::addColumn<int>("alpha");
    QTest::newRow("with alpha") << 4 << static_cast<int>(AlphaKind::straight);
    QTest::newRow("gray with alpha") << 2 << static_cast<int>(AlphaKind::straight);
    QTest::newRow("colour times alpha") << 4 << static_cast<int>(AlphaKind::premultiplied);
    QTest::newRow("without alpha") << 3 << static_cast<int>(AlphaKind::none);
  }
  void a_recipe_over_a_selection() {
    QFETCH(int, channels);
    QFETCH(int, alpha);
    const PictureFormat format{
        60, 40, channels, SampleType::u16, static_cast<AlphaKind>(alpha), Coding::srgb()};
    Image image = scene(format);
    write(QStringLiteral("in"), image, true, 5, 5);
    Image mask({30, 20, 1, SampleType::u8, AlphaKind::none, Coding::linear()});
    for (int y = 0; y < 20; ++y) {
      for (int x = 0; x < 30; ++x) mask.set(x, y, 0, x < 10 ? 1.0f : x < 20 ? 0.5f : 0.0f);
    }
    write(QStringLiteral("mask"), mask, false, 15, 10);
    const Recipe step = one_step("gaussian", {{"sigma", "3"}});
    const Said said = dialog({QStringLiteral("--recipe"), recipe(step),
                              QStringLiteral("--selection"), path(QStringLiteral("mask")),
                              path(QStringLiteral("in")), path(QStringLiteral("out"))});
    QVERIFY2(said.status == 0 && said.last[QStringLiteral("accepted")].toBool(),
             said.all.constData());
    QCOMPARE(said.last[QStringLiteral("name")].toString(), QStringLiteral("Gaussian blur"));
    Image got = read(QStringLiteral("out")), all = run(session_, step, image, image.format);
    const float half = 128.0f / 255, near = 1.6f / 65535;
    for (int y = 0; y < 40; ++y) {
      for (int x = 0; x < 60; ++x) {
        const int mx = x - 10, my = y - 5;
        const bool in = mx >= 0 && mx < 20 && my >= 0 && my < 20;
        for (int c = 0; c < channels; ++c) {
          const float a = image.get(x, y, c), b = all.get(x, y, c), v = got.get(x, y, c);
          const bool faded = c == channels - 1 || format.alpha == AlphaKind::premultiplied;
          if (!in) {
            QCOMPARE(v, format.has_alpha() ? 0.0f : a);
          } else if (!format.has_alpha()) {
            QVERIFY(mx < 10 ? std::abs(v - b) <= near
                            : v >= std::min(a, b) - near && v <= std::max(a, b) + near);
          } else if (faded || got.get(x, y, channels - 1) > 0) {
            QVERIFY(std::abs(v - (faded && mx >= 10 ? half * b : b)) <= near);
          }
        }
      }
    }
  }

  // The host is asked once for a layer, and answers with its file or a reason.
  void layers_are_asked_for() {
    Image image = scene({40, 30, 4, SampleType::f32, AlphaKind::straight, Coding::linear()});
    write(QStringLiteral("in"), image);
    write(QStringLiteral("guide"), image);
    const Recipe step = one_step("joint_bilateral", {{"guide", "layer:A layer, \"so\" called"}});
    const QStringList words{
        QStringLiteral("--attached"), QStringLiteral("--layer=A layer, \"so\" called"),
        QStringLiteral("--recipe"),   recipe(step),
        path(QStringLiteral("in")),   path(QStringLiteral("layered"))};
    const QByteArray there = "{\"file\": \"" + path(QStringLiteral("guide")).toUtf8() + "\"}\n";
    const Said said = dialog(words, there);
    QVERIFY2(said.last[QStringLiteral("accepted")].toBool(), said.all.constData());
    QVERIFY(QFile::remove(path(QStringLiteral("layered"))));
    for (const QByteArray& answer :
         {QByteArray("{\"message\": \"it is gone\"}\n"), QByteArray("[1, 2]\n"),
          QByteArray("not JSON\n"), QByteArray("{\"file\": \"/dev/null\"}\n")}) {
      const Said refused = dialog(words, answer);
      QCOMPARE(refused.status, 1);
      QVERIFY(!refused.last[QStringLiteral("accepted")].toBool());
      QVERIFY(!refused.last[QStringLiteral("message")].toString().isEmpty());
      QVERIFY(!QFile::exists(path(QStringLiteral("layered"))));
    }
  }

  // The dialog opens, and closes with its host.
  void what_was_kept_cannot_be_read() {
    Image image = scene({40, 30, 4, SampleType::u8, AlphaKind::straight, Coding::srgb()});
    write(QStringLiteral("in"), image);
    put(QStringLiteral("newer.json"),
        "{\"sfumato\": 1, \"steps\": [{\"filter\": \"gaussian\", \"version\": 99}]}");
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
    process.setProcessEnvironment(environment);
    process.start(QStringLiteral(SFUMATO_DIALOG_PROGRAM),
                  {QStringLiteral("--attached"), QStringLiteral("--start"),
                   path(QStringLiteral("newer.json")), path(QStringLiteral("in")),
                   path(QStringLiteral("none"))});
    process.closeWriteChannel();
    QVERIFY(process.waitForFinished(120000));
    const QByteArray said = process.readAllStandardOutput() + process.readAllStandardError();
    QVERIFY2(process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0,
             said.constData());
    QVERIFY2(!said.contains("version"), said.constData());
  }

  // Qt is told to use an existing platform, or the host names a missing one.
  void screens_that_are_not_there() {
    Image image = scene({40, 30, 4, SampleType::u8, AlphaKind::straight, Coding::srgb()});
    write(QStringLiteral("in"), image);
    const auto said = [&](const QString& platform) {
      QProcess process;
      QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
      environment.insert(QStringLiteral("QT_QPA_PLATFORM"), platform);
      environment.insert(QStringLiteral("DISPLAY"), QStringLiteral(":987"));
      environment.remove(QStringLiteral("WAYLAND_DISPLAY"));
      process.setProcessEnvironment(environment);
      process.start(
          QStringLiteral(SFUMATO_DIALOG_PROGRAM),
          {QStringLiteral("--attached"), path(QStringLiteral("in")), path(QStringLiteral("none"))});
      process.closeWriteChannel();  // an opening dialog closes at once
      process.waitForFinished(120000);
      return std::pair(process.exitStatus() == QProcess::NormalExit,
                       process.readAllStandardOutput());
    };
    for (const char* platform : {"wayland", "eglfs", "banana", "xcb", ""}) {
      const auto [ended, text] = said(QLatin1String(platform));
      QVERIFY2(ended && text.contains("There is no screen"), platform);
    }
    const auto [ended, text] = said(QStringLiteral("banana;offscreen"));
    QVERIFY2(ended && !text.contains("There is no screen"), text.constData());
  }

  // About the layer of origin, by name.
  void curves_that_are_not_known_are_said() {
    Image image = scene({40, 30, 4, SampleType::u8, AlphaKind::straight, Coding::srgb()});
    PixelFile header;
    header.format = image.format;
    cmsCIExyY white;
    cmsWhitePointFromTemp(&white, 6504);
    const cmsCIExyYTRIPLE primaries{{0.64, 0.33, 1}, {0.3, 0.6, 1}, {0.15, 0.06, 1}};
    const cmsUInt16Number samples[] = {0, 20000, 25000, 65535};
    cmsToneCurve* curve = cmsBuildTabulatedToneCurve16(nullptr, 4, samples);
    cmsToneCurve* curves[] = {curve, curve, curve};
    header.icc_profile = saved(cmsCreateRGBProfile(&white, &primaries, curves));
    cmsFreeToneCurve(curve);
    write_pixel_file(file(QStringLiteral("in")), header, image.view());
    QByteArray of_profile = bytes_of(QStringLiteral("in"));
    of_profile[36] = 3;  // the curve's number: as in the profile
    put(QStringLiteral("in"), of_profile);
    const Said said = dialog({QStringLiteral("--title"), QStringLiteral("Sky: blue"),
                              QStringLiteral("--recipe"), recipe(one_step("box", Values())),
                              path(QStringLiteral("in")), path(QStringLiteral("out"))});
    QVERIFY2(said.last[QStringLiteral("accepted")].toBool(), said.all.constData());
    QCOMPARE(said.last[QStringLiteral("message")].toString(),
             QStringLiteral("Sky: blue: the colour profile's tone curve is of an unknown kind; the "
                            "sRGB curve is used for computing"));
  }

  void what_fails_leaves_no_result() {
    Image image = scene({40, 30, 4, SampleType::u8, AlphaKind::straight, Coding::srgb()});
    write(QStringLiteral("in"), image);
    const QString good = recipe(one_step("gaussian", {{"sigma", "3"}}));
    put(QStringLiteral("bad.json"), "{\"sfumato\": 1, \"steps\": [{\"filter\": \"gausian\"}]}");
    put(QStringLiteral("empty"), "");
    const QString in = path(QStringLiteral("in")), out = path(QStringLiteral("none"));
    const QString bad = path(QStringLiteral("bad.json")), empty = path(QStringLiteral("empty"));
    const QString option = QStringLiteral("--recipe"), mask = QStringLiteral("--selection");
    for (const QStringList& words :
         {QStringList{option, bad, in, out}, QStringList{option, good, empty, out},
          QStringList{option, good, in, QStringLiteral("/nowhere/out")},
          QStringList{option, good, mask, empty, in, out},
          QStringList{option, path(QStringLiteral("missing")), in, out}}) {
      const Said said = dialog(words);
      QCOMPARE(said.status, 1);
      QVERIFY2(!said.last[QStringLiteral("message")].toString().isEmpty(), said.all.constData());
      QVERIFY(!QFile::exists(out));
    }
    QCOMPARE(dialog({in}).status, 2);
    // Nor does one that is killed.
    const QStringList before = QDir(folder_.path()).entryList();
    for (const int after : {1, 30, 100, 250}) {
      QProcess process;
      process.start(QStringLiteral(SFUMATO_DIALOG_PROGRAM), {option, good, in, out});
      process.waitForFinished(after);
      process.kill();
      process.waitForFinished();
      if (QFile::exists(out))
        QVERIFY(read(QStringLiteral("none")).bytes.size() == image.bytes.size());
      QFile::remove(out);
    }
  }
};

QTEST_GUILESS_MAIN(TestPixelFile)
#include "test_pixel_file.moc"
