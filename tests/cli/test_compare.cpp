// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// sfumato compare: its table, its sheet, and its refusals.
#include <QtTest>

#include "program.hpp"

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
    // Eight columns of cells side by side.
    const int width =
        (static_cast<unsigned char>(png[18]) << 8) | static_cast<unsigned char>(png[19]);
    QVERIFY2(width > 8 * 360, qPrintable(QString::number(width)));
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
             "fft,bilinear\nfft,boxes\n");
    // Those already given are not offered again.
    const QStringList more =
        run({"--complete", "compare", "gaussian", "--methods", "auto,fft,"}).out.split('\n');
    QVERIFY(more.contains("auto,fft,boxes") && more.contains("auto,fft,bilinear"));
    QVERIFY(!more.contains("auto,fft,auto") && !more.contains("auto,fft,fft"));
    QCOMPARE(run({"--complete", "compare", "gaussian", "--bit"}).out, "");
  }

  void wrong_usage_is_named() {
    refused({"compare"}, 2, {"filter"});
    refused({"compare", "gausian", "in.ppm", "s.png"}, 2, {"gausian", "gaussian"});
    refused({"compare", "gaussian", "in.ppm"}, 2, {"OUTPUT", "compare"});
    refused({"compare", "grayscale", "in.ppm", "s.png"}, 2, {"grayscale", "single method"});
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
