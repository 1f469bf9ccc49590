// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// DPX files whose rows end at multiples of four bytes, and those whose rows do not, against ffmpeg,
// which writes the first, and OpenImageIO and ImageMagick, which write the second. And what their
// headers say of the picture, against exiftool.
#include <QTest>
#include <bit>

#include "io/property_inputs.hpp"
#include "support/skips.hpp"

using namespace sfumato;
using namespace sfumato::testing;

namespace {

// Bytes, and where they stand.
using DpxFields = std::vector<std::pair<std::size_t, std::string>>;

std::string in_order(std::uint64_t value, int bytes, bool big) {
  std::string out = big_endian_bytes(value, bytes);
  if (!big) std::reverse(out.begin(), out.end());
  return out;
}

// Four columns and three rows, RGB in 8 bits.
std::string dpx_file(const DpxFields& fields, bool big = true) {
  std::string out(2048 + 36, '\0');
  const auto put_at = [&](std::size_t at, const std::string& bytes) {
    out.replace(at, bytes.size(), bytes);
  };
  const auto number = [big](std::uint64_t value, int bytes) { return in_order(value, bytes, big); };
  put_at(0, (big ? "SDPX" : "XPDS") + number(2048, 4) + "V2.0");
  put_at(16, number(2048 + 36, 4));
  put_at(24, number(1664, 4) + number(384, 4));
  put_at(770, number(1, 2) + number(4, 4) + number(3, 4));
  put_at(800, "\x32");
  put_at(803, "\x08");
  put_at(808, number(2048, 4));
  for (const auto& [at, bytes] : fields) put_at(at, bytes);
  return out;
}

std::string float_bytes(float value, bool big = true) {
  return in_order(std::bit_cast<std::uint32_t>(value), 4, big);
}

}  // namespace

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

  // What exiftool finds in a TIFF file made of one.
  QJsonObject tags_of(const std::string& bytes) {
    put(folder_ / "h.dpx", bytes);
    copied_ = copy_picture(folder_ / "h.dpx", folder_ / "h.tif", {.overwrite = true});
    return exif_tags(folder_ / "h.tif");
  }
  QString comment_of(const std::string& bytes) {
    return tags_of(bytes)["ExifIFD:UserComment"].toString();
  }
  Said copied_;

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
      for (const OIIO::ParamValue& p : found.extra_attribs) {
        QVERIFY2(p.name().find(' ') == std::string::npos, p.name().c_str());
      }
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
    for (const char* format : {"rgb24", "gbrp10be", "gbrp10le", "gbrp12be", "gray10be"}) {
      output_of("ffmpeg", {"-v", "error", "-y", "-i", text_of(folder_ / "rgb.png"), "-pix_fmt",
                           format, text_of(folder_ / "a.dpx")});
      const std::string bytes = content(folder_ / "a.dpx");
      QCOMPARE(refusal([&] { read_all(*open_picture(folder_ / "a.dpx")); }), std::string());
      for (const std::size_t size : {bytes.size() / 2, bytes.size() - 100}) {
        put(folder_ / "bad.dpx", bytes.substr(0, size));
        QVERIFY2(!refusal([&] { read_all(*open_picture(folder_ / "bad.dpx")); }).empty(), format);
      }
    }
  }

  // Texts without a zero end with their fields.
  void texts_that_fill_their_fields() {
    const auto of = [](char c, std::size_t size) { return std::string(size, c); };
    const QJsonObject tags = tags_of(dpx_file({{160, of('E', 100)},
                                               {260, of('A', 200)},
                                               {460, of('S', 200)},
                                               {820, of('O', 32)},
                                               {1432, of('C', 100)},
                                               {1532, of('Y', 24)},
                                               {1556, of('D', 32)},
                                               {1588, of('N', 32)},
                                               {1664, of('7', 16)},
                                               {1680, of('F', 32)},
                                               {1732, of('I', 32)},
                                               {1764, of('L', 100)},
                                               {1920, of('\xff', 4)}}));
    QCOMPARE(tags["IFD0:Software"].toString(), QString(100, 'E'));
    QCOMPARE(tags["IFD0:DocumentName"].toString(), QString(200, 'A'));
    QCOMPARE(tags["IFD0:Copyright"].toString(), QString(200, 'S'));
    QCOMPARE(tags["IFD0:ImageDescription"].toString(), QString(32, 'O'));
    QCOMPARE(tags["IFD0:Model"].toString(), QString(32, 'D'));
    QCOMPARE(tags["ExifIFD:SerialNumber"].toString(), QString(32, 'N'));
    QCOMPARE(tags["ExifIFD:UserComment"].toString(),
             "Source file: " + QString(100, 'C') + "\nSource date: " + QString(24, 'Y') +
                 "\nFilm edge code: " + QString(16, '7') + "\nFilm format: " + QString(32, 'F') +
                 "\nFrame identification: " + QString(32, 'I') +
                 "\nSlate information: " + QString(100, 'L'));
  }

  // Numbers that are given become texts; all bits set, or zeros, mean that they are not.
  void fields_of_film_and_television() {
    for (const bool big : {true, false}) {
      const auto number = [big](std::uint64_t value) { return in_order(value, 4, big); };
      const DpxFields given = {{1712, number(5)},
                               {1716, number(100)},
                               {1724, float_bytes(23.976f, big)},
                               {1728, float_bytes(172.8f, big)},
                               {1764, "Scene 7"},
                               {1920, number(0x01020304)},
                               {1928, "\1"},
                               {1956, float_bytes(1.5f, big)}};
      const QString wanted =
          "Frame position: 5\nSequence length: 100\nFrame rate: 23.976\nShutter angle: 172.8\n"
          "Slate information: Scene 7\nTime code: 01:02:03:04\nInterlace: 1\nBlack gain: 1.5";
      QCOMPARE(comment_of(dpx_file(given, big)), wanted);
      QVERIFY(copied_.reading.empty() && copied_.writing.empty());
      // exiftool finds the same in the DPX file.
      const QJsonObject theirs = exif_tags(folder_ / "h.dpx");
      if (big) QCOMPARE(theirs["File:SlateInformation"].toString(), "Scene 7");
      copy_picture(folder_ / "h.dpx", folder_ / "h.exr", {.overwrite = true});
      const OIIO::ImageSpec exr = spec_of(folder_ / "h.exr");
      QCOMPARE(std::string(exr.get_string_attribute("Slate information")), std::string("Scene 7"));
      const OIIO::ParamValue* rate = exr.find_attribute("FramesPerSecond");
      QVERIFY(rate != nullptr && rate->get_string() == "24000/1001");
    }
    QCOMPARE(comment_of(dpx_file({})), "");
    QCOMPARE(comment_of(dpx_file({{1408, std::string(52, '\xff')},
                                  {1556, std::string(84, '\xff')},
                                  {1664, std::string(384, '\xff')}})),
             "");
    QVERIFY(copied_.reading.empty() && copied_.writing.empty());
    // A format without texts names them.
    copied_ = copy_picture(folder_ / "h.dpx", folder_ / "h.bmp", {.overwrite = true});
    QVERIFY(copied_.writing.empty());
    put(folder_ / "h.dpx", dpx_file({{1764, "Scene 7"}}));
    copied_ = copy_picture(folder_ / "h.dpx", folder_ / "h.bmp", {.overwrite = true});
    QVERIFY(copied_.writing.size() == 1 &&
            in_english(copied_.writing[0]).find("comments") != std::string::npos);
  }

  // A frame whose number and time code are zero has these if it says more; others have none.
  void first_frames() {
    QCOMPARE(comment_of(dpx_file({{1716, big_endian_bytes(100, 4)}})),
             "Sequence length: 100\nFrame position: 0\nTime code: 00:00:00:00");
    copy_picture(folder_ / "h.dpx", folder_ / "h.exr", {.overwrite = true});
    QVERIFY(spec_of(folder_ / "h.exr").find_attribute("smpte:TimeCode") != nullptr);
    for (const char fill : {'\0', '\xff'}) {
      put(folder_ / "h.dpx", dpx_file({{1664, std::string(384, fill)}}));
      copy_picture(folder_ / "h.dpx", folder_ / "h.exr", {.overwrite = true});
      for (const char* name : {"smpte:TimeCode", "smpte:KeyCode"}) {
        QVERIFY(spec_of(folder_ / "h.exr").find_attribute(name) == nullptr);
      }
    }
  }

  // Where in its original the picture lies is said if it is a part of one.
  void places_in_the_original() {
    const auto four = [](std::uint64_t a, std::uint64_t b, std::uint64_t width,
                         std::uint64_t height) -> DpxFields {
      return {{1408, big_endian_bytes(a, 4) + big_endian_bytes(b, 4)},
              {1424, big_endian_bytes(width, 4) + big_endian_bytes(height, 4)}};
    };
    constexpr std::uint64_t none = 0xffffffff;
    QCOMPARE(comment_of(dpx_file(four(3, 2, 10, 8))),
             "X offset: 3\nY offset: 2\nX original size: 10\nY original size: 8");
    QCOMPARE(comment_of(dpx_file(four(0, 7, none, none))), "X offset: 0\nY offset: 7");
    QCOMPARE(comment_of(dpx_file(four(none, none, 4, 3))), "");
    QCOMPARE(comment_of(dpx_file(four(0, 0, 0, 0))), "");
  }

  // Dates of the calendar; others stay texts.
  void dates() {
    const auto date_of = [this](const std::string& date) {
      const QJsonObject tags = tags_of(dpx_file({{136, date}}));
      const QString said = tags["IFD0:ModifyDate"].toString();  // the file's own if there is none
      return (said.startsWith("2020") ? said : "") + "|" + tags["ExifIFD:UserComment"].toString();
    };
    QCOMPARE(date_of("2020:02:29:03:04:05LTZ"), "2020:02:29 03:04:05|");
    QCOMPARE(date_of("2020:02:29:03:04:05:+01"), "2020:02:29 03:04:05|Time zone: :+01");
    QCOMPARE(date_of("2020:13:29:03:04:05"), "|Creation date: 2020:13:29:03:04:05");
    QCOMPARE(date_of("yesterday"), "|Creation date: yesterday");
  }
};

QTEST_GUILESS_MAIN(TestIoDpx)
#include "test_io_dpx.moc"
