// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Files that are sound but of a kind that is not read are not called damaged, and damaged ones are
// not called sound.
#include <QTest>

#include "io/tiff_writer.hpp"
#include "support/files.hpp"

using namespace sfumato;
using namespace sfumato::testing;

namespace {

std::string little(std::uint32_t value, int bytes) {
  return TiffWriter::number(value, bytes);
}

std::string tiff(int bits, int photometric, std::uint32_t compression, int sample_format) {
  TiffWriter t;
  t.longs(256, 4);
  t.longs(257, 4);
  t.shorts(258, {static_cast<std::uint32_t>(bits)});
  t.shorts(259, {compression});
  t.shorts(262, {static_cast<std::uint32_t>(photometric)});
  t.shorts(277, {1});
  t.longs(278, 4);
  t.longs(279, 2000);
  t.shorts(339, {static_cast<std::uint32_t>(sample_format)});
  return t.file(std::string(2000, '\x55'));
}

std::string dds(const std::string& name, std::uint32_t dxgi_format) {
  std::string out = "DDS " + little(124, 4) + little(0x1007, 4) + little(8, 4) + little(8, 4);
  out += std::string(56, '\0') + little(32, 4) + little(4, 4) + name + std::string(20, '\0');
  out += little(0x1000, 4) + std::string(16, '\0');
  if (dxgi_format > 0) out += little(dxgi_format, 4) + little(3, 4) + std::string(12, '\0');
  return out + std::string(1000, '\x11');
}

std::string targa(int kind) {
  return std::string(2, '\0') + static_cast<char>(kind) + std::string(9, '\0') + little(4, 2) +
         little(4, 2) + "\x18\x20" + std::string(99, '\1');
}

}  // namespace

class TestIoKinds : public QObject {
  Q_OBJECT

  Folder folder_;

  // With the marker of another process, or samples of other bits.
  std::string jpeg(int process, int bits) const {
    std::string out = content(folder_ / "plain.jpg");
    const std::size_t at = out.find("\xff\xc0");
    out[at + 1] = static_cast<char>(process);
    out[at + 4] = static_cast<char>(bits);
    return out;
  }
  std::string refused(const std::string& name, const std::string& bytes) const {
    put(folder_ / name, bytes);
    return refusal(
        [&] { copy_picture(folder_ / name, folder_ / "copy.tif", {.overwrite = true}); });
  }

 private slots:
  void initTestCase() {
    for (const char* name : {"plain.jpg", "plain.png", "plain.webp", "plain.tif"}) {
      OIIO::ImageSpec spec(48, 32, 3, OIIO::TypeDesc::UINT8);
      spec.attribute("compression", std::string(name) == "plain.tif" ? "zip" : "");
      make_file(folder_ / name, {spec});
    }
  }

  void sound() {
    const std::vector<std::pair<std::string, std::string>> files = {
        {"mosaic.tif", tiff(8, 32803, 1, 1)},
        {"linear.tif", tiff(8, 34892, 1, 1)},
        {"jpeg2000.tif", tiff(8, 1, 34712, 1)},
        {"jbig2.tif", tiff(8, 1, 34715, 1)},
        {"other.tif", tiff(8, 1, 12345, 1)},
        {"bits5.tif", tiff(5, 1, 1, 1)},
        {"bits48.tif", tiff(48, 1, 1, 1)},
        {"complex.tif", tiff(64, 1, 1, 6)},
        {"lossless.jpg", jpeg(0xc3, 8)},
        {"hierarchical.jpg", jpeg(0xc5, 8)},
        {"bits12.jpg", jpeg(0xc1, 12)},
        {"bc7.dds", dds("DX10", 98 + 1)},
        {"floats.dds", dds("DX10", 2)},
        {"video.dds", dds("UYVY", 0)},
        {"huffman.tga", targa(32)}};
    for (const auto& [name, bytes] : files) {
      const std::string why = refused(name, bytes);
      QVERIFY2(why.find("of a kind that cannot be read") != std::string::npos,
               (name + ": " + why).c_str());
      QVERIFY2(why.find("make it again") == std::string::npos, why.c_str());
    }
    QVERIFY(refused("other.tif", files[4].second).find("12345") != std::string::npos);
  }

  void damaged() {
    for (const char* name : {"plain.jpg", "plain.png", "plain.webp", "plain.tif"}) {
      const std::string bytes = content(folder_ / name);
      for (const std::size_t size : {bytes.size() / 2, std::size_t{40}}) {
        const std::string why = refused(std::string("cut-") + name, bytes.substr(0, size));
        QVERIFY2(why.find("make it again") != std::string::npos,
                 (std::string(name) + ": " + why).c_str());
        QVERIFY2(why.find("of a kind") == std::string::npos, why.c_str());
      }
    }
  }
};

QTEST_GUILESS_MAIN(TestIoKinds)
#include "test_io_kinds.moc"
