// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Attributes of OpenEXR files, made and found byte by byte: those of any type stay, or are named;
// those about colours stay without other metadata.
#include <QTest>
#include <cstring>
#include <map>

#include "io/raw_files.hpp"
#include "support/files.hpp"

using namespace std::string_literals;
using namespace sfumato;
using namespace sfumato::testing;

namespace {

std::string number(std::uint64_t value, int bytes = 4) {
  std::string out;
  for (int i = 0; i < bytes; ++i) out.push_back(static_cast<char>(value >> 8 * i & 0xff));
  return out;
}

std::string real(float value) {
  std::string out(4, '\0');
  std::memcpy(out.data(), &value, 4);
  return out;
}

std::string attribute(const std::string& name, const std::string& type, const std::string& value) {
  return name + '\0' + type + '\0' + number(value.size()) + value;
}

// The attributes that every part has, of a row of two pixels.
std::string usual(int part, bool several) {
  std::string channels;
  for (const char* name : {"B", "G", "R"}) {
    channels += name + "\0"s + number(2) + number(0) + number(1) + number(1);
  }
  const std::string window = number(0) + number(0) + number(1) + number(0);
  std::string out =
      attribute("channels", "chlist", channels + '\0') +
      attribute("compression", "compression", "\0"s) + attribute("dataWindow", "box2i", window) +
      attribute("displayWindow", "box2i", window) + attribute("lineOrder", "lineOrder", "\0"s) +
      attribute("pixelAspectRatio", "float", real(1)) +
      attribute("screenWindowCenter", "v2f", real(0) + real(0)) +
      attribute("screenWindowWidth", "float", real(1));
  if (!several) return out;
  return out + attribute("name", "string", "part" + std::to_string(part)) +
         attribute("type", "string", "scanlineimage") + attribute("chunkCount", "int", number(1));
}

// A file whose parts have these attributes besides.
std::string exr(const std::vector<std::string>& parts) {
  const bool several = parts.size() > 1;
  std::string head = "\x76\x2f\x31\x01"s + number(several ? 0x1002 : 2), table, rows;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    head += usual(static_cast<int>(i), several) + parts[i] + '\0';
  }
  if (several) head += '\0';
  for (std::size_t i = 0; i < parts.size(); ++i) {
    table += number(head.size() + 8 * parts.size() + rows.size(), 8);
    if (several) rows += number(i);
    rows += number(0) + number(24);
    for (int k = 0; k < 6; ++k) rows += real(0.125f * static_cast<float>(k + 1));
  }
  return head + table + rows;
}

// The attributes of each part, with their types.
std::vector<std::map<std::string, std::string>> attributes_in(const std::string& file) {
  std::vector<std::map<std::string, std::string>> out(1);
  const bool several = (file.at(5) & 0x10) != 0;
  for (std::size_t at = 8;;) {
    if (file.at(at) == '\0') {
      ++at;
      if (!several) return out;
      if (out.back().empty()) break;
      out.emplace_back();
      continue;
    }
    const std::size_t type = file.find('\0', at) + 1, size = file.find('\0', type) + 1;
    std::uint32_t bytes = 0;
    std::memcpy(&bytes, file.data() + size, 4);
    out.back()[file.substr(at, type - at - 1)] =
        file.substr(type, size - type - 1) + ":" + file.substr(size + 4, bytes);
    at = size + 4 + bytes;
  }
  out.pop_back();
  return out;
}

std::string floats(const std::vector<float>& values) {
  std::string out;
  for (const float one : values) out += real(one);
  return out;
}

}  // namespace

class TestIoExrAttributes : public QObject {
  Q_OBJECT

  Folder folder_;
  std::vector<std::string> said_;

  std::vector<std::map<std::string, std::string>> copied(const std::string& file,
                                                         WriteOptions options = {}) {
    put(folder_ / "a.exr", file);
    options.overwrite = true;
    said_ = pass_through(folder_ / "a.exr", folder_ / "b.exr", options);
    return attributes_in(content(folder_ / "b.exr"));
  }
  std::string said_of(const std::string& file, const std::string& name) {
    put(folder_ / "a.exr", file);
    std::string all;
    for (const std::string& one :
         pass_through(folder_ / "a.exr", folder_ / name, {.overwrite = true})) {
      all += one;
    }
    return all;
  }

 private slots:
  void types_that_nobody_knows() {
    const std::string one = attribute("note", "studioNote", "\1\2 any bytes\0\xff"s),
                      two = attribute("bounce", "envmap", "\1");
    const auto all = copied(exr({one + two}));
    QVERIFY(said_.empty());
    QCOMPARE(all.at(0).at("note"), "studioNote:\1\2 any bytes\0\xff"s);
    QCOMPARE(all.at(0).at("bounce"), "envmap:\1"s);
    QVERIFY(values_of(folder_ / "a.exr") == values_of(folder_ / "b.exr"));
    QCOMPARE(copied(exr({one}), {.keep_metadata = false}).at(0).count("note"), 0u);
    const std::string said = said_of(exr({one + two}), "b.png");
    QVERIFY2(said.find("note (studioNote), bounce (envmap)") != std::string::npos, said.c_str());
  }

  // Under names of their own, all types stay as they are.
  void types_of_other_names_data() {
    QTest::addColumn<QString>("type");
    QTest::addColumn<QByteArray>("value");
    const auto row = [](const char* name, const char* type, const std::string& value) {
      QTest::newRow(name) << QString(type) << QByteArray::fromStdString(value);
    };
    const std::string channels = "A\0"s + number(2) + number(0) + number(1) + number(1) + '\0';
    row("order of rows", "lineOrder", "\1");
    row("compression", "compression", "\1");
    row("channels", "chlist", channels);
    row("tiles", "tiledesc", number(32) + number(32) + '\0');
    row("depth", "deepImageState", "\1");
    row("preview", "preview", number(1) + number(1) + "rgba");
    row("primaries", "chromaticities", floats({.1f, .2f, .3f, .4f, .5f, .6f, .7f, .8f}));
    row("no text", "string", "");
    row("no texts", "stringvector", "");
    row("texts", "stringvector", number(0) + number(2) + "ab");
    row("two parts", "string", "a\0b"s);
    for (const int count : {0, 1, 2, 3, 4, 8, 9, 16, 17}) {
      const std::string name = std::to_string(count) + " numbers";
      row(name.c_str(), "floatvector",
          floats(std::vector<float>(static_cast<std::size_t>(count), 1.5f)));
    }
    row("double", "double", number(1, 8));
    row("matrix", "m33d", std::string(72, '\1'));
    row("fraction", "rational", number(24000) + number(1001));
  }
  void types_of_other_names() {
    QFETCH(const QString, type);
    QFETCH(const QByteArray, value);
    const std::string kind = type.toStdString(), bytes = value.toStdString();
    const std::string one = attribute("mine", kind, bytes);
    for (const auto& part : copied(exr({one, one}))) {
      QVERIFY(said_.empty());
      QCOMPARE(part.at("mine"), kind + ":" + bytes);
      QCOMPARE(part.size(), attributes_in(exr({one, one})).at(0).size());
    }
    QCOMPARE(copied(exr({one})).at(0).at("mine"), kind + ":" + bytes);
    QCOMPARE(copied(exr({one}), {.keep_metadata = false}).at(0).count("mine"), 0u);
    // What says something is named by other formats.
    const std::string said = said_of(exr({one}), "b.bmp");
    const bool named = said.find("mine") != said.npos || said.find("comments") != said.npos ||
                       said.find("other numbers in attributes") != said.npos;
    QVERIFY2(named || bytes.find_first_not_of('\0') == bytes.npos, said.c_str());
  }

  // Names that OpenImageIO takes for its own.
  void names_with_other_types() {
    const std::vector<std::pair<std::string, std::string>> numbers = {
        {"owner", "int"},     {"capDate", "int"},  {"comments", "int"},
        {"aperture", "int"},  {"xDensity", "int"}, {"wrapmodes", "int"},
        {"oiio:mine", "int"}, {"fovcot", "int"},   {"openexr:lineOrder", "int"}};
    std::string all;
    for (const auto& [name, type] : numbers) all += attribute(name, type, number(5));
    const auto kept = copied(exr({all}));
    QVERIFY2(said_.empty(), said_.empty() ? "" : said_[0].c_str());
    for (const auto& [name, type] : numbers) QCOMPARE(kept.at(0).at(name), type + ":" + number(5));
    // What would say how the file is stored is named.
    QCOMPARE(copied(exr({attribute("tiles", "string", "x")})).at(0).count("tiles"), 0u);
    QVERIFY(said_.size() == 1 && said_[0].find("tiles (string)") != std::string::npos);
  }

  void texts_without_a_place() {
    const std::string file =
        exr({attribute("Creator", "string", "someone") + attribute("my:key", "string", "mine") +
             attribute("Keywords", "string", "red") + attribute("note", "string", "a comment")});
    QVERIFY(copied(file).size() == 1 && said_.empty());
    const std::string jpeg = said_of(file, "b.jpg"), webp = said_of(file, "b.webp");
    QVERIFY2(jpeg.find("the attributes Creator, my:key of") != std::string::npos, jpeg.c_str());
    QVERIFY2(webp.find("Creator, Keywords, my:key of") != std::string::npos, webp.c_str());
  }

  void each_part_keeps_its_own() {
    const auto note = [](const char* text) { return attribute("note", "studioNote", text); };
    const auto all = copied(exr({note("first"), "", note("third, longer")}));
    QVERIFY(said_.empty());
    QCOMPARE(all.size(), 3u);
    QCOMPARE(all[0].at("note"), "studioNote:first"s);
    QCOMPARE(all[1].count("note"), 0u);
    QCOMPARE(all[2].at("note"), "studioNote:third, longer"s);
    for (int part = 0; part < 3; ++part) {
      QVERIFY(values_of(folder_ / "a.exr", part) == values_of(folder_ / "b.exr", part));
    }
  }

  // Heads stay short, and need no mark of long names.
  void what_is_too_long_is_named() {
    const std::string large = attribute("large", "studioNote", std::string(1 << 20, 'x'));
    const auto all = copied(exr({large + attribute("note", "studioNote", "kept")}));
    QCOMPARE(all.at(0).count("large"), 0u);
    QCOMPARE(all.at(0).at("note"), "studioNote:kept"s);
    QVERIFY(said_.size() == 1 && said_[0].find("large (studioNote)") != std::string::npos);
    QVERIFY(values_of(folder_ / "a.exr") == values_of(folder_ / "b.exr"));
  }

  void cut_headers() {
    const std::string file = exr({attribute("note", "studioNote", "first"), ""});
    for (std::size_t size = 8; size < file.size(); size += 7) {
      put(folder_ / "cut.exr", file.substr(0, size));
      refusal([&] { pass_through(folder_ / "cut.exr", folder_ / "cut.png"); });
    }
  }

  void colours_are_no_metadata() {
    const std::vector<float> p3 = {0.68f, 0.32f, 0.265f, 0.69f, 0.15f, 0.06f, 0.3127f, 0.329f},
                             srgb = {0.64f, 0.33f, 0.3f, 0.6f, 0.15f, 0.06f, 0.3127f, 0.329f};
    for (const auto& numbers : {p3, srgb}) {
      const std::string said = attribute("chromaticities", "chromaticities", floats(numbers)) +
                               attribute("adoptedNeutral", "v2f", floats({0.3f, 0.31f})) +
                               attribute("whiteLuminance", "float", real(203));
      for (const auto& part : copied(exr({said, said}), {.keep_metadata = false})) {
        QCOMPARE(part.at("chromaticities"), "chromaticities:" + floats(numbers));
        QCOMPARE(part.at("adoptedNeutral"), "v2f:" + floats({0.3f, 0.31f}));
        QCOMPARE(part.at("whiteLuminance"), "float:" + real(203));
      }
    }
  }
};

QTEST_GUILESS_MAIN(TestIoExrAttributes)
#include "test_io_exr_attributes.moc"
