// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Pictures in ICO files: their palettes and masks against ImageMagick, damaged ones among sound
// ones.
#include <QTest>

#include "io/property_inputs.hpp"
#include "support/skips.hpp"

using namespace sfumato;
using namespace sfumato::testing;

namespace {

// In the order of the file, whatever `bytes`: of 8, two numbers of 4.
std::string little(std::uint64_t value, int bytes) {
  std::string out;
  for (int i = 0; i < bytes; ++i) out.push_back(static_cast<char>(value >> 8 * i));
  return out;
}

}  // namespace

class TestIoIcons : public QObject {
  Q_OBJECT

  Folder folder_;

  // One picture, its colours, rows and mask of numbers at random; opacity of 32 bits is not.
  static std::string rows_of(std::uint32_t width, std::uint32_t height, std::uint32_t bits,
                             bool opacity = true) {
    std::uint32_t seed = width + bits;
    const auto random = [&seed](std::size_t count) {
      std::string out;
      for (std::size_t i = 0; i < count; ++i) {
        seed = seed * 1664525 + 1013904223;
        out += static_cast<char>(seed >> 24);
      }
      return out;
    };
    std::string rows = random((width * bits + 31) / 32 * 4 * height);
    for (std::size_t i = 3; bits == 32 && !opacity && i < rows.size(); i += 4) rows[i] = '\0';
    const std::string colors = bits <= 8 ? random(std::size_t{4} << bits) : "",
                      mask = random((width + 31) / 32 * 4 * height);
    return little(40, 4) + little(width, 4) + little(2 * height, 4) + little(1, 2) +
           little(bits, 2) + std::string(24, '\0') + colors + rows + mask;
  }
  static std::string icons_of(const std::vector<std::string>& pictures) {
    std::string list, data;
    const auto begin = static_cast<std::uint32_t>(6 + 16 * pictures.size());
    for (const std::string& one : pictures) {
      const bool rows = one.size() > 40 && one[0] == 40;
      list +=
          rows ? one.substr(4, 1) + static_cast<char>(one[8] / 2) + little(0, 2) + one.substr(12, 4)
               : little(0, 8);
      list += little(static_cast<std::uint32_t>(one.size()), 4) +
              little(begin + static_cast<std::uint32_t>(data.size()), 4);
      data += one;
    }
    return little(0, 2) + little(1, 2) + little(static_cast<std::uint32_t>(pictures.size()), 2) +
           list + data;
  }
  static std::string icon(std::uint32_t width, std::uint32_t height, std::uint32_t bits,
                          bool opacity = true) {
    return icons_of({rows_of(width, height, bits, opacity)});
  }

  std::string png() {
    make_file(folder_ / "in.png", {OIIO::ImageSpec(20, 10, 4, OIIO::TypeDesc::UINT8)});
    return content(folder_ / "in.png");
  }
  std::unique_ptr<InputPicture> opened(const std::string& bytes, int page = 0) {
    put(folder_ / "p.ico", bytes);
    ReadOptions options;
    options.page = page;
    return open_picture(folder_ / "p.ico", options);
  }
  // The width of the picture that is read first, and what is left out.
  std::pair<int, std::string> first_of(const std::vector<std::string>& pictures) {
    const auto picture = opened(icons_of(pictures));
    read_all(*picture);
    for (const Message& said : picture->info().warnings) {
      const std::string text = in_english(said);
      const std::size_t at = text.find("left out: ");
      if (said.id == "file.unread_pictures") return {picture->format().width, text.substr(at + 10)};
    }
    return {picture->format().width, ""};
  }

 private slots:
  void initTestCase() {
    if (QStandardPaths::findExecutable("convert").isEmpty()) SKIP_WITHOUT("a tool for pictures");
  }

  // Masks of any width, and all palettes.
  void icons() {
    for (const std::uint32_t width : {4, 16, 20, 33}) {
      for (const std::uint32_t bits : {1, 4, 8, 24, 32}) {
        put(folder_ / "i.ico", icon(width, 5, bits));
        copy_picture(folder_ / "i.ico", folder_ / "ours.png", {.overwrite = true});
        output_of("convert", {text_of(folder_ / "i.ico") + "[0]", "-depth", "8",
                              "PNG32:" + text_of(folder_ / "theirs.png")});
        const std::vector<float> ours = values_of(folder_ / "ours.png"),
                                 theirs = values_of(folder_ / "theirs.png");
        QCOMPARE(ours.size(), std::size_t{width * 5 * 4});
        QCOMPARE(theirs.size(), ours.size());
        for (std::size_t i = 0; i < ours.size(); ++i) {
          const bool unseen = theirs[i / 4 * 4 + 3] == 0 && i % 4 != 3;
          QVERIFY2(unseen || ours[i] == theirs[i],
                   qPrintable(QString("%1 of %2 bits: %3").arg(width).arg(bits).arg(i)));
        }
      }
    }
    // Without opacity of its own, the mask counts.
    put(folder_ / "i.ico", icon(16, 5, 32, false));
    copy_picture(folder_ / "i.ico", folder_ / "ours.png", {.overwrite = true});
    const std::vector<float> values = values_of(folder_ / "ours.png");
    std::size_t opaque = 0;
    for (std::size_t i = 3; i < values.size(); i += 4) opaque += values[i] == 1 ? 1u : 0u;
    QVERIFY(opaque > 10 && opaque < 70);
  }

  void damaged_icons() {
    const std::string whole = icon(16, 5, 8);
    for (const std::size_t size :
         {std::size_t{6}, std::size_t{21}, std::size_t{40}, std::size_t{100}, whole.size() - 30}) {
      put(folder_ / "i.ico", whole.substr(0, size));
      QVERIFY(!refusal([&] { read_all(*open_picture(folder_ / "i.ico")); }).empty());
    }
    for (const auto& [at, value] : {std::pair<std::size_t, std::uint32_t>(18, 0xfffffff0),
                                    {26, 0x7fffffff},
                                    {26, 32768},
                                    {36, 64},
                                    {38, 1},
                                    {54, 1}}) {
      std::string bytes = whole;
      const int count = at == 36 ? 2 : 4;
      put(folder_ / "i.ico",
          bytes.replace(at, static_cast<std::size_t>(count), little(value, count)));
      QVERIFY(!refusal([&] { read_all(*open_picture(folder_ / "i.ico")); }).empty());
    }
  }

  // Damaged pictures of every kind, and one of a kind that is not read, hide no others.
  void damaged_among_sound() {
    const std::string a = rows_of(7, 5, 24), b = rows_of(9, 9, 32), whole = png();
    using Expected = std::pair<int, std::string>;
    QCOMPARE(first_of({a, b, whole}), Expected(7, ""));
    const std::vector<std::string> faults = {"xx", rows_of(7, 5, 16), rows_of(0, 5, 24),
                                             whole.substr(0, 20),
                                             whole.substr(0, whole.size() / 2) + "more"};
    for (const std::string& fault : faults) {
      QCOMPARE(first_of({a, fault, b}), Expected(7, "2"));
      QCOMPARE(first_of({fault, fault, b, fault}), Expected(9, "1, 2, 4"));
      QCOMPARE(first_of({fault, whole}), Expected(20, "1"));
      const std::string bytes = icons_of({fault, a, fault, b});
      QCOMPARE(opened(bytes, 2)->format().width, 7);
      QCOMPARE(opened(bytes, 4)->format().width, 9);
      QVERIFY(opened(bytes, 4)->info().warnings.empty());
      for (const int page : {1, 3}) {
        const std::string why = refusal([&] { read_all(*opened(bytes, page)); });
        QVERIFY2(why.find("age") != std::string::npos || why.find("cut short") != std::string::npos,
                 why.c_str());
      }
      QVERIFY(refusal([&] { opened(bytes, 5); }).find("last one") != std::string::npos);
      QCOMPARE(count_pages(folder_ / "p.ico", {}), 4);
      QVERIFY(!refusal([&] { read_all(*opened(icons_of({fault}))); }).empty());
    }
  }

  // Cut anywhere, PNG files in an icon are refused in the decoder's own words.
  void cut_png() {
    const std::string whole = png(), bytes = icons_of({whole});
    for (std::size_t size = bytes.size() - whole.size(); size < bytes.size(); size += 7) {
      for (const int page : {0, 1}) {
        const std::string why = refusal([&] { read_all(*opened(bytes.substr(0, size), page)); });
        QVERIFY(!why.empty());
        QVERIFY2(why.find("ended") == std::string::npos, why.c_str());
      }
    }
    const auto read = opened(bytes);
    QCOMPARE(read->format().width, 20);
    QCOMPARE(read->format().channels, 4);
    copy_picture(folder_ / "p.ico", folder_ / "out.png", {.overwrite = true});
    QVERIFY(values_of(folder_ / "out.png") == values_of(folder_ / "in.png"));
  }

  void many_of_one_place() {
    std::string list;
    for (int i = 0; i < 65535; ++i) list += little(0, 8) + little(0, 4) + little(4, 4);
    const std::string bytes = little(0, 2) + little(1, 2) + little(65535, 2) + list;
    QVERIFY(!refusal([&] { read_all(*opened(bytes)); }).empty());
  }
};

QTEST_GUILESS_MAIN(TestIoIcons)
#include "test_io_icons.moc"
