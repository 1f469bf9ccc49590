// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// WebP: lossless to the bit with alpha, what it carries besides pixels, animations and limits.
#include <unistd.h>
#include <webp/demux.h>
#include <webp/encode.h>
#include <webp/mux.h>

#include <QTest>
#include <array>
#include <cmath>
#include <fstream>
#include <map>

#include "image/parallel_rows.hpp"
#include "support/files.hpp"
#include "support/skips.hpp"

using namespace sfumato;
using namespace sfumato::testing;
using enum SampleType;

namespace {

PictureFormat format(int channels, int width = 61, int height = 47, SampleType type = u8) {
  return {width,
          height,
          channels,
          type,
          channels % 2 == 0 ? AlphaKind::straight : AlphaKind::none,
          is_integer(type) ? Coding::srgb() : Coding::linear()};
}

WebPData data_of(const std::string& bytes) {
  return {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()};
}

std::string taken(WebPData& data) {
  std::string out(reinterpret_cast<const char*>(data.bytes), data.size);
  WebPDataClear(&data);
  return out;
}

// The file's features by libwebp itself.
WebPBitstreamFeatures features_of(const std::filesystem::path& path) {
  const std::string bytes = content(path);
  WebPBitstreamFeatures out{};
  if (WebPGetFeatures(data_of(bytes).bytes, bytes.size(), &out) != VP8_STATUS_OK) {
    throw std::runtime_error("libwebp refuses the file");
  }
  return out;
}

// A picture of one colour, RGBA, lossless.
std::string plain(int width, int height, std::array<std::uint8_t, 4> colour) {
  std::vector<std::uint8_t> pixels;
  for (int i = 0; i < width * height; ++i) {
    pixels.insert(pixels.end(), colour.begin(), colour.end());
  }
  WebPData out{};
  std::uint8_t* bytes = nullptr;
  out.size = WebPEncodeLosslessRGBA(pixels.data(), width, height, 4 * width, &bytes);
  out.bytes = bytes;
  return taken(out);
}

// Noise, of which little can be packed, under smooth opacity if there are four channels.
std::string noise(int width, int height, int channels, bool lossless) {
  std::vector<std::uint8_t> pixels(static_cast<std::size_t>(width * height * channels));
  std::uint32_t state = 1;
  for (std::uint8_t& sample : pixels) {
    state = state * 1664525 + 1013904223;
    sample = static_cast<std::uint8_t>(state >> 24);
  }
  for (std::size_t i = 3; channels == 4 && i < pixels.size(); i += 4) {
    const std::size_t pixel = i / 4, columns = static_cast<std::size_t>(width);
    pixels[i] = static_cast<std::uint8_t>(pixel % columns * 3 / 7 + pixel / columns);
  }
  WebPConfig config;
  WebPPicture picture;
  WebPMemoryWriter writer;
  WebPMemoryWriterInit(&writer);
  if (WebPConfigInit(&config) == 0 || WebPPictureInit(&picture) == 0) return {};
  config.lossless = lossless ? 1 : 0;
  config.method = 0;
  config.quality = 0;
  picture.use_argb = config.lossless;
  picture.width = width;
  picture.height = height;
  picture.writer = WebPMemoryWrite;
  picture.custom_ptr = &writer;
  const auto import = channels == 4 ? WebPPictureImportRGBA : WebPPictureImportRGB;
  const bool made =
      import(&picture, pixels.data(), width * channels) != 0 && WebPEncode(&config, &picture) != 0;
  std::string out;
  if (made) out.assign(reinterpret_cast<const char*>(writer.mem), writer.size);
  WebPPictureFree(&picture);
  WebPMemoryWriterClear(&writer);
  return out;
}

// The most memory that a decoder has had, in bytes: a process's decoder starts one for each file.
std::size_t largest_decoder() {
  std::map<std::size_t, std::pair<std::size_t, std::size_t>> processes;  // parent and peak
  std::error_code error;
  for (const auto& process : std::filesystem::directory_iterator("/proc", error)) {
    std::ifstream status(process.path() / "status");
    std::size_t number = 0, parent = 0, peak = 0;
    for (std::string word; status >> word;) {
      if (word == "Pid:") status >> number;
      if (word == "PPid:") status >> parent;
      if (word == "VmHWM:") status >> peak;
    }
    processes[number] = {parent, 1024 * peak};
  }
  std::size_t most = 0;
  for (const auto& [number, one] : processes) {
    const auto parent = processes.find(one.first);
    const bool ours =
        parent != processes.end() && parent->second.first == static_cast<std::size_t>(::getpid());
    if (ours) most = std::max(most, one.second);
  }
  return most;
}

// Frames of 10 x 6 pixels, red, green and blue, on a canvas of 20 x 12, the first at (4, 2).
std::string animation() {
  WebPMux* mux = WebPMuxNew();
  for (const std::array<std::uint8_t, 4> colour :
       {std::array<std::uint8_t, 4>{255, 0, 0, 255}, {0, 255, 0, 255}, {0, 0, 255, 255}}) {
    const std::string one = plain(10, 6, colour);
    WebPMuxFrameInfo frame{};
    frame.bitstream = data_of(one);
    frame.x_offset = 4;
    frame.y_offset = 2;
    frame.duration = 100;
    frame.id = WEBP_CHUNK_ANMF;
    WebPMuxPushFrame(mux, &frame, 1);
  }
  const WebPMuxAnimParams params{0, 0};
  WebPMuxSetAnimationParams(mux, &params);
  WebPMuxSetCanvasSize(mux, 20, 12);
  WebPData out{};
  WebPMuxAssemble(mux, &out);
  WebPMuxDelete(mux);
  return taken(out);
}

std::string with_chunk(const std::string& file, const char* name, const std::string& chunk) {
  const WebPData image = data_of(file), added = data_of(chunk);
  WebPMux* mux = WebPMuxCreate(&image, 1);
  WebPMuxSetChunk(mux, name, &added, 1);
  WebPData out{};
  WebPMuxAssemble(mux, &out);
  WebPMuxDelete(mux);
  return taken(out);
}

std::string chunk_of(const std::string& file, const char* name) {
  const WebPData image = data_of(file);
  WebPMux* mux = WebPMuxCreate(&image, 1);
  WebPData chunk{};
  std::string out;
  if (WebPMuxGetChunk(mux, name, &chunk) == WEBP_MUX_OK) {
    out.assign(reinterpret_cast<const char*>(chunk.bytes), chunk.size);
  }
  WebPMuxDelete(mux);
  return out;
}

}  // namespace

class TestIoWebp : public QObject {
  Q_OBJECT

 private slots:
  // Colour under clear pixels included: scene() has a clear column with colours of its own.
  void quality_100_is_lossless() {
    const Folder folder;
    for (const int channels : {3, 4}) {
      Image image = scene(format(channels));
      auto back = through(folder / "a.webp", image, {.overwrite = true, .quality = 100});
      QCOMPARE(back->info().file_format, std::string("webp"));
      QCOMPARE(back->format().channels, channels);
      QCOMPARE(back->format().type, u8);
      QCOMPARE(back->format().alpha, image.format.alpha);
      QVERIFY(back->format().coding == Coding::srgb());
      QVERIFY(back->info().warnings.empty());
      QVERIFY(read_all(*back).bytes == image.bytes);
      QCOMPARE(features_of(folder / "a.webp").format, 2);  // VP8L, by libwebp's own word
      QCOMPARE(features_of(folder / "a.webp").has_alpha, channels == 4 ? 1 : 0);
    }
    QCOMPARE(folder.names().size(), 1u);
  }

  void quality_sets_the_size() {
    const Folder folder;
    Image image = scene(format(3, 200, 150));
    const auto size = [&](int quality) {
      through(folder / "a.webp", image, {.overwrite = true, .quality = quality});
      return std::filesystem::file_size(folder / "a.webp");
    };
    QVERIFY(size(20) < size(80));
    QVERIFY(size(80) < size(100));
    QCOMPARE(size(0), size(95));
    QCOMPARE(features_of(folder / "a.webp").format, 1);  // lossy
  }

  // Lossy colour beside alpha to the bit: clear and solid pixels stay so.
  void lossy_keeps_alpha() {
    const Folder folder;
    Image image = scene(format(4));
    auto back = through(folder / "a.webp", image);
    QCOMPARE(back->format().channels, 4);
    QCOMPARE(back->format().alpha, AlphaKind::straight);
    Image copy(back->format());
    copy.bytes = read_all(*back).bytes;
    for (int y = 0; y < image.format.height; ++y) {
      for (int x = 0; x < image.format.width; ++x) {
        QCOMPARE(copy.get(x, y, 3), image.get(x, y, 3));
      }
    }
  }

  // A lossless file stays one, and one that is asked to be small does not.
  void lossless_stays_lossless() {
    const Folder folder;
    Image image = scene(format(3));
    through(folder / "a.webp", image, {.quality = 100});
    pass_through(folder / "a.webp", folder / "b.webp");
    QVERIFY(values_of(folder / "b.webp") == values_of(folder / "a.webp"));
    pass_through(folder / "a.webp", folder / "c.webp", {.quality = 90});
    QCOMPARE(features_of(folder / "c.webp").format, 1);
    through(folder / "a.png", image);
    pass_through(folder / "a.png", folder / "d.webp");
    QCOMPARE(features_of(folder / "d.webp").format, 1);
  }

  void alpha_becomes_straight() {
    const Folder folder;
    PictureFormat f = format(4);
    f.alpha = AlphaKind::premultiplied;
    const auto out = create_picture(folder / "a.webp", {}, f);
    QCOMPARE(out->format().alpha, AlphaKind::straight);
    QVERIFY(out->warnings().empty());
  }

  void an_animation_gives_its_first_frame() {
    const Folder folder;
    put(folder / "moving.webp", animation());
    auto in = open_picture(folder / "moving.webp");
    QCOMPARE(in->format().width, 20);
    QCOMPARE(in->format().height, 12);
    QCOMPARE(in->format().channels, 4);
    QCOMPARE(in->info().warnings.size(), 1u);
    for (const char* word : {"moving.webp", "animation", "3 frames", "first"}) {
      QVERIFY2(in_english(in->info().warnings[0]).find(word) != std::string::npos,
               in_english(in->info().warnings[0]).c_str());
    }
    Image image(in->format());
    image.bytes = read_all(*in).bytes;
    for (int y = 0; y < 12; ++y) {
      for (int x = 0; x < 20; ++x) {
        const bool red = x >= 4 && x < 14 && y >= 2 && y < 8;
        QCOMPARE(image.get(x, y, 0), red ? 1.0f : 0.0f);
        QCOMPARE(image.get(x, y, 1), 0.0f);
        QCOMPARE(image.get(x, y, 3), red ? 1.0f : 0.0f);
      }
    }
    in.reset();
    QVERIFY(pass_through(folder / "moving.webp", folder / "b.png").empty());
  }

  // EXIF comes bare, or with JPEG's mark before it.
  void exif_with_and_without_a_mark() {
    const Folder folder;
    OIIO::ImageSpec s(20, 10, 3, OIIO::TypeDesc::UINT8);
    s.attribute("Orientation", 8);
    make_file(folder / "a.tif", {s});
    pass_through(folder / "a.tif", folder / "a.webp");
    const std::string exif = chunk_of(content(folder / "a.webp"), "EXIF");
    QVERIFY(exif.starts_with("II*") || exif.starts_with("MM"));
    QCOMPARE(open_picture(folder / "a.webp")->info().orientation, 8);
    put(folder / "b.webp",
        with_chunk(plain(20, 10, {1, 2, 3, 255}), "EXIF", std::string("Exif\0\0", 6) + exif));
    QCOMPARE(open_picture(folder / "b.webp")->info().orientation, 8);
  }

  // One JPEG segment holds 64 KiB.
  void xmp_too_long_for_jpeg() {
    const Folder folder;
    const std::string xmp = "<x:xmpmeta>" + std::string(70000, ' ') + "</x:xmpmeta>";
    put(folder / "a.webp", with_chunk(plain(20, 10, {1, 2, 3, 255}), "XMP ", xmp));
    for (const char* name : {"b.png", "b.tif", "b.webp"}) {
      QVERIFY(pass_through(folder / "a.webp", folder / name).empty());
      QVERIFY(content(folder / name).find(xmp) != std::string::npos);
    }
    const auto warnings = pass_through(folder / "a.webp", folder / "b.jpg");
    QCOMPARE(warnings.size(), 1u);
    QVERIFY2(warnings[0].find("too long") != std::string::npos, warnings[0].c_str());
  }

  void sizes_up_to_its_limit() {
    const Folder folder;
    Image widest = scene(format(3, 16383, 2));
    QVERIFY(read_all(*through(folder / "a.webp", widest, {.quality = 100})).bytes == widest.bytes);
    for (const auto& [width, height] : {std::pair{16384, 2}, {2, 16384}}) {
      const std::string message = refusal(
          [&, w = width, h = height] { create_picture(folder / "b.webp", {}, format(3, w, h)); });
      for (const char* word : {"b.webp", "16383", "choose"}) {
        QVERIFY2(message.find(word) != std::string::npos, message.c_str());
      }
    }
    QCOMPARE(folder.names().size(), 1u);
  }

  // What is stated of a decoder's memory is what it takes, beside what any takes.
  void decoders_memory() {
    if (is_sanitized) QSKIP("sanitizers take memory of their own");
    const Folder folder;
    const auto taken_by = [&](const std::string& bytes, std::size_t& stated) {
      put(folder / "a.webp", bytes);
      const auto picture = open_picture(folder / "a.webp");
      read_all(*picture);
      stated = picture->info().working_bytes;
      return largest_decoder();
    };
    std::size_t stated = 0;
    const std::size_t any = taken_by(noise(16, 16, 3, true), stated);
    for (const int channels : {3, 4}) {
      for (const bool lossless : {false, true}) {
        const std::size_t most = taken_by(noise(4000, 3000, channels, lossless), stated);
        QVERIFY(most > any);
        constexpr double around = 12e6;  // rows that are handed over
        const auto measured = static_cast<double>(most - any), said = static_cast<double>(stated);
        // How opacity beside lossy colours is decoded is only known then.
        const bool less_is_right = channels == 4 && !lossless;
        const double tolerance = 0.1 * said + around;
        QVERIFY2(measured < said + tolerance && (less_is_right || measured > said - tolerance),
                 qPrintable(QString("%1 channels, lossless %2: %3 measured, %4 stated")
                                .arg(channels)
                                .arg(lossless)
                                .arg(measured / 1e6)
                                .arg(said / 1e6)));
      }
    }
  }

  // The whole picture is encoded at the end, which takes long: stopping must work there, too.
  void encoding_can_be_cancelled() {
    const Folder folder;
    Image image = scene(format(3, 300, 200));
    bool stop = false;
    auto out =
        create_picture(folder / "a.webp", {.cancelled = [&stop] { return stop; }}, image.format);
    out->write(image.view());
    stop = true;
    QVERIFY_THROWS_EXCEPTION(Cancelled, out->commit());
    out.reset();
    QVERIFY(folder.names().empty());
  }
};

QTEST_GUILESS_MAIN(TestIoWebp)
#include "test_io_webp.moc"
