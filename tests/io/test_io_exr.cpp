// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// OpenEXR: layers and roles are found by name, and what the filter does not touch comes through.
#include <QTest>
#include <cstring>

#include "support/files.hpp"
#include "support/not_empty.hpp"

using namespace sfumato;
using namespace sfumato::testing;
using enum SampleType;

namespace {

OIIO::ImageSpec layers(const std::vector<std::string>& names,
                       OIIO::TypeDesc type = OIIO::TypeDesc::HALF, int width = 45,
                       int height = 67) {
  OIIO::ImageSpec s(width, height, static_cast<int>(names.size()), type);
  s.channelnames = names;
  s.alpha_channel = -1;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == "A") s.alpha_channel = static_cast<int>(i);
  }
  return s;
}

std::string joined(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& n : names) out += (out.empty() ? "" : ",") + n;
  return out;
}

// The channels chosen from a file with these.
std::string chosen(const std::vector<std::string>& names, const ReadOptions& options = {}) {
  const Folder folder;
  make_file(folder / "a.exr", {layers(names)});
  return joined(open_picture(folder / "a.exr", options)->info().channel_names);
}

void clear_bytes(std::vector<char>& bytes) {
  std::fill(bytes.begin(), bytes.end(), char{0});
}

// The channel's place in a file's own order.
int index_of(const OIIO::ImageSpec& spec, const std::string& name) {
  for (int c = 0; c < spec.nchannels; ++c) {
    if (spec.channel_name(c) == name) return c;
  }
  return -1;
}

// Whether b is a, but for zeros in the named channels.
bool only_cleared(const std::filesystem::path& a, const std::filesystem::path& b,
                  const std::vector<std::string>& names, int part = 0) {
  const OIIO::ImageSpec s = spec_of(a, part), t = spec_of(b, part);
  if (s.nchannels != t.nchannels || s.channelnames != t.channelnames) return false;
  const auto va = values_of(a, part), vb = values_of(b, part);
  if (va.size() != vb.size()) return false;
  std::vector<int> cleared;
  for (const auto& n : names) cleared.push_back(index_of(s, n));
  for (std::size_t i = 0; i < va.size(); ++i) {
    const int c = static_cast<int>(i % static_cast<std::size_t>(s.nchannels));
    const bool zero = std::find(cleared.begin(), cleared.end(), c) != cleared.end();
    if (vb[i] != (zero ? 0.0f : va[i])) return false;
  }
  return true;
}

std::string little_endian(std::uint64_t value, int bytes) {
  std::string out;
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 255);
  return out;
}

// The file with a list of two views before its channels: offsets of chunks grow.
std::string with_views(const std::string& file) {
  const std::string value = little_endian(4, 4) + "left" + little_endian(5, 4) + "right";
  const std::string attribute =
      std::string("multiView\0stringvector\0", 23) + little_endian(value.size(), 4) + value;
  std::size_t end = 8;
  while (file[end] != 0) {
    const std::size_t type = file.find('\0', end), size = file.find('\0', type + 1) + 1;
    std::uint32_t bytes = 0;
    std::memcpy(&bytes, file.data() + size, 4);
    end = size + 4 + bytes;
  }
  std::uint64_t first = 0;
  std::memcpy(&first, file.data() + end + 1, 8);
  std::string out = file.substr(0, 8) + attribute + file.substr(8, end - 7);
  for (std::size_t at = end + 1; at < first; at += 8) {
    std::uint64_t offset = 0;
    std::memcpy(&offset, file.data() + at, 8);
    out += little_endian(offset + attribute.size(), 8);
  }
  return out + file.substr(static_cast<std::size_t>(first));
}

}  // namespace

class TestIoExr : public QObject {
  Q_OBJECT

 private slots:
  // Of luminance and chroma none is filtered without the others.
  void luminance_and_chroma() {
    const Folder folder;
    make_file(folder / "a.exr", {layers({"Y", "RY", "BY"})});
    const std::string said = refusal([&] { open_picture(folder / "a.exr"); });
    QVERIFY2(said.find("luminance and chroma") != std::string::npos, said.c_str());
    QCOMPARE(chosen({"Y", "RY", "BY"}, {.channels = "Y"}), std::string("Y"));
    QCOMPARE(chosen({"Y", "A"}), std::string("Y,A"));
    QCOMPARE(chosen({"R", "G", "B", "Y"}), std::string("R,G,B"));
  }

  // Who filters one eye's view is told of the other one.
  void views() {
    const Folder folder;
    const auto warned = [&](std::vector<OIIO::ImageSpec> parts, const ReadOptions& options = {}) {
      make_file(folder / "a.exr", std::move(parts));
      const auto in = open_picture(folder / "a.exr", options);
      const auto& said = in->info().warnings;
      return std::any_of(said.begin(), said.end(),
                         [](const Message& one) { return one.id == "file.views"; });
    };
    const std::vector<std::string> both = {"left.R",  "left.G",  "left.B",
                                           "right.R", "right.G", "right.B"};
    QVERIFY(warned({layers(both)}));
    QVERIFY(warned({layers({"R", "G", "B", "right.R", "right.G", "right.B"})}));
    QVERIFY(!warned({layers(both)}, {.channels = "right"}));
    QVERIFY(!warned({layers({"R", "G", "B", "diffuse.R", "diffuse.G", "diffuse.B"})}));
    std::vector<OIIO::ImageSpec> parts = {layers({"R", "G", "B"}), layers({"R", "G", "B"})};
    for (const std::size_t i : {0u, 1u}) {
      parts[i].attribute("oiio:subimagename", i == 0 ? "one" : "two");
      parts[i].attribute("view", i == 0 ? "main" : "other");
    }
    QVERIFY(warned(parts));
  }

  // The list of the views' names stays, and the file behind it whole.
  void list_of_views() {
    const Folder folder;
    make_file(folder / "a.exr",
              {layers({"left.R", "left.G", "left.B", "right.R", "right.G", "right.B"})});
    put(folder / "a.exr", with_views(content(folder / "a.exr")));
    for (const char* date : {"", "2020:01:02 03:04:05"}) {
      pass_through(folder / "a.exr", folder / "b.exr",
                   {.overwrite = true, .keep_metadata = *date == 0});
      const OIIO::ImageSpec found = spec_of(folder / "b.exr");
      const OIIO::ParamValue* list = found.find_attribute("multiView");
      QVERIFY(list != nullptr);
      QCOMPARE(list->get_string_indexed(1), std::string("right"));
      QVERIFY(values_of(folder / "a.exr") == values_of(folder / "b.exr"));
    }
  }

  // Both channels of a pair are filtered, and all others stay as they are; a format that has no
  // pairs gets a third of zeros.
  void pairs_are_filtered_together_data() {
    QTest::addColumn<QStringList>("channels");
    QTest::newRow("alone") << QStringList{"u", "v"};
    QTest::newRow("in a layer, turned") << QStringList{"motion.v", "motion.u"};
    QTest::newRow("two layers") << QStringList{"a.u", "a.v", "b.u", "b.v"};
  }

  void pairs_are_filtered_together() {
    QFETCH(const QStringList, channels);
    const Folder folder;
    OIIO::ImageSpec s(20, 15, static_cast<int>(channels.size()), OIIO::TypeDesc::FLOAT);
    s.channelnames.clear();
    for (const QString& name : channels) s.channelnames.push_back(name.toStdString());
    const auto a = folder / "a.exr", b = folder / "b.exr";
    make_file(a, {s});
    const auto in = open_picture(a);
    QCOMPARE(in->format().channels, 3);
    QCOMPARE(in->info().warnings.size(), 1u);
    QCOMPARE(in->info().warnings[0].id, std::string("file.vectors"));
    const auto halve = [](std::vector<char>& bytes) {
      auto* values = reinterpret_cast<float*>(bytes.data());
      for (std::size_t i = 0; i < bytes.size() / sizeof(float); ++i) {
        values[i] = values[i] / 2 + (i % 3 == 2 ? 5 : 0);
      }
    };
    QVERIFY(copy_picture(a, b, {}, {}, halve).writing.empty());
    const std::vector<float> before = values_of(a), after = values_of(b);
    QCOMPARE(spec_of(b).channelnames, spec_of(a).channelnames);
    QCOMPARE(after.size(), before.size());
    const auto count = static_cast<std::size_t>(s.nchannels);
    for (std::size_t i = 0; i < after.size(); ++i) {
      QCOMPARE(after[i], i % count < 2 ? before[i] / 2 : before[i]);
    }
    const Said said = copy_picture(a, folder / "c.pfm");
    // OpenImageIO's file has a date.
    QCOMPARE(said.writing.size(), count > 2 ? 2u : 1u);
    const std::vector<float> plain = values_of(folder / "c.pfm");
    QCOMPARE(plain.size(), 3 * before.size() / count);
  }

  // The date of a file is its own, to the letter; no file gets one that it had not.
  void dates_are_kept() {
    const Folder folder;
    const auto a = folder / "a.exr", b = folder / "b.exr";
    OIIO::ImageSpec s(20, 15, 3, OIIO::TypeDesc::HALF);
    s.attribute("DateTime", "2019:12:31 23:59:58");
    s.attribute("utcOffset", -3600.0f);
    make_file(a, {s});
    copy_picture(a, b);
    QCOMPARE(spec_of(b).get_string_attribute("DateTime"), s.get_string_attribute("DateTime"));
    QVERIFY(content(b).find("capDate") != std::string::npos);
    QCOMPARE(spec_of(b).get_float_attribute("utcOffset"), -3600.0f);
    // OpenImageIO always writes one.
    std::string bytes = content(a);
    bytes.replace(bytes.find("capDate"), 7, "capDone");
    put(a, bytes);
    for (const bool metadata : {true, false}) {
      copy_picture(a, b, {.overwrite = true, .keep_metadata = metadata});
      QVERIFY(content(b).find("capDate") == std::string::npos);
      QVERIFY(values_of(a) == values_of(b));
    }
    OIIO::ImageSpec first = s, second = s;
    first.attribute("oiio:subimagename", "one");
    second.attribute("oiio:subimagename", "two");
    make_file(a, {first, second});
    bytes = content(a);
    const std::size_t last = bytes.rfind("capDate");
    bytes.replace(last, 7, "capDone");
    put(a, bytes);
    copy_picture(a, b, {.overwrite = true});
    bytes = content(b);
    QCOMPARE(bytes.find("capDate"), bytes.rfind("capDate"));
    QVERIFY(bytes.find("capDate") != std::string::npos);
    for (const int part : {0, 1}) QVERIFY(values_of(a, part) == values_of(b, part));
  }

  void layers_and_channels_are_listed_as_they_are_chosen() {
    const Folder folder;
    make_file(folder / "a.exr", {layers({"R", "G", "B", "A", "Diffuse.R", "Diffuse.G", "Diffuse.B",
                                         "view.Normal.X", "view.Normal.Y", "view.Normal.Z"})});
    const auto file = open_picture(folder / "a.exr");
    QCOMPARE(joined(file->info().layers), std::string("Diffuse,view.Normal"));
    QCOMPARE(file->info().all_channels.size(), std::size_t{10});
    for (const std::string& layer : file->info().layers) {
      ReadOptions options;
      options.channels = layer;
      QCOMPARE(
          open_picture(folder / "a.exr", options)->info().channel_names[0].substr(0, layer.size()),
          layer);
    }
    for (const std::string& channel : file->info().all_channels) {
      ReadOptions options;
      options.channels = channel;
      QCOMPARE(joined(open_picture(folder / "a.exr", options)->info().channel_names), channel);
    }
    make_file(folder / "plain.exr", {layers({"R", "G", "B"})});
    QVERIFY(open_picture(folder / "plain.exr")->info().layers.empty());
  }

  void packing_is_the_users_choice() {
    const Folder folder;
    make_file(folder / "a.exr", {layers({"R", "G", "B"})});
    for (const std::string& name : not_empty(format_of("x.exr")->compressions, "ways to pack")) {
      WriteOptions options;
      options.compression = name;
      const auto in = open_picture(folder / "a.exr");
      const auto out = create_picture(folder / (name + ".exr"), options, *in);
      HeldPicture pixels = read_all(*in);
      out->write(pixels.view());
      out->commit();
      QCOMPARE(std::string(spec_of(folder / (name + ".exr")).get_string_attribute("compression")),
               name);
    }
    WriteOptions wrong;
    wrong.compression = "zap";
    try {
      check_output(folder / "b.exr", wrong);
      QFAIL("an unknown compression was taken");
    } catch (const FileError& e) {
      QVERIFY2(QString(e.what()).contains("\"zap\"") && QString(e.what()).contains("piz"),
               e.what());
    }
    wrong.compression = "zip";
    QVERIFY_THROWS_EXCEPTION(FileError, check_output(folder / "b.jpg", wrong));
  }

  void the_picture_is_found() {
    QCOMPARE(chosen({"R", "G", "B"}), std::string("R,G,B"));
    QCOMPARE(chosen({"R", "G", "B", "A", "Z"}), std::string("R,G,B,A"));
    QCOMPARE(chosen({"Y"}), std::string("Y"));
    QCOMPARE(chosen({"Y", "A", "Z"}), std::string("Y,A"));
    QCOMPARE(chosen({"AO.R", "AO.G", "AO.B", "Combined.R", "Combined.G", "Combined.B"}),
             std::string("Combined.R,Combined.G,Combined.B"));
    QCOMPARE(chosen({"View.Diffuse.R", "View.Diffuse.G", "View.Diffuse.B", "View.Z.V"}),
             std::string("View.Diffuse.R,View.Diffuse.G,View.Diffuse.B"));
    QCOMPARE(chosen({"Z"}), std::string("Z"));
  }

  void roles_are_found() {
    const ReadOptions normal{.role = "normal"}, depth{.role = "depth"};
    QCOMPARE(chosen({"R", "G", "B", "N.X", "N.Y", "N.Z", "Z"}, normal), std::string("N.X,N.Y,N.Z"));
    QCOMPARE(chosen({"R", "G", "B", "normal.R", "normal.G", "normal.B"}, normal),
             std::string("normal.R,normal.G,normal.B"));
    QCOMPARE(chosen({"R", "G", "B", "View.Normal.X", "View.Normal.Y", "View.Normal.Z"}, normal),
             std::string("View.Normal.X,View.Normal.Y,View.Normal.Z"));
    QCOMPARE(chosen({"R", "G", "B", "A"}, normal), std::string("R,G,B"));
    QCOMPARE(chosen({"R", "G", "B", "N.X", "N.Y", "N.Z", "Z"}, depth), std::string("Z"));
    QCOMPARE(chosen({"R", "G", "B", "depth.V"}, depth), std::string("depth.V"));
    QCOMPARE(chosen({"R", "G", "B", "View.Depth.Z", "N.X", "N.Y", "N.Z"}, depth),
             std::string("View.Depth.Z"));
    QCOMPARE(chosen({"R", "G", "B"}, depth), std::string("R"));
  }

  void channels_by_name() {
    const std::vector<std::string> names = {"R", "G", "B", "N.X", "N.Y", "N.Z", "mask.A"};
    QCOMPARE(chosen(names, {.channels = "n.z, N.x"}), std::string("N.Z,N.X"));
    QCOMPARE(chosen(names, {.channels = "N"}), std::string("N.X,N.Y,N.Z"));
    QCOMPARE(chosen(names, {.channels = "R,G,B,mask.A"}), std::string("R,G,B,mask.A"));
    QCOMPARE(chosen(names, {.channels = "mask.A"}), std::string("mask.A"));
    const Folder folder;
    make_file(folder / "a.exr", {layers(names)});
    const std::string message = refusal([&] { open_picture(folder / "a.exr", {.channels = "M"}); });
    QVERIFY2(message.find("n.x") != std::string::npos, message.c_str());
  }

  // Picked in another order than the file's, the numbers follow their names.
  void order_is_kept() {
    const Folder folder;
    make_file(folder / "a.exr", {layers({"R", "G", "B", "N.X", "N.Y"}, OIIO::TypeDesc::FLOAT)});
    auto in = open_picture(folder / "a.exr", {.channels = "N.Y,R,B"});
    Image image(in->format());
    image.bytes = read_all(*in).bytes;
    const OIIO::ImageSpec s = spec_of(folder / "a.exr");
    const auto values = values_of(folder / "a.exr");
    const std::vector<std::string> names = {"N.Y", "R", "B"};
    for (int y = 0; y < image.format.height; ++y) {
      for (int x = 0; x < image.format.width; ++x) {
        for (int c = 0; c < 3; ++c) {
          const int from = index_of(s, names[static_cast<std::size_t>(c)]);
          QCOMPARE(image.get(x, y, c),
                   values[static_cast<std::size_t>((y * s.width + x) * s.nchannels + from)]);
        }
      }
    }
  }

  void other_channels_survive_data() {
    QTest::addColumn<QString>("compression");
    QTest::addColumn<bool>("tiled");
    for (const char* c : {"none", "rle", "zips", "zip", "piz"}) {
      QTest::newRow(c) << c << false;
      QTest::addRow("%s tiled", c) << c << true;
    }
  }

  void other_channels_survive() {
    QFETCH(QString, compression);
    QFETCH(bool, tiled);
    const Folder folder;
    OIIO::ImageSpec s = layers({"R", "G", "B", "A", "Z", "N.X", "id"});
    s.channelformats = {OIIO::TypeDesc::HALF,  OIIO::TypeDesc::HALF,  OIIO::TypeDesc::HALF,
                        OIIO::TypeDesc::HALF,  OIIO::TypeDesc::FLOAT, OIIO::TypeDesc::HALF,
                        OIIO::TypeDesc::UINT32};
    s.attribute("compression", compression.toStdString());
    if (tiled) s.tile_width = s.tile_height = 16;
    make_file(folder / "a.exr", {s});
    QCOMPARE(open_picture(folder / "a.exr")->format().type, f16);
    QVERIFY(pass_through(folder / "a.exr", folder / "b.exr", {}, {}, clear_bytes).empty());
    QVERIFY(only_cleared(folder / "a.exr", folder / "b.exr", {"R", "G", "B", "A"}));
    const OIIO::ImageSpec a = spec_of(folder / "a.exr"), b = spec_of(folder / "b.exr");
    for (int c = 0; c < a.nchannels; ++c) QCOMPARE(a.channelformat(c), b.channelformat(c));
    QCOMPARE(std::string(b.get_string_attribute("compression")), compression.toStdString());
    // A layer filtered in place, and another depth for what was filtered.
    pass_through(folder / "a.exr", folder / "c.exr", {.bits = f32}, {.channels = "N.X"},
                 clear_bytes);
    QVERIFY(only_cleared(folder / "a.exr", folder / "c.exr", {"N.X"}));
    const OIIO::ImageSpec w = spec_of(folder / "c.exr");
    QCOMPARE(w.channelformat(index_of(w, "N.X")), OIIO::TypeDesc(OIIO::TypeDesc::FLOAT));
    QCOMPARE(w.channelformat(index_of(w, "R")), OIIO::TypeDesc(OIIO::TypeDesc::HALF));
  }

  void windows_and_attributes_survive() {
    const Folder folder;
    OIIO::ImageSpec s = layers({"R", "G", "B"});
    s.x = -5;
    s.y = 7;
    s.full_x = -20;
    s.full_y = -10;
    s.full_width = 200;
    s.full_height = 150;
    s.attribute("PixelAspectRatio", 1.5f);
    s.attribute("shot", "the studio");
    s.attribute("smpte:TimeCode", OIIO::TypeTimeCode, std::array<int, 2>{0x01020304, 0}.data());
    const std::array<float, 8> primaries = {0.7f, 0.3f, 0.2f, 0.7f, 0.1f, 0.1f, 0.31f, 0.33f};
    s.attribute("chromaticities", OIIO::TypeDesc(OIIO::TypeDesc::FLOAT, 8), primaries.data());
    make_file(folder / "a.exr", {s});
    const auto in = open_picture(folder / "a.exr");
    QCOMPARE(in->format().width, 45);
    QCOMPARE(in->format().height, 67);
    pass_through(folder / "a.exr", folder / "b.exr");
    const OIIO::ImageSpec a = spec_of(folder / "a.exr"), b = spec_of(folder / "b.exr");
    QCOMPARE(b.x, a.x);
    QCOMPARE(b.y, a.y);
    QCOMPARE(b.full_x, a.full_x);
    QCOMPARE(b.full_y, a.full_y);
    QCOMPARE(b.full_width, a.full_width);
    QCOMPARE(b.full_height, a.full_height);
    QCOMPARE(b.get_float_attribute("PixelAspectRatio"), 1.5f);
    QCOMPARE(std::string(b.get_string_attribute("shot")), std::string("the studio"));
    for (const char* name : {"smpte:TimeCode", "chromaticities"}) {
      const OIIO::ParamValue* pa = a.find_attribute(name);
      const OIIO::ParamValue* pb = b.find_attribute(name);
      QVERIFY2(pa != nullptr && pb != nullptr, name);
      QVERIFY2(pa->type() == pb->type(), name);
      QVERIFY2(std::memcmp(pa->data(), pb->data(), static_cast<std::size_t>(pa->datasize())) == 0,
               name);
    }
    QVERIFY(values_of(folder / "a.exr") == values_of(folder / "b.exr"));
    const auto warnings = pass_through(folder / "a.exr", folder / "b.png");
    QVERIFY(std::any_of(warnings.begin(), warnings.end(), [](const std::string& w) {
      return w.find("display window") != std::string::npos;
    }));
  }

  void parts_survive() {
    const Folder folder;
    OIIO::ImageSpec depth = layers({"Z"}, OIIO::TypeDesc::FLOAT, 30, 20);
    depth.full_width = 45;  // all parts share the display window
    depth.full_height = 67;
    depth.attribute("oiio:subimagename", "depth");
    OIIO::ImageSpec colour = layers({"R", "G", "B", "A"});
    colour.attribute("oiio:subimagename", "beauty");
    OIIO::ImageSpec normal = layers({"X", "Y", "Z"}, OIIO::TypeDesc::FLOAT);
    normal.attribute("oiio:subimagename", "normal");
    make_file(folder / "a.exr", {depth, colour, normal});
    auto in = open_picture(folder / "a.exr");
    QCOMPARE(joined(in->info().channel_names), std::string("R,G,B,A"));
    QCOMPARE(joined(open_picture(folder / "a.exr", {.role = "normal"})->info().channel_names),
             std::string("X,Y,Z"));
    QCOMPARE(open_picture(folder / "a.exr", {.role = "depth"})->format().width, 30);
    QCOMPARE(open_picture(folder / "a.exr", {.channels = "normal.X"})->format().channels, 1);
    QVERIFY(pass_through(folder / "a.exr", folder / "b.exr", {}, {}, clear_bytes).empty());
    QVERIFY(only_cleared(folder / "a.exr", folder / "b.exr", {}, 0));
    QVERIFY(only_cleared(folder / "a.exr", folder / "b.exr", {"R", "G", "B", "A"}, 1));
    QVERIFY(only_cleared(folder / "a.exr", folder / "b.exr", {}, 2));
    for (int part = 0; part < 3; ++part) {
      QCOMPARE(
          std::string(spec_of(folder / "b.exr", part).get_string_attribute("oiio:subimagename")),
          std::string(spec_of(folder / "a.exr", part).get_string_attribute("oiio:subimagename")));
    }
    const auto warnings = pass_through(folder / "a.exr", folder / "b.tif");
    QCOMPARE(warnings.size(), 1u);
    QVERIFY(warnings[0].find("parts") != std::string::npos);
  }

  void other_channels_are_missed_elsewhere() {
    const Folder folder;
    make_file(folder / "a.exr", {layers({"R", "G", "B", "Z", "N.X"})});
    const auto warnings = pass_through(folder / "a.exr", folder / "b.tif");
    QCOMPARE(warnings.size(), 1u);
    QVERIFY2(warnings[0].find("2 other channels") != std::string::npos, warnings[0].c_str());
  }
};

QTEST_GUILESS_MAIN(TestIoExr)
#include "test_io_exr.moc"
