// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Files that say all that their format can say at once: each property that another format cannot
// hold is named, once, in one sentence, and no other one is.
#include <QTest>

#include "io/property_results.hpp"
#include "support/skips.hpp"

using namespace std::string_literals;
using namespace sfumato;
using namespace sfumato::testing;
using enum Property;
using enum FileKind;

Q_DECLARE_METATYPE(sfumato::FileKind)

namespace {

// How often the sentences about dropped metadata name a property.
std::ptrdiff_t times_named(const std::vector<Message>& said, Property property) {
  std::ptrdiff_t times = 0;
  for (const Message& m : said) {
    if (m.id != "format.drops") continue;
    const std::string list = ", " + in_english(*m.find("properties")->sentence()) + ", ",
                      name = ", " + in_english(name_of(property)) + ", ";
    for (std::size_t at = 0; (at = list.find(name, at)) != list.npos; ++at) ++times;
  }
  return times;
}

// A resolution says the shape of pixels, too.
bool is_dropped(Property property, FileKind reader, FileKind writer) {
  const auto is = [&](Property one) {
    return treatment(one, reader, writer) == Treatment::dropped;
  };
  const bool by_resolution =
      property == pixel_aspect && row_of(resolution).carried.has(reader) && !is(resolution);
  return is(property) && !by_resolution;
}

bool is_of_drops(Property property) {
  return sentences_of(property) == std::vector<std::string>{"format.drops"};
}

}  // namespace

class TestIoDropped : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    for (const char* program : {"convert", "exiftool", "ffmpeg", "heif-enc", "webpmux"}) {
      if (QStandardPaths::findExecutable(program).isEmpty()) SKIP_WITHOUT("a tool for pictures");
    }
    PropertyInputs inputs(folder_);
    make_described();
    make_tiff();
    make_png();
    make_openexr();
    put(file(hdr), radiance("EXPOSURE=4\nCAPDATE= 2020:01:02 03:04:05\nVIEW= Gr\xc3\xbc\xc3\x9f"
                            "e\nSOFTWARE= Darkroom 7\nPIXASPECT=0.5\n"));
    put(file(targa), targa_file({.author = "A",
                                 .software = "Darkroom",
                                 .stamp = {1, 2, 2020, 3, 4, 5},
                                 .key = 0x102030,
                                 .hours = 7,
                                 .aspect = {2, 1},
                                 .developer = true}));
    make_gif();
  }

  void all_at_once_data() {
    QTest::addColumn<FileKind>("reader");
    for (const FileKind reader : readers) {
      if (!std::filesystem::exists(file(reader))) continue;
      QTest::addRow("%s", file(reader).extension().c_str()) << reader;
    }
  }

  void all_at_once() {
    QFETCH(const FileKind, reader);
    for (const char* writer : writers) {
      const Said said = copy_picture(file(reader), folder_ / ("copy."s + writer),
                                     {.overwrite = true, .quality = 100});
      std::string all;
      for (const Message& m : said.writing) all += in_english(m) + "\n";
      for (const PropertyRow& row : table::rows) {
        if (!row.carried.has(reader) || !is_of_drops(row.property)) continue;
        const bool dropped = is_dropped(row.property, reader, kind_of(writer));
        QVERIFY2(times_named(said.writing, row.property) == (dropped ? 1 : 0),
                 (std::string(row.name) + ", " + writer + ": " + all).c_str());
      }
      QVERIFY2(said_of_drops(said) <= 1, all.c_str());
    }
  }

  // The program and the date alone, too.
  void alone_data() {
    QTest::addColumn<QString>("tag");
    QTest::addColumn<QString>("name");
    QTest::newRow("program") << "-EXIF:Software=x"
                             << "the name of the program";
    QTest::newRow("date") << "-EXIF:ModifyDate=2020:01:02 03:04:05"
                          << "time stamps";
    QTest::newRow("computer") << "-EXIF:HostComputer=x"
                              << "EXIF metadata";
    QTest::newRow("rating") << "-EXIF:Rating=3"
                            << "EXIF metadata";
    QTest::newRow("page's name") << "-EXIF:PageName=x"
                                 << "EXIF metadata";
  }
  void alone() {
    QFETCH(const QString, tag);
    QFETCH(const QString, name);
    std::filesystem::copy_file(folder_ / "plain.tif", folder_ / "one.tif",
                               std::filesystem::copy_options::overwrite_existing);
    // OpenImageIO's writer signs.
    output_of("exiftool", {"-q", "-n", "-overwrite_original", "-IFD0:ModifyDate=",
                           "-IFD0:Software=", tag, text_of(folder_ / "one.tif")});
    for (const char* writer : {"bmp", "pfm", "j2k"}) {
      std::string all;
      for (const std::string& one :
           pass_through(folder_ / "one.tif", folder_ / ("copy."s + writer), {.overwrite = true})) {
        all += one + "\n";
      }
      QVERIFY2(all.find("cannot hold it: " + name.toStdString() + "\n") != all.npos, all.c_str());
    }
  }

  void without_metadata_nothing_of_it_is_named() {
    const Said said =
        copy_picture(file(tiff), folder_ / "copy.bmp", {.overwrite = true, .keep_metadata = false});
    QCOMPARE(said_of_drops(said), 0);
  }

 private:
  static std::ptrdiff_t said_of_drops(const Said& said) {
    return std::count_if(said.writing.begin(), said.writing.end(),
                         [](const Message& m) { return m.id == "format.drops"; });
  }

  std::filesystem::path file(FileKind kind) const {
    const std::map<FileKind, const char*> names = {
        {png, "png"},   {jpeg, "jpg"},  {tiff, "tif"},     {openexr, "exr"},
        {webp, "webp"}, {heif, "heic"}, {jpeg2000, "jp2"}, {targa, "tga"},
        {hdr, "hdr"},   {psd, "psd"},   {gif, "gif"}};
    const auto found = names.find(kind);
    return folder_ / ("all."s + (found == names.end() ? "none" : found->second));
  }

  // What exiftool can say; the resolution is of pixels that are twice as high as wide.
  void say(FileKind kind, const QStringList& more) {
    QStringList arguments = descriptions;
    arguments << "-EXIF:XResolution=300"
              << "-EXIF:YResolution=150" << more << text_of(file(kind));
    output_of("exiftool", arguments);
  }

  void make_described() {
    const QStringList iptc = {"-IPTC:Keywords=sea"},
                      owned = {"-Photoshop:CopyrightFlag=1", "-Photoshop:URL=http://example.org/"};
    std::filesystem::copy_file(folder_ / "plain.jpg", file(jpeg));
    say(jpeg, iptc + owned);
    copy_picture(file(jpeg), file(webp));
    copy_picture(file(jpeg), file(jpeg2000));
    std::filesystem::copy_file(folder_ / "owned.psd", file(psd));
    say(psd, iptc);
    // Their shape is stated beside a resolution.
    const std::string two = big_endian_bytes(std::uint64_t{1} << 62, 8);
    const std::string resolution =
        big_endian_bytes(300 << 16, 4) + big_endian_bytes(1, 2) + big_endian_bytes(1, 2);
    put(file(psd),
        with_resource(content(file(psd)), image_resource(1064, big_endian_bytes(1, 4) + two) +
                                              image_resource(1005, resolution + resolution)));
  }

  void make_tiff() {
    TiffWriter all = map_tags();
    all.fractions(286, 5, {1.5});
    all.shorts(297, {2, 5});
    all.text(65000, "private words");
    put(file(tiff), plain_tiff(2, 2, 3, 8, 2, 1, std::string(12, 'x'), all));
    say(tiff,
        {"-IPTC:Keywords=sea", "-Photoshop:CopyrightFlag=1", "-Photoshop:URL=http://example.org/"});
  }

  void make_png() {
    copy_picture(file(jpeg), file(png));
    const std::string light = chunk("cICP", "\x09\x10\0\1"s) + chunk("mDCV", mastering_data()) +
                              chunk("cLLI", level_data());
    put(file(png), with_chunks(without_chunks(content(file(png)), "sRGB gAMA cHRM iCCP"),
                               light + chunk("prVt", "kept")));
    copy_picture(file(png), file(heif));
  }

  void make_openexr() {
    OIIO::ImageSpec s(16, 12, 3, OIIO::TypeDesc::HALF);
    for (const auto& [name, text] :
         std::map<std::string, std::string>{{"ImageDescription", "words"},
                                            {"DateTime", "2020:01:02 03:04:05"},
                                            {"Software", "Darkroom 7"},
                                            {"Exif:LensModel", "Petzval 85"},
                                            {"textureformat", "LatLong Environment"}}) {
      s.attribute(name, text);
    }
    s.attribute("XResolution", 300.0f);
    s.attribute("PixelAspectRatio", 2.0f);
    s.attribute("utcOffset", 3600.0f);
    make_file(file(openexr), {s});
  }

  void make_gif() {
    std::string bytes = transparent_gif(1, "words");
    bytes[12] = 113;  // the shape, in 64ths, and 15 more
    put(file(gif), bytes);
    output_of("exiftool",
              {"-q", "-overwrite_original", "-XMP:Title=Leuchtturm", text_of(file(gif))});
  }

  Folder folder_;
};

QTEST_GUILESS_MAIN(TestIoDropped)
#include "test_io_dropped.moc"
