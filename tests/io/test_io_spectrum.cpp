// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Both parts of a spectrum in one file, and the picture that comes back from it.
#include <QTest>
#include <cmath>

#include "io/render_file.hpp"
#include "support/files.hpp"
#include "support/sessions.hpp"

using namespace sfumato;
using namespace sfumato::testing;

class TestIoSpectrum : public QObject {
  Q_OBJECT

  Folder folder_;
  Sessions sessions_;

  std::vector<std::string> said_;

  void render(const Recipe& recipe, const std::string& from, const std::string& to,
              const WriteOptions& write = {}) {
    FileJob job;
    job.input = folder_ / from;
    job.output = folder_ / to;
    job.recipe = recipe;
    job.write = write;
    job.write.overwrite = true;
    job.warn = [this](const Message& warning) { said_.push_back(in_english(warning)); };
    render_file(sessions_.on("reference", "reference", std::nullopt), std::move(job));
  }
  static Recipe spectrum(const char* show) {
    return one_step("spectrum", {{"show", show}, {"light", "stored"}});
  }
  Recipe inverse(const std::string& imaginary) {
    Recipe recipe = one_step("inverse_spectrum", {{"light", "stored"}});
    recipe.steps[0].values.set("imaginary", ImageRef{(folder_ / imaginary).string(), {}});
    return recipe;
  }
  // A channel of a file whose pixels are `values`.
  static std::vector<float> channel(const std::vector<float>& values, int channels, int c) {
    std::vector<float> out;
    for (auto i = static_cast<std::size_t>(c); i < values.size();
         i += static_cast<std::size_t>(channels)) {
      out.push_back(values[i]);
    }
    return out;
  }
  static std::vector<float> named(const std::filesystem::path& path, const std::string& name) {
    const OIIO::ImageSpec spec = spec_of(path);
    return channel(values_of(path), spec.nchannels, spec.channelindex(name));
  }

 private slots:
  void parts_are_layers_and_pages_data() {
    QTest::addColumn<int>("channels");
    QTest::addColumn<bool>("metadata");
    for (const int channels : {1, 3, 4}) {
      for (const bool metadata : {false, true}) {
        QTest::addRow("%d channels%s", channels, metadata ? ", with metadata" : "")
            << channels << metadata;
      }
    }
  }
  // Beside each part in a file of its own.
  void parts_are_layers_and_pages() {
    QFETCH(const int, channels);
    QFETCH(const bool, metadata);
    OIIO::ImageSpec spec(31, 22, channels, OIIO::TypeDesc::UINT8);
    spec.alpha_channel = channels == 4 ? 3 : -1;
    if (metadata) spec.attribute("ImageDescription", "waves");
    if (metadata) spec.attribute("Exif:FNumber", 4.0f);
    make_file(folder_ / "in.tif", {spec});
    for (const char* part : {"real", "imaginary"}) {
      render(spectrum(part), "in.tif", std::string(part) + ".exr", {.bits = SampleType::f32});
    }
    said_.clear();
    render(spectrum("complex"), "in.tif", "both.exr");
    QCOMPARE(std::any_of(said_.begin(), said_.end(),
                         [](const std::string& sentence) {
                           return sentence.find("opacity") != std::string::npos;
                         }),
             channels == 4);
    render(spectrum("complex"), "in.tif", "both.tif");
    const OIIO::ImageSpec pages[] = {spec_of(folder_ / "both.tif", 0),
                                     spec_of(folder_ / "both.tif", 1)};
    for (const OIIO::ImageSpec& page : pages) {
      QCOMPARE(page.nchannels, channels);
      QCOMPARE(page.format, OIIO::TypeDesc(OIIO::TypeDesc::FLOAT));
    }
    QCOMPARE(std::string(pages[0].get_string_attribute("ImageDescription")),
             std::string(metadata ? "waves" : ""));
    const std::vector<std::string> names =
        channels == 1 ? std::vector<std::string>{"Y"} : std::vector<std::string>{"R", "G", "B"};
    for (std::size_t c = 0; c < names.size(); ++c) {
      const auto real = named(folder_ / "real.exr", names[c]);
      const auto imaginary = named(folder_ / "imaginary.exr", names[c]);
      QVERIFY(real != imaginary);
      QCOMPARE(named(folder_ / "both.exr", names[c]), real);
      QCOMPARE(named(folder_ / "both.exr", "imaginary." + names[c]), imaginary);
      QCOMPARE(channel(values_of(folder_ / "both.tif", 0), channels, static_cast<int>(c)), real);
      QCOMPARE(channel(values_of(folder_ / "both.tif", 1), channels, static_cast<int>(c)),
               imaginary);
    }
  }

  void the_picture_comes_back_from_one_file() {
    for (const int channels : {1, 3}) {
      OIIO::ImageSpec spec(61, 47, channels, OIIO::TypeDesc::UINT16);
      spec.attribute("ImageDescription", "waves");
      make_file(folder_ / "in.tif", {spec});
      for (const char* name : {"both.exr", "both.tif"}) {
        render(spectrum("complex"), "in.tif", name);
        render(inverse(name), name, "back.exr");
        const auto back = values_of(folder_ / "back.exr"), picture = values_of(folder_ / "in.tif");
        const int all = spec_of(folder_ / "back.exr").nchannels;
        for (int c = 0; c < channels; ++c) {
          const auto a =
              named(folder_ / "back.exr", channels == 1 ? "Y" : std::string(1, "RGB"[c]));
          const auto b = channel(picture, channels, c);
          QVERIFY(all >= channels && a.size() == b.size());
          for (std::size_t i = 0; i < a.size(); ++i) QVERIFY(std::abs(a[i] - b[i]) <= 2e-6f);
        }
      }
    }
  }

  // Both parts of one file are taken without naming it twice.
  void the_file_s_own_part_is_taken() {
    make_file(folder_ / "in.tif", {OIIO::ImageSpec(61, 47, 3, OIIO::TypeDesc::UINT16)});
    for (const char* name : {"both.exr", "both.tif"}) {
      render(spectrum("complex"), "in.tif", name);
      render(inverse(name), name, "named.exr");
      said_.clear();
      render(one_step("inverse_spectrum", {{"light", "stored"}}), name, "own.exr");
      const bool stays = spec_of(folder_ / "own.exr").channelindex("imaginary.R") >= 0;
      QCOMPARE(std::any_of(said_.begin(), said_.end(),
                           [](const std::string& sentence) {
                             return sentence.find("stays in the file") != std::string::npos;
                           }),
               stays);
      QCOMPARE(values_of(folder_ / "own.exr"), values_of(folder_ / "named.exr"));
    }
    render(spectrum("real"), "in.tif", "real.exr", {.bits = SampleType::f32});
    const std::string said = refusal([&] {
      render(one_step("inverse_spectrum", {{"light", "stored"}}), "real.exr", "none.exr");
    });
    QVERIFY2(said.find("--imaginary FILE") != std::string::npos, said.c_str());
  }

  // A spectrum's own file without its other part is no picture's imaginary part.
  void a_part_that_is_missing_is_said() {
    make_file(folder_ / "in.tif", {OIIO::ImageSpec(16, 12, 3, OIIO::TypeDesc::FLOAT)});
    for (const char* name : {"lost.exr", "lost.tif"}) {
      render(spectrum("real"), "in.tif", name, {.bits = SampleType::f32});
      const std::string said = refusal([&] { render(inverse(name), name, "none.exr"); });
      QVERIFY2(said.find("has no imaginary part") != std::string::npos, said.c_str());
      QVERIFY(!std::filesystem::exists(folder_ / "none.exr"));
    }
    // A part in a file of its own needs no such layer.
    render(spectrum("imaginary"), "in.tif", "imaginary.exr", {.bits = SampleType::f32});
    render(inverse("imaginary.exr"), "lost.exr", "two.exr");
    QVERIFY(std::filesystem::exists(folder_ / "two.exr"));
  }

  void files_that_hold_no_second_part_are_refused() {
    make_file(folder_ / "in.tif", {OIIO::ImageSpec(16, 12, 3, OIIO::TypeDesc::FLOAT)});
    const std::string png = refusal([&] { render(spectrum("complex"), "in.tif", "both.png", {}); });
    QVERIFY2(png.find("no room for the layer") != std::string::npos, png.c_str());
    const std::string integers =
        refusal([&] { render(spectrum("complex"), "in.tif", "i.tif", {.bits = SampleType::u16}); });
    QVERIFY2(integers.find("made of floats") != std::string::npos, integers.c_str());
  }

  // The input's other channels have no place beside the second part, and that is said.
  void other_channels_are_said_to_be_lost() {
    OIIO::ImageSpec spec(16, 12, 5, OIIO::TypeDesc::HALF);
    spec.channelnames = {"R", "G", "B", "Z", "mask"};
    make_file(folder_ / "in.exr", {spec});
    said_.clear();
    render(spectrum("complex"), "in.exr", "both.exr");
    QVERIFY(std::any_of(said_.begin(), said_.end(), [](const std::string& sentence) {
      return sentence.find("2 other channels") != std::string::npos ||
             (sentence.find("Z") != std::string::npos &&
              sentence.find("mask") != std::string::npos);
    }));
    QCOMPARE(spec_of(folder_ / "both.exr").nchannels, 6);
  }
};

QTEST_GUILESS_MAIN(TestIoSpectrum)
#include "test_io_spectrum.moc"
