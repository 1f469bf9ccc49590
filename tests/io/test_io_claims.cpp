// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Small files that claim large pictures are refused before much memory is taken for them; pictures
// that take few bytes because they are plain are read.
#include <QTest>
#include <fstream>

#include "io/property_inputs.hpp"
#include "io/target.hpp"
#include "support/skips.hpp"

using namespace sfumato;
using namespace sfumato::testing;

namespace {

// The most memory that this process ever had, in MiB.
std::size_t peak_of_memory() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind("VmHWM:", 0) == 0) return std::stoul(line.substr(6)) / 1024;
  }
  return 0;
}

std::string little(std::uint64_t value, int bytes) {
  std::string out = big_endian_bytes(value, bytes);
  std::reverse(out.begin(), out.end());
  return out;
}

// An OpenEXR file whose windows end at this column.
std::string wide_exr(std::string exr, std::uint32_t last) {
  for (const std::string name : {"dataWindow", "displayWindow"}) {
    const std::size_t box = exr.find(name) + name.size() + 1 + 6 + 4;
    exr.replace(box + 8, 4, little(last, 4));
  }
  return exr;
}

std::string wide_png(const std::string& png, std::uint32_t width) {
  const std::string header = chunk_of(png, "IHDR");
  return png.substr(0, 8) + chunk("IHDR", big_endian_bytes(width, 4) + header.substr(4)) +
         png.substr(33);
}

std::string dpx(std::uint32_t width, std::uint32_t height) {
  std::string out(2048 + 36, '\0');
  const auto put_at = [&](std::size_t at, const std::string& bytes) {
    out.replace(at, bytes.size(), bytes);
  };
  put_at(0, "SDPX" + big_endian_bytes(2048, 4) + "V2.0");
  put_at(770, big_endian_bytes(1, 2) + big_endian_bytes(width, 4) + big_endian_bytes(height, 4));
  put_at(800, "\x32");
  put_at(803, "\x08");
  put_at(808, big_endian_bytes(2048, 4));
  return out;
}

}  // namespace

class TestIoClaims : public QObject {
  Q_OBJECT

  Folder folder_;

  std::string made(const std::string& name, int width, int height, OIIO::TypeDesc type,
                   const char* compression) {
    OIIO::ImageSpec spec(width, height, 3, type);
    if (*compression != '\0') spec.attribute("compression", compression);
    const auto out = OIIO::ImageOutput::create((folder_ / name).string());
    const std::vector<float> plain(static_cast<std::size_t>(width * height * 3), 0.5f);
    if (!out || !out->open((folder_ / name).string(), spec) ||
        !out->write_image(OIIO::TypeDesc::FLOAT, plain.data()) || !out->close()) {
      return {};
    }
    return content(folder_ / name);
  }

  std::string why_not(const std::string& name, const std::string& bytes, int page = 0) {
    put(folder_ / name, bytes);
    return refusal([&] { read_all(*open_picture(folder_ / name, {.page = page})); });
  }

 private slots:
  void compressions_data() {
    QTest::addColumn<QString>("extension");
    QTest::addColumn<QString>("compression");
    for (const char* one :
         {"none", "rle", "zip", "zips", "piz", "pxr24", "b44", "b44a", "dwaa", "dwab"}) {
      QTest::newRow(one) << "exr" << one;
    }
    for (const char* one : {"none", "lzw", "zip", "packbits"}) {
      QTest::addRow("tif %s", one) << "tif" << one;
    }
    QTest::newRow("png") << "png"
                         << "";
  }

  void compressions() {
    QFETCH(const QString, extension);
    QFETCH(const QString, compression);
    const QByteArray named = compression.toUtf8();
    const std::string name = "a." + extension.toStdString();
    const bool exr = extension == "exr";
    // Of one colour, as small as any.
    const std::string plain =
        made(name, 4096, 600, exr ? OIIO::TypeDesc::HALF : OIIO::TypeDesc::UINT8, named.data());
    QVERIFY(!plain.empty());
    QCOMPARE(why_not(name, plain), std::string());
    const std::string small =
        made(name, 8, 8, exr ? OIIO::TypeDesc::HALF : OIIO::TypeDesc::UINT8, named.data());
    // Of those that libraries take, large ones.
    const std::uint32_t width = exr ? 400'000 : extension == "tif" ? 90'000'000 : 900'000;
    const std::size_t before = peak_of_memory();
    const std::string large = exr                  ? wide_exr(small, width - 1)
                              : extension == "tif" ? tiff_with_number(small, 256, width)
                                                   : wide_png(small, width);
    const std::string said = "too small for the " + std::to_string(width) + "x8";
    // DWA may hold as much in few bytes; these do not.
    const bool dense = compression.startsWith("dwa");
    for (const int page : {0, 1}) {
      const std::string why = why_not(name, large, page);
      QVERIFY2(why.find(dense ? "damaged" : said) != std::string::npos, why.c_str());
      QVERIFY2(peak_of_memory() - before < 100, why.c_str());
    }
  }

  // Interlaced pictures are held as a whole, and frames on a canvas.
  void frames_of_png() {
    const std::string small = made("a.png", 8, 8, OIIO::TypeDesc::UINT8, "");
    const std::string large = wide_png(small, 900'000);
    const std::string header = chunk_of(large, "IHDR");
    const std::string interlaced =
        large.substr(0, 8) + chunk("IHDR", header.substr(0, 12) + '\1') + large.substr(33);
    const std::size_t before = peak_of_memory();
    for (const std::string& one : {interlaced, animated_png(large, 2, 2)}) {
      for (const int page : {0, 1, 2}) {
        const std::string why = why_not("a.png", one, page);
        const bool missing = page == 2 && one == interlaced;
        QVERIFY2(why.find(missing ? "no page or frame 2" : "too small for the 900000x8") !=
                     std::string::npos,
                 why.c_str());
      }
    }
    QVERIFY(peak_of_memory() - before < 100);
  }

  void rows_of_dpx() {
    QCOMPARE(why_not("a.dpx", dpx(4, 3)), std::string());
    const std::size_t before = peak_of_memory();
    for (const auto& [width, height] :
         {std::pair<std::uint32_t, std::uint32_t>(33554439, 5), {5, 33554439}, {5, 4}}) {
      const std::string why = why_not("a.dpx", dpx(width, height));
      QVERIFY2(why.find("too small for the") != std::string::npos, why.c_str());
    }
    QVERIFY(peak_of_memory() - before < 100);
  }

  // Too far for sums of coordinates, which a page's place on a sheet is none of.
  void places_far_away() {
    if (QStandardPaths::findExecutable("exiftool").isEmpty()) SKIP_WITHOUT("exiftool");
    for (const char* place : {"-EXIF:XPosition=40000000", "-EXIF:YPosition=40000000"}) {
      OIIO::ImageSpec spec(8, 8, 3, OIIO::TypeDesc::UINT8);
      spec.attribute("XResolution", 50.0f);
      spec.attribute("YResolution", 50.0f);
      spec.attribute("ResolutionUnit", "in");
      make_file(folder_ / "far.tif", {spec});
      output_of("exiftool", {"-q", "-overwrite_original", "-EXIF:XPosition=0", "-EXIF:YPosition=0",
                             place, text_of(folder_ / "far.tif")});
      const auto picture = open_picture(folder_ / "far.tif");
      QCOMPARE(picture->format().width, 8);
      QCOMPARE(picture->info().data_window.x0, 0);
    }
  }

  // A side of no pixels is called so, and one of too many.
  void sides() {
    const auto is_said = [this](const std::string& name, const std::string& bytes,
                                const char* words) {
      const std::string why = why_not(name, bytes);
      QVERIFY2(why.find(words) != std::string::npos, why.c_str());
    };
    is_said("a.dpx", dpx(0, 3), "the width of the picture is 0");
    is_said("a.dpx", dpx(4, 0), "the height of the picture is 0");
    std::string targa = targa_file({});
    is_said("a.tga", targa.replace(12, 2, 2, '\0'), "the width of the picture is 0");
    targa = targa_file({});
    is_said("a.tga", targa.replace(14, 2, 2, '\0'), "the height of the picture is 0");
    const auto card = [](const std::string& key, const std::string& value) {
      const std::string out = key + std::string(8 - key.size(), ' ') + "= " +
                              std::string(20 - value.size(), ' ') + value;
      return out + std::string(80 - out.size(), ' ');
    };
    std::string fits = card("SIMPLE", "T") + card("BITPIX", "16") + card("NAXIS", "2") +
                       card("NAXIS1", "2147483647") + card("NAXIS2", "2147483647") + "END";
    fits += std::string(2880 - fits.size(), ' ');
    is_said("a.fits", fits, "claims 2147483647x2147483647 pixels");
  }

  void compressed_dds() {
    const auto dds = [](std::uint64_t width, std::uint64_t height, std::uint64_t kind,
                        const std::string& blocks) {
      return "DDS " + little(124, 4) + little(0x1007, 4) + little(height, 4) + little(width, 4) +
             std::string(56, '\0') + little(32, 4) + little(4, 4) + "DXT1" + std::string(20, '\0') +
             little(kind != 0 ? 0x1008 : 0x1000, 4) + little(kind, 4) + std::string(12, '\0') +
             blocks;
    };
    const std::string why = why_not("a.dds", dds(46000, 46000, 0, std::string(100, '\0')));
    QVERIFY2(why.find("too small") != std::string::npos, why.c_str());
    put(folder_ / "b.dds", dds(6, 5, 0, std::string(32, '\0')));
    QCOMPARE(open_picture(folder_ / "b.dds")->format().width, 6);
    put(folder_ / "c.dds", dds(4, 4, 0x600, std::string(8, '\0')));  // a cube of one face
    QVERIFY(open_picture(folder_ / "c.dds")->format().width >= 4);
  }

  // Texts are read no further than any of ours goes.
  void endless_text() {
    put(folder_ / "recipe.json", "{");
    std::filesystem::resize_file(folder_ / "recipe.json", std::uintmax_t{3} << 30);
    const std::size_t before = peak_of_memory();
    const std::string why = refusal([&] { files::read_text(folder_ / "recipe.json"); });
    QVERIFY2(why.find("larger than 64 MiB") != std::string::npos, why.c_str());
    QVERIFY(peak_of_memory() < before + 300);
  }
};

QTEST_GUILESS_MAIN(TestIoClaims)
#include "test_io_claims.moc"
