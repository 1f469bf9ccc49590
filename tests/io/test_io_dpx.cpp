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

  void convert_by_openimageio(const std::string& from, const std::string& to) {
    const auto in = OIIO::ImageInput::open((folder_ / from).string());
    const auto out = OIIO::ImageOutput::create((folder_ / to).string());
    QVERIFY(in && out && out->open((folder_ / to).string(), in->spec()) &&
            out->copy_image(in.get()) && out->close());
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

  // Bytes behind the picture say nothing of its rows, whichever of the sizes are stated.
  void bytes_behind_the_picture() {
    output_of("convert",
              {text_of(folder_ / "rgb.png"), "-depth", "8", "PNG24:" + text_of(folder_ / "8.png")});
    convert_by_openimageio("8.png", "plain.dpx");
    const std::string plain = content(folder_ / "plain.dpx");
    QCOMPARE(plain.size(), std::size_t{8192 + 61 * 3 * 43});
    output_of("ffmpeg", {"-v", "error", "-y", "-i", text_of(folder_ / "8.png"), "-pix_fmt", "rgb24",
                         text_of(folder_ / "padded.dpx")});
    const std::string padded = content(folder_ / "padded.dpx");
    // ImageMagick states the size of rows without padding, and writes it.
    output_of("convert", {text_of(folder_ / "8.png"), "-depth", "8", text_of(folder_ / "a.dpx")});
    compare("a.dpx", folder_ / "8.png");
    constexpr std::size_t file_bytes = 16, end_padding = 816;
    for (const std::string& whole : {plain, padded}) {
      const bool big = whole[0] == 'S';
      const auto number = [big](std::uint64_t value) {
        std::string bytes = big_endian_bytes(value, 4);
        if (!big) std::reverse(bytes.begin(), bytes.end());
        return bytes;
      };
      for (const std::size_t more : {1, 42, 43, 44, 300, 5000}) {
        const std::string longer = whole + std::string(more, '\0');
        put(folder_ / "a.dpx", longer);
        compare("a.dpx", folder_ / "8.png");
        for (const std::uint64_t stated :
             {std::uint64_t{0}, std::uint64_t{0xffffffff}, std::uint64_t{longer.size()}}) {
          // The header says that there is one more byte for each row.
          if (more == 43 && stated == longer.size() && whole == plain) continue;
          std::string other = longer;
          put(folder_ / "a.dpx", other.replace(file_bytes, 4, number(stated)));
          compare("a.dpx", folder_ / "8.png");
          put(folder_ / "a.dpx", other.replace(end_padding, 4, number(more)));
          compare("a.dpx", folder_ / "8.png");
        }
      }
    }
  }

  // Of sizes that are true or not; the picture is read.
  void user_data() {
    output_of("convert",
              {text_of(folder_ / "rgb.png"), "-depth", "16", text_of(folder_ / "a.dpx")});
    const std::string whole = content(folder_ / "a.dpx");
    constexpr std::size_t user_bytes = 32;
    for (const auto& [size, id] : {std::pair<std::uint64_t, std::string>(0, ""),
                                   {0xffffffff, ""},
                                   {6144, "file.user_data"},
                                   {6145, "file.user_data_size"},
                                   {9000000, "file.user_data_size"},
                                   {0x7fffffff, "file.user_data_size"}}) {
      std::string bytes = whole;
      put(folder_ / "u.dpx", bytes.replace(user_bytes, 4, big_endian_bytes(size, 4)));
      compare("u.dpx", folder_ / "rgb.png");
      const auto said = open_picture(folder_ / "u.dpx")->info().warnings;
      QCOMPARE(said.size(), std::size_t{id.empty() ? 0u : 1u});
      if (!id.empty()) QCOMPARE(said[0].id, id);
    }
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
