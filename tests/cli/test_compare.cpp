// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// sfumato compare: its table, its sheet, and its refusals.
#include <QTest>
#include <QtEndian>

#include "program.hpp"
#include "support/skips.hpp"

class TestCompare : public CliTest {
  Q_OBJECT

  // "method  12.3 ms  61.0 dB  0.002": the words of the line for the method.
  static QStringList line_of(const Run& run, const QString& method) {
    for (const QString& line : run.out.split('\n')) {
      const QStringList words = line.split(' ', Qt::SkipEmptyParts);
      if (!words.isEmpty() && words[0] == method) return words;
    }
    return {};
  }

 private slots:
  void initTestCase() { write_ppm("in.ppm", 90, 60); }

  void every_method_has_a_line_and_the_sheet_is_a_picture() {
    const Run r = run({"compare", "gaussian", "in.ppm", "sheet.png", "--sigma", "3"});
    QVERIFY2(r.status == 0, qPrintable(r.err));
    QCOMPARE(r.err, "");
    for (const char* method :
         {"fft", "auto", "direct", "separable", "symmetric", "bilinear", "boxes", "multirate"}) {
      QVERIFY2(!line_of(r, method).isEmpty(), method);
    }
    // fft is the standard of comparison; boxes are coarse, separable is precise.
    const QStringList fft = line_of(r, "fft"), boxes = line_of(r, "boxes");
    const QStringList separable = line_of(r, "separable");
    QCOMPARE(fft[3], "-");
    QVERIFY2(boxes[3].toDouble() > 30 && boxes[3].toDouble() < 75, qPrintable(boxes.join(' ')));
    QVERIFY2(separable[3].toDouble() > 85, qPrintable(separable.join(' ')));
    QVERIFY(separable[5].toDouble() < boxes[5].toDouble());
    const QByteArray png = read("sheet.png");
    QVERIFY(png.startsWith("\x89PNG"));
    // Nine results in two lines, which fit on paper; the picture is small, and its own detail.
    const auto size_at = [&png](int at) {
      return (static_cast<unsigned char>(png[at]) << 8) | static_cast<unsigned char>(png[at + 1]);
    };
    const int width = size_at(18), height = size_at(22);
    QVERIFY2(width > 5 * 360 && width < 6 * 360, qPrintable(QString::number(width)));
    QVERIFY2(height > 2 * 2 * 240, qPrintable(QString::number(height)));
    remove({"sheet.png"});
  }

  void named_methods_alone_are_compared() {
    const Run r = run({"compare", "bilateral", "in.ppm", "sheet.png", "--methods=separable"});
    QVERIFY2(r.status == 0, qPrintable(r.err));
    QVERIFY(!line_of(r, "exact").isEmpty() && !line_of(r, "separable").isEmpty());
    QVERIFY(line_of(r, "auto").isEmpty());
    remove({"sheet.png"});
  }

  void values_that_change_nothing_are_compared_too() {
    for (const QStringList& words :
         {QStringList{"gaussian", "--sigma", "0"}, QStringList{"convolve"},
          QStringList{"median", "--mix", "0"}}) {
      QStringList arguments{"compare", words[0], "in.ppm", "sheet.png"};
      arguments << words.mid(1);
      const Run r = run(arguments, {"SFUMATO_DEVICE=reference"});
      QVERIFY2(r.status == 0, qPrintable(words.join(' ') + ": " + r.err));
      QVERIFY2(
          line_of(r, "auto").contains("identical") || line_of(r, "separable").contains("identical"),
          qPrintable(r.out));
      remove({"sheet.png"});
    }
  }

  void methods_that_agree_are_said_to() {
    const Run r = run({"compare", "bilateral", "in.ppm", "sheet.png", "--methods", "auto"});
    QVERIFY2(r.status == 0, qPrintable(r.err));
    QVERIFY2(line_of(r, "auto").contains("identical"), qPrintable(r.out));
    remove({"sheet.png"});
  }

  // Transforms read them as 0, sums are spoilt by them: there is no error in dB.
  void samples_that_are_not_numbers_are_counted() {
    QByteArray pfm("Pf\n20 10\n-1\n");
    for (int i = 0; i < 200; ++i) {
      const float v = i == 90 ? NAN : 0.5f;
      pfm.append(reinterpret_cast<const char*>(&v), sizeof v);
    }
    write("nan.pfm", pfm);
    const Run r = run({"compare", "gaussian", "nan.pfm", "sheet.png", "--methods", "separable",
                       "--sigma", "1", "--radius", "1"});
    QVERIFY2(r.status == 0, qPrintable(r.err));
    const QStringList separable = line_of(r, "separable");
    QCOMPARE(separable.mid(3, 1), QStringList{"-"});
    QVERIFY2(separable[4].toInt() >= 9, qPrintable(r.out));  // up to the window's reach
    QCOMPARE(separable.mid(5, 2).join(" "), "not finite");
    QVERIFY2(!r.out.contains("inf"), qPrintable(r.out));
    remove({"nan.pfm", "sheet.png"});
  }

  void the_method_that_the_pixels_decided_is_reported() {
    const Run r = run({"compare", "bilateral", "in.ppm", "sheet.png", "--methods", "fast"});
    QVERIFY2(r.status == 0, qPrintable(r.err));
    const QString fast = line_of(r, "fast").join(" ");
    QVERIFY2(
        fast.contains("colours") || fast.contains("second tap") || fast.contains("exact, window"),
        qPrintable(r.out));
    remove({"sheet.png"});
  }

  void a_method_that_refuses_these_values_is_left_out_or_refused() {
    const Run r =
        run({"compare", "gaussian", "in.ppm", "sheet.png", "--sigma", "12", "--radius", "40"});
    QVERIFY2(r.status == 0, qPrintable(r.err));
    QVERIFY2(r.err.contains("left out") && r.err.contains("direct"), qPrintable(r.err));
    QVERIFY(line_of(r, "direct").isEmpty());
    remove({"sheet.png"});
    refused({"compare", "gaussian", "in.ppm", "sheet.png", "--sigma", "12", "--methods", "direct"},
            2, {"direct", "separable"});
  }

  void completion_knows_methods() {
    QCOMPARE(run({"--complete", "compare", "gaussian", "--meth"}).out, "--methods\n");
    QCOMPARE(run({"--complete", "compare", "gaussian", "--methods", "fft,b"}).out,
             "fft,bilinear\nfft,boxes\nfft,bilinear_float\n");
    // Those already given are not offered again.
    const QStringList more =
        run({"--complete", "compare", "gaussian", "--methods", "auto,fft,"}).out.split('\n');
    QVERIFY(more.contains("auto,fft,boxes") && more.contains("auto,fft,bilinear"));
    QVERIFY(!more.contains("auto,fft,auto") && !more.contains("auto,fft,fft"));
    QCOMPARE(run({"--complete", "compare", "gaussian", "--bit"}).out, "");
  }

  void two_parameters_make_a_grid() {
    const Run r = run({"compare", "gaussian", "in.ppm", "grid.png", "--vary", "sigma=1,2,4",
                       "--vary", "border=clamp,mirror", "--renders", "1"});
    QVERIFY2(r.status == 0, qPrintable(r.err));
    QCOMPARE(r.out.count("halo"), 6);
    QVERIFY(r.out.contains("sigma 4, border mirror"));
    // Values are no errors.
    QVERIFY2(!r.out.contains("dB"), qPrintable(r.out));
    const Run against =
        run({"compare", "gaussian", "in.ppm", "grid.png", "--vary", "sigma=1,2,4", "--against",
             "sigma 1", "--overwrite", "--renders", "1", "--original"});
    QVERIFY2(against.status == 0, qPrintable(against.err));
    QCOMPARE(against.out.count("dB"), 3);  // of the original, too
    remove({"grid.png"});
  }

  // A small picture is shown once, unless a part is asked for.
  void the_whole_is_no_detail() {
    const auto height = [this](const QStringList& more) {
      const Run r = run(QStringList{"compare", "gaussian", "in.ppm", "sheet.png", "--vary",
                                    "sigma=1,2", "--renders", "1", "--overwrite"} +
                        more);
      if (r.status != 0) return 0;
      const QByteArray png = read("sheet.png");
      return static_cast<int>(qFromBigEndian<quint32>(png.constData() + 20));
    };
    const int whole = height({}), asked = height({"--crop", "8x8+0+0"});
    QVERIFY2(whole > 0 && whole < asked, qPrintable(QString("%1, %2").arg(whole).arg(asked)));
    remove({"sheet.png"});
  }

  // Time and error for each method, over the number.
  void curves_are_drawn() {
    const Run r = run({"compare", "gaussian", "in.ppm", "s.png", "--methods", "boxes,separable",
                       "--vary", "sigma=1,2,4,8", "--plot", "p.svg", "--renders", "1"});
    QVERIFY2(r.status == 0, qPrintable(r.err));
    const QString svg = QString::fromUtf8(read("p.svg"));
    QCOMPARE(svg.count("<polyline"), 3 + 2);  // the exact method has no error
    QCOMPARE(svg.count("<circle"), 4 * (3 + 2));
    remove({"s.png", "p.svg"});
  }

  void the_page_holds_its_pictures() {
    write_ppm("large.ppm", 1000, 700);
    const Run r = run({"compare", "sepia", "large.ppm", "p.html", "--recipes",
                       "faded-film,grayscale", "--original", "--renders", "1"});
    QVERIFY2(r.status == 0, qPrintable(r.err));
    const QString page = QString::fromUtf8(read("p.html"));
    QCOMPARE(page.count("data:image/jpeg;base64,"), 4);
    QCOMPARE(page.count("data:image/png;base64,"), 4);
    QVERIFY(!page.contains("http") && !page.contains("src=\"/"));
    // There are no differences to choose.
    QVERIFY(page.contains("value=\"detail\"") && !page.contains("value=\"difference\""));
    for (const char* title : {"original", "sepia", "faded", "grayscale"}) {
      QVERIFY2(page.contains(title), title);
    }
    // The detail is exact: it is the picture itself.
    const auto at = page.indexOf("data:image/png;base64,") + 22;
    const QByteArray png =
        QByteArray::fromBase64(page.mid(at, page.indexOf('"', at) - at).toLatin1());
    write("detail.png", png);
    const Run same = run({"diff", "large.ppm", "detail.png", "--offset", "50,50", "--max", "0"});
    QVERIFY2(same.status == 0, qPrintable(same.out + same.err));
    remove({"p.html", "detail.png", "large.ppm"});
  }

  void pages_and_sheets_speak_the_user_s_language() {
    const Run r = run({"compare", "gaussian", "in.ppm", "p.html", "--vary", "sigma=1,2",
                       "--original", "--against", "original", "--plot", "p.svg"},
                      {"LC_ALL=de_DE.UTF-8", "SFUMATO_DEVICE=reference"});
    QVERIFY2(r.status == 0, qPrintable(r.err));
    const QString page = QString::fromUtf8(read("p.html"));
    for (const char* words : {"lang=\"de\"", "ganzes Bild", "größter Unterschied", "Umwandlungen",
                              "value=\"difference\""}) {
      QVERIFY2(page.contains(QString::fromUtf8(words)), words);
    }
    const QString svg = QString::fromUtf8(read("p.svg"));
    QVERIFY(svg.contains("Zeit") && svg.contains("Millisekunden"));
    remove({"p.html", "p.svg"});
  }

  // Cells against ImageMagick's -auto-orient, which turns a picture as its orientation says.
  void pictures_lie_as_they_are_shown_data() {
    QTest::addColumn<int>("orientation");
    for (int i = 1; i <= 8; ++i) QTest::addRow("%d", i) << i;
  }
  void pictures_lie_as_they_are_shown() {
    QFETCH(int, orientation);
    write_ppm("stored.ppm", 560, 420);
    if (QProcess::execute("oiiotool", {path("stored.ppm"), "--attrib", "Orientation",
                                       QString::number(orientation), "-o", path("turned.tif")}) !=
        0) {
      SKIP_WITHOUT("oiiotool");
    }
    const auto expected = [&](const QStringList& more) {
      return QProcess::execute("convert", QStringList{path("turned.tif"), "-auto-orient"} + more +
                                              QStringList{path("expected.png")});
    };
    if (expected({}) != 0) SKIP_WITHOUT("ImageMagick");
    const auto detail = [&](const QStringList& more) {
      const Run r = run(QStringList{"compare", "grayscale", "turned.tif", "p.html", "--original",
                                    "--overwrite", "--renders", "1"} +
                            more,
                        {"SFUMATO_DEVICE=reference"});
      const QString page = QString::fromUtf8(read("p.html"));
      const auto at = page.indexOf("data:image/png;base64,") + 22;
      write("detail.png",
            QByteArray::fromBase64(page.mid(at, page.indexOf('"', at) - at).toLatin1()));
      const Run same = run({"diff", "expected.png", "detail.png", "--max", "0"});
      return same.status == 0 ? QString() : r.err + same.out + same.err;
    };
    QCOMPARE(detail({}), QString());
    QCOMPARE(expected({"+repage", "-crop", "100x50+20+30", "+repage", "-sample", "900x450"}), 0);
    QCOMPARE(detail({"--crop", "100x50+20+30"}), QString());
    refused({"compare", "grayscale", "turned.tif", "p.html", "--original", "--overwrite", "--crop",
             orientation > 4 ? "421x10+0+0" : "561x10+0+0"},
            2, {"within the picture", orientation > 4 ? "420 x 560" : "560 x 420"});
    remove({"stored.ppm", "turned.tif", "expected.png", "p.html", "detail.png"});
  }

  // As they stand in the help.
  void examples_of_the_help_run_data() {
    QTest::addColumn<QString>("words");
    for (const char* command : {"compare", "diff"}) {
      for (const QString& line : run({command, "--help"}).out.split('\n')) {
        if (line.startsWith("  sfumato ")) QTest::addRow("%s", qPrintable(line)) << line.mid(10);
      }
    }
  }
  void examples_of_the_help_run() {
    QFETCH(QString, words);
    const QStringList inputs{"photo.jpg", "a.png",      "b.png",        "a.tif",
                             "b.tif",     "render.exr", "reference.exr"};
    for (const QString& name : inputs) {
      const Run r = run({"grayscale", "in.ppm", name});
      QVERIFY2(r.status == 0, qPrintable(r.err));
    }
    const Run r = run(words.split(' '), {"SFUMATO_DEVICE=reference"});
    QVERIFY2(r.status == 0, qPrintable(r.err));
    remove(inputs + QStringList{"sheet.png", "grid.png", "page.html", "d.png"});
  }

  void a_recipe_s_step_is_varied() {
    write("two.json",
          R"({"sfumato": 1, "steps": [{"filter": "gaussian"}, {"filter": "median"},
              {"filter": "gaussian"}]})");
    const Run r =
        run({"compare", "two.json", "in.ppm", "s.png", "--vary", "3.sigma=1,3", "--renders", "1"});
    QVERIFY2(r.status == 0, qPrintable(r.err));
    QVERIFY(r.out.contains("3.sigma 3"));
    remove({"s.png"});
    refused({"compare", "two.json", "in.ppm", "s.png", "--vary", "sigma=1,3"}, 2,
            {"several steps", "1.sigma"});
    refused({"compare", "two.json", "in.ppm", "s.png", "--vary", "4.sigma=1,3"}, 2,
            {"4.sigma", "no step", "3"});
    refused({"compare", "two.json", "in.ppm", "s.png", "--methods", "fft"}, 2, {"--methods"});
    remove({"two.json"});
  }

  void devices_are_compared_with_the_first() {
    const Run r = run({"compare", "gaussian", "in.ppm", "s.png", "--devices", "reference,reference",
                       "--forms", "gpu,cpu", "--renders", "1"});
    QVERIFY2(r.status == 0, qPrintable(r.err));
    QCOMPARE(r.out.count("identical"), 2);
    remove({"s.png"});
  }

  void what_cannot_be_compared_is_refused() {
    const QStringList common{"compare", "gaussian", "in.ppm", "s.png"};
    refused(common + QStringList{"--vary", "zzzzz=1"}, 2, {"to vary"});
    refused(common + QStringList{"--vary", "sigm=1,2"}, 2, {"sigm", "sigma"});
    refused(common + QStringList{"--vary", "sigma"}, 2, {"--vary", "sigma=2,8"});
    refused(common + QStringList{"--vary", "sigma="}, 2, {"--vary"});
    refused(common + QStringList{"--vary", "sigma=1,x"}, 2, {"x"});
    refused(common + QStringList{"--vary", "sigma=1,-2"}, 2, {"-2"});
    QStringList numbers;
    for (int i = 1; i <= 100; ++i) numbers.append(QString::number(i));
    refused(common + QStringList{"--vary", "sigma=" + numbers.join(','), "--vary",
                                 "radius=" + numbers.join(',')},
            2, {"10000", "too many"});
    refused(common + QStringList{"--crop", "10x10"}, 2, {"--crop"});
    refused(common + QStringList{"--crop", "80x80+0+0"}, 2, {"80x80+0+0", "90 x 60"});
    refused(common + QStringList{"--crop", "0x4+0+0"}, 2, {"--crop"});
    refused(common + QStringList{"--against", "nothing"}, 2, {"nothing", "fft"});
    refused(common + QStringList{"--forms", "gpu,tpu"}, 2, {"tpu"});
    // What is left out is no standard.
    const Run left_out =
        run(common + QStringList{"--vary", "sigma=2,12", "--methods", "direct,separable",
                                 "--against", "direct, sigma 12"});
    QCOMPARE(left_out.status, 2);
    QVERIFY2(left_out.err.contains("none of what is compared"), qPrintable(left_out.err));
    refused(common + QStringList{"--plot", "p.svg"}, 2, {"--plot", "--vary"});
    for (const char* renders : {"0", "1.5", "1e9", "x"}) {
      refused(common + QStringList{"--renders", renders}, 2, {"--renders", "from 1 to 1000"});
    }
    // A chart takes the place of no picture.
    write_ppm("p.png", 4, 4);
    for (const char* plot : {"p.png", "s.png", "chart"}) {
      refused(common + QStringList{"--vary", "sigma=1,2", "--plot", plot, "--overwrite"}, 2,
              {plot, ".svg"});
    }
    remove({"p.png"});
    refused({"compare", "gaussian", "in.ppm", "in.ppm", "--overwrite", "--original"}, 1,
            {"in.ppm", "compared"});
    refused(common + QStringList{"--recipes", "sepya"}, 2, {"sepya", "sepia"});
  }

  void wrong_usage_is_named() {
    refused({"compare"}, 2, {"filter"});
    refused({"compare", "gausian", "in.ppm", "s.png"}, 2, {"gausian", "gaussian"});
    refused({"compare", "gaussian", "in.ppm"}, 2, {"OUTPUT", "compare"});
    refused({"compare", "grayscale", "in.ppm", "s.png"}, 2, {"grayscale", "single method"});
    refused({"compare", "sepia", "in.ppm", "s.png"}, 2, {"nothing to compare", "--vary"});
    refused({"compare", "gaussian", "in.ppm", "s.png", "--methods", "boxen"}, 2,
            {"boxen", "boxes"});
    refused({"compare", "gaussian", "in.ppm", "s.png", "--methods", ","}, 2, {"--methods"});
    refused({"compare", "gaussian", "in.ppm", "s.png", "--method", "boxes"}, 2, {"--methods"});
    refused({"compare", "gaussian", "in.ppm", "s.png", "--bits", "16"}, 2, {"--bits"});
    refused({"compare", "gaussian", "none.ppm", "s.png"}, 1, {"none.ppm"});
    refused({"compare", "gaussian", "in.ppm", "in.ppm"}, 1, {"in.ppm"});
    refused({"compare", "gaussian", "in.ppm", "nowhere/s.png"}, 1, {"nowhere"});
  }
};

QTEST_GUILESS_MAIN(TestCompare)
#include "test_compare.moc"
