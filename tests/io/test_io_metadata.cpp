// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What a file carries besides pixels: metadata, resolution, orientation, alpha.
#include <QFile>
#include <QFileDevice>
#include <QProcess>
#include <QStandardPaths>
#include <QTest>

#include "io/raw_files.hpp"
#include "support/files.hpp"
#include "support/skips.hpp"

using namespace sfumato;
using namespace sfumato::testing;
using enum SampleType;

namespace {

OIIO::ImageSpec described(int channels, OIIO::TypeDesc type) {
  OIIO::ImageSpec s(40, 30, channels, type);
  s.attribute("ImageDescription", "a lighthouse");
  s.attribute("Artist", "A. Painter");
  s.attribute("Copyright", "(c) A. Painter");
  s.attribute("DateTime", "2020:01:02 03:04:05");
  s.attribute("Make", "Camera Works");
  s.attribute("Model", "Obscura 1");
  s.attribute("Exif:FocalLength", 35.0f);
  s.attribute("ExposureTime", 0.01f);
  s.attribute("Orientation", 6);
  s.attribute("XResolution", 300.0f);
  s.attribute("YResolution", 300.0f);
  s.attribute("ResolutionUnit", "in");
  return s;
}

// What OpenImageIO finds in a file; of WebP it finds nothing, so there in a copy.
OIIO::ImageSpec metadata_of(const std::filesystem::path& path) {
  if (path.extension() != ".webp") return spec_of(path);
  const std::filesystem::path copy = path.string() + ".tif";
  pass_through(path, copy, {.overwrite = true});
  return spec_of(copy);
}

}  // namespace

class TestIoMetadata : public QObject {
  Q_OBJECT

 private slots:
  // A date that nobody gave is the input's own: the same picture is the same file each time.
  void dates_are_not_made_up() {
    const Folder folder;
    const auto in = folder / "in.png";
    make_file(in, {OIIO::ImageSpec(40, 30, 3, OIIO::TypeDesc::UINT8)});
    QFile file(QString::fromStdString(in.string()));
    QVERIFY(file.open(QFile::ReadWrite));
    const QDateTime then(QDate(2001, 2, 3), QTime(4, 5, 6), Qt::UTC);
    QVERIFY(file.setFileTime(then, QFileDevice::FileModificationTime));
    file.close();
    const auto out = folder / "out.tif";
    pass_through(in, out);
    QCOMPARE(std::string(spec_of(out).get_string_attribute("DateTime")),
             std::string("2001:02:03 04:05:06"));
    pass_through(in, out, {.overwrite = true, .keep_metadata = false});
    QCOMPARE(QString::fromStdString(std::string(spec_of(out).get_string_attribute("DateTime")))
                 .remove(u' ')
                 .remove(u':'),
             QString());
  }

  void survives_data() {
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    for (const char* from : {"tif", "jpg", "png", "exr", "webp"}) {
      for (const char* to : {"tif", "jpg", "png", "exr", "webp"}) {
        QTest::addRow("%s to %s", from, to) << from << to;
      }
    }
  }

  void survives() {
    QFETCH(QString, from);
    QFETCH(QString, to);
    const Folder folder;
    const auto a = folder / ("a." + from.toStdString()), b = folder / ("b." + to.toStdString());
    if (from == "png" || from == "webp") {  // OpenImageIO writes no EXIF into these, but we do
      make_file(folder / "t.tif", {described(3, OIIO::TypeDesc::UINT8)});
      pass_through(folder / "t.tif", a);
    } else {
      make_file(a, {described(3, from == "exr" ? OIIO::TypeDesc::HALF : OIIO::TypeDesc::UINT8)});
    }
    QCOMPARE(open_picture(a)->info().orientation, 6);
    pass_through(a, b);
    QCOMPARE(open_picture(b)->info().orientation, 6);
    const OIIO::ImageSpec s = metadata_of(b);
    const auto text = [&](const char* name) { return std::string(s.get_string_attribute(name)); };
    QCOMPARE(text("ImageDescription"), std::string("a lighthouse"));
    QCOMPARE(text("Artist"), std::string("A. Painter"));
    QCOMPARE(text("Copyright"), std::string("(c) A. Painter"));
    QCOMPARE(text("Make"), std::string("Camera Works"));
    QCOMPARE(text("Model"), std::string("Obscura 1"));
    QCOMPARE(s.get_float_attribute("Exif:FocalLength"), 35.0f);
    QVERIFY(std::abs(s.get_float_attribute("ExposureTime") - 0.01f) < 1e-4f);
    QVERIFY(std::abs(s.get_float_attribute("XResolution") -
                     (text("ResolutionUnit") == "cm" || text("ResolutionUnit") == "m"
                          ? 300.0f / 2.54f * (text("ResolutionUnit") == "m" ? 100.0f : 1.0f)
                          : 300.0f)) < 1.0f);
    // Without metadata: only what the picture needs to be shown rightly.
    pass_through(a, b, {.overwrite = true, .keep_metadata = false});
    const OIIO::ImageSpec bare = metadata_of(b);
    QCOMPARE(std::string(bare.get_string_attribute("Artist")), std::string());
    QCOMPARE(open_picture(b)->info().orientation, 6);
  }

  void an_independent_reader_agrees() {
    const QString exiftool = QStandardPaths::findExecutable("exiftool");
    if (exiftool.isEmpty()) SKIP_WITHOUT("exiftool");
    const Folder folder;
    make_file(folder / "a.jpg", {described(3, OIIO::TypeDesc::UINT8)});
    for (const char* name : {"b.jpg", "b.png", "b.tif", "b.webp"}) {
      pass_through(folder / "a.jpg", folder / name);
      QProcess process;
      process.start(exiftool, {"-s3", "-n", "-Orientation", "-Make", "-XResolution", "-warning",
                               QString::fromStdString((folder / name).string())});
      QVERIFY(process.waitForFinished());
      const QStringList lines =
          QString::fromUtf8(process.readAllStandardOutput()).split('\n', Qt::SkipEmptyParts);
      QVERIFY2(lines.size() >= 3, name);
      QCOMPARE(lines[0], QString("6"));
      QCOMPARE(lines[1], QString("Camera Works"));
      QVERIFY2(std::abs(lines[2].toDouble() - 300) < 1, qPrintable(lines[2]));
      QCOMPARE(lines.size(), 3);  // no warning
    }
  }

  void xmp_survives_data() {
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    for (const char* from : {"tif", "jpg", "png", "webp"}) {
      for (const char* to : {"tif", "jpg", "png", "webp"}) {
        QTest::addRow("%s to %s", from, to) << from << to;
      }
    }
  }

  // The packet goes from file to file as it is; exiftool puts it into the first and finds it.
  void xmp_survives() {
    QFETCH(QString, from);
    QFETCH(QString, to);
    const QString exiftool = QStandardPaths::findExecutable("exiftool");
    if (exiftool.isEmpty()) SKIP_WITHOUT("exiftool");
    const Folder folder;
    const auto a = folder / ("a." + from.toStdString()), b = folder / ("b." + to.toStdString());
    Image image = scene({40, 30, 3, u8, AlphaKind::none, Coding::srgb()});
    through(a, image, {.quality = 100});
    const auto said = [&](QStringList arguments, const std::filesystem::path& file) {
      QProcess process;
      arguments << QString::fromStdString(file.string());
      process.start(exiftool, arguments);
      return process.waitForFinished() ? process.readAllStandardOutput() : QByteArray();
    };
    said({"-q", "-overwrite_original", "-XMP:Rating=4", "-XMP:Title=Leuchtturm"}, a);
    const QByteArray packet = said({"-b", "-XMP"}, a);
    QVERIFY2(packet.contains("Leuchtturm"), packet.constData());
    QVERIFY(pass_through(a, b, {.quality = 100}).empty());
    QCOMPARE(said({"-b", "-XMP"}, b), packet);
    QCOMPARE(said({"-s3", "-XMP:Rating"}, b), QByteArray("4\n"));
    QCOMPARE(said({"-validate", "-warning", "-a", "-s3"}, b).count("IFD0 directory"), 0);
    if (from != "jpg" && to != "jpg") QVERIFY(values_of(a) == values_of(b));
    pass_through(a, b, {.overwrite = true, .keep_metadata = false});
    QCOMPARE(said({"-b", "-XMP"}, b), QByteArray());
  }

  // Every page keeps its place when the first page's directory moves.
  void xmp_in_a_file_of_pages() {
    const QString exiftool = QStandardPaths::findExecutable("exiftool");
    if (exiftool.isEmpty()) SKIP_WITHOUT("exiftool");
    const Folder folder;
    const OIIO::ImageSpec page(41, 31, 3, OIIO::TypeDesc::UINT8);
    make_file(folder / "a.tif", {page, page, page});
    QProcess process;
    process.start(exiftool, {"-q", "-overwrite_original", "-XMP:Rating=4",
                             QString::fromStdString((folder / "a.tif").string())});
    QVERIFY(process.waitForFinished());
    pass_through(folder / "a.tif", folder / "b.tif");
    for (int i = 0; i < 3; ++i) {
      QVERIFY(values_of(folder / "a.tif", i) == values_of(folder / "b.tif", i));
    }
    QVERIFY(content(folder / "b.tif").find("Rating") != std::string::npos);
  }

  void iptc_in_texts_of_png_data() {
    QTest::addColumn<bool>("compressed");
    QTest::addColumn<bool>("international");
    QTest::addColumn<bool>("resources");
    for (const bool compressed : {false, true}) {
      for (const bool international : {false, true}) {
        for (const bool resources : {false, true}) {
          QTest::addRow("%d %d %d", compressed, international, resources)
              << compressed << international << resources;
        }
      }
    }
  }

  // As ImageMagick and exiftool write it.
  void iptc_in_texts_of_png() {
    QFETCH(const bool, compressed);
    QFETCH(const bool, international);
    QFETCH(const bool, resources);
    const Folder folder;
    make_file(folder / "plain.png", {OIIO::ImageSpec(8, 8, 3, OIIO::TypeDesc::UINT8)});
    const QByteArray record = QByteArray("\x1c\2\x19\0\3sea", 8);  // a keyword
    const QByteArray bytes = resources ? QByteArray("8BIM\4\4\0\0\0\0\0\x08", 12) + record : record;
    const QByteArray plain =
        "\niptc\n      " + QByteArray::number(bytes.size()) + "\n" + bytes.toHex() + "\n";
    const std::string text = (compressed ? qCompress(plain).mid(4) : plain).toStdString();
    std::string body("Raw profile type iptc\0", 22);
    if (international) body += std::string(compressed ? "\1\0\0\0" : "\0\0\0\0", 4);
    if (!international && compressed) body += '\0';
    const char* name = international ? "iTXt" : compressed ? "zTXt" : "tEXt";
    put(folder / "a.png", with_chunks(content(folder / "plain.png"), chunk(name, body + text)));
    for (const char* to : {"b.png", "b.jpg", "b.tif"}) {
      copy_picture(folder / "a.png", folder / to);
      QProcess exiftool;
      exiftool.start("exiftool",
                     {"-s3", "-IPTC:Keywords", QString::fromStdString((folder / to).string())});
      QVERIFY(exiftool.waitForFinished());
      QCOMPARE(exiftool.readAllStandardOutput().trimmed(), QByteArray("sea"));
    }
    const std::string copy = content(folder / "b.png");
    const std::size_t once = copy.find("Raw profile");
    QVERIFY(once != std::string::npos);
    QVERIFY(copy.find("Raw profile", once + 1) == std::string::npos);
    QCOMPARE(copy_picture(folder / "a.png", folder / "b.ppm").writing.size(), 1u);
  }

  void lost_metadata_is_said() {
    const Folder folder;
    make_file(folder / "a.tif", {described(3, OIIO::TypeDesc::UINT8)});
    for (const char* name : {"b.ppm", "b.pfm", "b.hdr"}) {
      const auto warnings = pass_through(folder / "a.tif", folder / name);
      QCOMPARE(warnings.size(), 2u);
      QVERIFY2(warnings[0].find("metadata") != std::string::npos, warnings[0].c_str());
      QVERIFY2(warnings[1].find("which side is up") != std::string::npos, warnings[1].c_str());
    }
  }

  // A copy must not keep what described the old file's storage or its unfiltered thumbnail.
  void storage_is_not_copied() {
    const Folder folder;
    OIIO::ImageSpec s = described(3, OIIO::TypeDesc::UINT8);
    s.tile_width = s.tile_height = 16;
    s.attribute("compression", "packbits");
    make_file(folder / "a.tif", {s});
    pass_through(folder / "a.tif", folder / "b.tif");
    QCOMPARE(spec_of(folder / "b.tif").tile_width, 0);
    QCOMPARE(std::string(spec_of(folder / "b.tif").get_string_attribute("compression")),
             std::string("packbits"));
    pass_through(folder / "a.tif", folder / "b.exr");
    QCOMPARE(std::string(spec_of(folder / "b.exr").get_string_attribute("compression")),
             std::string("zip"));
  }

  // OpenImageIO's reader says that there is no such channel.
  void gifs_are_transparent() {
    const Folder folder;
    put(folder / "a.gif", transparent_gif());
    pass_through(folder / "a.gif", folder / "b.png");
    const auto in = open_picture(folder / "b.png");
    QCOMPARE(in->format().channels, 4);
    Image image(in->format());
    image.bytes = read_all(*in).bytes;
    QCOMPARE(image.get(0, 0, 3), 0.0f);
    QCOMPARE(image.get(1, 0, 3), 1.0f);
    QCOMPARE(image.get(0, 1, 3), 1.0f);
    QCOMPARE(image.get(1, 1, 3), 0.0f);
  }

  // Alpha is reported as it is stored, and colour under clear pixels is not touched.
  void alpha_kinds() {
    const Folder folder;
    OIIO::ImageSpec s(40, 30, 4, OIIO::TypeDesc::UINT8);
    make_file(folder / "premultiplied.tif", {s});
    s.attribute("oiio:UnassociatedAlpha", 1);
    make_file(folder / "straight.tif", {s});
    make_file(folder / "straight.png", {s});
    QCOMPARE(open_picture(folder / "premultiplied.tif")->format().alpha, AlphaKind::premultiplied);
    QCOMPARE(open_picture(folder / "straight.tif")->format().alpha, AlphaKind::straight);
    QCOMPARE(open_picture(folder / "straight.png")->format().alpha, AlphaKind::straight);
    const auto expected = values_of(folder / "premultiplied.tif");
    for (const char* name : {"premultiplied.tif", "straight.tif", "straight.png"}) {
      auto in = open_picture(folder / name);
      const HeldPicture held = read_all(*in);
      for (std::size_t i = 0; i < expected.size(); ++i) {
        QCOMPARE(static_cast<unsigned char>(held.bytes[i]),
                 static_cast<unsigned char>(std::lround(expected[i] * 255)));
      }
      in.reset();
      const std::string copy = std::string("copy of ") + name;
      pass_through(folder / name, folder / copy);
      QVERIFY(values_of(folder / copy) == values_of(folder / name));
      QCOMPARE(open_picture(folder / copy)->format().alpha,
               open_picture(folder / name)->format().alpha);
    }
  }
};

QTEST_GUILESS_MAIN(TestIoMetadata)
#include "test_io_metadata.moc"
