// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// FITS files: what their numbers stand for, which way up they are, colours, several pictures, and
// headers that lie. ffmpeg and ImageMagick write some of them.
#include <QTest>
#include <cmath>
#include <cstring>

#include "io/property_inputs.hpp"
#include "support/skips.hpp"

using namespace sfumato;
using namespace sfumato::testing;

namespace {

// Cards of 80 characters in blocks of 2880.
std::string header(std::initializer_list<std::string> cards) {
  std::string out;
  for (std::string card : cards) {
    card.resize(80, ' ');
    out += card;
  }
  out += "END";
  out.resize((out.size() + 2879) / 2880 * 2880, ' ');
  return out;
}

std::string in_blocks(std::string data) {
  data.resize((data.size() + 2879) / 2880 * 2880, '\0');
  return data;
}

// The first of two rows of two is the lower one.
std::string shorts(std::initializer_list<int> values) {
  std::string out;
  for (const int v : values) {
    out += static_cast<char>(v >> 8 & 255);
    out += static_cast<char>(v & 255);
  }
  return out;
}

std::string floats(std::initializer_list<float> values) {
  std::string out;
  for (const float v : values) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &v, sizeof bits);
    for (int i = 3; i >= 0; --i) out += static_cast<char>(bits >> (8 * i) & 255);
  }
  return out;
}

const std::string primary = "SIMPLE  =                    T";
const std::string two_axes = "NAXIS   =                    2",
                  across = "NAXIS1  =                    2",
                  down = "NAXIS2  =                    2", words = "BITPIX  =                   16";

}  // namespace

class TestIoFits : public QObject {
  Q_OBJECT

  Folder folder_;

  std::unique_ptr<InputPicture> opened(const std::string& bytes, const ReadOptions& how = {}) {
    put(folder_ / "a.fits", bytes);
    return open_picture(folder_ / "a.fits", how);
  }
  template <typename T>
  static std::vector<T> samples(InputPicture& in) {
    const HeldPicture picture = read_all(in);
    std::vector<T> out(picture.bytes.size() / sizeof(T));
    std::memcpy(out.data(), picture.bytes.data(), out.size() * sizeof(T));
    return out;
  }

 private slots:
  // An offset makes 16-bit numbers unsigned; the first row is the lowest.
  void unsigned_numbers() {
    const std::string data = in_blocks(shorts({-32768, -32767, 0, 32767}));
    const auto in = opened(
        header({primary, words, two_axes, across, down, "BZERO   =                32768"}) + data);
    QCOMPARE(in->format().type, SampleType::u16);
    QCOMPARE(samples<std::uint16_t>(*in), (std::vector<std::uint16_t>{32768, 65535, 0, 1}));
    const auto from_top = opened(header({primary, words, two_axes, across, down,
                                         "BZERO   =  32768.0 / offset", "ROWORDER= 'TOP-DOWN'"}) +
                                 data);
    QCOMPARE(samples<std::uint16_t>(*from_top), (std::vector<std::uint16_t>{0, 1, 32768, 65535}));
  }

  // Other scales give numbers with a unit: floats of linear light.
  void scaled_numbers() {
    const auto in =
        opened(header({primary, words, two_axes, across, down, "BSCALE  =               0.5D-3",
                       "BZERO   =                 0.25"}) +
               in_blocks(shorts({0, 100, 1000, -500})));
    QCOMPARE(in->format().type, SampleType::f32);
    QCOMPARE(in->format().coding, Coding::linear());
    QCOMPARE(samples<float>(*in), (std::vector<float>{0.75f, 0.0f, 0.25f, 0.3f}));
    const auto real =
        opened(header({primary, "BITPIX  =                  -32", two_axes, across, down}) +
               in_blocks(floats({1, 2, 3, 4})));
    QCOMPARE(samples<float>(*real), (std::vector<float>{3, 4, 1, 2}));
  }

  // What is said of integers that are read as floats.
  void large_integers() {
    const auto said = [&](const std::string& bits, const std::string& scale, std::size_t bytes) {
      const auto in = opened(header({primary, bits, two_axes, across, down, scale}) +
                             in_blocks(std::string(bytes, '\0')));
      std::string out;
      for (const Message& m : in->info().warnings) out += in_english(m) + "\n";
      return out;
    };
    const std::string long_ones = "BITPIX  =                   64",
                      ints = "BITPIX  =                   32",
                      half = "BSCALE  =                  0.5",
                      none = "BSCALE  =                  1.0",
                      zero = "BZERO   =  9223372036854775808";
    for (const std::string& scale : {none, half, zero}) {
      const std::string words_of_64 = said(long_ones, scale, 32);
      QVERIFY(words_of_64.find("64-bit integers are read as float numbers") != std::string::npos);
      QVERIFY(words_of_64.find("64-bit float") == std::string::npos);
    }
    QVERIFY(said(ints, half, 16).find("32-bit integers are read as float") != std::string::npos);
    QCOMPARE(said(words, half, 8), std::string());
    QVERIFY(said("BITPIX  =                  -64", none, 32).find("64-bit float numbers") !=
            std::string::npos);
  }

  void colours() {
    if (QStandardPaths::findExecutable("convert").isEmpty()) SKIP_WITHOUT("ImageMagick");
    output_of("convert", {"-size", "61x43", "gradient:red-blue", "-depth", "16",
                          "PNG48:" + text_of(folder_ / "a.png")});
    output_of("convert", {text_of(folder_ / "a.png"), text_of(folder_ / "rgb.fits")});
    copy_picture(folder_ / "rgb.fits", folder_ / "b.png");
    QCOMPARE(spec_of(folder_ / "b.png").nchannels, 3);
    QVERIFY(values_of(folder_ / "a.png") == values_of(folder_ / "b.png"));
  }

  void same_as_ffmpeg() {
    if (QStandardPaths::findExecutable("ffmpeg").isEmpty()) SKIP_WITHOUT("ffmpeg");
    for (const char* format : {"gray", "gray16be", "gbrp"}) {
      output_of("ffmpeg", {"-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=s=61x43",
                           "-frames:v", "1", "-pix_fmt", format, text_of(folder_ / "f.fits")});
      output_of("ffmpeg", {"-v", "error", "-y", "-i", text_of(folder_ / "f.fits"),
                           text_of(folder_ / "f.png")});
      copy_picture(folder_ / "f.fits", folder_ / "ours.png", {.overwrite = true});
      QVERIFY2(values_of(folder_ / "f.png") == values_of(folder_ / "ours.png"), format);
    }
  }

  // Planes and extensions are pages; the second is read by its number.
  void several_pictures() {
    const std::string bytes =
        header({primary, words, "NAXIS   =                    3", across, down,
                "NAXIS3  =                    2", "BZERO   =                32768"}) +
        in_blocks(shorts({1, 1, 1, 1, 2, 2, 2, 2})) +
        header({"XTENSION= 'IMAGE   '", words, two_axes, across, down,
                "BZERO   =                32768", "PCOUNT  =                    0",
                "GCOUNT  =                    1"}) +
        in_blocks(shorts({3, 3, 3, 3}));
    for (const int page : {1, 2, 3}) {
      const auto in = opened(bytes, {.page = page});
      QCOMPARE(samples<std::uint16_t>(*in)[0], static_cast<std::uint16_t>(32768 + page));
    }
    QVERIFY(!refusal([&] { opened(bytes, {.page = 4}); }).empty());
  }

  // What says something about the picture is kept, and what no other format holds is named.
  void keywords() {
    put(folder_ / "a.fits",
        header({primary, words, two_axes, across, down, "BZERO   =                32768",
                "OBJECT  = 'M31 ''A''  ' / a galaxy", "DATE-OBS= '2001-02-03T04:05:06'",
                "COMMENT some words", "HISTORY and more", "CRVAL1  =                 12.5",
                "EQUINOX =               2000.0"}) +
            in_blocks(shorts({1, 2, 3, 4})));
    const Said said = copy_picture(folder_ / "a.fits", folder_ / "a.tif");
    const OIIO::ImageSpec spec = spec_of(folder_ / "a.tif");
    QCOMPARE(spec.get_string_attribute("ImageDescription"), "M31 'A'");
    QCOMPARE(spec.get_string_attribute("DateTime"), "2001:02:03 04:05:06");
    QCOMPARE(said.reading.size(), 1u);
    QCOMPARE(said.reading[0].id, std::string("file.other_keywords"));
    QVERIFY(in_english(said.reading[0]).find("CRVAL1, EQUINOX") != std::string::npos);
  }

  // What the first header says is of the pictures behind it, too; what is not understood is named.
  void words_of_the_first_header() {
    put(folder_ / "a.fits",
        header({primary, words, "NAXIS   =                    0", "OBJECT  = 'M31'",
                "DATE-OBS= '2001-02-03'", "HIERARCH ESO = 1"}) +
            header({"XTENSION= 'IMAGE   '", words, two_axes, across, down,
                    "BZERO   =                32768"}) +
            in_blocks(shorts({1, 2, 3, 4})));
    const Said said = copy_picture(folder_ / "a.fits", folder_ / "b.tif");
    QCOMPARE(spec_of(folder_ / "b.tif").get_string_attribute("ImageDescription"), "M31");
    QVERIFY(in_english(said.reading[0]).find("DATE-OBS, HIERARCH") != std::string::npos);
  }

  // In seven digits for integers of 32 bits, and for floats, too, which it would hide.
  void offsets_of_imagemagick() {
    for (const bool floats : {false, true}) {
      QStringList options{"-size", "9x43", "gradient:white-black", "-depth", "32"};
      if (floats)
        options << "-define"
                << "quantum:format=floating-point";
      output_of("convert", options << text_of(folder_ / "o.fits"));
      const auto in = open_picture(folder_ / "o.fits");
      QCOMPARE(in->format().type, SampleType::f32);
      const auto& said = in->info().warnings;
      QCOMPARE(std::any_of(said.begin(), said.end(),
                           [](const Message& m) { return m.id == "fits.no_zero"; }),
               floats);
      std::vector<float> row(9);
      for (const auto& [y, value] : {std::pair(0, 1.0f), std::pair(21, 0.5f), {42, 0.0f}}) {
        in->read({0, y, 9, y + 1}, row.data(), 9 * sizeof(float));
        QVERIFY2(std::abs(row[4] - value) < 1e-3f, qPrintable(QString::number(row[4])));
      }
    }
  }

  void damaged_headers() {
    const auto said = [&](const std::string& bytes) {
      return refusal([&] { read_all(*opened(bytes)); });
    };
    const std::string data = in_blocks(shorts({1, 2, 3, 4}));
    QVERIFY(said(header({primary, words, two_axes, "NAXIS1  =               400000",
                         "NAXIS2  =               400000"}) +
                 data)
                .find("pixels") != std::string::npos);
    QVERIFY(said(header({primary, words, two_axes, "NAXIS1  =                 3000",
                         "NAXIS2  =                 3000"}) +
                 data)
                .find("cut short") != std::string::npos);
    for (const std::string& bytes :
         {header({primary, words, "NAXIS   =                    0"}),
          header({primary, words, two_axes, across, "NAXIS2  =                   -2"}) + data,
          header({primary, "BITPIX  =                   17", two_axes, across, down}) + data,
          primary, header({primary, words, "NAXIS   =                  999", across, down}) + data,
          header({primary, words, "NAXIS   =                    3", across, down,
                  "NAXIS3  =  99999999999999999999"}) +
              data}) {
      QVERIFY(!said(bytes).empty());
    }
    const std::string packed = header({primary, words, "NAXIS   =                    0"}) +
                               header({"XTENSION= 'BINTABLE'", "BITPIX  =                    8",
                                       two_axes, across, down, "ZIMAGE  =                    T"}) +
                               in_blocks("abcd");
    QVERIFY(said(packed).find("compressed in tables") != std::string::npos);
  }
};

QTEST_GUILESS_MAIN(TestIoFits)
#include "test_io_fits.moc"
