// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What a file holds besides, of kinds that nothing is read of, is named, and what is read is found
// wherever it may stand. exiftool and heif-enc look at files, or make them.
#include <QTest>

#include "io/property_inputs.hpp"
#include "io/shown_pixels.hpp"
#include "support/skips.hpp"

using namespace sfumato;
using namespace sfumato::testing;
using namespace std::string_literals;

namespace {

/// The message with this id; empty if it was not said.
std::string said_of(const std::filesystem::path& file, const std::string& id) {
  const auto in = open_picture(file);
  for (const Message& m : in->info().warnings) {
    if (m.id == id) return in_english(m);
  }
  return {};
}

std::string segment(int number, const std::string& body) {
  return "\xff"s + static_cast<char>(0xe0 + number) + big_endian_bytes(body.size() + 2, 2) + body;
}

/// The body of a segment with the whole extension of an XMP packet.
std::string extension(const std::string& guid) {
  const std::string words =
      "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF "
      "xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><rdf:Description rdf:about='' "
      "xmlns:p='http://ns.adobe.com/photoshop/1.0/' p:City='Ulm'/></rdf:RDF></x:xmpmeta>";
  return "http://ns.adobe.com/xmp/extension/\0"s + guid + big_endian_bytes(words.size(), 4) +
         big_endian_bytes(0, 4) + words;
}

std::string riff_chunk(const std::string& name, const std::string& body) {
  return name + TiffWriter::number(static_cast<std::uint32_t>(body.size()), 4) + body +
         std::string(body.size() % 2, '\0');
}

/// A picture's WebP file as an extended one: its flags say nothing of the chunks around it.
std::string extended_webp(const std::string& webp, const std::string& before,
                          const std::string& behind) {
  const std::string sizes = TiffWriter::number(63, 3) + TiffWriter::number(47, 3);
  const std::string body =
      "WEBP" + riff_chunk("VP8X", std::string(4, '\0') + sizes) + before + webp.substr(12) + behind;
  return "RIFF" + TiffWriter::number(static_cast<std::uint32_t>(body.size()), 4) + body;
}

/// EXIF of a picture that is turned, without a mark in front.
std::string turned_exif() {
  TiffWriter exif;
  exif.shorts(274, {6});
  return exif.file("");
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

QString tag(const std::filesystem::path& file, const char* name) {
  return QString::fromUtf8(output_of("exiftool", {"-s3", name, text_of(file)})).trimmed();
}

}  // namespace

class TestIoOthers : public QObject {
  Q_OBJECT

  Folder folder_;
  std::string jpeg_;

 private slots:
  // Smaller copies show the unfiltered picture, and are named as left out.
  void smaller_copies() {
    NEED("maketx");
    NEED("convert");
    make_file(folder_ / "one.tif", {OIIO::ImageSpec(64, 64, 3, OIIO::TypeDesc::UINT8)});
    const auto copies_said = [&](const std::string& name) {
      const auto picture = open_picture(folder_ / name);
      const auto& said = picture->info().warnings;
      return std::count_if(said.begin(), said.end(),
                           [](const Message& m) { return m.id == "file.smaller_copies"; });
    };
    for (const char* name : {"levels.exr", "levels.tif"}) {
      QVERIFY(ran("maketx", {"one.tif", "-o", name}, folder_ / "."));
      QCOMPARE(copies_said(name), 1);
      QVERIFY(ran("maketx", {"one.tif", "--nomipmap", "-o", name}, folder_ / "."));
      QCOMPARE(copies_said(name), 0);
    }
    for (const int levels : {4, 0}) {
      for (const char* kind : {"dxt1", "none"}) {
        QVERIFY(ran("convert",
                    {"one.tif", "-define", QString("dds:mipmaps=%1").arg(levels), "-define",
                     QString("dds:compression=%1").arg(kind), "levels.dds"},
                    folder_ / "."));
        QCOMPARE(copies_said("levels.dds"), levels > 0 ? 1 : 0);
      }
    }
  }

  void initTestCase() {
    for (const char* program : {"exiftool", "heif-enc"}) {
      if (QStandardPaths::findExecutable(program).isEmpty()) SKIP_WITHOUT("a tool for pictures");
    }
    const OIIO::ImageSpec s(64, 48, 3, OIIO::TypeDesc::UINT8);
    make_file(folder_ / "plain.jpg", {s});
    make_file(folder_ / "plain.png", {s});
    make_file(folder_ / "plain.webp", {s});
    jpeg_ = content(folder_ / "plain.jpg");
  }

  void segments_of_others_data() {
    QTest::addColumn<QByteArray>("segments");
    QTest::addColumn<QString>("names");
    const auto row = [](const char* name, const std::string& segments, const char* names) {
      QTest::newRow(name) << QByteArray::fromStdString(segments) << QString(names);
    };
    row("none", "", "");
    row("a thermal camera", segment(1, "FLIR\0\1\0\0data"s), "APP1 FLIR");
    row("stereo and sound", segment(3, "_JPSJPS_\0\0\4abcd"s) + segment(6, "GoPro\0DEVC"s),
        "APP3 _JPSJPS_, APP6 GoPro");
    row("one kind twice", segment(5, "RMETA\0a"s) + segment(5, "RMETA\0b"s), "APP5 RMETA");
    row("without a name", segment(4, "\0\1"s), "APP4");
    row("a second EXIF", segment(1, "Exif\0\0"s + turned_exif()) + segment(1, "Exif\0\0II"s),
        "APP1 Exif");
    row("what encoders say",
        segment(12, "Ducky\0\1\0\4\0\0\0\x50\0\0"s) + segment(13, "Adobe_CM\0"s) +
            segment(0, "JFXX\0\x13\1\1\0\0\0"s),
        "");
    row("texts of an encoder", segment(12, "Ducky\0\2\0\x14\0\0\0\x08 with a comment"s),
        "APP12 Ducky");
  }

  void segments_of_others() {
    QFETCH(const QByteArray, segments);
    QFETCH(const QString, names);
    const auto file = folder_ / "a.jpg";
    put(file, std::string(jpeg_).insert(20, segments.toStdString()));
    QCOMPARE(QString::fromStdString(said_of(file, "file.other_data")).section(": ", -1),
             names.isEmpty() ? QString() : names);
    pass_through(file, folder_ / "b.jpg", {.overwrite = true});
    for (const char* name : {"FLIR", "_JPSJPS_", "GoPro", "RMETA"}) {
      QVERIFY(content(folder_ / "b.jpg").find(name) == std::string::npos);
    }
  }

  // Extensions of XMP that no packet names.
  void extensions_of_others_data() {
    QTest::addColumn<QByteArray>("packet");
    const std::string named(32, 'A'), other(32, 'B');
    const auto note = [](const std::string& guid) {
      return "http://ns.adobe.com/xap/1.0/\0<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF "
             "xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><rdf:Description "
             "rdf:about='' xmlns:n='http://ns.adobe.com/xmp/note/' n:HasExtendedXMP='"s +
             guid + "'/></rdf:RDF></x:xmpmeta>";
    };
    QTest::newRow("no packet") << QByteArray();
    QTest::newRow("of another") << QByteArray::fromStdString(segment(1, note(other)));
    QTest::newRow("besides") << QByteArray::fromStdString(segment(1, note(named)) +
                                                          segment(1, extension(named)));
  }

  void extensions_of_others() {
    QFETCH(const QByteArray, packet);
    put(folder_ / "x.jpg",
        std::string(jpeg_).insert(
            20, packet.toStdString() + segment(1, extension(std::string(32, 'C')))));
    const std::vector<Message> said = copy_picture(folder_ / "x.jpg", folder_ / "x.png").writing;
    QCOMPARE(said.size(), std::size_t{1});
    QCOMPARE(said[0].id, std::string("file.xmp_cut"));
    std::filesystem::remove(folder_ / "x.png");
  }

  // Behind tables of the picture, and with bytes that fill up: allowed, and read by other programs.
  void late_segments() {
    const auto file = folder_ / "late.jpg";
    const std::size_t scan = jpeg_.find("\xff\xda");
    const std::string profile(profile_bytes());
    put(file,
        std::string(jpeg_).insert(scan, "\xff\xff\xff" + segment(1, "Exif\0\0"s + turned_exif()) +
                                            "\xff" + segment(2, "ICC_PROFILE\0\1\1"s + profile)));
    QCOMPARE(tag(file, "-Orientation#"), QString("6"));
    const auto in = open_picture(file);
    QCOMPARE(in->info().orientation, 6);
    QCOMPARE(in->info().icc_profile.size(), profile.size());
    for (const char* name : {"late.tif", "late.webp", "again.jpg"}) {
      pass_through(file, folder_ / name);
      QCOMPARE(tag(folder_ / name, "-Orientation#"), QString("6"));
      QCOMPARE(tag(folder_ / name, "-ICC_Profile:ColorSpaceData"), QString("RGB"));
    }
  }

  // A part that is not there is no reason to take the colours for sRGB's without a word.
  void parts_of_profiles_data() {
    QTest::addColumn<QList<int>>("numbers");  // of three parts: 0 if it is missing
    QTest::addColumn<int>("count");
    QTest::addColumn<bool>("whole");
    QTest::newRow("in order") << QList<int>{1, 2, 3} << 3 << true;
    QTest::newRow("in another order") << QList<int>{3, 1, 2} << 3 << true;
    QTest::newRow("a wrong number of parts") << QList<int>{1, 2, 3} << 2 << true;
    QTest::newRow("counted from 0") << QList<int>{1, 2, 3} << 0 << true;
    QTest::newRow("one is missing") << QList<int>{1, 0, 3} << 3 << false;
    QTest::newRow("the last is missing") << QList<int>{1, 2, 0} << 3 << false;
  }

  void parts_of_profiles() {
    QFETCH(const QList<int>, numbers);
    QFETCH(const int, count);
    QFETCH(const bool, whole);
    const std::string profile(profile_bytes());
    const std::size_t third = profile.size() / 3;
    std::string segments;
    for (const int number : numbers) {
      if (number == 0) continue;
      const std::size_t at = third * static_cast<std::size_t>(number - 1);
      const std::string part = number == 3 ? profile.substr(at) : profile.substr(at, third);
      const int shown = count == 0 ? number - 1 : number;
      segments += segment(2, "ICC_PROFILE\0"s + static_cast<char>(shown) +
                                 static_cast<char>(std::max(count, 2)) + part);
    }
    const auto file = folder_ / "profile.jpg";
    put(file, std::string(jpeg_).insert(20, segments));
    const auto in = open_picture(file);
    QCOMPARE(std::string(in->info().icc_profile.begin(), in->info().icc_profile.end()),
             whole ? profile : ""s);
    QCOMPARE(said_of(file, "profile.damaged").empty(), whole);
  }

  void bytes_behind() {
    const auto file = folder_ / "behind.jpg";
    const auto said = [&](const std::string& bytes) {
      put(file, bytes);
      return QString::fromStdString(said_of(file, "file.bytes_behind"));
    };
    QCOMPARE(said(jpeg_), QString());
    QCOMPARE(said(jpeg_ + std::string(5000, '\0')), QString());
    QVERIFY(said(jpeg_ + "a camera's own data").contains("19 bytes"));
    QVERIFY(said(jpeg_ + jpeg_).contains(QString::number(jpeg_.size()) + " bytes"));
    // A small picture in EXIF has an end of its own.
    const std::string late = segment(1, "Exif\0\0\xff\xd9 \xff\xd9"s);
    QCOMPARE(said(std::string(jpeg_).insert(jpeg_.find("\xff\xda"), late)), QString());
    QCOMPARE(said(multi_picture({jpeg_, jpeg_}, {0x010001})), QString());
  }

  void chunks_of_webp() {
    const std::string webp = content(folder_ / "plain.webp");
    const auto file = folder_ / "a.webp";
    put(file, extended_webp(webp, riff_chunk("ICCP", profile_bytes()),
                            riff_chunk("EXIF", turned_exif()) + riff_chunk("C2PA", "signed") +
                                riff_chunk("ABCD", "odd")));
    QCOMPARE(tag(file, "-Orientation#"), QString("6"));
    const auto in = open_picture(file);
    QCOMPARE(in->info().orientation, 6);
    QCOMPARE(in->info().icc_profile.size(), profile_bytes().size());
    QVERIFY(said_of(file, "file.other_data").ends_with(": C2PA, ABCD"));
    pass_through(file, folder_ / "b.webp");
    QCOMPARE(tag(folder_ / "b.webp", "-Orientation#"), QString("6"));
    QCOMPARE(said_of(folder_ / "b.webp", "file.other_data"), ""s);
    put(file, extended_webp(webp, "", ""));
    QCOMPARE(said_of(file, "file.other_data"), ""s);
  }

  void extensions_of_gif() {
    constexpr std::size_t head = 19;
    const auto file = folder_ / "a.gif";
    put(file, transparent_gif().insert(head, "\x21\xff\x0b"s + "MGK8BIM0000\4abcd" + '\0'));
    QVERIFY(said_of(file, "file.other_data").ends_with(": MGK8BIM0000"));
    put(file,
        transparent_gif().insert(head, "\x21\x01\x0c\0\0\0\0\x28\0\x08\0\x08\x08\1\0\5HELLO\0"s));
    QVERIFY(said_of(file, "file.other_data").ends_with(": texts that are drawn"));
    put(file, transparent_gif(2).insert(head, "\x21\xff\x0bNETSCAPE2.0\3\1\0\0\0"s));
    QCOMPARE(said_of(file, "file.other_data"), ""s);
  }

  // Two colours, whose numbers have two bits: no frame is transparent.
  void opaque_animations() {
    const auto file = folder_ / "two.gif";
    std::string gif = transparent_gif(3);
    for (std::size_t at = 0; (at = gif.find("\x21\xf9\4\1", at)) != std::string::npos; ++at) {
      gif[at + 3] = '\0';
    }
    put(file, gif);
    QCOMPARE(open_picture(file, {.page = 2})->format().channels, 3);
    put(file, transparent_gif(3));
    QCOMPARE(open_picture(file, {.page = 2})->format().channels, 4);
  }

  // heif-enc writes opacity as an auxiliary picture; other kinds bear other names.
  void auxiliary_pictures() {
    OIIO::ImageSpec s(64, 48, 4, OIIO::TypeDesc::UINT8);
    s.attribute("oiio:UnassociatedAlpha", 1);
    make_file(folder_ / "alpha.png", {s});
    const auto file = folder_ / "a.heic";
    output_of("heif-enc", {text_of(folder_ / "alpha.png"), "-o", text_of(file)});
    const std::string heic = content(file), opacity = "urn:mpeg:hevc:2015:auxid:1";
    if (heic.find(opacity) == std::string::npos) SKIP_WITHOUT("an encoder of HEVC");
    QCOMPARE(said_of(file, "file.auxiliary_pictures"), ""s);
    put(file, replaced(heic, opacity, "urn:mpeg:hevc:2015:auxid:2"));
    QVERIFY(said_of(file, "file.auxiliary_pictures").ends_with(": depth"));
    put(file, replaced(heic, opacity, "urn:com:apple:photo:18:matte"s.substr(0, 26)));
    QVERIFY(said_of(file, "file.auxiliary_pictures").ends_with(": mat"));
    put(file, heic + big_endian_bytes(8, 4) + "abcd" + big_endian_bytes(40, 4) + "uuid" +
                  "\xd8\xfe\xc3\xd6\x1b\x0e\x48\x3c\x92\x97\x58\x28\x87\x7e\xc4\x81" +
                  "signed statement");
    QVERIFY(said_of(file, "file.other_data").ends_with(": abcd"));
    QVERIFY(!said_of(file, "file.credentials").empty());
  }

  void tags_of_tiff_data() {
    QTest::addColumn<int>("tag");
    QTest::addColumn<QList<int>>("values");
    QTest::addColumn<QString>("name");
    QTest::newRow("halftone") << 321 << QList<int>{10, 200} << "HalftoneHints";
    QTest::newRow("density") << 291 << QList<int>(256, 7) << "GrayResponseCurve";
    QTest::newRow("dots") << 336 << QList<int>{0, 255} << "DotRange";
    QTest::newRow("largest") << 281 << QList<int>{200} << "MaxSampleValue";
    QTest::newRow("the usual largest") << 281 << QList<int>{255} << "";
    QTest::newRow("no halftone") << 263 << QList<int>{1} << "";
    QTest::newRow("halftone by threshold") << 263 << QList<int>{2} << "Thresholding";
  }

  void tags_of_tiff() {
    QFETCH(const int, tag);
    QFETCH(const QList<int>, values);
    QFETCH(const QString, name);
    const auto file = folder_ / "a.tif";
    TiffWriter tiff = gray_tiff(1);
    tiff.shorts(tag, {values.begin(), values.end()});
    put(file, tiff.file(std::string(6, 'a')));
    const std::string said = said_of(file, "file.other_keywords");
    QVERIFY2(name.isEmpty() ? said.empty() : said.ends_with("\"" + name.toStdString() + "\""),
             said.c_str());
  }

  // They vouch for the samples of the file that they are in.
  void credentials_of_tiff() {
    TiffWriter tiff = gray_tiff(1);
    tiff.add(52545, 7, 6, "signed");
    put(folder_ / "a.tif", tiff.file(std::string(6, 'a')));
    QVERIFY(!said_of(folder_ / "a.tif", "file.credentials").empty());
    pass_through(folder_ / "a.tif", folder_ / "b.tif", {.overwrite = true});
    QVERIFY(content(folder_ / "b.tif").find("signed") == std::string::npos);
  }

  void gray_with_others_data() {
    QTest::addColumn<QList<int>>("kinds");  // by TIFF: 0 nothing known, 1 and 2 opacity
    QTest::addColumn<int>("bits");
    QTest::addColumn<int>("photometric");
    const std::vector<QList<int>> all = {{0, 0}, {0, 2}, {2, 0}, {0, 0, 0}, {1, 0, 0, 0, 0}};
    for (const QList<int>& kinds : all) {
      for (const int bits : {8, 16}) {
        for (const int photometric : {0, 1}) {
          QTest::addRow("%d others, the first %d, %d bits, photometric %d",
                        static_cast<int>(kinds.size()), kinds[0], bits, photometric)
              << kinds << bits << photometric;
        }
      }
    }
  }

  // It is no picture in colour: the gray is filtered, and the rest stays as it was.
  void gray_with_others() {
    QFETCH(const QList<int>, kinds);
    QFETCH(const int, bits);
    QFETCH(const int, photometric);
    const int channels = static_cast<int>(kinds.size()) + 1;
    TiffWriter tiff = gray_tiff(channels, bits, photometric);
    tiff.shorts(338, {kinds.begin(), kinds.end()});
    std::string samples;
    for (int i = 0; i < 6 * channels; ++i) {
      samples += TiffWriter::number(static_cast<std::uint32_t>(10 + i), bits / 8);
    }
    const auto a = folder_ / "a.tif", b = folder_ / "b.tif";
    put(a, tiff.file(samples));
    const bool opacity = kinds.contains(1) || kinds.contains(2);
    QCOMPARE(open_picture(a)->format().channels, opacity ? 2 : 1);
    const std::size_t step = static_cast<std::size_t>(bits / 8) * (opacity ? 2 : 1);
    // Gray becomes one number; what lies beside it in a pixel does not change.
    pass_through(a, b, {.overwrite = true, .compression = "none"}, {},
                 [&](std::vector<char>& band) {
                   for (std::size_t i = 0; i < band.size(); i += step) band[i] = 5;
                 });
    QCOMPARE(tag(b, "-PhotometricInterpretation#"), QString("1"));
    QStringList said;
    for (const int kind : kinds) said << QString::number(kind);
    QCOMPARE(tag(b, "-ExtraSamples#"), said.join(' '));
    QCOMPARE(tag(b, "-SamplesPerPixel#"), QString::number(channels));
    const std::string written = raw_samples(b);
    QCOMPARE(written.size(), samples.size());
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const std::size_t sample = i / static_cast<std::size_t>(bits / 8);
      const bool gray = sample % static_cast<std::size_t>(channels) == 0;
      const bool low = i % static_cast<std::size_t>(bits / 8) == 0;
      if (!gray) QCOMPARE(int(written[i]), int(samples[i]));
      if (gray && low) QCOMPARE(int(written[i]), 5);
    }
  }

  // Sound, though nothing reads it.
  void deep_chroma() {
    TiffWriter tiff = gray_tiff(3, 16, 6);
    tiff.shorts(530, {1, 1});
    put(folder_ / "a.tif", tiff.file(std::string(36, 'a')));
    const std::string said = refusal([&] { open_picture(folder_ / "a.tif"); });
    QVERIFY2(said.find("its samples have 16 bits") != std::string::npos, said.c_str());
  }

  // What zero means is left out of numbers that have no white.
  void white_of_floats() {
    TiffWriter tiff = gray_tiff(1, 32, 0);
    tiff.shorts(339, {3});
    put(folder_ / "a.tif", tiff.file(std::string(24, '\0')));
    QVERIFY(!said_of(folder_ / "a.tif", "file.white_is_zero").empty());
    put(folder_ / "a.tif", gray_tiff(1, 16, 0).file(std::string(12, '\0')));
    QVERIFY(said_of(folder_ / "a.tif", "file.white_is_zero").empty());
  }

 private:
  static const std::string& profile_bytes() {
    static const std::string bytes = [] {
      const std::vector<unsigned char> made = gamma_profile();
      return std::string(made.begin(), made.end());
    }();
    return bytes;
  }

  /// A page of 3 x 2 pixels.
  static TiffWriter gray_tiff(int channels, int bits = 8, int photometric = 1) {
    TiffWriter tiff;
    const auto count = static_cast<std::uint32_t>(channels);
    tiff.longs(256, 3);
    tiff.longs(257, 2);
    tiff.shorts(258, std::vector<std::uint32_t>(count, static_cast<std::uint32_t>(bits)));
    tiff.shorts(259, {1});
    tiff.shorts(262, {static_cast<std::uint32_t>(photometric)});
    tiff.shorts(277, {count});
    tiff.longs(278, 2);
    tiff.longs(279, 6 * count * static_cast<std::uint32_t>(bits / 8));
    tiff.shorts(284, {1});
    return tiff;
  }

  /// The bytes of a file's only strip.
  static std::string raw_samples(const std::filesystem::path& file) {
    const auto number = [&](const char* name) { return tag(file, name).toULongLong(); };
    return content(file).substr(number("-StripOffsets#"), number("-StripByteCounts#"));
  }
};

QTEST_GUILESS_MAIN(TestIoOthers)
#include "test_io_others.moc"
