// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Every format at every depth: what is written is what is read, to the bit where nothing is lost.
#include <QTest>
#include <atomic>
#include <thread>

#include "io/tiff_writer.hpp"
#include "support/files.hpp"

using namespace sfumato;
using namespace sfumato::testing;
using enum SampleType;

class TestIoRoundTrip : public QObject {
  Q_OBJECT

 private slots:
  void lossless_data() {
    QTest::addColumn<QString>("extension");
    QTest::addColumn<int>("channels");
    QTest::addColumn<int>("type");
    QTest::addColumn<int>("alpha");
    static constexpr const char* types[] = {"u8", "u16", "f16", "f32"};
    for (const FormatInfo& f : writable_formats()) {
      const bool lossy = f.quality && f.id != "jpeg2000" && f.id != "j2k";
      if (lossy || f.id == "hdr") continue;
      const bool gray_alpha = f.id == "png" || f.id == "tiff" || f.id == "openexr";
      for (const std::string& extension : f.extensions) {
        for (const SampleType t : f.depths) {
          for (const int channels : {1, 2, 3, 4}) {
            const bool alpha = channels % 2 == 0;
            if (alpha && (!f.alpha || (channels == 2 && !gray_alpha))) continue;
            for (const AlphaKind kind : {AlphaKind::straight, AlphaKind::premultiplied}) {
              const bool held =
                  f.id == "tiff" || (f.id == "openexr") == (kind == AlphaKind::premultiplied);
              if (alpha ? !held : kind != AlphaKind::straight) continue;
              const AlphaKind a = alpha ? kind : AlphaKind::none;
              const QString name = QString("%1 %2 %3 alpha %4")
                                       .arg(extension.c_str(), types[static_cast<int>(t)])
                                       .arg(channels)
                                       .arg(static_cast<int>(a));
              QTest::newRow(qPrintable(name)) << QString::fromStdString(extension) << channels
                                              << static_cast<int>(t) << static_cast<int>(a);
            }
          }
        }
      }
    }
  }

  void lossless() {
    QFETCH(QString, extension);
    QFETCH(int, channels);
    QFETCH(int, type);
    QFETCH(int, alpha);
    const Folder folder;
    Image image =
        scene(usual_format(channels, static_cast<SampleType>(type), static_cast<AlphaKind>(alpha)));
    auto back = through(folder / ("a." + extension.toStdString()), image);
    const PictureFormat& f = back->format();
    QCOMPARE(f.width, image.format.width);
    QCOMPARE(f.height, image.format.height);
    QCOMPARE(f.channels, image.format.channels);
    QCOMPARE(f.type, image.format.type);
    QCOMPARE(f.alpha, image.format.alpha);
    QVERIFY(f.coding == image.format.coding);
    QVERIFY(back->info().warnings.empty());
    QVERIFY(read_all(*back).bytes == image.bytes);
    QCOMPARE(folder.names().size(), 1u);
  }

  void lossy_stays_near() {
    const Folder folder;
    for (const char* name : {"a.jpg", "a.webp", "a.avif", "a.heic"}) {
      PictureFormat f = usual_format(3, u8, AlphaKind::none, 64, 48);
      Image image(f);
      for (int y = 0; y < f.height; ++y) {
        for (int x = 0; x < f.width; ++x) {
          for (int c = 0; c < 3; ++c) image.set(x, y, c, static_cast<float>(x + y + 20 * c) / 180);
        }
      }
      auto back = through(folder / name, image);
      Image copy(back->format());
      copy.bytes = read_all(*back).bytes;
      QVERIFY2(largest_difference(image, copy) < 0.06, name);
    }
    Image light = scene(usual_format(3, f32, AlphaKind::none));
    auto back = through(folder / "a.hdr", light);
    Image copy(back->format());
    copy.bytes = read_all(*back).bytes;
    QVERIFY(largest_difference(light, copy) < 1.0 / 128);  // eight bits share one exponent
  }

  void depth_follows_the_format() {
    const Folder folder;
    Image image = scene(usual_format(4, f32, AlphaKind::premultiplied));
    const auto into = [&](const char* name, const WriteOptions& options = {}) {
      return create_picture(folder / name, options, image.format);
    };
    QCOMPARE(into("a.png")->format().type, u16);
    QCOMPARE(into("a.png")->format().alpha, AlphaKind::straight);
    QCOMPARE(into("a.png")->format().coding, Coding::srgb());
    QCOMPARE(into("a.png")->warnings().size(), 1u);
    QCOMPARE(into("a.jpg")->warnings().size(), 1u);  // transparency is known with the pixels
    QCOMPARE(into("a.jpg")->format().alpha, AlphaKind::premultiplied);  // laid over white behind it
    QCOMPARE(into("a.tif")->format().type, f32);
    QCOMPARE(into("a.exr")->format().coding, Coding::linear());
    QCOMPARE(into("a.tif", {.bits = u8})->format().type, u8);
    QVERIFY(into("a.tif", {.bits = u8})->warnings().empty());
    image.format = usual_format(1, u16, AlphaKind::none);
    QCOMPARE(into("a.exr")->format().type, f32);
    QCOMPARE(into("a.exr")->format().coding, Coding::linear());
    QCOMPARE(into("a.webp")->format().channels, 3);
    image.format = usual_format(1, u8, AlphaKind::none);
    QCOMPARE(into("a.exr")->format().type, f16);
    QVERIFY(folder.names().empty());
  }

  // Text and binary, all six, a small largest value, comments, and both byte orders of PFM.
  void netpbm_variants() {
    const Folder folder;
    const auto first = [&](const std::string& bytes) {
      put(folder / "p.pnm", bytes);
      auto in = open_picture(folder / "p.pnm");
      Image image(in->format());
      image.bytes = read_all(*in).bytes;
      std::vector<float> out;
      for (int y = 0; y < image.format.height; ++y) {
        for (int x = 0; x < image.format.width; ++x) out.push_back(image.get(x, y, 0));
      }
      return out;
    };
    using Row = std::vector<float>;
    QVERIFY(first("P1\n# drawn by hand\n3 1\n010\n") == (Row{1, 0, 1}));
    QVERIFY(first("P2 2 1 15 0 15\n") == (Row{0, 1}));
    QVERIFY(first("P3\n1 2\n255\n255 0 0 # red\n0 0 255") == (Row{1, 0}));
    QVERIFY(first(std::string("P4\n9 1\n\x80\x80", 10)) == (Row{0, 1, 1, 1, 1, 1, 1, 1, 0}));
    QVERIFY(first(std::string("P5 2 1 65535\n\x00\x00\xff\xff", 17)) == (Row{0, 1}));
    QVERIFY(first(std::string("P5 1 1 65535\n\x01\x00", 15)) == (Row{256.0f / 65535.0f}));
    QVERIFY(first(std::string("P6\n1 1\n255\n\xff\x00\x80", 14)) == (Row{1}));
    QVERIFY(first(std::string("Pf\n1 2\n-1.0\n\0\0\0\x40\0\0\x80\x3f", 20)) == (Row{1, 2}));
    QVERIFY(first(std::string("Pf\n1 1\n1.0\n\x40\0\0\0", 15)) == (Row{2}));
  }

  // Tiles, strips of odd heights and planes apart: every layout gives the same numbers.
  void tiff_layouts() {
    const Folder folder;
    std::vector<float> first;
    for (int layout = 0; layout < 5; ++layout) {
      OIIO::ImageSpec s(150, 130, 3, OIIO::TypeDesc::UINT16);
      if (layout == 1) s.tile_width = s.tile_height = 64;
      if (layout == 2) s.attribute("tiff:RowsPerStrip", 1000);
      if (layout == 3) s.attribute("tiff:RowsPerStrip", 7);
      if (layout == 4) s.attribute("planarconfig", "separate");
      make_file(folder / "a.tif", {s});
      QVERIFY(pass_through(folder / "a.tif", folder / "b.tif", {.overwrite = true}).empty());
      const auto values = values_of(folder / "b.tif");
      if (layout == 0) first = values;
      QVERIFY(values == first);
      QVERIFY(values == values_of(folder / "a.tif"));
    }
  }

  // Types that the engine has not become wider ones.
  void other_sample_types() {
    const Folder folder;
    for (const auto type :
         {OIIO::TypeDesc::UINT32, OIIO::TypeDesc::INT16, OIIO::TypeDesc::DOUBLE}) {
      make_file(folder / "a.tif", {OIIO::ImageSpec(20, 10, 1, type)});
      auto in = open_picture(folder / "a.tif");
      QCOMPARE(in->format().type, f32);
      const HeldPicture held = read_all(*in);
      const auto expected = values_of(folder / "a.tif");
      QVERIFY(std::memcmp(held.bytes.data(), expected.data(), held.bytes.size()) == 0);
    }
  }

  // Numbers of 32 bits keep their tone curve: what they look like does not change, and where the
  // file has other numbers it is said.
  void wide_integers() {
    const Folder folder;
    std::string data;
    std::vector<double> samples;
    std::uint32_t seed = 5;
    for (int i = 0; i < 20 * 10 * 3; ++i) {
      const auto code =
          static_cast<std::uint32_t>(static_cast<double>(noise_at(seed)) * 4294967295);
      samples.push_back(static_cast<double>(code) / 4294967295.0);
      data += TiffWriter::number(code, 4);
    }
    put(folder / "a.tif", plain_tiff(20, 10, 3, 32, 2, 1, data));
    auto in = open_picture(folder / "a.tif");
    QCOMPARE(in->format().type, f32);
    QVERIFY(in->format().coding == Coding::srgb());
    QCOMPARE(in->info().warnings.size(), 1u);
    QVERIFY2(in_english(in->info().warnings[0]).find("32-bit integers") != std::string::npos,
             in_english(in->info().warnings[0]).c_str());
    in.reset();
    // As light, in a float file, with a word on it; as 16-bit samples where the user says so.
    auto warnings = pass_through(folder / "a.tif", folder / "b.tif");
    QCOMPARE(warnings.size(), 1u);
    QVERIFY2(warnings[0].find("linear light") != std::string::npos, warnings[0].c_str());
    QVERIFY(open_picture(folder / "b.tif")->format().coding == Coding::linear());
    auto light = values_of(folder / "b.tif");
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const double shown = encode(Coding::srgb(), static_cast<double>(light[i]));
      QVERIFY(std::abs(shown - samples[i]) < 1e-6);
    }
    QVERIFY(pass_through(folder / "a.tif", folder / "c.tif", {.bits = u16}).empty());
    warnings = pass_through(folder / "a.tif", folder / "d.png");
    QCOMPARE(warnings.size(), 1u);
    QVERIFY2(warnings[0].find("32-bit integers") != std::string::npos, warnings[0].c_str());
    for (const char* name : {"c.tif", "d.png"}) {
      QVERIFY(open_picture(folder / name)->format().coding == Coding::srgb());
      const auto values = values_of(folder / name);
      for (std::size_t i = 0; i < samples.size(); ++i) {
        QVERIFY(std::abs(static_cast<double>(values[i]) - samples[i]) < 0.51 / 65535);
      }
    }
  }

  // Signed numbers are data: no tone curve is theirs, and none is put on them.
  void signed_integers_data() {
    QTest::addColumn<int>("bits");
    for (const int bits : {8, 16, 32}) QTest::addRow("%d bits", bits) << bits;
  }

  void signed_integers() {
    QFETCH(int, bits);
    const Folder folder;
    const double top = std::ldexp(1.0, bits - 1) - 1;
    std::string data;
    std::vector<double> expected;
    for (int i = 0; i < 20 * 10; ++i) {
      const auto value = static_cast<std::int64_t>(std::llround((i - 100) / 100.0 * top));
      expected.push_back(static_cast<double>(value) / top);
      data += TiffWriter::number(static_cast<std::uint32_t>(value), bits / 8);
    }
    put(folder / "a.tif", plain_tiff(20, 10, 1, bits, 1, 2, data));
    auto in = open_picture(folder / "a.tif");
    QCOMPARE(in->format().type, f32);
    QVERIFY(in->format().coding == Coding::linear());
    QCOMPARE(in->info().warnings.size(), 1u);
    for (const std::string& word : {std::string("signed"), std::to_string(bits) + "-bit"}) {
      QVERIFY2(in_english(in->info().warnings[0]).find(word) != std::string::npos,
               in_english(in->info().warnings[0]).c_str());
    }
    in.reset();
    pass_through(folder / "a.tif", folder / "b.tif");
    auto back = open_picture(folder / "b.tif");
    QVERIFY(back->format().coding == Coding::linear());
    QVERIFY(back->info().warnings.empty());
    const auto values = values_of(folder / "b.tif");
    for (std::size_t i = 0; i < expected.size(); ++i) {
      QVERIFY2(std::abs(static_cast<double>(values[i]) - expected[i]) < 1e-6,
               qPrintable(QString("%1: %2 %3").arg(i).arg(values[i]).arg(expected[i])));
    }
  }

  void doubles() {
    const Folder folder;
    make_file(folder / "a.tif", {OIIO::ImageSpec(20, 10, 3, OIIO::TypeDesc::DOUBLE)});
    auto in = open_picture(folder / "a.tif");
    QVERIFY(in->format().coding == Coding::linear());
    QCOMPARE(in->info().warnings.size(), 1u);
    QVERIFY2(in_english(in->info().warnings[0]).find("64-bit float") != std::string::npos,
             in_english(in->info().warnings[0]).c_str());
    in.reset();
    QVERIFY(pass_through(folder / "a.tif", folder / "b.tif").empty());
    QVERIFY(values_of(folder / "a.tif") == values_of(folder / "b.tif"));
  }

  void extra_tiff_channels_survive() {
    const Folder folder;
    OIIO::ImageSpec s(40, 30, 5, OIIO::TypeDesc::UINT8);
    s.alpha_channel = -1;
    make_file(folder / "a.tif", {s});
    auto in = open_picture(folder / "a.tif");
    QVERIFY(in->format().channels >= 3);
    const bool alpha = in->format().has_alpha();
    in.reset();
    pass_through(folder / "a.tif", folder / "b.tif", {}, {}, [](std::vector<char>& bytes) {
      for (char& b : bytes) b = static_cast<char>(~b);
    });
    const auto a = values_of(folder / "a.tif"), b = values_of(folder / "b.tif");
    QCOMPARE(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      const bool changed = i % 5 < (alpha ? 4u : 3u);
      QVERIFY(std::abs(b[i] - (changed ? 1 - a[i] : a[i])) < 1e-6f);
    }
  }

  void pages_are_copied() {
    const Folder folder;
    const OIIO::ImageSpec first(40, 30, 3, OIIO::TypeDesc::UINT8);
    OIIO::ImageSpec second(20, 10, 1, OIIO::TypeDesc::UINT16);
    second.attribute("ImageDescription", "the second page");
    OIIO::ImageSpec third(70, 90, 4, OIIO::TypeDesc::FLOAT);
    make_file(folder / "a.tif", {first, second, third});
    const auto warnings = pass_through(folder / "a.tif", folder / "b.tif");
    QCOMPARE(warnings.size(), 1u);
    for (int page = 0; page < 3; ++page) {
      QVERIFY(values_of(folder / "a.tif", page) == values_of(folder / "b.tif", page));
    }
    QCOMPARE(spec_of(folder / "b.tif", 1).format, OIIO::TypeDesc(OIIO::TypeDesc::UINT16));
    QCOMPARE(std::string(spec_of(folder / "b.tif", 1).get_string_attribute("ImageDescription")),
             std::string("the second page"));
    const auto alone = pass_through(folder / "a.tif", folder / "c.png");
    QCOMPARE(alone.size(), 1u);
    QVERIFY(alone[0].find("first") != std::string::npos);
  }

  // The engine asks for overlapping regions downwards, and for anything after keep_all().
  void regions() {
    const Folder folder;
    Image image = scene(usual_format(3, u8, AlphaKind::none, 300, 2000));
    through(folder / "a.tif", image);
    const auto same = [&](PixelSource& in, const Rect& r) {
      std::vector<char> got(static_cast<std::size_t>(r.area()) * 3);
      in.read(r, got.data(), r.width() * 3);
      for (int y = r.y0; y < r.y1; ++y) {
        if (std::memcmp(got.data() + (y - r.y0) * r.width() * 3, image.sample(r.x0, y, 0),
                        static_cast<std::size_t>(r.width()) * 3) != 0) {
          return false;
        }
      }
      return true;
    };
    auto in = open_picture(folder / "a.tif");
    for (int y = 0; y < 1900; y += 90) QVERIFY(same(*in, {10, y, 290, std::min(2000, y + 130)}));
    in = open_picture(folder / "a.tif");
    in->keep_all();
    QVERIFY(same(*in, {0, 1500, 300, 2000}));
    QVERIFY(same(*in, {5, 0, 6, 100}));
  }

  // A render that is stopped leaves a picture whose next rows are being read.
  void a_picture_may_be_left_while_it_reads_ahead_data() {
    QTest::addColumn<bool>("contained");
    QTest::newRow("in a process of its own") << true;
    QTest::newRow("in this one") << false;
  }
  void a_picture_may_be_left_while_it_reads_ahead() {
    QFETCH(const bool, contained);
    const Folder folder;
    Image image = scene(usual_format(3, u8, AlphaKind::none, 2000, 600));
    through(folder / "a.png", image);
    ReadOptions options;
    options.contained = contained;
    std::vector<char> rows(std::size_t{2000} * 3 * 100);
    for (int turn = 0; turn < (contained ? 5 : 40); ++turn) {
      const auto in = open_picture(folder / "a.png", options);
      in->expect({0, 100, 2000, 600});
      in->read({0, 0, 2000, 100}, rows.data(), 2000 * 3);
    }
  }

  void content_decides() {
    const Folder folder;
    Image image = scene(usual_format(3, u8, AlphaKind::none));
    through(folder / "a.tif", image);
    std::filesystem::rename(folder / "a.tif", folder / "wrong.png");
    auto in = open_picture(folder / "wrong.png");
    QCOMPARE(in->info().file_format, std::string("tiff"));
    QVERIFY(read_all(*in).bytes == image.bytes);
    through(folder / "b.jpg", image);
    std::filesystem::rename(folder / "b.jpg", folder / "none");
    QCOMPARE(open_picture(folder / "none")->info().file_format, std::string("jpeg"));
  }

  void unusual_names() {
    const Folder folder;
    Image image = scene(usual_format(3, u8, AlphaKind::none));
    for (const std::string& name :
         {std::string("a b?c=d&e.tif"), std::string("100%04d #.png"), std::string("-o.tif"),
          std::string("\xc3\xa9t\xc3\xa9 \xe6\x97\xa5\xe6\x9c\xac.png"),
          std::string("\xff\xfe.tif"), std::string("new\nline\x1b[1m.png"),
          std::string(251, 'x') + ".tif", std::string("two.dots.TIFF")}) {
      auto back = through(folder / name, image);
      QVERIFY(read_all(*back).bytes == image.bytes);
    }
    QCOMPARE(folder.names().size(), 8u);
  }

  void threads() {
    const Folder folder;
    Image image = scene(usual_format(3, u16, AlphaKind::none, 300, 200));
    std::atomic<int> good = 0;
    std::vector<std::thread> workers;
    for (int i = 0; i < 4; ++i) {
      workers.emplace_back([&, i] {
        for (int k = 0; k < 5; ++k) {
          const std::string name = std::to_string(10 * i + k);
          auto png = through(folder / (name + ".png"), image);
          auto exr = pass_through(folder / (name + ".png"), folder / (name + ".tif"));
          if (read_all(*open_picture(folder / (name + ".tif"))).bytes == image.bytes) ++good;
        }
      });
    }
    for (auto& w : workers) w.join();
    QCOMPARE(good.load(), 20);
  }
};

QTEST_GUILESS_MAIN(TestIoRoundTrip)
#include "test_io_round_trip.moc"
