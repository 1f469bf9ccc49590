// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// JPEG 2000 pictures of other programs: where they lie on their grid, halved chroma, signed
// samples, palettes, and what boxes say of channels. OpenJPEG's own programs write and read beside
// ours.
#include <QTest>

#include "io/property_inputs.hpp"
#include "support/skips.hpp"

using namespace sfumato;
using namespace sfumato::testing;

namespace {

std::string big(std::uint64_t value, int bytes) {
  std::string out;
  for (int i = bytes - 1; i >= 0; --i) out += static_cast<char>(value >> (8 * i) & 255);
  return out;
}

std::string box(const std::string& name, const std::string& body) {
  return big(body.size() + 8, 4) + name + body;
}

std::string space(std::uint64_t number) {
  return box("colr", std::string("\1\0\0", 3) + big(number, 4));
}
constexpr std::uint64_t srgb = 16, gray = 17, sycc = 18;

// One entry of a box for each three numbers: channel, kind, and of which colour.
std::string definitions(std::initializer_list<std::array<std::uint64_t, 3>> channels) {
  std::string body = big(channels.size(), 2);
  for (const auto& one : channels) body += big(one[0], 2) + big(one[1], 2) + big(one[2], 2);
  return box("cdef", body);
}

constexpr int width = 61, height = 43;

// A JP2 file around a codestream, or around none.
std::string jp2(const std::string& boxes, const std::string& codestream) {
  constexpr std::size_t channels = 40;  // where the codestream says how many
  const std::string count = codestream.empty() ? big(3, 2) : codestream.substr(channels, 2);
  return box("jP  ", "\r\n\x87\n") + box("ftyp", std::string("jp2 \0\0\0\0jp2 ", 12)) +
         box("jp2h",
             box("ihdr", big(height, 4) + big(width, 4) + count + "\7\7" + big(0, 2)) + boxes) +
         (codestream.empty() ? codestream : box("jp2c", codestream));
}

}  // namespace

class TestIoJpeg2000Kinds : public QObject {
  Q_OBJECT

  Folder folder_;

  // A codestream of planes of samples, without loss. `how` is as opj_compress takes it: number of
  // channels, bits, signed or not, and steps of channels that are halved.
  std::string encoded(const std::string& planes, const std::string& how,
                      const QStringList& more = {}) {
    put(folder_ / "a.raw", planes);
    QStringList words = {"-i",   text_of(folder_ / "a.raw"),
                         "-o",   text_of(folder_ / "a.j2k"),
                         "-F",   "61,43," + QString::fromStdString(how),
                         "-n",   "3",
                         "-mct", "0"};
    std::filesystem::remove(folder_ / "a.j2k");
    output_of("opj_compress", words + more);
    return content(folder_ / "a.j2k");
  }

  // Planes of bytes, each by a function of its number and the place.
  template <typename Function>
  static std::string planes(int count, Function value) {
    std::string out;
    for (int c = 0; c < count; ++c) {
      for (int i = 0; i < width * height; ++i) {
        out += static_cast<char>(value(c, i % width, i / width));
      }
    }
    return out;
  }
  static int ramp(int c, int x, int y) { return 3 * x + (c + 1) * y; }

  std::unique_ptr<InputPicture> opened(const std::string& bytes, const char* name = "in.jp2") {
    put(folder_ / name, bytes);
    return open_picture(folder_ / name);
  }
  // A pixel of an 8-bit picture.
  static std::vector<int> pixel(const HeldPicture& picture, int x, int y) {
    const auto* at = static_cast<const unsigned char*>(picture.view().row(y)) +
                     static_cast<std::size_t>(x) * picture.format.pixel_bytes();
    return {at, at + picture.format.channels};
  }
  using Pixel = std::vector<int>;

 private slots:
  void initTestCase() {
    for (const char* program : {"opj_compress", "opj_decompress"}) {
      if (QStandardPaths::findExecutable(program).isEmpty()) SKIP_WITHOUT("OpenJPEG's programs");
    }
  }

  // A picture need not begin where its grid does, nor its tiles where the picture does.
  void places_on_the_grid() {
    const std::string samples = planes(3, ramp);
    for (const QStringList& place : {QStringList{"-d", "5,7"},
                                     {"-d", "5,7", "-T", "3,3", "-t", "32,32"},
                                     {"-d", "5,7", "-T", "5,7", "-t", "32,16"},
                                     {"-t", "16,16"}}) {
      const auto in = opened(encoded(samples, "3,8,u", place), "in.j2k");
      const HeldPicture image = read_all(*in);
      QCOMPARE(image.format.width, width);
      QCOMPARE(image.format.height, height);
      for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
          QCOMPARE(pixel(image, x, y),
                   (Pixel{ramp(0, x, y) & 255, ramp(1, x, y) & 255, ramp(2, x, y) & 255}));
        }
      }
    }
  }

  // Of halved samples those between are made, at odd sizes, too. Chroma of the middle is gray.
  void halved_chroma() {
    // opj_compress takes a quarter of the samples, and zeros for the last rows of an odd picture.
    constexpr std::size_t halved = width * height / 4;
    std::string luma = planes(1, [](int, int x, int y) { return 2 * x + y; });
    const std::string chroma(2 * halved, '\x80');
    const std::string codestream = encoded(luma + chroma, "3,8,u@1x1:2x2:2x2");
    for (const std::string& bytes : {codestream, jp2(space(sycc), codestream)}) {
      const HeldPicture image = read_all(*opened(bytes));
      QCOMPARE(image.format.width, width);
      QCOMPARE(image.format.height, height);
      QCOMPARE(pixel(image, 0, 0), (Pixel{0, 0, 0}));
      QCOMPARE(pixel(image, 60, 40), (Pixel{160, 160, 160}));
      QCOMPARE(pixel(image, 31, 17), (Pixel{79, 79, 79}));
    }
    // Red chroma that rises by 4 from sample to sample rises by 2 from pixel to pixel.
    std::string rising;
    for (std::size_t i = 0; i < halved; ++i) rising += static_cast<char>(68 + 4 * (i % 31));
    luma.assign(luma.size(), '\x80');
    const HeldPicture image = read_all(
        *opened(encoded(luma + std::string(halved, '\x80') + rising, "3,8,u@1x1:2x2:2x2")));
    QCOMPARE(pixel(image, 30, 5)[0], 128);
    QCOMPARE(pixel(image, 31, 5)[0], 131);  // 2 * 1.402
    QCOMPARE(pixel(image, 32, 5)[0], 134);
  }

  // Full colours of e-YCC, as OpenJPEG's program has them.
  void ycc() {
    put(folder_ / "ycc.jp2", jp2(space(sycc), encoded(planes(3, ramp), "3,8,u")));
    copy_picture(folder_ / "ycc.jp2", folder_ / "ycc.png");
    output_of("opj_decompress",
              {"-i", text_of(folder_ / "ycc.jp2"), "-o", text_of(folder_ / "opj.png")});
    const std::vector<float> ours = values_of(folder_ / "ycc.png"),
                             theirs = values_of(folder_ / "opj.png");
    QCOMPARE(ours.size(), theirs.size());
    for (std::size_t i = 0; i < ours.size(); ++i)
      QVERIFY(std::abs(ours[i] - theirs[i]) < 1.5f / 255);
  }

  void signed_samples() {
    const std::string samples =
        planes(3, [](int, int x, int y) { return (4 * x + y - 128) & 255; });
    put(folder_ / "signed.jp2", jp2(space(srgb), encoded(samples, "3,8,s")));
    const auto in = open_picture(folder_ / "signed.jp2");
    QCOMPARE(in->info().warnings.size(), 1u);
    QCOMPARE(in->info().warnings[0].id, std::string("file.shifted"));
    QCOMPARE(pixel(read_all(*in), 10, 3), (Pixel{43, 43, 43}));
    output_of("opj_decompress",
              {"-i", text_of(folder_ / "signed.jp2"), "-o", text_of(folder_ / "opj.png")});
    copy_picture(folder_ / "signed.jp2", folder_ / "signed.png");
    QVERIFY(values_of(folder_ / "signed.png") == values_of(folder_ / "opj.png"));
  }

  // Colours in another order, opacity first, and what is neither.
  void meanings_of_channels() {
    const std::string four =
        encoded(planes(4, [](int c, int, int) { return 50 * (c + 1); }), "4,8,u");
    const auto found = [&](const std::string& boxes) { return opened(jp2(boxes, four)); };
    const auto last_first =
        found(space(srgb) + definitions({{0, 1, 0}, {1, 0, 3}, {2, 0, 2}, {3, 0, 1}}));
    QCOMPARE(last_first->format().alpha, AlphaKind::straight);
    QCOMPARE(pixel(read_all(*last_first), 5, 5), (Pixel{200, 150, 100, 50}));
    const auto premultiplied =
        found(space(srgb) + definitions({{0, 0, 1}, {1, 0, 2}, {2, 0, 3}, {3, 2, 0}}));
    QCOMPARE(premultiplied->format().alpha, AlphaKind::premultiplied);
    for (const std::string& said : {space(srgb), space(srgb) + definitions({{3, 65535, 65535}})}) {
      const auto other = found(said);
      QCOMPARE(other->format().alpha, AlphaKind::none);
      QCOMPARE(other->format().channels, 3);
    }
    const auto gray_with_opacity = opened(
        jp2(space(gray) + definitions({{0, 0, 1}, {1, 1, 0}}), encoded(planes(2, ramp), "2,8,u")));
    QCOMPARE(gray_with_opacity->format().channels, 2);
    QCOMPARE(gray_with_opacity->format().alpha, AlphaKind::straight);
    QCOMPARE(pixel(read_all(*gray_with_opacity), 7, 2), (Pixel{23, 25}));
  }

  // Colours of 8 and 16 bits, opacity among them; numbers beyond the last row are that row.
  void palettes() {
    const std::string numbers = encoded(planes(1, [](int, int x, int) { return x % 5; }), "1,8,u");
    std::string colours = big(4, 2) + big(4, 1) + "\7\7\7\7";
    colours += std::string("\xff\0\0\xff", 4) + std::string("\0\xff\0\x80", 4) +
               std::string("\0\0\xff\0", 4) + std::string("\xc8\x96\x64\xff", 4);
    std::string columns;
    for (std::uint64_t i = 0; i < 4; ++i) columns += big(0, 2) + big(1, 1) + big(i, 1);
    const auto in = opened(jp2(space(srgb) + box("pclr", colours) + box("cmap", columns) +
                                   definitions({{0, 0, 1}, {1, 0, 2}, {2, 0, 3}, {3, 1, 0}}),
                               numbers));
    QCOMPARE(in->format().alpha, AlphaKind::straight);
    const HeldPicture image = read_all(*in);
    QCOMPARE(pixel(image, 0, 9), (Pixel{255, 0, 0, 255}));
    QCOMPARE(pixel(image, 1, 9), (Pixel{0, 255, 0, 128}));
    QCOMPARE(pixel(image, 3, 9), (Pixel{200, 150, 100, 255}));
    QCOMPARE(pixel(image, 4, 9), (Pixel{200, 150, 100, 255}));
    const std::string deep = big(2, 2) + big(3, 1) + "\xf\xf\xf" + big(65535, 2) + big(1000, 2) +
                             big(0, 2) + big(1, 2) + big(2, 2) + big(3, 2);
    const auto deep_one =
        opened(jp2(space(srgb) + box("pclr", deep) + box("cmap", columns.substr(0, 12)), numbers));
    QCOMPARE(deep_one->format().type, SampleType::u16);
    const HeldPicture deep_image = read_all(*deep_one);
    const auto* samples = static_cast<const std::uint16_t*>(deep_image.view().row(0));
    QCOMPARE(samples[1], std::uint16_t{1000});
  }

  // Boxes of which nothing is read are named.
  void other_boxes() {
    const std::string bytes = jp2(space(srgb), encoded(planes(3, ramp), "3,8,u")) +
                              box("xml ", "<a/>") + box("uuid", "gggggggggggggggga place");
    const auto in = opened(bytes);
    QCOMPARE(in->info().warnings.size(), 1u);
    QVERIFY(in_english(in->info().warnings[0]).find("xml , uuid") != std::string::npos);
  }

  // Boxes that name what is not there count for nothing; without a codestream there is no picture.
  void damaged_boxes() {
    const std::string codestream = encoded(planes(3, ramp), "3,8,u");
    const std::string beyond = big(9, 2) + big(0, 1) + big(0, 1);
    for (const std::string& boxes :
         {space(srgb) + box("cmap", beyond), space(srgb) + box("pclr", big(1000, 2) + "\xff\7"),
          space(srgb) + definitions({{77, 1, 0}}), space(srgb) + box("cdef", big(60000, 2)),
          std::string()}) {
      const auto in = opened(jp2(boxes, codestream));
      QCOMPARE(in->format().channels, 3);
      QCOMPARE(pixel(read_all(*in), 2, 1), (Pixel{7, 8, 9}));
    }
    const std::string said = refusal([&] { opened(jp2(space(srgb), {})); });
    QVERIFY2(said.find("no picture in the file") != std::string::npos, said.c_str());
    for (const std::size_t size : {codestream.size() / 2, std::size_t{60}, std::size_t{20}}) {
      QVERIFY(!refusal([&] { read_all(*opened(codestream.substr(0, size), "in.j2k")); }).empty());
    }
  }
};

QTEST_GUILESS_MAIN(TestIoJpeg2000Kinds)
#include "test_io_jpeg2000_kinds.moc"
