// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Samples of fewer bits than a type of ours has: the smallest number is black, the largest is
// white, and those between them lie where they belong.
#include <QTest>

#include "io/raw_files.hpp"
#include "io/shown_pixels.hpp"
#include "io/tiff_writer.hpp"

using namespace sfumato;
using namespace sfumato::testing;

namespace {

constexpr int height = 2;

/// Numbers of `bits` bits from the left; rows begin at whole bytes.
std::string packed(const std::vector<std::uint32_t>& row, int bits) {
  std::string out;
  std::uint64_t held = 0;
  int count = 0;
  for (const std::uint32_t number : row) {
    held = held << bits | number;
    for (count += bits; count >= 8; count -= 8) out += static_cast<char>(held >> (count - 8));
  }
  if (count > 0) out += static_cast<char>(held << (8 - count));
  return out;
}

/// Every number there is, or every third of many, and the largest.
std::vector<std::uint32_t> numbers_of(int bits) {
  std::vector<std::uint32_t> out;
  const std::uint32_t most = (1u << bits) - 1;
  for (std::uint32_t i = 0; i <= most; i += bits > 10 ? 3 : 1) out.push_back(i);
  if (out.back() != most) out.push_back(most);
  return out;
}

std::string tiff(int bits, const std::vector<std::uint32_t>& row, bool from_white, bool alpha) {
  constexpr std::uint32_t unassociated = 2;
  std::vector<std::uint32_t> samples;
  for (const std::uint32_t number : row) {
    samples.push_back(number);
    if (alpha) samples.push_back((1u << bits) - 1 - number);
  }
  TiffWriter tiff;
  tiff.longs(256, static_cast<std::uint32_t>(row.size()));
  tiff.longs(257, height);
  tiff.shorts(258, std::vector<std::uint32_t>(alpha ? 2 : 1, static_cast<std::uint32_t>(bits)));
  tiff.shorts(259, {1});
  tiff.shorts(262, {from_white ? 0u : 1u});
  tiff.shorts(277, {alpha ? 2u : 1u});
  tiff.longs(278, height);
  const std::string data = packed(samples, bits) + packed(samples, bits);
  tiff.longs(279, static_cast<std::uint32_t>(data.size()));
  if (alpha) tiff.shorts(338, {unassociated});
  return tiff.file(data);
}

/// Ten bits, three in a word of 32 (SMPTE ST 268, method A).
std::string dpx(const std::vector<std::uint32_t>& row) {
  std::string out(2048, '\0');
  const auto put_at = [&](std::size_t at, const std::string& bytes) {
    out.replace(at, bytes.size(), bytes);
  };
  put_at(0, "SDPX" + big_endian_bytes(2048, 4) + "V2.0");
  put_at(24, big_endian_bytes(1664, 4) + big_endian_bytes(384, 4));
  put_at(770, big_endian_bytes(1, 2) + big_endian_bytes(row.size(), 4) + big_endian_bytes(1, 4));
  put_at(800, "\x32\2\2\x0a");
  put_at(804, big_endian_bytes(1, 2));
  put_at(808, big_endian_bytes(2048, 4));
  for (const std::uint32_t n : row) out += big_endian_bytes(n << 22 | n << 12 | n << 2, 4);
  out.replace(16, 4, big_endian_bytes(out.size(), 4));
  return out;
}

std::vector<std::uint32_t> samples_of(const std::filesystem::path& path) {
  const auto in = open_picture(path);
  Image image(in->format());
  image.bytes = read_all(*in).bytes;
  std::vector<std::uint32_t> out;
  const double most = in->format().type == SampleType::u8 ? 255 : 65535;
  for (int x = 0; x < in->format().width; ++x) {
    for (int c = 0; c < in->format().channels; ++c) {
      out.push_back(static_cast<std::uint32_t>(std::lround(image.get(x, 0, c) * most)));
    }
  }
  return out;
}

/// What it is of `most`, if all bits set are the whole.
std::uint32_t spread(std::uint32_t number, int bits, std::uint32_t most) {
  const std::uint32_t full = (1u << bits) - 1;
  return (number * most + full / 2) / full;
}

}  // namespace

class TestIoFewBits : public QObject {
  Q_OBJECT

  Folder folder_;

 private slots:
  void tiff_files_data() {
    QTest::addColumn<int>("bits");
    QTest::addColumn<bool>("from_white");
    for (const int bits : {1, 2, 4, 6, 10, 12, 14}) {
      QTest::addRow("%d bits", bits) << bits << false;
      QTest::addRow("%d bits, from white", bits) << bits << true;
    }
  }
  void tiff_files() {
    QFETCH(const int, bits);
    QFETCH(const bool, from_white);
    const std::vector<std::uint32_t> row = numbers_of(bits);
    const std::uint32_t most = bits <= 8 ? 255 : 65535, full = (1u << bits) - 1;
    std::vector<std::uint32_t> right, with_alpha;
    for (const std::uint32_t number : row) {
      right.push_back(spread(from_white ? full - number : number, bits, most));
      with_alpha.push_back(right.back());
      with_alpha.push_back(spread(full - number, bits, most));
    }
    put(folder_ / "a.tif", tiff(bits, row, from_white, false));
    QVERIFY(samples_of(folder_ / "a.tif") == right);
    put(folder_ / "b.tif", tiff(bits, row, from_white, true));
    QVERIFY(samples_of(folder_ / "b.tif") == with_alpha);
  }

  // Another program's word. (It makes 16 bits of 6 first, and 8 of these, which rounds twice.)
  void imagemagick_agrees() {
    NEED("convert");
    for (const int bits : {4, 10, 12, 14}) {
      put(folder_ / "a.tif", tiff(bits, numbers_of(bits), false, false));
      copy_picture(folder_ / "a.tif", folder_ / "ours.png", {.overwrite = true});
      QVERIFY(
          ran("convert", {"a.tif", "-depth", bits < 8 ? "8" : "16", "theirs.png"}, folder_ / ""));
      QVERIFY2(samples_of(folder_ / "ours.png") == samples_of(folder_ / "theirs.png"),
               qPrintable(QString::number(bits)));
    }
  }

  void dpx_files() {
    const std::vector<std::uint32_t> row = numbers_of(10);
    put(folder_ / "a.dpx", dpx(row));
    std::vector<std::uint32_t> right;
    for (const std::uint32_t number : row) right.insert(right.end(), 3, spread(number, 10, 65535));
    QVERIFY(samples_of(folder_ / "a.dpx") == right);
  }
};

QTEST_GUILESS_MAIN(TestIoFewBits)
#include "test_io_few_bits.moc"
