// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Results in another size: in linear light, weighted by opacity, with metadata that is true of it.
// exiftool and ImageMagick read the files.
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QStandardPaths>

#include "batch_program.hpp"
#include "support/files.hpp"
#include "support/skips.hpp"

using namespace sfumato;
using namespace sfumato::testing;

class TestResizing : public BatchTest {
  Q_OBJECT

  std::filesystem::path file(const QString& name) const { return path(name).toStdString(); }

  // Changes nothing but the size.
  QStringList resize(const QString& from, const QString& to, const QStringList& more) const {
    return QStringList{"gaussian", from,       to,          "--sigma",
                       "0.05",     "--device", "reference", "--overwrite"} +
           more;
  }
  void make(const QString& name, int width, int height, const std::vector<float>& pixels,
            int channels = 3, OIIO::TypeDesc type = OIIO::TypeDesc::UINT8) {
    OIIO::ImageSpec spec(width, height, channels, type);
    if (channels == 4) spec.attribute("oiio:UnassociatedAlpha", 1);
    auto out = OIIO::ImageOutput::create(path(name).toStdString());
    QVERIFY(out && out->open(path(name).toStdString(), spec));
    QVERIFY(out->write_image(OIIO::TypeDesc::FLOAT, pixels.data()));
    QVERIFY(out->close());
  }
  QJsonObject tags(const QString& name) const {
    QProcess exiftool;
    exiftool.start("exiftool", {"-j", "-G1", "-n", path(name)});
    exiftool.waitForFinished();
    return QJsonDocument::fromJson(exiftool.readAllStandardOutput()).array()[0].toObject();
  }
  void describe(const QStringList& arguments, const QString& name) {
    QCOMPARE(QProcess::execute("exiftool", QStringList{"-q", "-n", "-overwrite_original"} +
                                               arguments + QStringList{path(name)}),
             0);
  }
  QSize size(const QString& name) const {
    const OIIO::ImageSpec s = spec_of(file(name));
    return {s.width, s.height};
  }

 private Q_SLOTS:
  void init() {
    for (const char* folder : {"in", "out"}) QDir(path(folder)).removeRecursively();
    QDir(folder_.path()).mkpath("in");
  }

  // Half of the light of white is not half of its number.
  void light_is_averaged() {
    std::vector<float> lines;
    for (int i = 0; i < 64; ++i) {
      for (int x = 0; x < 64; ++x) lines.insert(lines.end(), 3, x % 2 == 0 ? 1.0f : 0.0f);
    }
    make("lines.png", 64, 64, lines);
    for (const char* filter : {"lanczos3", "mitchell", "box"}) {
      const Run r = run(resize("lines.png", "half.png", {"--scale", "50%", "--filter", filter}));
      QVERIFY2(r.status == 0, qPrintable(r.err));
      QCOMPARE(size("half.png"), QSize(32, 32));
      const std::vector<float> made = values_of(file("half.png"));
      QVERIFY(std::abs(made[3 * (16 * 32 + 16)] * 255 - 188) < 1.01f);
    }
  }

  void colour_is_weighted_by_opacity() {
    std::vector<float> pixels;
    for (int y = 0; y < 32; ++y) {
      for (int x = 0; x < 32; ++x) {
        const std::vector<float> red = {1, 0, 0, 1}, hidden_green = {0, 1, 0, 0};
        const std::vector<float>& one = x % 2 == 0 ? red : hidden_green;
        pixels.insert(pixels.end(), one.begin(), one.end());
      }
    }
    make("edge.png", 32, 32, pixels, 4);
    QCOMPARE(run(resize("edge.png", "half.png", {"--scale", "0.5", "--filter", "box"})).status, 0);
    const std::vector<float> made = values_of(file("half.png"));
    for (std::size_t i = 0; i < made.size(); i += 4) {
      QCOMPARE(made[i], 1.0f);
      QCOMPARE(made[i + 1], 0.0f);
      QVERIFY(std::abs(made[i + 3] - 0.5f) < 0.003f);
    }
  }

  // Of numbers that need no curve, to the last bits that ImageMagick keeps.
  void results_are_those_of_imagemagick_data() {
    QTest::addColumn<QString>("other");
    QTest::newRow("lanczos3") << "Lanczos";
    QTest::newRow("mitchell") << "Mitchell";
  }
  void results_are_those_of_imagemagick() {
    if (QStandardPaths::findExecutable("convert").isEmpty()) SKIP_WITHOUT("convert");
    QFETCH(QString, other);
    std::vector<float> pixels;
    std::uint32_t seed = 5;
    for (int i = 0; i < 90 * 61 * 3; ++i) pixels.push_back(0.2f + 0.6f * noise_at(seed));
    make("numbers.exr", 90, 61, pixels, 3, OIIO::TypeDesc::FLOAT);
    make("numbers.png", 90, 61, pixels, 3, OIIO::TypeDesc::UINT16);
    for (const char* scale : {"40%", "55%", "170%"}) {
      const QStringList more = {"--scale", scale, "--filter", QTest::currentDataTag()};
      QCOMPARE(run(resize("numbers.exr", "made.exr", more)).status, 0);
      const QSize wanted = size("made.exr");
      QCOMPARE(
          QProcess::execute("convert",
                            {path("numbers.png"), "-set", "colorspace", "RGB", "-filter", other,
                             "-resize", QString("%1x%2!").arg(wanted.width()).arg(wanted.height()),
                             "-set", "colorspace", "sRGB", path("other.png")}),
          0);
      const std::vector<float> ours = values_of(file("made.exr")),
                               others = values_of(file("other.png"));
      QCOMPARE(ours.size(), others.size());
      for (std::size_t i = 0; i < ours.size(); ++i) {
        QVERIFY(std::abs(std::clamp(ours[i], 0.0f, 1.0f) - others[i]) < 4.0f / 65535);
      }
    }
  }

  void pictures_fit_as_they_are_shown() {
    make("lying.jpg", 300, 200, std::vector<float>(300 * 200 * 3, 0.5f));
    QCOMPARE(run(resize("lying.jpg", "a.jpg", {"--fit", "150x1000"})).status, 0);
    QCOMPARE(size("a.jpg"), QSize(150, 100));
    QCOMPARE(run(resize("lying.jpg", "a.jpg", {"--fit", "100"})).status, 0);
    QCOMPARE(size("a.jpg"), QSize(100, 67));
    QCOMPARE(run(resize("lying.jpg", "a.jpg", {"--fit", "4000"})).status, 0);
    QCOMPARE(size("a.jpg"), QSize(300, 200));
    describe({"-Orientation=6"}, "lying.jpg");
    QCOMPARE(run(resize("lying.jpg", "a.jpg", {"--fit", "150x1000"})).status, 0);
    QCOMPARE(size("a.jpg"), QSize(225, 150));
  }

  void metadata_is_true_of_the_new_size() {
    if (QStandardPaths::findExecutable("exiftool").isEmpty()) SKIP_WITHOUT("exiftool");
    make("said.jpg", 300, 200, std::vector<float>(300 * 200 * 3, 0.5f));
    describe({"-EXIF:ExifImageWidth=300", "-EXIF:ExifImageHeight=200", "-EXIF:XResolution=240",
              "-EXIF:YResolution=240", "-EXIF:ResolutionUnit=2", "-EXIF:SubjectArea=100 50 20 10",
              "-EXIF:FocalPlaneXResolution=1500.5", "-EXIF:FocalPlaneYResolution=1500.5",
              "-XMP-exif:ExifImageWidth=300", "-XMP-tiff:ImageHeight=200", "-EXIF:Artist=Ada"},
             "said.jpg");
    for (const char* name : {"small.jpg", "small.tif", "small.png", "small.webp"}) {
      const Run r = run(resize("said.jpg", name, {"--scale", "0.5"}));
      QVERIFY2(r.status == 0, qPrintable(r.err));
      const QJsonObject t = tags(name);
      QCOMPARE(t["ExifIFD:ExifImageWidth"].toInt(), 150);
      QCOMPARE(t["ExifIFD:ExifImageHeight"].toInt(), 100);
      QCOMPARE(t["ExifIFD:SubjectArea"].toString(), QString("50 25 10 5"));
      QVERIFY(std::abs(t["ExifIFD:FocalPlaneXResolution"].toDouble() - 750.25) < 1e-3);
      QCOMPARE(t["XMP-exif:ExifImageWidth"].toInt(), 150);
      QCOMPARE(t["XMP-tiff:ImageHeight"].toInt(), 100);
      QCOMPARE(t["IFD0:Artist"].toString(), QString("Ada"));
      QCOMPARE(t["IFD0:XResolution"].toInt(), 240);
    }
  }

  void windows_of_openexr() {
    OIIO::ImageSpec spec(200, 100, 3, OIIO::TypeDesc::HALF);
    spec.x = 20;
    spec.y = -10;
    spec.full_x = 0;
    spec.full_y = 0;
    spec.full_width = 400;
    spec.full_height = 120;
    make_file(file("window.exr"), {spec});
    const Run r = run(resize("window.exr", "half.exr", {"--scale", "50%"}));
    QVERIFY2(r.status == 0, qPrintable(r.err));
    const OIIO::ImageSpec s = spec_of(file("half.exr"));
    QCOMPARE(QRect(s.x, s.y, s.width, s.height), QRect(10, -5, 100, 50));
    QCOMPARE(QRect(s.full_x, s.full_y, s.full_width, s.full_height), QRect(0, 0, 200, 60));
    // Not by the data window's rounding.
    spec.width = 37;
    make_file(file("window.exr"), {spec});
    QCOMPARE(run(resize("window.exr", "half.exr", {"--scale", "50%"})).status, 0);
    const OIIO::ImageSpec odd = spec_of(file("half.exr"));
    QCOMPARE(QSize(odd.width, odd.full_width), QSize(19, 200));
  }

  void other_channels_and_parts_follow() {
    OIIO::ImageSpec five(20, 10, 5, OIIO::TypeDesc::HALF);
    five.channelnames = {"R", "G", "B", "A", "depth.Z"};
    five.alpha_channel = 3;
    make_file(file("five.exr"), {five});
    Run r = run(resize("five.exr", "half.exr", {"--scale", "50%"}));
    QVERIFY2(r.status == 0 && r.err.isEmpty(), qPrintable(r.err));
    QCOMPARE(spec_of(file("half.exr")).nchannels, 5);
    OIIO::ImageSpec first(20, 10, 3, OIIO::TypeDesc::HALF), second = first;
    first.attribute("oiio:subimagename", "one");
    second.attribute("oiio:subimagename", "two");
    make_file(file("parts.exr"), {first, second});
    r = run(resize("parts.exr", "half.exr", {"--scale", "50%"}));
    QVERIFY2(r.status == 0 && r.err.isEmpty(), qPrintable(r.err));
    const OIIO::ImageSpec other = spec_of(file("half.exr"), 1);
    QCOMPARE(QSize(other.width, other.height), QSize(10, 5));
    QCOMPARE(values_of(file("half.exr"), 1).size(), std::size_t{10 * 5 * 3});
  }

  void batches_and_movies() {
    make("in/a.png", 64, 48, std::vector<float>(64 * 48 * 3, 0.5f));
    make("in/b.png", 10, 40, std::vector<float>(10 * 40 * 3, 0.5f));
    Run r = run({"batch", "gaussian", "in", "-o", "out", "--device", "reference", "--fit", "32"});
    QVERIFY2(r.status == 0, qPrintable(r.err));
    QCOMPARE(size("out/a_gaussian.png"), QSize(32, 24));
    QCOMPARE(size("out/b_gaussian.png"), QSize(8, 32));
    if (QStandardPaths::findExecutable("ffmpeg").isEmpty()) SKIP_WITHOUT("ffmpeg");
    QCOMPARE(QProcess::execute("ffmpeg", {"-v", "error", "-f", "lavfi", "-i",
                                          "testsrc=size=64x48:rate=5:duration=1", path("m.mp4")}),
             0);
    r = run({"batch", "gaussian", "m.mp4", "-o", "out", "--device", "reference", "--scale", "50%",
             "--join", "mp4"});
    QVERIFY2(r.status == 0, qPrintable(r.err));
    QProcess probe;
    probe.start("ffprobe", {"-v", "error", "-show_entries", "stream=width,height", "-of", "csv=p=0",
                            path("out/m_gaussian.mp4")});
    QVERIFY(probe.waitForFinished(-1));
    QCOMPARE(probe.readAllStandardOutput().trimmed(), QByteArray("32,24"));
  }

  void sizes_that_cannot_be() {
    make("a.png", 1000, 1000, std::vector<float>(1000 * 1000 * 3, 0.5f));
    const Run huge = run(resize("a.png", "b.png", {"--scale", "100"}));
    QVERIFY2(huge.status == 1 && huge.err.contains("100000x100000"), qPrintable(huge.err));
    for (const auto& [option, value] : {std::pair("--fit", "0"),
                                        {"--fit", "100x"},
                                        {"--fit", "axb"},
                                        {"--fit", "-5"},
                                        {"--fit", "100x0"},
                                        {"--scale", "0"},
                                        {"--scale", "-50%"},
                                        {"--scale", "half"},
                                        {"--scale", "nan"},
                                        {"--scale", "1e9"},
                                        {"--filter", "sharp"}}) {
      QStringList more = {QString("%1=%2").arg(option, value)};
      if (QByteArray(option) == "--filter")
        more << "--scale"
             << "50%";
      const Run r = run(resize("a.png", "b.png", more));
      QVERIFY2(r.status == 2 && r.err.contains(option), qPrintable(r.err));
      QVERIFY(!QFile::exists(path("b.png")));
    }
    QCOMPARE(run(resize("a.png", "b.png", {"--filter", "box"})).status, 2);
  }
};

QTEST_GUILESS_MAIN(TestResizing)
#include "test_resizing.moc"
