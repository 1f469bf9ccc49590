// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What headers of TGA, BMP, DDS, SGI, DPX and GIF files say about their samples, against
// ImageMagick, ffmpeg and by hand.
#include <QTest>
#include <cmath>

#include "io/property_inputs.hpp"
#include "support/skips.hpp"

using namespace sfumato;
using namespace sfumato::testing;

namespace {

std::string little(std::uint32_t value, int bytes) {
  return TiffWriter::number(value, bytes);
}

// Two rows of four pixels, B, G, R and a fourth byte, the same everywhere.
std::string bmp(const std::string& pixel, std::uint32_t compression, const std::string& masks) {
  std::string data;
  for (int i = 0; i < 8; ++i) data += pixel;
  const auto offset = static_cast<std::uint32_t>(54 + masks.size());
  return "BM" + little(offset + 32, 4) + little(0, 4) + little(offset, 4) + little(40, 4) +
         little(4, 4) + little(2, 4) + little(1, 2) + little(32, 2) + little(compression, 4) +
         little(32, 4) + little(2835, 4) + little(2835, 4) + little(0, 4) + little(0, 4) + masks +
         data;
}

// The same in a TGA file, with an extension area that says what opacity is, or none.
std::string targa(const std::string& pixel, int depth, int kind, std::optional<int> alpha) {
  std::string out = std::string("\0\0", 2) + static_cast<char>(kind) + std::string(9, '\0') +
                    little(4, 2) + little(2, 2) + static_cast<char>(depth) + '\x28';
  for (int i = 0; i < 8; ++i) out += pixel;
  if (!alpha) return out;
  const auto area = static_cast<std::uint32_t>(out.size());
  return out + little(495, 2) + std::string(492, '\0') + static_cast<char>(*alpha) +
         little(area, 4) + little(0, 4) + std::string("TRUEVISION-XFILE.\0", 18);
}

}  // namespace

class TestIoRasterHeaders : public QObject {
  Q_OBJECT

  Folder folder_;

  // The first pixel of a copy as PNG, in 8 bits.
  std::vector<int> pixel_of(const std::string& bytes, const std::string& name) {
    put(folder_ / name, bytes);
    copy_picture(folder_ / name, folder_ / "copy.png", {.bits = SampleType::u8, .overwrite = true});
    const int channels = spec_of(folder_ / "copy.png").nchannels;
    const std::vector<float> values = values_of(folder_ / "copy.png");
    std::vector<int> out;
    for (int c = 0; c < channels; ++c) {
      out.push_back(static_cast<int>(std::lround(255 * values[static_cast<std::size_t>(c)])));
    }
    return out;
  }
  using Pixel = std::vector<int>;

 private slots:
  void initTestCase() {
    for (const char* program : {"convert", "ffmpeg"}) {
      if (QStandardPaths::findExecutable(program).isEmpty()) SKIP_WITHOUT("a tool for pictures");
    }
    // Red, green, blue and opacity, each with a gradient of its own.
    output_of("convert", {"-size",  "48x48",    "gradient:", "(", "-clone",
                          "0",      "-rotate",  "90",        ")", "(",
                          "-clone", "0",        "-negate",   ")", "(",
                          "-clone", "1",        "-negate",   ")", "-channel",
                          "RGBA",   "-combine", "-depth",    "8", text_of(folder_ / "rgba.png")});
    output_of("convert", {text_of(folder_ / "rgba.png"), "-colorspace", "Gray", "-depth", "8",
                          "PNG32:" + text_of(folder_ / "gray.png")});
    QCOMPARE(spec_of(folder_ / "rgba.png").nchannels, 4);
  }

  // Opacity is straight where nothing says otherwise.
  void straight_alpha_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : {"a.sgi", "a.ico"}) QTest::newRow(name) << name;
  }

  void straight_alpha() {
    QFETCH(const QString, name);
    const auto made = folder_ / name.toStdString();
    output_of("convert", {text_of(folder_ / "rgba.png"), "-compress", "RLE", text_of(made)});
    copy_picture(made, folder_ / "ours.png", {.bits = SampleType::u8, .overwrite = true});
    output_of("convert",
              {text_of(made) + "[0]", "-depth", "8", "PNG32:" + text_of(folder_ / "theirs.png")});
    const std::vector<float> ours = values_of(folder_ / "ours.png"),
                             theirs = values_of(folder_ / "theirs.png");
    QCOMPARE(ours.size(), theirs.size());
    QCOMPARE(ours.size(), std::size_t{48 * 48 * 4});
    for (std::size_t i = 0; i < ours.size(); ++i) {
      // Colours below little opacity are rounded, those below none mean nothing.
      const float alpha = i % 4 == 3 ? 1 : theirs[i / 4 * 4 + 3];
      QVERIFY2(std::abs(ours[i] - theirs[i]) * alpha < 0.011f,
               qPrintable(QString("%1: %2, %3").arg(i).arg(ours[i]).arg(theirs[i])));
    }
  }

  void targa_says_what_alpha_is() {
    const std::string pixel = "\x28\x3c\x50\x80";  // blue 40, green 60, red 80, opacity 128
    QCOMPARE(pixel_of(targa(pixel, 32, 2, std::nullopt), "a.tga"), Pixel({80, 60, 40, 128}));
    QCOMPARE(pixel_of(targa(pixel, 32, 2, 3), "a.tga"), Pixel({80, 60, 40, 128}));
    const Pixel divided = pixel_of(targa(pixel, 32, 2, 4), "a.tga");
    QCOMPARE(divided, Pixel({159, 120, 80, 128}));
    // Gray and opacity.
    QCOMPARE(pixel_of(targa("\x32\x46", 16, 3, std::nullopt), "g.tga"), Pixel({50, 70}));
  }

  // An extension area may say that the last sample is none, or leave it unsaid.
  void targa_says_that_there_is_no_alpha() {
    const std::string pixel = "\x28\x3c\x50\x80";
    QCOMPARE(pixel_of(targa(pixel, 32, 2, 1), "n.tga"), Pixel({80, 60, 40}));
    QCOMPARE(pixel_of(targa(pixel, 32, 2, 0), "n.tga"), Pixel({80, 60, 40, 128}));
    std::string bytes = targa(pixel, 32, 2, 0);
    bytes[17] = '\x20';  // no bits of it
    QCOMPARE(pixel_of(bytes, "n.tga"), Pixel({80, 60, 40}));
    QCOMPARE(pixel_of(targa("\x32\x46", 16, 3, 1), "n.tga"), Pixel({50}));
  }

  // A row of `width` pixels whose colours are in a map.
  static std::string mapped(const std::string& map, int entry_bits, std::uint32_t first,
                            const std::string& row, int depth, int alpha_bits, int kind,
                            std::uint32_t width) {
    const auto step = static_cast<std::size_t>((entry_bits + 7) / 8);
    return std::string("\0\1", 2) + static_cast<char>(kind) + little(first, 2) +
           little(static_cast<std::uint32_t>(map.size() / step), 2) +
           static_cast<char>(entry_bits) + std::string(4, '\0') + little(width, 2) + little(1, 2) +
           static_cast<char>(depth) + static_cast<char>(0x20 | alpha_bits) + map + row;
  }
  std::vector<int> row_of(const std::string& bytes) {
    put(folder_ / "m.tga", bytes);
    copy_picture(folder_ / "m.tga", folder_ / "m.png", {.overwrite = true});
    std::vector<int> out;
    for (const float value : values_of(folder_ / "m.png")) {
      out.push_back(static_cast<int>(std::lround(255 * value)));
    }
    return out;
  }

  // Numbers 2 and 3 have colours.
  void palettes_from_within() {
    const std::string map = "\1\2\3\x28\x3c\x50";
    const Pixel wanted{80, 60, 40, 3, 2, 1, 80, 60, 40};
    QCOMPARE(row_of(mapped(map, 24, 2, "\3\2\3", 8, 0, 1, 3)), wanted);
    const std::string runs = std::string("\x80\3\1\2\3", 5);
    QCOMPARE(row_of(mapped(map, 24, 2, runs, 8, 0, 9, 3)), wanted);
    QCOMPARE(row_of(mapped(map, 24, 2, std::string("\3\0\2\0\3\0", 6), 16, 0, 1, 3)), wanted);
    for (const char* beyond : {"\3\1\3", "\3\4\3"}) {
      put(folder_ / "m.tga", mapped(map, 24, 2, beyond, 8, 0, 1, 3));
      const std::string why =
          refusal([&] { copy_picture(folder_ / "m.tga", folder_ / "m.png", {.overwrite = true}); });
      QVERIFY2(why.find("not in the palette") != std::string::npos, why.c_str());
    }
    put(folder_ / "m.tga", mapped(map, 24, 2, "\3\2\3\3\2\3\3\2\3", 24, 0, 1, 3));
    QVERIFY(refusal([&] { open_picture(folder_ / "m.tga"); }).find("24 bits") != std::string::npos);
    put(folder_ / "m.tga", mapped(map, 24, 2, "\3\2", 8, 0, 1, 3));
    QVERIFY(refusal([&] { open_picture(folder_ / "m.tga"); }).find("cut short") !=
            std::string::npos);
  }

  void palettes_with_opacity() {
    const std::string half("\1\2\3\x80\4\5\6\xff", 8), none("\1\2\3\0\4\5\6\0", 8),
        all("\1\2\3\xff\4\5\6\xff", 8), row("\0\1", 2);
    const Pixel opaque{3, 2, 1, 6, 5, 4};
    for (const int bits : {0, 8}) {
      QCOMPARE(row_of(mapped(half, 32, 0, row, 8, bits, 1, 2)),
               Pixel({3, 2, 1, 128, 6, 5, 4, 255}));
      QCOMPARE(row_of(mapped(all, 32, 0, row, 8, bits, 1, 2)), opaque);
    }
    QCOMPARE(row_of(mapped(none, 32, 0, row, 8, 0, 1, 2)), opaque);
    // Five bits of each colour, and one of opacity.
    const std::string bits = little(0x8000 | 31 << 10 | 3, 2) + little(16 << 5, 2);
    QCOMPARE(row_of(mapped(bits, 16, 0, row, 8, 1, 1, 2)), Pixel({255, 0, 25, 255, 0, 132, 0, 0}));
    QCOMPARE(row_of(mapped(bits, 16, 0, row, 8, 0, 1, 2)), Pixel({255, 0, 25, 0, 132, 0}));
  }

  void bits_of_opacity() {
    const auto file = [](const std::string& row, int alpha_bits) {
      std::string out = mapped("", 8, 0, row, 16, alpha_bits, 2, 2);
      out[1] = '\0';
      return out;
    };
    const std::string seen = little(0x8000 | 31 << 10 | 3, 2) + little(16 << 5, 2),
                      unseen = little(31 << 10 | 3, 2) + little(16 << 5, 2);
    const Pixel opaque{255, 0, 25, 0, 132, 0};
    QCOMPARE(row_of(file(seen, 1)), Pixel({255, 0, 25, 255, 0, 132, 0, 0}));
    QCOMPARE(row_of(file(seen, 0)), opaque);
    QCOMPARE(row_of(file(unseen, 1)), opaque);
  }

  // An order of rows that TGA 2.0 no longer has.
  void interleaved_rows() {
    std::string bytes = targa("\x28\x3c\x50", 24, 2, std::nullopt);
    for (const char bits : {'\x40', '\x80'}) {
      bytes[17] = static_cast<char>(0x20 | bits);
      put(folder_ / "i.tga", bytes);
      const std::string why = refusal([&] { open_picture(folder_ / "i.tga"); });
      QVERIFY2(why.find("interleaved") != std::string::npos, why.c_str());
    }
  }

  // Numbers of colours are not gray.
  void colour_maps_of_sgi() {
    std::string bytes = big_endian_bytes(474, 2) + std::string("\0\1\0\2", 4) +
                        big_endian_bytes(2, 2) + big_endian_bytes(2, 2) + big_endian_bytes(1, 2);
    bytes += std::string(512 - bytes.size(), '\0') + "\x50\x50\x50\x50";
    QCOMPARE(pixel_of(bytes, "g.sgi"), Pixel({80}));
    for (const char kind : {'\1', '\2', '\3'}) {
      bytes[107] = kind;
      put(folder_ / "c.sgi", bytes);
      const std::string why = refusal([&] { open_picture(folder_ / "c.sgi"); });
      QVERIFY2(why.find("colour map") != std::string::npos, why.c_str());
    }
  }

  // A size that no memory holds: of a canvas, only rows on which something is drawn take memory.
  void sizes_beyond_memory() {
    std::string bytes = transparent_gif();
    put(folder_ / "a.gif", bytes.replace(6, 4, "\xff\xff\xff\xff"));
    const std::string why = refusal([&] { open_picture(folder_ / "a.gif"); });
    QVERIFY2(why.find("more than the limit") != std::string::npos, why.c_str());
    ReadOptions options;
    options.max_pixels = 5'000'000'000;
    const auto picture = open_picture(folder_ / "a.gif", options);
    std::vector<unsigned char> row(picture->format().row_bytes(), 1);
    picture->read({0, 0, picture->format().width, 1}, row.data(), std::ssize(row));
    QVERIFY(std::all_of(row.end() - 400, row.end(), [](unsigned char code) { return code == 0; }));
  }

  // Two rows of two pixels.
  static std::string dds(std::uint32_t flags, std::uint32_t bits,
                         const std::array<std::uint32_t, 4>& masks, const std::string& data) {
    std::string out = "DDS " + little(124, 4) + little(0x1007, 4) + little(2, 4) + little(2, 4);
    out += std::string(76 - out.size(), '\0') + little(32, 4) + little(flags, 4) + little(0, 4) +
           little(bits, 4);
    for (const std::uint32_t mask : masks) out += little(mask, 4);
    return out + little(0x1000, 4) + std::string(16, '\0') + data;
  }

  void palettes_of_dds() {
    std::string colors;
    for (std::uint32_t i = 0; i < 256; ++i) colors += little(i | 60 << 8 | (255 - i) << 16, 4);
    const std::string file = dds(0x20, 8, {}, colors + std::string("\x50\1\2\3", 4));
    QCOMPARE(pixel_of(file, "p.dds"), Pixel({80, 60, 175}));
    output_of("ffmpeg", {"-v", "error", "-y", "-i", text_of(folder_ / "p.dds"), "-pix_fmt", "rgb24",
                         text_of(folder_ / "theirs.png")});
    QVERIFY(values_of(folder_ / "copy.png") == values_of(folder_ / "theirs.png"));
    std::string clear = file;
    clear[128 + 4 * 80 + 3] = '\x80';
    QCOMPARE(pixel_of(clear, "p.dds"), Pixel({80, 60, 175, 128}));
    put(folder_ / "p.dds", file.substr(0, file.size() - 1));
    QVERIFY(refusal([&] { open_picture(folder_ / "p.dds"); }).find("cut short") !=
            std::string::npos);
  }

  void masks_of_dds() {
    const std::array<std::uint32_t, 4> rgb = {0xff0000, 0xff00, 0xff, 0};
    const std::string four = "\x28\x3c\x50\x80", data = four + four + four + four;
    QCOMPARE(pixel_of(dds(0x40, 32, rgb, data), "m.dds"), Pixel({80, 60, 40}));
    // Opacity is stated, but without bits.
    QCOMPARE(pixel_of(dds(0x41, 32, rgb, data), "m.dds"), Pixel({80, 60, 40}));
    QCOMPARE(pixel_of(dds(0x41, 32, {0xff0000, 0xff00, 0xff, 0xff000000}, data), "m.dds"),
             Pixel({80, 60, 40, 128}));
    QCOMPARE(pixel_of(dds(0x20001, 16, {0xff, 0, 0, 0xff00}, data), "m.dds"), Pixel({40, 60}));
    QCOMPARE(pixel_of(dds(0x40, 16, {0xf800, 0x7e0, 0x1f, 0}, data), "m.dds"),
             Pixel({58, 134, 66}));
    put(folder_ / "m.dds", dds(0x40, 32, {0x3ff00000, 0xffc00, 0x3ff, 0}, data));
    QCOMPARE(open_picture(folder_ / "m.dds")->format().type, SampleType::u16);
    for (const auto& [flags, bits] : {std::pair<std::uint32_t, std::uint32_t>(0x40, 32),
                                      {0x20000, 8},
                                      {0x2, 8},
                                      {0x200, 16},
                                      {0x21, 16},
                                      {0x40, 64}}) {
      put(folder_ / "m.dds", dds(flags, bits, {}, data + data));
      QVERIFY(!refusal([&] { open_picture(folder_ / "m.dds"); }).empty());
    }
    std::string large = dds(0x40, 32, rgb, data);
    large.replace(12, 8, little(1 << 14, 4) + little(1 << 14, 4));
    put(folder_ / "m.dds", large);
    QVERIFY(refusal([&] { open_picture(folder_ / "m.dds"); }).find("cut short") !=
            std::string::npos);
  }

  // What is no ordinary picture is read, and named.
  void dds_of_other_kinds() {
    const auto said = [&](const std::string& file) {
      put(folder_ / "k.dds", file);
      std::vector<std::string> ids;
      const auto picture = open_picture(folder_ / "k.dds");
      for (const Message& m : picture->info().warnings) ids.push_back(m.id);
      return std::pair(ids, picture->format().height);
    };
    const std::array<std::uint32_t, 4> rgb = {0xff0000, 0xff00, 0xff, 0};
    const std::string face(16, '\x40');
    std::string cube = dds(0x40, 32, rgb, face + face + face + face + face + face);
    using Said = std::pair<std::vector<std::string>, int>;
    QVERIFY(said(cube) == Said({}, 2));
    cube.replace(112, 4, little(0xfe00, 4));
    QVERIFY(said(cube) == Said({"dds.faces"}, 12));
    // Blocks of 4 x 4 pixels, compressed (BC1): OpenImageIO lays faces side by side, too.
    std::string blocks = dds(0x4, 0, {}, std::string(48, '\x40'));
    blocks.replace(12, 8, little(4, 4) + little(4, 4)).replace(84, 4, "DXT1");
    blocks.replace(108, 8, little(0x1008, 4) + little(0xfe00, 4));
    QVERIFY(said(blocks).first == std::vector<std::string>{"dds.faces"});
    QVERIFY(said(dds(0x2, 8, {0, 0, 0, 0xff}, "\1\2\3\4")) == Said({"dds.opacity_alone"}, 2));
    QVERIFY(said(dds(0x20001, 16, {0xff, 0, 0, 0xff00}, face)) == Said({}, 2));
  }

  void fourth_bytes_of_bmp() {
    const std::string seen = "\x28\x3c\x50\x80", unused("\x28\x3c\x50\0", 4);
    QCOMPARE(pixel_of(bmp(unused, 0, ""), "a.bmp"), Pixel({80, 60, 40}));
    QCOMPARE(pixel_of(bmp(seen, 0, ""), "a.bmp"), Pixel({80, 60, 40, 128}));
    const auto masks = [](std::uint32_t red, std::uint32_t green, std::uint32_t blue) {
      return little(red, 4) + little(green, 4) + little(blue, 4);
    };
    QCOMPARE(pixel_of(bmp(seen, 3, masks(0xff0000, 0xff00, 0xff)), "a.bmp"), Pixel({80, 60, 40}));
    QCOMPARE(pixel_of(bmp(seen, 3, masks(0xff, 0xff00, 0xff0000)), "a.bmp"), Pixel({40, 60, 80}));
  }

  void planes_in_strips() {
    OIIO::ImageSpec spec(61, 43, 4, OIIO::TypeDesc::UINT16);
    make_file(folder_ / "plain.tif", {spec});
    spec.attribute("planarconfig", "separate");
    spec.attribute("compression", "zip");
    spec.attribute("tiff:RowsPerStrip", 8);
    make_file(folder_ / "planes.tif", {spec});
    QCOMPARE(std::string(spec_of(folder_ / "planes.tif").get_string_attribute("planarconfig")),
             std::string("separate"));
    copy_picture(folder_ / "planes.tif", folder_ / "planes.png", {.overwrite = true});
    copy_picture(folder_ / "plain.tif", folder_ / "plain.png", {.overwrite = true});
    QVERIFY(values_of(folder_ / "planes.png") == values_of(folder_ / "plain.png"));
  }

  void film() {
    output_of("ffmpeg", {"-v", "error", "-y", "-i", text_of(folder_ / "rgba.png"), "-pix_fmt",
                         "gbrp10be", text_of(folder_ / "film.dpx")});
    // Its pixels have no shape by its header.
    QVERIFY(copy_picture(folder_ / "film.dpx", folder_ / "film.exr").writing.empty());
    std::string bytes = content(folder_ / "film.dpx");
    constexpr std::size_t transfer = 801;
    bytes[transfer] = '\3';  // logarithmic
    put(folder_ / "log.dpx", bytes);
    const auto picture = open_picture(folder_ / "log.dpx");
    const auto& said = picture->info().warnings;
    QVERIFY(std::any_of(said.begin(), said.end(),
                        [](const Message& m) { return m.id == "colors.film"; }));
  }
};

QTEST_GUILESS_MAIN(TestIoRasterHeaders)
#include "test_io_raster_headers.moc"
