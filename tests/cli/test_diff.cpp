// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// sfumato diff against idiff and ImageMagick, over depths, sizes and layers, and its refusals.
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTest>
#include <cmath>

#include "program.hpp"

class TestDiff : public CliTest {
  Q_OBJECT

  void make(const QStringList& arguments) {
    QProcess tool;
    tool.setWorkingDirectory(folder_.path());
    tool.start("oiiotool", arguments);
    QVERIFY(tool.waitForFinished(600000) && tool.exitCode() == 0);
  }

  QString output_of(const QString& program, const QStringList& arguments) {
    QProcess tool;
    tool.setWorkingDirectory(folder_.path());
    tool.start(program, arguments);
    if (!tool.waitForFinished(600000)) return {};
    return QString::fromUtf8(tool.readAllStandardOutput() + tool.readAllStandardError());
  }

  // A number behind words of idiff.
  static double said(const QString& text, const QString& words) {
    const qsizetype at = text.indexOf(words);
    return at < 0 ? -1
                  : text.mid(at + words.size()).section(' ', 0, 0).section('\n', 0, 0).toDouble();
  }

  QJsonObject found(const QStringList& arguments, int status = 0) {
    const Run r = run(QStringList{"diff"} << arguments << "--json");
    [&] { QVERIFY2(r.status == status, qPrintable(r.err)); }();
    return QJsonDocument::fromJson(r.out.toUtf8()).object();
  }
  static QJsonObject first_layer(const QJsonObject& found) {
    return found["layers"].toArray()[0].toObject();
  }
  static QJsonObject all(const QJsonObject& found) { return first_layer(found)["all"].toObject(); }

 private slots:
  void initTestCase() {
    make({"--pattern",
          "fill:topleft=.1,.2,.3:topright=.9,.2,.1:bottomleft=.2,.8,.3:bottomright=1,.9,.7",
          "150x110", "3", "--dup", "--noise:type=gaussian:stddev=.02:mean=0:seed=1", "--swap", "-d",
          "float", "-o", "a.exr", "--pop", "-d", "float", "-o", "b.exr"});
    for (const char* name : {"a", "b"}) {
      const QString in = QString(name) + ".exr";
      make({in, "--clamp:min=0,0,0:max=1,1,1", "-d", "uint8", "-o", QString(name) + "8.png"});
      make({in, "--clamp:min=0,0,0:max=1,1,1", "-d", "uint16", "-o", QString(name) + "16.tif"});
      make({in, "-d", "half", "-o", QString(name) + "h.exr"});
    }
  }

  void same_numbers_as_idiff_data() {
    QTest::addColumn<QString>("a");
    QTest::addColumn<QString>("b");
    QTest::newRow("8 bits") << "a8.png"
                            << "b8.png";
    QTest::newRow("16 bits") << "a16.tif"
                             << "b16.tif";
    QTest::newRow("8 and 16 bits") << "a8.png"
                                   << "b16.tif";
    QTest::newRow("half") << "ah.exr"
                          << "bh.exr";
    QTest::newRow("float") << "a.exr"
                           << "b.exr";
    QTest::newRow("half and float") << "ah.exr"
                                    << "b.exr";
  }
  void same_numbers_as_idiff() {
    QFETCH(QString, a);
    QFETCH(QString, b);
    const QString theirs = output_of("idiff", {a, b});
    const QJsonObject ours = all(found({a, b}));
    const auto close = [](double x, double y) {
      return std::abs(x - y) <= 1e-5 * std::abs(y) + 1e-9;
    };
    QVERIFY2(close(ours["mean"].toDouble(), said(theirs, "Mean error = ")), qPrintable(theirs));
    QVERIFY2(close(ours["rms"].toDouble(), said(theirs, "RMS error = ")), qPrintable(theirs));
    QVERIFY2(close(ours["largest"].toDouble(), said(theirs, "Max error  = ")), qPrintable(theirs));
    const QString place = QString("(%1, %2,").arg(ours["x"].toInt()).arg(ours["y"].toInt());
    QVERIFY2(theirs.contains(place), qPrintable(theirs + place));
    if (!a.endsWith("exr")) {
      QVERIFY2(std::abs(ours["psnr"].toDouble() - said(theirs, "Peak SNR = ")) < 1e-3,
               qPrintable(theirs));
    }
  }

  // Its measures are of the same samples; the similarity has been compared elsewhere.
  void same_error_as_imagemagick() {
    const double theirs = output_of("compare", {"-metric", "RMSE", "a8.png", "b8.png", "null:"})
                              .section('(', 1)
                              .section(')', 0, 0)
                              .toDouble();
    QVERIFY(std::abs(all(found({"a8.png", "b8.png"}))["rms"].toDouble() - theirs) <
            1e-5 * theirs + 1e-7);
  }

  void equal_pictures() {
    const QJsonObject ours = found({"a8.png", "a8.png"});
    QCOMPARE(all(ours)["largest"].toDouble(), 0.0);
    QVERIFY(all(ours)["psnr"].isNull());
    QCOMPARE(all(ours)["ssim"].toDouble(), 1.0);
    QCOMPARE(first_layer(ours)["ciede2000"].toObject()["largest"].toDouble(), 0.0);
    QVERIFY(run({"diff", "a8.png", "a8.png", "--max", "0"}).status == 0);
  }

  void limits_set_the_status() {
    const double largest = all(found({"a8.png", "b8.png"}))["largest"].toDouble();
    QCOMPARE(run({"diff", "a8.png", "b8.png", "--max", QString::number(largest + 1e-4)}).status, 0);
    QCOMPARE(run({"diff", "a8.png", "b8.png", "--max", QString::number(largest - 1e-4)}).status, 1);
    QVERIFY(found({"a8.png", "b8.png", "--max", "0"}, 1)["exceeded"].toBool());
    const QJsonObject some = all(found({"a8.png", "b8.png", "--threshold", "0.02"}));
    QVERIFY(some["different"].toInt() > 0 &&
            some["different"].toInt() < some["samples"].toInt() / 2);
  }

  // Layers are matched by their names; one that is missing counts as a difference.
  void layers() {
    make({"a.exr", "--chnames", "R,G,B", "b.exr", "--chnames", "n.X,n.Y,n.Z", "--chappend", "-o",
          "two.exr"});
    make({"b.exr", "--chnames", "n.X,n.Y,n.Z", "a.exr", "--chnames", "R,G,B", "--chappend", "-o",
          "other.exr"});
    const QJsonObject same = found({"two.exr", "other.exr", "--max", "0"});
    QCOMPARE(same["layers"].toArray().size(), 2);
    QCOMPARE(same["layers"].toArray()[1].toObject()["layer"].toString(), "n");
    QCOMPARE(found({"two.exr", "a.exr", "--max", "0"}, 1)["only_in_a"].toArray(), QJsonArray{"n"});
    QVERIFY(all(found({"two.exr", "a.exr", "--channels", "R,G,B", "--max", "0"}))["largest"]
                .toDouble() == 0);
  }

  // Depths and masks are no layers, and count as well; oiiotool makes them, and idiff agrees.
  void channels_beside_the_picture() {
    make({"a.exr", "--chnames", "R,G,B", "b.exr", "--ch", "R,G", "--chnames", "Z,mask.V",
          "--chappend", "-o", "z1.exr"});
    make({"a.exr", "--chnames", "R,G,B", "b.exr", "--ch", "G,G", "--chnames", "Z,mask.V",
          "--chappend", "-o", "z2.exr"});
    const QJsonObject both = found({"z1.exr", "z2.exr", "--max", "0"}, 1);
    const QJsonArray layers = both["layers"].toArray();
    QCOMPARE(layers.size(), 3);
    QCOMPARE(all(both)["largest"].toDouble(), 0.0);
    for (const auto& layer : layers) {
      if (layer.toObject()["layer"].toString() != "Z") continue;
      const double theirs = said(output_of("idiff", {"z1.exr", "z2.exr"}), "Max error  = ");
      QVERIFY(theirs > 0 && std::abs(layer.toObject()["all"].toObject()["largest"].toDouble() -
                                     theirs) < 1e-5 * theirs);
      QVERIFY(!layer.toObject().contains("ciede2000"));
    }
    // What one file lacks is named, and is a difference.
    QCOMPARE(found({"z1.exr", "a.exr", "--max", "0"}, 1)["only_in_a"].toArray(),
             (QJsonArray{"mask", "Z"}));
    QVERIFY(run({"diff", "a.exr", "z1.exr"}).err.contains("mask, Z"));
    // A depth alone is compared with the depth of the other file, not with its colours.
    make({"z1.exr", "--ch", "Z", "-o", "depth.exr"});
    for (const auto& [a, b] : {std::pair("depth.exr", "z1.exr"), {"z1.exr", "depth.exr"}}) {
      const QJsonObject depth = found({a, b});
      QCOMPARE(all(depth)["largest"].toDouble(), 0.0);
      QCOMPARE(depth[QString(a) == "depth.exr" ? "only_in_b" : "only_in_a"].toArray().size(), 4);
    }
    const Run shown = run({"diff", "z1.exr", "z2.exr", "zd.exr"});
    QVERIFY2(shown.err.contains("zd.exr") && shown.err.contains("mask, Z") &&
                 shown.err.contains("--channels"),
             qPrintable(shown.err));
  }

  // Parts with channels of the same names.
  void parts() {
    const QStringList first{"a.exr", "--attrib", "oiio:subimagename", "one"};
    make(first + QStringList{"a.exr", "--attrib", "oiio:subimagename", "two", "--siappend", "-o",
                             "parts1.exr"});
    make(first + QStringList{"b.exr", "--attrib", "oiio:subimagename", "two", "--siappend", "-o",
                             "parts2.exr"});
    const QJsonObject ours = found({"parts1.exr", "parts2.exr", "--max", "0"}, 1);
    QCOMPARE(ours["layers"].toArray().size(), 2);
    QCOMPARE(all(ours)["largest"].toDouble(), 0.0);
    QVERIFY(ours["layers"].toArray()[1].toObject()["all"].toObject()["largest"].toDouble() > 0);
    QVERIFY(ours["only_in_a"].toArray().isEmpty() && ours["only_in_b"].toArray().isEmpty());
  }

  void pictures_that_are_turned() {
    make({"a8.png", "--attrib", "Orientation", "6", "-o", "turned.tif"});
    const Run r = run({"diff", "a8.png", "turned.tif", "--max", "0"});
    QCOMPARE(r.status, 0);
    QVERIFY2(r.err.contains("turned differently"), qPrintable(r.err));
  }

  // An output never takes the place of a picture that it is about.
  void inputs_stay() {
    for (const char* name : {"a8.png", "b8.png"}) {
      refused({"diff", "a8.png", "b8.png", name, "--overwrite"}, 1, {name, "compared"});
    }
  }

  void sizes() {
    make({"a8.png", "--cut", "100x80+20+30", "-o", "part.png"});
    const Run refused = run({"diff", "a8.png", "part.png"});
    QCOMPARE(refused.status, 1);
    QVERIFY2(refused.err.contains("150 x 110") && refused.err.contains("100 x 80"),
             qPrintable(refused.err));
    QVERIFY(refused.err.contains("--offset"));
    make({"a.exr", "--origin", "+5+6", "-o", "moved.exr"});
    const Run moved = run({"diff", "a.exr", "moved.exr"});
    QCOMPARE(moved.status, 1);
    QVERIFY2(moved.err.contains("5, 6") && moved.err.contains("--offset"), qPrintable(moved.err));
    const QJsonObject part = found({"a8.png", "part.png", "--offset", "20,30", "--max", "0"});
    QCOMPARE(first_layer(part)["width"].toInt(), 100);
    QCOMPARE(run({"diff", "a8.png", "part.png", "--offset=-90,-70", "--max", "0"}).status, 1);
    QCOMPARE(run({"diff", "a8.png", "part.png", "--offset", "500,0"}).status, 1);
  }

  // Gray is compared with each colour, and what has no opacity is opaque.
  void channels() {
    make({"a8.png", "--ch", "R", "-o", "gray.png"});
    make({"a8.png", "--ch", "R,R,R,A=1", "-o", "rgba.png"});
    QCOMPARE(all(found({"gray.png", "rgba.png"}))["largest"].toDouble(), 0.0);
    QCOMPARE(first_layer(found({"gray.png", "rgba.png"}))["channels"].toArray().size(), 4);
  }

  void numbers_on_one_side() {
    write("nan.pfm", pfm(NAN));
    write("one.pfm", pfm(0.5f));
    const QJsonObject ours = all(found({"nan.pfm", "one.pfm", "--max", "1000"}, 1));
    QCOMPARE(ours["not_finite_in_one"].toInt(), 1);
    QVERIFY(ours["largest"].isNull());
    const QJsonObject same = found({"nan.pfm", "nan.pfm", "--max", "0"});
    QCOMPARE(all(same)["not_finite_in_one"].toInt(), 0);
    QCOMPARE(all(same)["ssim"].toDouble(), 1.0);
    QCOMPARE(first_layer(same)["ciede2000"].toObject()["not_finite"].toInt(), 1);
    QVERIFY(run({"diff", "nan.pfm", "one.pfm"}).out.contains("not finite: 1\n"));
  }

  // Colours that are the same, under profiles that are not.
  void profiles() {
    make({"a16.tif", "--attrib", "oiio:Gamma", "2.2", "-o", "plain.tif"});
    const Run r = run({"diff", "a16.tif", "ah.exr"});
    QVERIFY2(r.err.contains("--profiles respect"), qPrintable(r.err));
  }

  void pictures_of_differences() {
    for (const char* kind : {"absolute", "signed", "map"}) {
      const Run r = run({"diff", "a8.png", "b8.png", "d.png", "--show", kind, "--overwrite"});
      QVERIFY2(r.status == 0 && r.out.contains("times"), qPrintable(r.err));
    }
    // Maps of other depths, seen as oiiotool converts them, are those of 8 bits.
    for (const char* name : {"m.exr", "m.pfm", "m.tif"}) {
      QStringList words{"diff", "a8.png", "b8.png", name, "--show", "map"};
      if (QString(name).endsWith("tif"))
        words << "--bits"
              << "16";
      const Run r = run(words);
      QVERIFY2(r.status == 0, qPrintable(r.err));
      QStringList seen{name};
      if (words.size() == 6)
        seen << "--colorconvert"
             << "linear"
             << "sRGB";
      make(seen + QStringList{"-d", "uint8", "-o", "seen.png"});
      const Run same = run({"diff", "d.png", "seen.png", "--max", "0.006"});
      QVERIFY2(same.status == 0, qPrintable(name + same.out));
    }
    // |a - b| as idiff writes it.
    QCOMPARE(run({"diff", "a8.png", "b8.png", "d.png", "--gain", "1", "--overwrite"}).status, 0);
    output_of("idiff", {"-abs", "-od", "-o", "i.png", "a8.png", "b8.png"});
    QCOMPARE(run({"diff", "d.png", "i.png", "--max", "0"}).status, 0);
    QCOMPARE(run({"diff", "a.exr", "b.exr", "d.exr", "--show", "signed", "--gain", "1"}).status, 0);
    make({"b.exr", "a.exr", "--sub", "-o", "s.exr"});
    QCOMPARE(run({"diff", "d.exr", "s.exr", "--max", "1e-6"}).status, 0);
    QVERIFY(run({"diff", "a8.png", "b8.png", "d.png"}).err.contains("--overwrite"));
  }

  // The scale's last number says whether larger differences have the same colour.
  void scales_say_what_exceeds_them() {
    const auto scale_of = [this](const char* level) {
      make(
          {"--pattern", "constant:color=0.2,0.2,0.2", "200x20", "3", "-d", "uint8", "-o", "l.png"});
      make({"--pattern", QString("constant:color=%1,0.2,0.2").arg(level), "200x20", "3", "-d",
            "uint8", "-o", "r.png"});
      const Run r =
          run({"diff", "l.png", "r.png", "m.png", "--show", "map", "--gain", "4", "--overwrite"});
      [&] { QVERIFY2(r.status == 0, qPrintable(r.err)); }();
      make({"m.png", "--cut", "200x66+0+20", "-o", QString("scale%1.png").arg(level)});
      return QString("scale%1.png").arg(level);
    };
    const QString little = scale_of("0.3"), more = scale_of("0.4"), beyond = scale_of("0.9");
    QCOMPARE(run({"diff", little, more, "--max", "0"}).status, 0);
    QCOMPARE(run({"diff", little, beyond, "--max", "0"}).status, 1);
  }

  void refusals_data() {
    QTest::addColumn<QStringList>("words");
    QTest::newRow("one picture") << QStringList{"a8.png"};
    QTest::newRow("four") << QStringList{"a8.png", "b8.png", "c.png", "d.png"};
    QTest::newRow("threshold") << QStringList{"a8.png", "b8.png", "--threshold", "x"};
    QTest::newRow("negative") << QStringList{"a8.png", "b8.png", "--max=-1"};
    QTest::newRow("offset") << QStringList{"a8.png", "b8.png", "--offset", "1"};
    QTest::newRow("kind") << QStringList{"a8.png", "b8.png", "--show", "red"};
    QTest::newRow("no value") << QStringList{"a8.png", "b8.png", "--gain"};
    QTest::newRow("twice") << QStringList{"a8.png", "b8.png", "--max", "1", "--max", "2"};
    QTest::newRow("switch") << QStringList{"a8.png", "b8.png", "--json=1"};
  }
  void refusals() {
    QFETCH(QStringList, words);
    const Run r = run(QStringList{"diff"} << words);
    QCOMPARE(r.status, 2);
    QVERIFY(r.err.startsWith("sfumato: "));
  }

 private:
  static QByteArray pfm(float first) {
    QByteArray out("Pf\n20 15\n-1\n");
    for (int i = 0; i < 300; ++i) {
      const float v = i == 47 ? first : 0.5f;
      out.append(reinterpret_cast<const char*>(&v), sizeof v);
    }
    return out;
  }
};

QTEST_GUILESS_MAIN(TestDiff)
#include "test_diff.moc"
