// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// PNM files as text: comments wherever Netpbm's programs take them, against ImageMagick.
#include <QTest>

#include "io/property_inputs.hpp"
#include "support/skips.hpp"

using namespace sfumato;
using namespace sfumato::testing;

class TestIoNetpbm : public QObject {
  Q_OBJECT

  Folder folder_;

  // The samples in 8 bits, and the comments.
  std::pair<std::vector<int>, std::string> read(const std::string& name, const std::string& bytes) {
    put(folder_ / name, bytes);
    copy_picture(folder_ / name, folder_ / "ours.png", {.overwrite = true});
    std::vector<int> out;
    for (const float value : values_of(folder_ / "ours.png")) {
      out.push_back(static_cast<int>(std::lround(255 * value)));
    }
    return {out,
            std::string(spec_of(folder_ / "ours.png").get_string_attribute("ImageDescription"))};
  }

 private slots:
  void comments_between_samples() {
    using Read = std::pair<std::vector<int>, std::string>;
    QCOMPARE(read("a.pgm", "P2\n# head\n3 2\n255\n0 10 # one 77 88\n20\n#two\n30 40# three\n50 "),
             Read({0, 10, 20, 30, 40, 50}, "head\none 77 88\ntwo\nthree"));
    QCOMPARE(read("a.ppm", "P3 1 1 255 1 #r\n2 #g\n3"), Read({1, 2, 3}, "r\ng"));
    QCOMPARE(read("a.pbm", "P1\n4 2\n10#a 1 0\n10\n0101"),
             Read({0, 255, 0, 255, 255, 0, 255, 0}, "a 1 0"));
    QCOMPARE(read("a.pgm", "P2 1 1 255 7 # behind"), Read({7}, "behind"));
  }

  void as_imagemagick_reads_them() {
    if (QStandardPaths::findExecutable("convert").isEmpty()) SKIP_WITHOUT("a tool for pictures");
    read("a.pgm", "P2\n3 2\n255\n0 10 # 77 88\n20\n#two\n30 40\n50\n");
    output_of("convert", {text_of(folder_ / "a.pgm"), text_of(folder_ / "theirs.png")});
    QVERIFY(values_of(folder_ / "ours.png") == values_of(folder_ / "theirs.png"));
  }

  // In binary, the same characters are samples.
  void no_comments_in_binary() {
    const auto found = read("a.pgm", "P5\n2 2\n255\n#a\n#");
    QVERIFY(found.first == std::vector<int>({35, 97, 10, 35}) && found.second.empty());
  }

  // Samples that are missing, and others that a short file claims.
  void too_few_samples() {
    for (const char* bytes :
         {"P2\n3 2\n255\n0 1 2 3 4", "P2\n3 2\n255\n0 1 2 # 3 4 5", "P1\n4 2\n1010",
          "P3 1 1 255 1 2", "P2\n3 2\n255\n0 1 2 3 4#", "P2\n1073741824 2\n255\n0 1 2 3 4"}) {
      put(folder_ / "bad.pgm", bytes);
      QVERIFY2(!refusal([&] { read_all(*open_picture(folder_ / "bad.pgm")); }).empty(), bytes);
    }
  }
};

QTEST_GUILESS_MAIN(TestIoNetpbm)
#include "test_io_netpbm.moc"
