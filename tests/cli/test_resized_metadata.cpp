// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What files say in pixels, in another size, in every pair of formats. exiftool writes and reads
// it.
#include <QFileInfo>
#include <QJsonValue>

#include "batch_program.hpp"
#include "io/carried_files.hpp"
#include "io/programs.hpp"
#include "support/files.hpp"
#include "support/skips.hpp"

using namespace std::string_literals;
using namespace sfumato;
using namespace sfumato::testing;

class TestResizedMetadata : public BatchTest {
  Q_OBJECT

  std::filesystem::path file(const QString& name) const { return path(name).toStdString(); }

  Run halve(const QString& from, const QString& to, const QStringList& more = {}) {
    return run(QStringList{"gaussian", from, to, "--sigma", "0.05", "--device", "reference",
                           "--overwrite", "--scale", "50%"} +
               more);
  }
  void describe(const QStringList& arguments, const QString& name) {
    QCOMPARE(QProcess::execute("exiftool", QStringList{"-q", "-n", "-overwrite_original"} +
                                               arguments + QStringList{path(name)}),
             0);
  }

 private Q_SLOTS:
  void initTestCase() {
    if (QStandardPaths::findExecutable("exiftool").isEmpty()) SKIP_WITHOUT("exiftool");
  }

  void exif_becomes_attributes() {
    make_file(file("a.jpg"), {OIIO::ImageSpec(300, 200, 3, OIIO::TypeDesc::UINT8)});
    describe({"-EXIF:SubjectArea=100 50 20 10", "-EXIF:SubjectLocation=40 20",
              "-EXIF:FocalPlaneXResolution=1500.5", "-EXIF:FocalPlaneYResolution=1500.5",
              "-EXIF:ExifImageWidth=300", "-EXIF:ExifImageHeight=200"},
             "a.jpg");
    const Run r = halve("a.jpg", "b.exr");
    QVERIFY2(r.status == 0, qPrintable(r.err));
    const OIIO::ImageSpec s = spec_of(file("b.exr"));
    const auto numbers = [&](const char* name) {
      const OIIO::ParamValue* p = s.find_attribute(name);
      return p == nullptr ? std::string("none") : p->get_string();
    };
    QCOMPARE(numbers("Exif:SubjectArea"), std::string("50, 25, 10, 5"));
    QCOMPARE(numbers("Exif:SubjectLocation"), std::string("20, 10"));
    QVERIFY(std::abs(s.get_float_attribute("Exif:FocalPlaneXResolution") - 750.25f) < 1e-3f);
    for (const auto& [name, side] :
         {std::pair("Exif:PixelXDimension", 150), {"Exif:PixelYDimension", 100}}) {
      if (s.find_attribute(name) != nullptr) QCOMPARE(s.get_int_attribute(name), side);
    }
    // And back, in the first size again.
    QCOMPARE(run({"gaussian", "b.exr", "c.jpg", "--sigma", "0.05", "--device", "reference",
                  "--scale", "200%"})
                 .status,
             0);
    const QJsonObject t = exif_tags(file("c.jpg"));
    QCOMPARE(t["ExifIFD:SubjectArea"].toString(), QString("100 50 20 10"));
    QCOMPARE(t["ExifIFD:SubjectLocation"].toString(), QString("40 20"));
  }

  void places_on_pages_of_png() {
    make_file(file("a.png"), {OIIO::ImageSpec(100, 80, 3, OIIO::TypeDesc::UINT8)});
    const std::string offset = big_endian_bytes(40, 4) + big_endian_bytes(0xffffffec, 4) + '\0',
                      page = big_endian_bytes(1000, 4) + big_endian_bytes(600, 4) + '\0',
                      canvas = big_endian_bytes(300, 4) + big_endian_bytes(200, 4) +
                               big_endian_bytes(30, 4) + big_endian_bytes(20, 4);
    put(file("a.png"),
        with_chunks(without_chunks(content(file("a.png")), "oFFs"),
                    chunk("oFFs", offset) + chunk("vpAg", page) + chunk("caNv", canvas)));
    const Run r = halve("a.png", "b.png");
    QVERIFY2(r.status == 0, qPrintable(r.err));
    const std::string made = content(file("b.png"));
    const auto has = [&](const std::string& bytes) { return made.find(bytes) != made.npos; };
    QVERIFY(has(chunk("oFFs", big_endian_bytes(20, 4) + big_endian_bytes(0xfffffff6, 4) + '\0')));
    QVERIFY(has(chunk("vpAg", big_endian_bytes(500, 4) + big_endian_bytes(300, 4) + '\0')));
    QVERIFY(has(chunk("caNv", big_endian_bytes(150, 4) + big_endian_bytes(100, 4) +
                                  big_endian_bytes(15, 4) + big_endian_bytes(10, 4))));
  }

  // ImageMagick writes the file, and the program's own places are put into it; exiftool and
  // ImageMagick read the results.
  void places_of_targa_and_dpx() {
    if (QStandardPaths::findExecutable("convert").isEmpty()) SKIP_WITHOUT("ImageMagick");
    for (const char* name : {"a.tga", "a.dpx"}) {
      QCOMPARE(QProcess::execute("convert", {"-size", "100x80", "gradient:red-blue", path(name)}),
               0);
    }
    std::string targa = content(file("a.tga")), dpx = content(file("a.dpx"));
    targa.replace(8, 4, "\x28\0\x14\0"s);
    put(file("a.tga"), targa);
    dpx.replace(1408, 8, big_endian_bytes(30, 4) + big_endian_bytes(20, 4));
    dpx.replace(1424, 8, big_endian_bytes(400, 4) + big_endian_bytes(300, 4));
    put(file("a.dpx"), dpx);
    for (const char* name : {"b.tga", "t.jpg"}) {
      const Run r = halve("a.tga", name);
      QVERIFY2(r.status == 0, qPrintable(r.err));
    }
    QCOMPARE(content(file("b.tga")).substr(8, 4), "\x14\0\x0a\0"s);
    QCOMPARE(exif_tags(file("t.jpg"))["ExifIFD:UserComment"].toString(),
             QString("X origin: 20\nY origin: 10"));
    for (const char* name : {"d.jpg", "d.tif"}) {
      const Run r = halve("a.dpx", name);
      QVERIFY2(r.status == 0, qPrintable(r.err));
      const QString said = exif_tags(file(name))["ExifIFD:UserComment"].toString();
      QVERIFY2(said.contains("X offset: 15\nY offset: 10\nX original size: 200\n"
                             "Y original size: 150"),
               qPrintable(said));
    }
  }

  // The resolution stays, and so a smaller picture lies on a smaller page.
  void place_of_a_tiff_page() {
    make_file(file("a.tif"), {OIIO::ImageSpec(100, 80, 3, OIIO::TypeDesc::UINT8)});
    describe({"-IFD0:XPosition=3.5", "-IFD0:YPosition=1.25", "-IFD0:XResolution=240",
              "-IFD0:YResolution=240", "-IFD0:ResolutionUnit=2"},
             "a.tif");
    const Run r = halve("a.tif", "b.tif");
    QVERIFY2(r.status == 0, qPrintable(r.err));
    const QJsonObject t = exif_tags(file("b.tif"));
    QCOMPARE(t["IFD0:XPosition"].toDouble(), 1.75);
    QCOMPARE(t["IFD0:YPosition"].toDouble(), 0.625);
    QCOMPARE(t["IFD0:XResolution"].toDouble(), 240.0);
  }

  void regions_and_sizes_of_xmp() {
    make_file(file("a.jpg"), {OIIO::ImageSpec(300, 200, 3, OIIO::TypeDesc::UINT8)});
    describe({"-XMP-mwg-rs:RegionInfo={AppliedToDimensions={W=3000,H=2000,Unit=pixel},RegionList=[{"
              "Area={X=0.25,Y=0.5,W=0.1,H=0.2,Unit=normalized},Name=Ada,Type=Face}]}",
              "-XMP-exif:SubjectArea=100", "-XMP-exif:SubjectArea=50",
              "-XMP-exif:FocalPlaneXResolution=1500.5", "-XMP-GPano:FullPanoWidthPixels=900",
              "-XMP-GPano:CroppedAreaTopPixels=60"},
             "a.jpg");
    for (const char* name : {"b.jpg", "b.png", "b.tif", "b.webp", "b.jp2"}) {
      const Run r = halve("a.jpg", name);
      QVERIFY2(r.status == 0, qPrintable(r.err));
      const QJsonObject t = exif_tags(file(name));
      QCOMPARE(t["XMP-mwg-rs:RegionAppliedToDimensionsW"].toInt(), 1500);
      QCOMPARE(t["XMP-mwg-rs:RegionAppliedToDimensionsH"].toInt(), 1000);
      QCOMPARE(t["XMP-mwg-rs:RegionAreaX"].toDouble(), 0.25);
      QCOMPARE(t["XMP-mwg-rs:RegionAreaH"].toDouble(), 0.2);
      QCOMPARE(t["XMP-exif:SubjectArea"].toVariant().toStringList().join(' '), QString("50 25"));
      QCOMPARE(t["XMP-exif:FocalPlaneXResolution"].toDouble(), 750.25);
      QCOMPARE(t["XMP-GPano:FullPanoWidthPixels"].toInt(), 450);
      QCOMPARE(t["XMP-GPano:CroppedAreaTopPixels"].toInt(), 30);
    }
  }

  void regions_of_iptc() {
    make_file(file("a.jpg"), {OIIO::ImageSpec(300, 200, 3, OIIO::TypeDesc::UINT8)});
    const QString boundary = "RegionBoundary={RbUnit=pixel,RbShape=";
    describe(
        {"-XMP-iptcExt:ImageRegion=[{" + boundary + "rectangle,RbX=100,RbY=50,RbW=30,RbH=20}},{" +
         boundary + "circle,RbX=60,RbY=40,RbRx=10}},{" + boundary +
         "polygon,RbVertices=[{RbX=10,RbY=20},{RbX=30,RbY=40},{RbX=50,RbY=6}]}},{"
         "RegionBoundary={RbUnit=relative,RbShape=rectangle,RbX=0.25,RbY=0.5,RbW=0.1,RbH=0.2}}]"},
        "a.jpg");
    for (const char* name : {"b.jpg", "b.png"}) {
      const Run r = halve("a.jpg", name);
      QVERIFY2(r.status == 0, qPrintable(r.err));
      const QJsonObject t = exif_tags(file(name));
      const auto numbers = [&](const char* tag) {
        QStringList out;
        for (const QJsonValue& one :
             t["XMP-iptcExt:ImageRegionBoundary" + QString(tag)].toArray()) {
          out << one.toVariant().toString();
        }
        return out.join(" ");
      };
      QCOMPARE(numbers("X"), QString("50 30 0.25"));
      QCOMPARE(numbers("Y"), QString("25 20 0.5"));
      QCOMPARE(numbers("W"), QString("15 0.1"));
      QCOMPARE(numbers("H"), QString("10 0.2"));
      QCOMPARE(numbers("VerticesX"), QString("5 15 25"));
      QCOMPARE(numbers("VerticesY"), QString("10 20 3"));
      QCOMPARE(t["XMP-iptcExt:ImageRegionBoundaryRx"].toInt(), 5);
    }
  }

  // Colours are averaged; of identifiers and depths, a pixel is taken.
  void other_channels_and_parts_get_the_new_size() {
    OIIO::ImageSpec s(4, 2, 6, OIIO::TypeDesc::FLOAT);
    s.channelnames = {"R", "G", "B", "diffuse.R", "depth.Z", "id.U"};
    s.channelformats = {OIIO::TypeDesc::HALF,  OIIO::TypeDesc::HALF,  OIIO::TypeDesc::HALF,
                        OIIO::TypeDesc::FLOAT, OIIO::TypeDesc::FLOAT, OIIO::TypeDesc::UINT32};
    auto out = OIIO::ImageOutput::create("a.exr");
    QVERIFY(out && out->open(file("a.exr").string(), s));
    std::string rows;
    for (std::uint32_t i = 0; i < 8; ++i) {
      const float diffuse = i % 2 == 0 ? 1.0f : 0.0f, depth = i % 2 == 0 ? 10.0f : 1e10f;
      rows += std::string(6, '\0');
      rows.append(reinterpret_cast<const char*>(&diffuse), 4);
      rows.append(reinterpret_cast<const char*>(&depth), 4);
      rows.append(reinterpret_cast<const char*>(&i), 4);
    }
    QVERIFY(out->write_scanlines(0, 2, 0, OIIO::TypeDesc::UNKNOWN, rows.data()) && out->close());
    const Run r = halve("a.exr", "b.exr", {"--filter", "box"});
    QVERIFY2(r.status == 0 && !r.err.contains("channel"), qPrintable(r.err));
    const OIIO::ImageSpec made = spec_of(file("b.exr"));
    QCOMPARE(made.width, 2);
    QCOMPARE(made.nchannels, 6);
    const auto place = [&](const char* name) {
      return static_cast<std::size_t>(made.channelindex(name));
    };
    const auto ids_at = static_cast<int>(place("id.U"));
    QVERIFY(made.channelformat(ids_at) == OIIO::TypeDesc::UINT32);
    const std::vector<float> values = values_of(file("b.exr"));
    for (std::size_t x = 0; x < 2; ++x) {
      QCOMPARE(values[6 * x + place("diffuse.R")], 0.5f);
      const float depth = values[6 * x + place("depth.Z")];
      QVERIFY(depth == 10.0f || depth == 1e10f);
    }
    auto in = OIIO::ImageInput::open(file("b.exr").string());
    std::vector<std::uint32_t> ids(2);
    QVERIFY(in && in->read_scanlines(0, 0, 0, 1, 0, ids_at, ids_at + 1, OIIO::TypeDesc::UINT32,
                                     ids.data()));
    const std::vector<std::uint32_t> among = {0, 1, 2, 3, 4, 5, 6, 7};
    for (const std::uint32_t id : ids) QVERIFY(std::count(among.begin(), among.end(), id) == 1);
    QVERIFY(ids[0] % 4 < 2 && ids[1] % 4 >= 2);
  }

  void lost_channels_have_names_and_a_reason() {
    OIIO::ImageSpec s(8, 8, 5, OIIO::TypeDesc::HALF);
    s.channelnames = {"R", "G", "B", "diffuse.R", "depth.Z"};
    make_file(file("five.exr"), {s});
    const Run r = halve("five.exr", "five.png");
    QVERIFY2(r.status == 0 && r.err.contains("depth.Z, diffuse.R"), qPrintable(r.err));
    QVERIFY2(r.err.contains("own format"), qPrintable(r.err));
  }

  // Data is no light.
  void stored_numbers_are_averaged() {
    OIIO::ImageSpec s(64, 64, 3, OIIO::TypeDesc::UINT8);
    auto out = OIIO::ImageOutput::create("lines.png");
    QVERIFY(out && out->open(file("lines.png").string(), s));
    std::vector<unsigned char> lines;
    for (int i = 0; i < 64 * 64; ++i) lines.insert(lines.end(), 3, i % 2 == 0 ? 255 : 0);
    QVERIFY(out->write_image(OIIO::TypeDesc::UINT8, lines.data()) && out->close());
    for (const auto& [light, mean] : {std::pair("stored", 127.5f), {"linear", 188.0f}}) {
      const Run r = halve("lines.png", "half.png", {"--filter", "box", "--light", light});
      QVERIFY2(r.status == 0, qPrintable(r.err));
      const std::vector<float> made = values_of(file("half.png"));
      QVERIFY2(std::abs(made[3 * (16 * 32 + 16)] * 255 - mean) < 1.01f, light);
    }
  }

  void results_have_as_many_pixels_as_are_allowed() {
    write_ppm("a.ppm", 100, 50);
    const QStringList twice = {"gaussian",  "a.ppm",   "b.ppm", "--device",
                               "reference", "--scale", "2"};
    refused(twice + QStringList{"--max-pixels", "10000"}, 1, {"200x100", "--max-pixels", "10000"});
    QCOMPARE(run(twice + QStringList{"--max-pixels", "20000"}).status, 0);
  }

  // An enlarged picture is made of a single strip of the filtered one.
  void interrupted_while_it_grows() {
    write_ppm("grow.ppm", 400, 400);
    QProcess process;
    settle(process);
    process.start(program_, {"gaussian", "grow.ppm", "grown.tif", "--device", "reference",
                             "--scale", "100", "--compression", "none"});
    QVERIFY(process.waitForStarted(patience));
    const QDir folder(folder_.path());
    const auto temporaries = [&] {
      return folder.entryList({".grown*"}, QDir::Files | QDir::Hidden);
    };
    // The result has 4.8 GB: it is written long after its beginning.
    const auto has_begun = [&] {
      const QStringList names = temporaries();
      return !names.isEmpty() && QFileInfo(path(names.front())).size() > (1 << 22);
    };
    QTRY_VERIFY_WITH_TIMEOUT(has_begun() || process.state() == QProcess::NotRunning, patience);
    QCOMPARE(process.state(), QProcess::Running);
    ::kill(static_cast<pid_t>(process.processId()), SIGTERM);
    QVERIFY(process.waitForFinished(patience));
    const QByteArray said = process.readAllStandardError();
    QVERIFY2(!said.contains("10 s") && !QFile::exists(path("grown.tif")), said.constData());
    QVERIFY2(temporaries().isEmpty(), qPrintable(temporaries().join(' ')));
  }
};

QTEST_GUILESS_MAIN(TestResizedMetadata)
#include "test_resized_metadata.moc"
