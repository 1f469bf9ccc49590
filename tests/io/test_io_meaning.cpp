// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What single kinds of files mean: samples that count from white, texts, resolutions, long XMP and
// profiles, channels that belong together.
#include <QTest>

#include "io/property_inputs.hpp"
#include "support/skips.hpp"

using namespace sfumato;
using namespace sfumato::testing;
using enum SampleType;

namespace {

std::string exiftool(QStringList arguments, const std::filesystem::path& file) {
  return output_of("exiftool", arguments << text_of(file)).trimmed().toStdString();
}

void tag(QStringList arguments, const std::filesystem::path& file) {
  output_of("exiftool",
            QStringList{"-q", "-n", "-overwrite_original"} + arguments << text_of(file));
}

OIIO::ImageSpec plain_spec(int channels = 3, OIIO::TypeDesc type = OIIO::TypeDesc::UINT8) {
  return {16, 12, channels, type};
}

// One row of gray that counts from white, with alpha if `extra` names its kind (TIFF's tag 338).
std::string from_white(int bits, int extra, const std::string& data, int width = 2) {
  const std::uint32_t channels = extra > 0 ? 2 : 1;
  TiffWriter t;
  t.longs(256, static_cast<std::uint32_t>(width));
  t.longs(257, 1);
  t.shorts(258, std::vector<std::uint32_t>(channels, static_cast<std::uint32_t>(bits)));
  t.shorts(259, {1});
  t.shorts(262, {0});
  t.shorts(277, {channels});
  t.longs(278, 1);
  t.longs(279, static_cast<std::uint32_t>(data.size()));
  if (extra > 0) t.shorts(338, {static_cast<std::uint32_t>(extra)});
  return t.file(data);
}

std::vector<float> near_values(const std::vector<float>& values) {
  std::vector<float> out;
  for (const float v : values) out.push_back(std::round(v * 1000) / 1000);
  return out;
}

// A packet with a title and two long texts.
QStringList long_xmp(int length) {
  return {"-XMP-dc:Title=Hello", "-XMP-xmp:Rating=5",
          "-XMP-photoshop:Headline=" + QString(length, 'A'),
          "-XMP-photoshop:Instructions=" + QString(length, 'B')};
}

std::vector<unsigned char> profile_of_size(std::size_t size, double version) {
  const cmsHPROFILE profile = cmsCreate_sRGBProfile();
  cmsSetProfileVersion(profile, version);
  // Data that no program interprets fill it up.
  const auto unused = static_cast<cmsTagSignature>(0x66696c6c);
  const std::size_t before = [&] {
    cmsUInt32Number bytes = 0;
    cmsSaveProfileToMem(profile, nullptr, &bytes);
    return static_cast<std::size_t>(bytes);
  }();
  std::vector<char> data(size > before + 24 ? size - before - 12 : 12);
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<char>(i * 7);
  cmsWriteRawTag(profile, unused, data.data(), static_cast<cmsUInt32Number>(data.size()));
  return saved(profile);
}

std::vector<std::string> english(const Said& said) {
  std::vector<std::string> out = in_english(said.reading);
  for (const std::string& one : in_english(said.writing)) out.push_back(one);
  return out;
}

}  // namespace

class TestIoMeaning : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    if (QStandardPaths::findExecutable("exiftool").isEmpty()) SKIP_WITHOUT("exiftool");
  }

  void zero_is_white_data() {
    QTest::addColumn<QByteArray>("file");
    QTest::addColumn<QList<float>>("expected");
    const auto row = [](const char* name, const std::string& file, const QList<float>& expected) {
      QTest::newRow(name) << QByteArray::fromStdString(file) << expected;
    };
    row("1 bit", from_white(1, 0, "\x40", 2), {1, 0});
    row("4 bits", from_white(4, 0, "\x0f", 2), {1, 0});
    row("8 bits", from_white(8, 0, std::string("\0\x66", 2)), {1, 0.6f});
    row("16 bits", from_white(16, 0, std::string("\0\0\x66\x66", 4)), {1, 0.6f});
    row("32 bits", from_white(32, 0, std::string("\0\0\0\0\x66\x66\x66\x66", 8)),
        {1, 0.319f});  // light
    row("8 bits, straight alpha", from_white(8, 2, std::string("\0\x33\x66\xff", 4)),
        {1, 0.2f, 0.6f, 1});
    row("16 bits, straight alpha",
        from_white(16, 2, std::string("\0\0\x33\x33\x66\x66\xff\xff", 8)), {1, 0.2f, 0.6f, 1});
    // Half covered: white leaves nothing of the counted black.
    row("8 bits, premultiplied", from_white(8, 1, std::string("\0\x33\x33\x66", 4)),
        {0.2f, 0.2f, 0.2f, 0.4f});
    row("16 bits, premultiplied", from_white(16, 1, std::string("\0\0\x33\x33\x33\x33\x66\x66", 8)),
        {0.2f, 0.2f, 0.2f, 0.4f});
  }

  void zero_is_white() {
    QFETCH(const QByteArray, file);
    QFETCH(const QList<float>, expected);
    const Folder folder;
    put(folder / "a.tif", file.toStdString());
    copy_picture(folder / "a.tif", folder / "b.tif");
    const auto values = near_values(values_of(folder / "b.tif"));
    QCOMPARE(values, std::vector<float>(expected.begin(), expected.end()));
    QCOMPARE(exiftool({"-s3", "-n", "-PhotometricInterpretation"}, folder / "b.tif"),
             std::string("1"));
  }

  // As ImageMagick shows them: nothing says which number would be black.
  void floats_stay_as_they_are() {
    const Folder folder;
    put(folder / "a.tif", plain_tiff(2, 1, 1, 32, 0, 3, std::string("\0\0\0\0\0\0\x80\x3e", 8)));
    copy_picture(folder / "a.tif", folder / "b.tif");
    QCOMPARE(values_of(folder / "b.tif"), std::vector<float>({0, 0.25f}));
  }

  // The other pages are copied, and count from black as well.
  void pages_count_from_white() {
    const Folder folder;
    OIIO::ImageSpec s = plain_spec(1, OIIO::TypeDesc::UINT16);
    make_file(folder / "a.tif", {s, s, s});
    std::string bytes = content(folder / "a.tif");
    const std::string black = TiffWriter::number(262, 2) + TiffWriter::number(3, 2) +
                              TiffWriter::number(1, 4) + TiffWriter::number(1, 4);
    int pages = 0;
    for (std::size_t at = bytes.find(black); at != std::string::npos;
         at = bytes.find(black, at + 1)) {
      bytes[at + 8] = 0;
      ++pages;
    }
    QCOMPARE(pages, 3);
    put(folder / "b.tif", bytes);
    copy_picture(folder / "b.tif", folder / "c.tif");
    for (int page = 0; page < 3; ++page) {
      std::vector<float> turned = values_of(folder / "a.tif", page);
      for (float& v : turned) v = 1 - v;
      // The other pages are copied as they are, and read as they are meant.
      copy_picture(folder / "c.tif", folder / "page.tif", {.overwrite = true}, {.page = page + 1});
      const std::vector<float> values = values_of(folder / "page.tif");
      QCOMPARE(values.size(), turned.size());
      for (std::size_t i = 0; i < values.size(); ++i) {
        QVERIFY(std::abs(values[i] - turned[i]) < 1e-5f);
      }
    }
  }

  void profiles_of_any_size_data() {
    QTest::addColumn<int>("size");
    QTest::addColumn<double>("version");
    for (const int size : {65500, 65519, 65520, 131038, 131039, 300000, 3000000}) {
      for (const double version : {2.1, 4.3}) {
        QTest::addRow("%d bytes, version %.1f", size, version) << size << version;
      }
    }
  }

  void profiles_of_any_size() {
    QFETCH(const int, size);
    QFETCH(const double, version);
    const Folder folder;
    const std::vector<unsigned char> profile =
        profile_of_size(static_cast<std::size_t>(size), version);
    OIIO::ImageSpec s = plain_spec();
    s.attribute("ICCProfile",
                OIIO::TypeDesc(OIIO::TypeDesc::UINT8, static_cast<int>(profile.size())),
                profile.data());
    make_file(folder / "a.tif", {s});
    copy_picture(folder / "a.tif", folder / "b.jpg");
    QVERIFY(copy_picture(folder / "b.jpg", folder / "c.png").reading.empty());
    copy_picture(folder / "c.png", folder / "d.webp");
    copy_picture(folder / "d.webp", folder / "e.tif");
    copy_picture(folder / "e.tif", folder / "f.jpg");
    const QByteArray expected(reinterpret_cast<const char*>(profile.data()), std::ssize(profile));
    for (const char* name : {"b.jpg", "c.png", "d.webp", "e.tif", "f.jpg"}) {
      QVERIFY2(output_of("exiftool", {"-b", "-ICC_Profile", text_of(folder / name)}) == expected,
               name);
    }
    std::size_t segments = 0;
    for (const auto& [marker, body] : segments_of(content(folder / "f.jpg"))) {
      segments += marker == 0xe2 ? 1 : 0;
    }
    QCOMPARE(segments, (profile.size() + 65518) / 65519);
  }

  // More than passes between the processes.
  void profiles_beyond_all_measure() {
    const Folder folder;
    const std::vector<unsigned char> profile = profile_of_size(std::size_t{9} << 20, 4.3);
    OIIO::ImageSpec s = plain_spec();
    s.attribute("ICCProfile",
                OIIO::TypeDesc(OIIO::TypeDesc::UINT8, static_cast<int>(profile.size())),
                profile.data());
    make_file(folder / "a.tif", {s});
    const Said said = copy_picture(folder / "a.tif", folder / "b.tif");
    QCOMPARE(said.reading.size(), 1u);
    QCOMPARE(said.reading[0].id, std::string("profile.too_long"));
    QVERIFY(values_of(folder / "a.tif") == values_of(folder / "b.tif"));
  }

  // EXIF's comment is in UTF-16 if it is not ASCII, in the order of the file that holds it.
  void comments_of_exif_data() {
    QTest::addColumn<QString>("order");
    QTest::newRow("little-endian") << "II";
    QTest::newRow("big-endian") << "MM";
  }

  void comments_of_exif() {
    QFETCH(const QString, order);
    const Folder folder;
    make_file(folder / "a.png", {plain_spec()});
    Image image({16, 12, 3, u8, AlphaKind::none, Coding::srgb()});
    through(folder / "a.jpg", image);
    tag({"-ExifByteOrder=" + order, "-UserComment=Grüße"}, folder / "a.jpg");
    for (const char* to : {"b.png", "b.jpg", "b.tif", "b.webp", "b.exr"}) {
      copy_picture(folder / "a.jpg", folder / to);
      if (std::string(to) != "b.exr") {
        QCOMPARE(exiftool({"-s3", "-UserComment"}, folder / to), std::string("Grüße"));
        QCOMPARE(exiftool({"-validate", "-warning"}, folder / to).find("byte order"),
                 std::string::npos);
      }
      copy_picture(folder / to, folder / "c.jpg", {.overwrite = true});
      QCOMPARE(exiftool({"-s3", "-UserComment"}, folder / "c.jpg"), std::string("Grüße"));
    }
  }

  void long_xmp_survives_data() {
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    for (const char* from : {"tif", "jpg", "png", "webp"}) {
      for (const char* to : {"tif", "jpg", "png", "webp"}) {
        QTest::addRow("%s to %s", from, to) << from << to;
      }
    }
  }

  void long_xmp_survives() {
    QFETCH(const QString, from);
    QFETCH(const QString, to);
    const Folder folder;
    const auto a = folder / ("a." + from.toStdString()), b = folder / ("b." + to.toStdString());
    make_file(folder / "plain.png", {plain_spec()});
    copy_picture(folder / "plain.png", a);
    constexpr int length = 90000;
    tag(long_xmp(length), a);
    QVERIFY(english(copy_picture(a, b)).empty());
    QCOMPARE(exiftool({"-s3", "-XMP:Title", "-XMP:Rating"}, b), std::string("Hello\n5"));
    QCOMPARE(exiftool({"-s3", "-XMP:Headline"}, b), std::string(length, 'A'));
    QCOMPARE(exiftool({"-s3", "-XMP:Instructions"}, b), std::string(length, 'B'));
    QCOMPARE(exiftool({"-s3", "-validate", "-warning", "-XMP:HasExtendedXMP"}, b).find("xtended"),
             std::string::npos);
  }

  void a_piece_of_xmp_is_missing() {
    const Folder folder;
    make_file(folder / "a.jpg", {plain_spec()});
    tag(long_xmp(90000), folder / "a.jpg");
    std::string bytes = content(folder / "a.jpg");
    const std::size_t last = bytes.rfind("http://ns.adobe.com/xmp/extension/");
    QVERIFY(last != std::string::npos);
    bytes[last + 40] = 'x';  // within the name of the packet that it belongs to
    put(folder / "b.jpg", bytes);
    const auto said = english(copy_picture(folder / "b.jpg", folder / "c.png"));
    QCOMPARE(said.size(), 1u);
    QVERIFY2(said[0].find("XMP metadata is damaged") != std::string::npos, said[0].c_str());
    QCOMPARE(exiftool({"-s3", "-XMP:Title"}, folder / "c.png"), std::string("Hello"));
  }

  // A program has taken a packet out of a JPEG file with its note of an extension.
  void a_note_of_an_extension_that_is_not_there_data() {
    QTest::addColumn<int>("length");
    QTest::newRow("short") << 9;
    QTest::newRow("long") << 90000;
  }

  void a_note_of_an_extension_that_is_not_there() {
    QFETCH(const int, length);
    const Folder folder;
    make_file(folder / "plain.png", {plain_spec()});
    copy_picture(folder / "plain.png", folder / "a.tif");
    put(folder / "packet.xmp",
        "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF "
        "xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><rdf:Description rdf:about='' "
        "xmlns:xmpNote='http://ns.adobe.com/xmp/note/' "
        "xmpNote:HasExtendedXMP='0123456789ABCDEF0123456789ABCDEF'/><rdf:Description "
        "rdf:about='' xmlns:photoshop='http://ns.adobe.com/photoshop/1.0/'><photoshop:Headline>" +
            std::string(length, 'A') +
            "</photoshop:Headline></rdf:Description></rdf:RDF></x:xmpmeta>");
    tag({"-XMP<=" + QString::fromStdString((folder / "packet.xmp").string())}, folder / "a.tif");
    copy_picture(folder / "a.tif", folder / "b.jpg");
    QVERIFY(english(copy_picture(folder / "b.jpg", folder / "c.png")).empty());
    for (const char* name : {"b.jpg", "c.png"}) {
      QCOMPARE(exiftool({"-s3", "-XMP:Headline"}, folder / name), std::string(length, 'A'));
    }
  }

  void thumbnails_in_xmp() {
    const Folder folder;
    make_file(folder / "a.jpg", {plain_spec()});
    tag({"-XMP:Title=Hello", "-XMP:Thumbnails={Format=JPEG,Image=AAAA}"}, folder / "a.jpg");
    QVERIFY(exiftool({"-XMP:all"}, folder / "a.jpg").find("Thumbnail") != std::string::npos);
    for (const char* name : {"b.jpg", "b.png", "b.tif", "b.webp"}) {
      copy_picture(folder / "a.jpg", folder / name);
      const std::string found = exiftool({"-XMP:all"}, folder / name);
      QVERIFY2(found.find("Thumbnail") == std::string::npos, found.c_str());
      QVERIFY2(found.find("Hello") != std::string::npos, found.c_str());
    }
  }

  // Pixels per unit as they are written, and what each format makes of them.
  void resolutions_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QStringList>("tags");
    QTest::newRow("inches in TIFF")
        << "a.tif" << QStringList{"-ResolutionUnit=2", "-XResolution=300", "-YResolution=300"};
    QTest::newRow("centimetres in TIFF")
        << "a.tif"
        << QStringList{"-ResolutionUnit=3", "-XResolution=118.11", "-YResolution=118.11"};
    QTest::newRow("EXIF in JPEG") << "a.jpg"
                                  << QStringList{"-IFD0:ResolutionUnit=2", "-IFD0:XResolution=300",
                                                 "-IFD0:YResolution=300"};
    QTest::newRow("JFIF") << "a.jpg"
                          << QStringList{"-JFIF:ResolutionUnit=1", "-JFIF:XResolution=300",
                                         "-JFIF:YResolution=300"};
    QTest::newRow("metres in PNG")
        << "a.png"
        << QStringList{"-PNG-pHYs:PixelsPerUnitX=11811", "-PNG-pHYs:PixelsPerUnitY=11811",
                       "-PNG-pHYs:PixelUnits=1"};
  }

  void resolutions() {
    QFETCH(const QString, name);
    QFETCH(const QStringList, tags);
    const Folder folder;
    const auto a = folder / name.toStdString();
    make_file(a, {plain_spec()});
    tag(tags, a);
    for (const char* to : {"b.png", "b.jpg", "b.tif", "b.webp"}) copy_picture(a, folder / to);
    QCOMPARE(exiftool({"-s3", "-n", "-PixelsPerUnitX", "-PixelUnits"}, folder / "b.png"),
             std::string("11811\n1"));
    const auto inches = [&](const char* group, const char* file) {
      const QString of = QString("-%1:").arg(group);
      const QString found = QString::fromStdString(
          exiftool({"-s3", "-n", of + "XResolution", of + "ResolutionUnit"}, folder / file));
      const double unit = found.section('\n', 1, 1).toInt() == 3 ? 2.54 : 1;
      return found.section('\n', 0, 0).toDouble() * unit;
    };
    for (const char* file : {"b.jpg", "b.tif", "b.webp"}) {
      QVERIFY2(std::abs(inches("IFD0", file) - 300) < 0.01, file);
    }
    QCOMPARE(exiftool({"-s3", "-n", "-JFIF:XResolution", "-JFIF:ResolutionUnit"}, folder / "b.jpg"),
             std::string("300\n1"));
  }

  // A ratio is no resolution, and none is made of it.
  void no_resolution() {
    const Folder folder;
    make_file(folder / "plain.png", {plain_spec()});
    put(folder / "a.png", with_chunks(content(folder / "plain.png"),
                                      chunk("pHYs", std::string("\0\0\0\0\0\0\0\1\0", 9))));
    for (const char* to : {"b.jpg", "b.tif", "b.webp", "b.png"}) {
      copy_picture(folder / "a.png", folder / to);
      QCOMPARE(exiftool({"-s3", "-IFD0:ResolutionUnit"}, folder / to),
               std::string(to == std::string("b.tif") ? "None" : ""));
    }
    QCOMPARE(exiftool({"-s3", "-IFD0:XResolution"}, folder / "b.jpg"), std::string());
  }

  // Pixels that are not square: twice as wide as high have half as many across.
  void oblong_pixels() {
    const Folder folder;
    make_file(folder / "a.tif", {plain_spec()});
    tag({"-ResolutionUnit=2", "-XResolution=150", "-YResolution=300"}, folder / "a.tif");
    make_file(folder / "ratio.jpg", {plain_spec()});
    tag({"-JFIF:ResolutionUnit=0", "-JFIF:XResolution=1", "-JFIF:YResolution=2"},
        folder / "ratio.jpg");
    for (const char* from : {"a.tif", "ratio.jpg"}) {
      for (const char* to : {"b.png", "b.jpg", "b.tif", "b.exr"}) {
        copy_picture(folder / from, folder / to, {.overwrite = true});
      }
      copy_picture(folder / "b.exr", folder / "c.png", {.overwrite = true});
      const auto ratio = [&](const char* x, const char* y, const char* file) {
        const QString found = QString::fromStdString(exiftool({"-s3", "-n", x, y}, folder / file));
        return found.section('\n', 1, 1).toDouble() / found.section('\n', 0, 0).toDouble();
      };
      const auto is_two = [](double value) { return std::abs(value - 2) < 0.001; };
      QVERIFY2(is_two(ratio("-PixelsPerUnitX", "-PixelsPerUnitY", "b.png")), from);
      QVERIFY2(is_two(ratio("-PixelsPerUnitX", "-PixelsPerUnitY", "c.png")), from);
      QVERIFY2(is_two(ratio("-JFIF:XResolution", "-JFIF:YResolution", "b.jpg")), from);
      QVERIFY2(is_two(ratio("-XResolution", "-YResolution", "b.tif")), from);
      const std::string aspect =
          exiftool({"-s3", "-n", "-OpenEXR:PixelAspectRatio"}, folder / "b.exr");
      QVERIFY2(is_two(std::stod(aspect)), from);
    }
  }

  void texts_keep_their_characters_data() {
    QTest::addColumn<QByteArray>("chunk");
    const auto row = [](const char* name, const std::string& bytes) {
      QTest::newRow(name) << QByteArray::fromStdString(bytes);
    };
    const std::string utf8 =
                          "Gr\xc3\xbc\xc3\x9f"
                          "e \xf0\x9f\x8c\x8a",
                      latin1 =
                          "Gr\xfc\xdf"
                          "e";
    row("iTXt", chunk("iTXt", std::string("Description\0\0\0\0\0", 16) + utf8));
    row("tEXt in Latin-1", chunk("tEXt", std::string("Description\0", 12) + latin1));
    row("tEXt in UTF-8", chunk("tEXt", std::string("Description\0", 12) + utf8));
    const auto packed = [](const std::string& text) {
      return qCompress(QByteArray::fromStdString(text)).mid(4).toStdString();
    };
    row("zTXt in Latin-1", chunk("zTXt", std::string("Description\0\0", 13) + packed(latin1)));
    row("iTXt, compressed", chunk("iTXt", std::string("Description\0\1\0\0\0", 16) + packed(utf8)));
    row("another keyword", chunk("iTXt", std::string("Comment\0\0\0\0\0", 12) + utf8));
  }

  void texts_keep_their_characters() {
    QFETCH(const QByteArray, chunk);
    const Folder folder;
    make_file(folder / "plain.png", {plain_spec()});
    put(folder / "a.png", with_chunks(content(folder / "plain.png"), chunk.toStdString()));
    for (const char* to : {"b.png", "b.jpg", "b.tif", "b.webp"}) {
      copy_picture(folder / "a.png", folder / to);
      const std::string found = exiftool(
          {"-s3", "-Description", "-ImageDescription", "-UserComment", "-Comment"}, folder / to);
      QVERIFY2(found.rfind("Gr\xc3\xbc\xc3\x9f"
                           "e",
                           0) == 0,
               (to + (": " + found)).c_str());
      copy_picture(folder / to, folder / (std::string(to) + ".png"));
      const std::string again =
          exiftool({"-s3", "-Description", "-ImageDescription", "-UserComment", "-Comment"},
                   folder / (std::string(to) + ".png"));
      QVERIFY2(again.rfind("Gr\xc3\xbc\xc3\x9f"
                           "e",
                           0) == 0,
               (to + (": " + again)).c_str());
    }
  }

  void vectors_go_together_data() {
    QTest::addColumn<QStringList>("channels");
    QTest::addColumn<QString>("taken");
    QTest::newRow("upper case") << QStringList{"N.X", "N.Y", "N.Z"} << "N.X N.Y N.Z";
    QTest::newRow("lower case") << QStringList{"n.x", "n.y", "n.z"} << "n.x n.y n.z";
    QTest::newRow("beside others")
        << QStringList{"N.X", "N.Y", "N.Z", "m.u", "m.v"} << "N.X N.Y N.Z";
    QTest::newRow("no layer") << QStringList{"X", "Y", "Z"} << "X Y Z";
    QTest::newRow("beside colours") << QStringList{"B", "G", "R", "N.X", "N.Y", "N.Z"} << "R G B";
    QTest::newRow("motion and depth") << QStringList{"Z", "m.u", "m.v"} << "Z";
    QTest::newRow("motion") << QStringList{"m.u", "m.v"} << "m.u m.v ";
    QTest::newRow("flat") << QStringList{"p.x", "p.y"} << "p.x p.y ";
  }

  void vectors_go_together() {
    QFETCH(const QStringList, channels);
    QFETCH(const QString, taken);
    const Folder folder;
    OIIO::ImageSpec s = plain_spec(static_cast<int>(channels.size()), OIIO::TypeDesc::HALF);
    s.channelnames.clear();
    for (const QString& name : channels) s.channelnames.push_back(name.toStdString());
    make_file(folder / "a.exr", {s});
    const auto in = open_picture(folder / "a.exr");
    QStringList found;
    for (const std::string& name : in->info().channel_names) found << QString::fromStdString(name);
    QCOMPARE(found.join(' '), taken);
    const bool vectors =
        taken.endsWith(' ') || (taken.endsWith('Z', Qt::CaseInsensitive) && taken.size() > 1);
    QCOMPARE(in->info().warnings.size(), vectors ? 1u : 0u);
  }
};

QTEST_GUILESS_MAIN(TestIoMeaning)
#include "test_io_meaning.moc"
