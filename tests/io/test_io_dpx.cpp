// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// DPX files whose rows end at multiples of four bytes, and those whose rows do not, against ffmpeg,
// which writes the first, and OpenImageIO and ImageMagick, which write the second.
#include <QTest>

#include "io/property_inputs.hpp"
#include "support/skips.hpp"

using namespace sfumato;
using namespace sfumato::testing;

class TestIoDpx : public QObject {
  Q_OBJECT

  Folder folder_;

  // As 16-bit PNG, by us and by the other program.
  void compare(const std::string& file, const std::filesystem::path& theirs) {
    copy_picture(folder_ / file, folder_ / "ours.png", {.overwrite = true});
    const std::vector<float> a = values_of(folder_ / "ours.png"), b = values_of(theirs);
    QCOMPARE(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i)
      QVERIFY2(std::abs(a[i] - b[i]) < 1e-3f, file.c_str());
  }

 private slots:
  void initTestCase() {
    for (const char* program : {"convert", "ffmpeg"}) {
      if (QStandardPaths::findExecutable(program).isEmpty()) SKIP_WITHOUT("a tool for pictures");
    }
    output_of("convert", {"-size", "61x43", "gradient:red-blue", "(", "+clone", "-rotate", "180",
                          ")", "+append", "-crop", "61x43+31+0", "+repage", "-depth", "16",
                          "PNG48:" + text_of(folder_ / "rgb.png")});
    QCOMPARE(spec_of(folder_ / "rgb.png").width, 61);
  }

  // Rows of 366 bytes are followed by two, in either order of bytes.
  void rows_of_ffmpeg_data() {
    QTest::addColumn<QString>("format");
    for (const char* one :
         {"rgb24", "rgb48be", "rgb48le", "gbrp12be", "gbrp12le", "gray", "gray12be"}) {
      QTest::newRow(one) << QString(one);
    }
  }
  void rows_of_ffmpeg() {
    QFETCH(QString, format);
    output_of("ffmpeg", {"-v", "error", "-y", "-i", text_of(folder_ / "rgb.png"), "-pix_fmt",
                         format, text_of(folder_ / "a.dpx")});
    output_of("ffmpeg",
              {"-v", "error", "-y", "-i", text_of(folder_ / "a.dpx"), text_of(folder_ / "b.png")});
    compare("a.dpx", folder_ / "b.png");
  }

  // Its header ends before the parts about film and television, for which pixels are not taken.
  void short_header() {
    for (const char* size : {"61x43", "5x3", "1x1"}) {
      output_of("ffmpeg",
                {"-v", "error", "-y", "-f", "lavfi", "-i", QString("color=0x4080c0:s=") + size,
                 "-frames:v", "1", "-pix_fmt", "rgb24", text_of(folder_ / "s.dpx")});
      copy_picture(folder_ / "s.dpx", folder_ / "s.exr", {.overwrite = true});
      const OIIO::ImageSpec found = spec_of(folder_ / "s.exr");
      QVERIFY(found.find_attribute("smpte:TimeCode") == nullptr);
      QVERIFY(found.find_attribute("smpte:KeyCode") == nullptr);
      copy_picture(folder_ / "s.dpx", folder_ / "s.png", {.overwrite = true});
      QVERIFY(std::abs(values_of(folder_ / "s.png")[1] - 0x80 / 255.0f) < 0.01f);
    }
  }

  // The same without these bytes.
  void rows_without_padding() {
    output_of("convert",
              {text_of(folder_ / "rgb.png"), "-depth", "16", text_of(folder_ / "a.dpx")});
    QCOMPARE(std::filesystem::file_size(folder_ / "a.dpx") % (61 * 6), 8192u % (61 * 6));
    compare("a.dpx", folder_ / "rgb.png");
  }

  // Sizes that lie are no reason to look beyond the end.
  void damaged_headers() {
    output_of("ffmpeg", {"-v", "error", "-y", "-i", text_of(folder_ / "rgb.png"), "-pix_fmt",
                         "rgb24", text_of(folder_ / "a.dpx")});
    const std::string whole = content(folder_ / "a.dpx");
    for (const auto& [at, bytes] : {std::pair(776, std::string("\x7f\xff\xff\xff", 4)),
                                    {772, std::string("\xff\xff\xff\xff", 4)},
                                    {808, std::string("\xff\xff\xff\xf0", 4)}}) {
      std::string damaged = whole;
      damaged.replace(static_cast<std::size_t>(at), bytes.size(), bytes);
      put(folder_ / "bad.dpx", damaged);
      QVERIFY(!refusal([&] { read_all(*open_picture(folder_ / "bad.dpx")); }).empty());
    }
    put(folder_ / "bad.dpx", whole.substr(0, whole.size() / 2));
    QVERIFY(!refusal([&] { read_all(*open_picture(folder_ / "bad.dpx")); }).empty());
  }
};

QTEST_GUILESS_MAIN(TestIoDpx)
#include "test_io_dpx.moc"
