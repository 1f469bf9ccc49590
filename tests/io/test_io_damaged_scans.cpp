// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Damage within the scans of JPEG files is met in progressive files, which are decoded as they are
// opened, as in others: no picture is made of what is left. ImageMagick makes the files, and says
// that they are damaged.
#include <QProcess>
#include <QTest>

#include "io/shown_pixels.hpp"

using namespace sfumato;
using namespace sfumato::testing;

class TestIoDamagedScans : public QObject {
  Q_OBJECT

  Folder folder_;

  std::string refused(const std::string& bytes) {
    put(folder_ / "a.jpg", bytes);
    return refusal([&] { read_all(*open_picture(folder_ / "a.jpg")); });
  }
  // Whether the other program complains, too.
  bool is_damaged() {
    QProcess process;
    process.start("convert", {QString::fromStdString((folder_ / "a.jpg").string()), "null:"});
    return process.waitForFinished(-1) && !process.readAllStandardError().isEmpty();
  }

 private slots:
  void damage_data() {
    QTest::addColumn<QString>("interlace");
    QTest::newRow("baseline") << "None";
    QTest::newRow("progressive") << "JPEG";
  }
  void damage() {
    NEED("convert");
    QFETCH(const QString, interlace);
    QVERIFY(ran("convert",
                {"-size", "400x300", "-seed", "7", "plasma:", "-quality", "90", "-interlace",
                 interlace, "whole.jpg"},
                folder_ / ""));
    const std::string whole = content(folder_ / "whole.jpg"), end = "\xff\xd9";
    QVERIFY(refused(whole).empty());
    QVERIFY(!is_damaged());
    const std::size_t scan = whole.find("\xff\xda"), half = scan + (whole.size() - scan) / 2;
    std::string zeros = whole, sector = whole;
    std::fill(zeros.begin() + static_cast<std::ptrdiff_t>(half), zeros.end() - 2, '\0');
    std::fill_n(sector.begin() + static_cast<std::ptrdiff_t>(half), 4096, '\0');
    for (const std::string& bytes :
         {whole.substr(0, half) + end, whole.substr(0, scan + 200) + end, zeros, sector}) {
      QVERIFY(!refused(bytes).empty());
      QVERIFY(is_damaged());
    }
    QVERIFY(!refused(whole.substr(0, half)).empty());
  }
};

QTEST_GUILESS_MAIN(TestIoDamagedScans)
#include "test_io_damaged_scans.moc"
