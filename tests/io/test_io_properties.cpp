// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What files mean goes into other files as the table declares: every property, read from every
// format that may say it, written to every format. exiftool and ImageMagick look at the results.
#include <QJsonValue>
#include <QTest>
#include <set>

#include "io/property_results.hpp"
#include "support/skips.hpp"

using namespace std::string_literals;
using namespace sfumato;
using namespace sfumato::testing;
using enum Property;
using enum FileKind;

Q_DECLARE_METATYPE(sfumato::Property)
Q_DECLARE_METATYPE(sfumato::FileKind)
Q_DECLARE_METATYPE(std::string)

namespace {

bool is_by_maketx(const std::filesystem::path& input) {
  return input.stem() == "levels";
}

}  // namespace

class TestIoProperties : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    for (const char* program : {"convert", "exiftool", "ffmpeg", "heif-convert", "heif-enc",
                                "identify", "maketx", "webpmux"}) {
      if (QStandardPaths::findExecutable(program).isEmpty()) SKIP_WITHOUT("a tool for pictures");
    }
    inputs_.emplace(folder_);
    for (const PropertyRow& row : table::rows) {
      for (const FileKind reader : readers) {
        const std::filesystem::path input = inputs_->find(row.property, reader);
        for (const char* writer : writers) copy(input, writer);
      }
    }
    look();
  }

  void table_and_formats_agree() {
    for (const FormatInfo& format : writable_formats()) {
      const FileKind kind = file_kind(format.id);
      QCOMPARE(row_of(alpha).kept.has(kind), format.alpha);
      QCOMPARE(row_of(icc_profile).kept.has(kind), format.icc);
      const PropertyRow& row = row_of(orientation);
      QCOMPARE(row.kept.has(kind) || row.converted.has(kind), format.metadata);
    }
  }

  void cell_data() {
    QTest::addColumn<Property>("property");
    QTest::addColumn<FileKind>("reader");
    QTest::addColumn<std::string>("extension");
    for (const PropertyRow& row : table::rows) {
      for (const FileKind reader : readers) {
        if (!row.carried.has(reader)) continue;
        for (const char* writer : writers) {
          QTest::addRow("%s, %d to %s", row.name.data(), static_cast<int>(reader), writer)
              << row.property << reader << std::string(writer);
        }
      }
    }
  }

  void cell() {
    QFETCH(const Property, property);
    QFETCH(const FileKind, reader);
    QFETCH(const std::string, extension);
    const FileKind writer = kind_of(extension);
    const std::filesystem::path input = inputs_->find(property, reader);
    QVERIFY(!input.empty());
    const auto found = results_.find({input, extension});
    QVERIFY(found != results_.end());
    const Result& result = found->second;
    const QByteArray about = text_of(result.path).toUtf8() + ": " +
                             QString::fromStdString(joined(in_english(result.said))).toUtf8() +
                             QJsonDocument(result.tags).toJson();
    const Treatment what = treatment(property, reader, writer);
    QVERIFY2(is_said(result, property) == (what == Treatment::dropped), about.constData());
    if (what == Treatment::kept || what == Treatment::converted) {
      QVERIFY2(is_there(result, property, reader, writer), about.constData());
    }
    if (property == gain_map || property == movie) {
      QVERIFY2(!result.tags.contains("XMP-GCamera:MicroVideo"), about);
      QVERIFY2(!result.tags.contains("PNG:ItemSemantic"), about);
      QVERIFY2(!result.tags.contains("PNG:RdfparseType"), about);
      QVERIFY2(!result.tags.contains("OpenEXR:ItemSemantic"), about);
      QVERIFY2(!contains(result, "moov"), about);
      QVERIFY2(!result.tags.contains("XMP-hdrgm:Version"), about);
      QVERIFY2(!result.tags.contains("XMP-GContainer:DirectoryItemSemantic"), about);
      QVERIFY2(treatment(xmp, reader, writer) != Treatment::kept ||
                   result.tags["XMP-xmp:Rating"].toInt() == 3,
               about);
    }
    if (property == previews) QVERIFY2(!result.tags.contains("IFD1:ThumbnailImage"), about);
  }

  // Nothing else is said than what the table declares, that depth is lost, and what becomes of the
  // texts that maketx adds.
  void no_other_words() {
    std::set<std::string> known = {"format.other_depth", "file.animation", "format.hdr_cut",
                                   "format.first_page"};
    const std::set<std::string> adds_texts = {"format.unread_attributes", "format.cut_texts"};
    for (const PropertyRow& row : table::rows) {
      for (const std::string& id : sentences_of(row.property)) known.insert(id);
    }
    for (const auto& [key, result] : results_) {
      for (const Message& m : result.said) {
        if (is_by_maketx(key.first) && adds_texts.contains(m.id)) continue;
        QVERIFY2(known.count(m.id) != 0, (text_of(result.path) + ": " + m.id.c_str()).toUtf8());
      }
    }
  }

  // SFUMATO_WRITE_GUIDE=1 writes it.
  void guide_is_current() {
    const std::string begin = "<!-- properties: written by test_io_properties -->\n",
                      end = "<!-- end of properties -->";
    std::string guide = content(SFUMATO_GUIDE);
    const std::size_t from = guide.find(begin), to = guide.find(end);
    QVERIFY(from != std::string::npos && to != std::string::npos);
    const std::size_t at = from + begin.size();
    if (qEnvironmentVariableIsSet("SFUMATO_WRITE_GUIDE")) {
      guide.replace(at, to - at, property_page());
      put(SFUMATO_GUIDE, guide);
      return;
    }
    QCOMPARE(guide.substr(at, to - at), property_page());
  }

 private:
  static std::string joined(const std::vector<std::string>& lines) {
    std::string out;
    for (const std::string& line : lines) out += line + "\n";
    return out;
  }

  void copy(const std::filesystem::path& input, const std::string& writer) {
    if (input.empty() || results_.count({input, writer}) != 0) return;
    Result result;
    result.path = input.string() + "." + writer;
    const Said said = copy_picture(input, result.path, {.quality = 100});
    result.said = said.reading;
    result.said.insert(result.said.end(), said.writing.begin(), said.writing.end());
    results_[{input, writer}] = result;
  }

  // A file's name, and the first row's two ends.
  static QString corner_format() {
    QString format = "%i";
    for (const char* place : {"0", "w-1"}) {
      for (const char* channel : {"r", "g", "b", "a"}) {
        format += QString(" %[fx:p{%1,0}.%2]").arg(place, channel);
      }
    }
    return format + "\\n";
  }

  static std::array<double, 8> corners_in(const QByteArray& line) {
    const QStringList words = QString::fromUtf8(line).split(' ');
    std::array<double, 8> out{};
    for (int i = 0; i < 8; ++i) out[static_cast<std::size_t>(i)] = words.value(i + 1).toDouble();
    return out;
  }

  // Each program is started once for all files.
  void look() {
    std::map<QString, Result*> by_name;
    QStringList files, pictures;
    for (auto& [key, result] : results_) {
      const QString name = text_of(result.path);
      by_name[name] = &result;
      files << name;
      // ImageMagick gives up where rows of an HDR file are columns.
      const bool turned = key.second == "hdr" && key.first.extension() == ".hdr";
      if (key.second != "exr" && !turned) pictures << name;
    }
    const auto objects = [&](const QStringList& arguments) {
      return QJsonDocument::fromJson(output_of("exiftool", arguments + files)).array();
    };
    for (const QJsonValue& one : objects({"-j", "-a", "-G1", "-n"})) {
      by_name.at(one["SourceFile"].toString())->tags = one.toObject();
    }
    for (const QJsonValue& one : objects({"-j", "-b", "-ICC_Profile"})) {
      by_name.at(one["SourceFile"].toString())->profile =
          QByteArray::fromBase64(one["ICC_Profile"].toString().section(':', 1).toLatin1());
    }
    for (const QByteArray& line :
         output_of("identify", QStringList{"-format", corner_format()} + pictures).split('\n')) {
      const auto found = by_name.find(QString::fromUtf8(line).section(' ', 0, 0));
      if (found != by_name.end()) found->second->corners = corners_in(line);
    }
    for (auto& [key, result] : results_) {
      if (key.second == "exr") look_at_openexr(result);
    }
  }

  static void look_at_openexr(Result& result) {
    const OIIO::ImageSpec s = spec_of(result.path);
    const std::vector<float> values = values_of(result.path);
    const auto channels = static_cast<std::size_t>(s.nchannels);
    const std::size_t last = (static_cast<std::size_t>(s.width) - 1) * channels;
    for (std::size_t c = 0; c < 4; ++c) {
      const std::size_t from = channels < 3 ? 0 : c;
      const bool opaque = c == 3 && channels < 4;
      result.corners[c] = opaque ? 1 : static_cast<double>(values[from]);
      result.corners[4 + c] = opaque ? 1 : static_cast<double>(values[last + from]);
    }
  }

  // ImageMagick shows TGA files upside down, and libheif's colours as they are stored.
  static std::array<double, 8> corners_of(const Result& r) {
    const std::string extension = r.path.extension().string();
    const bool targa_file = extension == ".tga";
    if (!targa_file && extension != ".heic" && extension != ".avif") return r.corners;
    const QString png_file = text_of(r.path) + ".png";
    if (targa_file) {
      output_of("ffmpeg", {"-v", "error", "-y", "-i", text_of(r.path), png_file});
    } else {
      output_of("heif-convert", {text_of(r.path), png_file});
    }
    return corners_in(output_of("identify", {"-format", corner_format(), png_file}));
  }

  // Whether the property is in the copy, kept or converted.
  bool is_there(const Result& r, Property property, FileKind reader, FileKind writer) const {
    const std::array<double, 8> c = corners_of(r);
    switch (property) {
      case min_is_white:
        return near(c[0], 1) && near(c[4], 0);
      case palette:
        return reader == gif ? near(c[4], 1, 0.2) && near(c[6], 0, 0.2)
                             : near(c[0], 1, 0.1) && near(c[2], 0, 0.1) && near(c[6], 1, 0.1);
      case alpha:
        return near(c[3], 0) && near(c[7], 1);
      case pages:
        return r.tags.contains("IFD2:ImageWidth");
      case layers:
        return contains(r, "N.X") && contains(r, "N.Z");
      case windows:
        return r.tag("OpenEXR:DataWindow") == "3 0 18 11" &&
               r.tag("OpenEXR:DisplayWindow") == "0 0 39 29";
      default:
        return property <= exif_color_space ? has_colors(r, property, writer)
                                            : has_words(r, property, writer);
    }
  }

  bool has_colors(const Result& r, Property property, FileKind writer) const {
    const std::vector<unsigned char>& profile = inputs_->profile();
    switch (property) {
      case icc_profile:
        return writer == openexr || writer == hdr
                   ? has_red(r, 0, 0.64)
                   : r.profile == QByteArray(reinterpret_cast<const char*>(profile.data()),
                                             static_cast<qsizetype>(profile.size()));
      case cicp:
        if (writer == png && chunk_of(content(r.path), "cICP") != std::string("\x09\x10\0\1", 4)) {
          return false;
        }
        return has_rec2020(r, writer);
      case nclx:
        return has_rec2020(r, writer);
      case header_colors:  // ROMM RGB in JPEG 2000
        if (r.path.string().find("romm") != std::string::npos) return has_red(r, 0.7977, 0.7347);
        [[fallthrough]];
      default:
        return has_red(r, 0.6097, 0.64) && !contains(r, "sRGB");
    }
  }

  bool has_words(const Result& r, Property property, FileKind writer) const {
    const bool exr = writer == openexr;
    switch (property) {
      case resolution:
        return testing::has_resolution(r, writer);
      case orientation:
        if (writer == heif) return is_turned(r);
        if (writer == hdr) return contains(r, "\n-X 12 -Y 16\n");
        return exr ? r.tag("OpenEXR:Orientation") == "6" : r.tag("IFD0:Orientation") == "6";
      case exposure:
        return contains(r, "\nEXPOSURE=4\n");
      case exif:
        return exr ? contains(r, "Petzval 85") : r.tag("ExifIFD:LensModel") == "Petzval 85";
      case maker_words:
        return contains(r, "Nikon:");
      case iptc:
        return exr ? contains(r, "sea") : r.tag("IPTC:Keywords") == "sea";
      case xmp:
        return r.tag("XMP-dc:Title") == "Leuchtturm";
      case comments:
        return has_text(r, "Grüße");
      case pixel_aspect:
        return is_wide(r, writer);
      case sample_scale:
        return contains(r, "\n-2.5\n");
      case key_color:
        return little_endian_at(targa_area(content(r.path)), 470, 4) == 0x102030;
      case job_time:
        return little_endian_at(targa_area(content(r.path)), 420, 2) == 7;
      case mastering:
        return has_light(r, writer);
      case photoshop:
        return r.tag("Photoshop:URL") == "http://example.org/" &&
               r.tags["Photoshop:CopyrightFlag"].toInt() == 1;
      case other_chunks:
        return chunk_of(content(r.path), "prVt") == "kept";
      case georeferencing:
        return r.tag("IFD0:PixelScale") == "10 20 0" && contains(r, "\x01\0\x01\0\0\0\x01"s) &&
               r.tag("IFD0:ModelTiePoint") == "0 0 0 500000 4000000 0";
      case page_place:
        return r.tag("IFD0:PageNumber") == "2 5" && near(r.tags["IFD0:XPosition"].toDouble(), 1.5);
      case private_tags:
        return contains(r, "private words");
      case environment:
        return contains(r, "envmap\0envmap\0"s) && contains(r, "periodic");
      case own_numbers:
        return near(r.tags["OpenEXR:TimeZone"].toDouble(), 3600) || contains(r, "utcOffset");
      case software:
        return contains(r, "Darkroom 7");
      default:
        if (writer == targa) {
          return targa_area(content(r.path)).substr(367, 12) == "\1\0\2\0\xe4\7\3\0\4\0\5\0"s;
        }
        return contains(r, "2020:01:02 03:04:05") ||
               is_among(r, {"IFD0:ModifyDate", "PNG:ModifyDate"}, "2020:01:02 03:04:05");
    }
  }

  Folder folder_;
  std::optional<PropertyInputs> inputs_;
  std::map<std::pair<std::filesystem::path, std::string>, Result> results_;
};

QTEST_GUILESS_MAIN(TestIoProperties)
#include "test_io_properties.moc"
