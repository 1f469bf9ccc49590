// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Layers of PSD files as pages: gray ones, groups without pixels, those that cannot be read, and
// files that hold nothing else. ImageMagick makes some and says what they show.
#include <QTest>

#include "io/raw_files.hpp"
#include "io/shown_pixels.hpp"
#include "support/skips.hpp"

using namespace sfumato;
using namespace sfumato::testing;

namespace {

constexpr int width = 12, height = 6;

std::string big(std::uint64_t value, int bytes) {
  return big_endian_bytes(value, bytes);
}

struct Layer {
  std::uint32_t top = 0, left = 0, bottom = height, right = width;
  std::vector<int> channels;       // by their numbers; -1: opacity, -2: a mask
  std::string drawn = "norm\xff";  // blending mode, opacity, clipping and flags
};

char sample_of(int channel, std::size_t at) {
  return static_cast<char>((40 + channel * 70 + static_cast<int>(at) * 3) % 256);
}

// Records, then the samples of all, in bytes.
std::string list_of(const std::vector<Layer>& layers) {
  std::string records, samples;
  for (const Layer& one : layers) {
    const std::size_t count = std::size_t{one.right - one.left} * (one.bottom - one.top);
    records += big(one.top, 4) + big(one.left, 4) + big(one.bottom, 4) + big(one.right, 4) +
               big(one.channels.size(), 2);
    const bool absurd = count > 100'000;
    for (const int channel : one.channels) {
      records += big(static_cast<std::uint16_t>(channel), 2) + big(2 + (absurd ? 0 : count), 4);
      samples += big(0, 2);
      for (std::size_t i = 0; i < count && !absurd; ++i) samples += sample_of(channel, i);
    }
    std::string drawn = one.drawn;
    drawn.resize(8, '\0');
    records += "8BIM" + drawn + big(12, 4) + big(0, 8) + std::string("\1x\0\0", 4);
  }
  std::string list = big(layers.size(), 2) + records + samples;
  if (list.size() & 1) list += '\0';
  return list;
}

// Whose merged picture is all `merged`.
std::string psd(int mode, const std::string& layers, const std::string& resources = "",
                char merged = '\x7f') {
  const int channels = mode == 1 ? 1 : 3;
  return "8BPS" + big(1, 2) + std::string(6, '\0') + big(static_cast<std::uint64_t>(channels), 2) +
         big(height, 4) + big(width, 4) + big(8, 2) + big(static_cast<std::uint64_t>(mode), 2) +
         big(0, 4) + big(resources.size(), 4) + resources + big(layers.size(), 4) + layers +
         big(0, 2) + std::string(static_cast<std::size_t>(channels * width * height), merged);
}

std::string in_section(const std::string& list) {
  return big(list.size(), 4) + list + big(0, 4);
}

}  // namespace

class TestIoPsdLayers : public QObject {
  Q_OBJECT

  Folder folder_;

  std::filesystem::path file(const std::string& bytes) {
    put(folder_ / "a.psd", bytes);
    return folder_ / "a.psd";
  }
  std::vector<std::string> said(const std::filesystem::path& path) {
    std::vector<std::string> ids;
    const auto picture = open_picture(path);
    for (const Message& m : picture->info().warnings) ids.push_back(m.id);
    return ids;
  }

 private slots:
  void gray_layers() {
    const Layer opaque{.channels = {0}}, clear{.channels = {-1, 0}};
    const auto path = file(psd(1, in_section(list_of({opaque, clear}))));
    for (const int page : {2, 3}) {
      const auto picture = open_picture(path, {.page = page});
      QCOMPARE(picture->format().channels, page - 1);
      Image image(picture->format());
      image.bytes = read_all(*picture).bytes;
      for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
          for (int c = 0; c < page - 1; ++c) {
            const auto at = static_cast<std::size_t>(y * width + x);
            const auto right = static_cast<unsigned char>(sample_of(c == 0 ? 0 : -1, at));
            QCOMPARE(std::lround(image.get(x, y, c) * 255), static_cast<long>(right));
          }
        }
      }
    }
  }

  void gray_layers_of_imagemagick() {
    NEED("convert");
    for (const char* depth : {"8", "16"}) {
      QVERIFY(ran("convert",
                  {"-size", "31x23", "gradient:white-black", "(", "+clone", "-rotate", "180", ")",
                   "-colorspace", "Gray", "-depth", depth, "m.psd"},
                  folder_ / ""));
      QVERIFY(ran("convert", {"m.psd[1]", "-depth", depth, "theirs.png"}, folder_ / ""));
      QVERIFY(shown_pixels(folder_ / "m.psd", 2) == shown_pixels(folder_ / "theirs.png"));
    }
  }

  // What the merged picture does with a layer is named; of ImageMagick's, too.
  void layers_alone() {
    using namespace std::string_literals;
    const Layer plain{.channels = {0, 1, 2}};
    Layer other{.top = 1, .left = 2, .channels = {0, 1, 2}};
    other.drawn = "mul \x80\1\2"s;
    const auto path = file(psd(3, in_section(list_of({plain, other}))));
    const auto words = [&](const std::filesystem::path& of, int page) {
      std::string out;
      const auto picture = open_picture(of, {.page = page});
      for (const Message& m : picture->info().warnings) {
        if (m.id == "psd.layer_alone") out = in_english(m);
      }
      return out;
    };
    QCOMPARE(words(path, 1), std::string());
    QCOMPARE(words(path, 2), std::string());
    const std::string said = words(path, 3);
    QVERIFY2(said.ends_with("its place in the picture (2, 1), its opacity (50 %), its blending "
                            "mode (multiply), that the layer below it clips it, that it is "
                            "hidden"),
             said.c_str());
    NEED("convert");
    QVERIFY(ran("convert",
                {"-size", "40x30", "xc:red", "(", "-size", "10x8", "xc:blue", "-repage", "+5+6",
                 ")", "l.psd"},
                folder_ / ""));
    const std::string placed = words(folder_ / "l.psd", 2);
    QVERIFY2(placed.ends_with("its place in the picture (5, 6)"), placed.c_str());
  }

  // Groups, adjustments and empty layers are none of the pages.
  void layers_without_pixels() {
    const Layer drawn{.channels = {0, 1, 2}},
        group{.bottom = 0, .right = 0, .channels = {-1, 0, 1, 2}};
    const auto path = file(psd(3, in_section(list_of({group, drawn, group, drawn}))));
    QCOMPARE(open_picture(path, {.page = 2})->info().pages, 3);
    QCOMPARE(open_picture(path, {.page = 3})->format().width, width);
    QVERIFY(!refusal([&] { open_picture(path, {.page = 4}); }).empty());
  }

  // In a block of their own, as those of 16 bits, or of sizes that make no sense: named, and the
  // merged picture is read.
  void layers_that_cannot_be_read() {
    const Layer drawn{.channels = {0, 1, 2}}, absurd{.bottom = 0x7fffffff, .channels = {0, 1, 2}};
    std::string list = list_of({drawn});
    list.resize((list.size() + 3) / 4 * 4, '\0');
    const std::string block = big(0, 4) + big(0, 4) + "8BIMLr16" + big(list.size(), 4) + list;
    for (const std::string& layers : {block, in_section(list_of({absurd}))}) {
      const auto path = file(psd(3, layers));
      const auto ids = said(path);
      QVERIFY2(std::find(ids.begin(), ids.end(), "psd.layers_left_out") != ids.end(),
               layers == block ? "in a block" : "absurd");
      QCOMPARE(shown_pixels(path)[0], std::uint8_t{0x7f});
      const std::string why = refusal([&] { open_picture(path, {.page = 2}); });
      QVERIFY2(why.find("layers") != std::string::npos, why.c_str());
    }
  }

  // Photoshop's resource says whether the merged picture is one.
  void no_merged_picture() {
    const Layer drawn{.channels = {0, 1, 2}};
    const auto resource = [](char has_merged) {
      return "8BIM" + big(1057, 2) + big(0, 2) + big(13, 4) + big(1, 4) + has_merged +
             std::string(9, '\0');
    };
    const std::string layers = in_section(list_of({drawn}));
    QVERIFY(refusal([&] { open_picture(file(psd(3, layers, resource('\1')))); }).empty());
    const auto path = file(psd(3, layers, resource('\0'), '\xff'));
    for (const int page : {0, 1}) {
      const std::string why = refusal([&] { open_picture(path, {.page = page}); });
      QVERIFY2(why.find("Maximize compatibility") != std::string::npos, why.c_str());
    }
    QCOMPARE(shown_pixels(path, 2)[0], static_cast<std::uint8_t>(sample_of(0, 0)));
    QVERIFY(refusal([&] { open_picture(file(psd(3, "", resource('\0')))); }).empty());
  }
};

QTEST_GUILESS_MAIN(TestIoPsdLayers)
#include "test_io_psd_layers.moc"
