// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Masks, normals and depth in files of their own: they lie as the picture does.
#include <QTest>

#include "support/files.hpp"

using namespace sfumato;
using namespace sfumato::testing;

namespace {

OIIO::ImageSpec gray(int width, int height, int orientation = 1) {
  OIIO::ImageSpec s(width, height, 1, OIIO::TypeDesc::UINT8);
  if (orientation != 1) s.attribute("Orientation", orientation);
  return s;
}

// An OpenEXR part with a data window and a display window.
OIIO::ImageSpec windowed(const Rect& data, const Rect& display) {
  OIIO::ImageSpec s(data.width(), data.height(), 1, OIIO::TypeDesc::FLOAT);
  s.channelnames = {"Y"};
  s.x = data.x0;
  s.y = data.y0;
  s.full_x = display.x0;
  s.full_y = display.y0;
  s.full_width = display.width();
  s.full_height = display.height();
  return s;
}

Image read_image(InputPicture& in) {
  Image image(in.format());
  image.bytes = read_all(in).bytes;
  return image;
}

// Upright, by the words of EXIF 2.3 (tag 274): on which visual side the first row and the first
// column lie. OpenImageIO 2.4's reorient() takes 5 and 7 for each other.
std::vector<float> upright(const std::vector<float>& values, int width, int height,
                           int orientation) {
  static constexpr const char* sides[] = {"",   "TL", "TR", "BR", "BL",
                                          "LT", "RT", "RB", "LB"};  // row, column
  const char row = sides[orientation][0], column = sides[orientation][1];
  const bool lying = row == 'L' || row == 'R';
  const int upright_width = lying ? height : width;
  std::vector<float> out(values.size());
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const int u = row == 'L'      ? y
                    : row == 'R'    ? height - 1 - y
                    : column == 'L' ? x
                                    : width - 1 - x;
      const int v = row == 'T'      ? y
                    : row == 'B'    ? height - 1 - y
                    : column == 'T' ? x
                                    : width - 1 - x;
      out[static_cast<std::size_t>(v * upright_width + u)] =
          values[static_cast<std::size_t>(y * width + x)];
    }
  }
  return out;
}

// The numbers of a mask as it is laid on a picture.
Image laid(const std::filesystem::path& mask, const std::filesystem::path& picture) {
  const auto of = open_picture(picture);
  const auto in = open_picture(mask, {.role = "mask", .of = of.get()});
  if (in->format().width != of->format().width || in->format().height != of->format().height) {
    throw std::runtime_error("not of the picture's size");
  }
  return read_image(*in);
}

}  // namespace

class TestIoRoles : public QObject {
  Q_OBJECT

 private slots:
  void windows_are_told() {
    const Folder folder;
    const Rect data{-5, 7, 40, 74}, display{-20, -10, 180, 140};
    make_file(folder / "a.exr", {windowed(data, display)});
    QVERIFY(open_picture(folder / "a.exr")->info().data_window == data);
    QVERIFY(open_picture(folder / "a.exr")->info().display_window == display);
    make_file(folder / "a.tif", {gray(20, 10)});
    QVERIFY(open_picture(folder / "a.tif")->info().data_window == (Rect{0, 0, 20, 10}));
    QVERIFY(open_picture(folder / "a.tif")->info().display_window == (Rect{0, 0, 20, 10}));
  }

  void turned_data() {
    QTest::addColumn<int>("of_picture");
    QTest::addColumn<int>("of_role");
    for (int p = 1; p <= 8; ++p) {
      for (int r = 1; r <= 8; ++r) QTest::addRow("a mask of %d on a picture of %d", r, p) << p << r;
    }
  }

  // Both shown upright, the same pixels meet.
  void turned() {
    QFETCH(int, of_picture);
    QFETCH(int, of_role);
    const Folder folder;
    const auto stored = [](int orientation) {
      return orientation < 5 ? gray(13, 7, orientation) : gray(7, 13, orientation);
    };
    make_file(folder / "p.tif", {stored(of_picture)}, 3);
    make_file(folder / "m.tif", {stored(of_role)}, 4);
    Image mask = laid(folder / "m.tif", folder / "p.tif");
    const PictureFormat& f = mask.format;
    std::vector<float> values;
    for (int y = 0; y < f.height; ++y) {
      for (int x = 0; x < f.width; ++x) values.push_back(mask.get(x, y, 0));
    }
    const OIIO::ImageSpec s = stored(of_role);
    const auto expected = upright(values_of(folder / "m.tif"), s.width, s.height, of_role);
    const auto got = upright(values, f.width, f.height, of_picture);
    for (std::size_t i = 0; i < got.size(); ++i) QVERIFY(std::abs(got[i] - expected[i]) < 1e-6f);
    // Any region of it, too, and it says that it lies as the picture does.
    const auto of = open_picture(folder / "p.tif");
    const auto in = open_picture(folder / "m.tif", {.role = "mask", .of = of.get()});
    QCOMPARE(in->info().orientation, of_picture);
    QVERIFY(in->info().warnings.empty());
    const Rect region{2, 3, 6, 7};
    std::vector<char> part(16);
    in->read(region, part.data(), 4);
    for (int y = 0; y < 4; ++y) {
      QVERIFY(std::equal(part.begin() + 4 * y, part.begin() + 4 * y + 4, mask.sample(2, 3 + y, 0)));
    }
  }

  // A file made of the picture's stored pixels may have lost the orientation on its way.
  void fits_only_as_it_is_stored() {
    const Folder folder;
    make_file(folder / "p.tif", {gray(13, 7, 6)});
    make_file(folder / "m.tif", {gray(13, 7)}, 4);
    const auto of = open_picture(folder / "p.tif");
    const auto in = open_picture(folder / "m.tif", {.role = "mask", .of = of.get()});
    QCOMPARE(in->info().warnings.size(), 1u);
    QVERIFY2(in_english(in->info().warnings[0]).find("as it is stored") != std::string::npos,
             in_english(in->info().warnings[0]).c_str());
    QVERIFY(read_all(*in).bytes == read_all(*open_picture(folder / "m.tif")).bytes);
  }

  void coordinates_meet_data() {
    QTest::addColumn<int>("x");
    QTest::addColumn<int>("y");
    QTest::addColumn<int>("width");
    QTest::addColumn<int>("height");
    QTest::newRow("within") << 10 << 20 << 9 << 11;
    QTest::newRow("around") << -20 << -10 << 200 << 150;
    QTest::newRow("over a corner") << -15 << -3 << 40 << 30;
    QTest::newRow("beside") << 30 << 0 << 100 << 100;
    QTest::newRow("of the same size") << -1 << 9 << 45 << 67;
  }

  void coordinates_meet() {
    QFETCH(int, x);
    QFETCH(int, y);
    QFETCH(int, width);
    QFETCH(int, height);
    const Folder folder;
    const Rect display{-20, -10, 180, 140}, picture{-5, 7, 40, 74};
    const Rect role{x, y, x + width, y + height};
    make_file(folder / "p.exr", {windowed(picture, display)}, 3);
    make_file(folder / "m.exr", {windowed(role, display)}, 4);
    const auto values = values_of(folder / "m.exr");
    const auto expected = [&](int px, int py) {
      if (!role.contains({px, py, px + 1, py + 1})) return 0.0f;
      return values[static_cast<std::size_t>((py - y) * width + px - x)];
    };
    Image mask = laid(folder / "m.exr", folder / "p.exr");
    for (int py = picture.y0; py < picture.y1; ++py) {
      for (int px = picture.x0; px < picture.x1; ++px) {
        QCOMPARE(mask.get(px - picture.x0, py - picture.y0, 0), expected(px, py));
      }
    }
    // In pieces, as the engine reads them.
    const auto of = open_picture(folder / "p.exr");
    const auto in = open_picture(folder / "m.exr", {.role = "mask", .of = of.get()});
    const Rect common = role.intersected(picture);
    QVERIFY(in->covered() == Rect({common.x0 - picture.x0, common.y0 - picture.y0,
                                   common.x1 - picture.x0, common.y1 - picture.y0}));
    for (int top = 0; top < 67; top += 10) {
      const Rect piece{3, top, 41, std::min(67, top + 16)};
      Image part(PictureFormat{piece.width(), piece.height(), 1, SampleType::f32, AlphaKind::none,
                               Coding::linear()});
      std::fill(part.bytes.begin(), part.bytes.end(), char{0x55});
      in->read(piece, part.bytes.data(), 4 * piece.width());
      for (int py = 0; py < piece.height(); ++py) {
        for (int px = 0; px < piece.width(); ++px) {
          QCOMPARE(part.get(px, py, 0), mask.get(px + 3, py + top, 0));
        }
      }
    }
  }

  // Other formats hold what is shown: the display window, or the picture's pixels and no more.
  void formats_without_windows() {
    const Folder folder;
    const Rect display{-20, -10, 180, 140}, data{-5, 7, 40, 74};
    make_file(folder / "p.exr", {windowed(data, display)}, 3);
    make_file(folder / "shown.tif", {gray(200, 150)}, 4);
    const auto shown = values_of(folder / "shown.tif");
    Image mask = laid(folder / "shown.tif", folder / "p.exr");
    for (int y = 0; y < 67; ++y) {
      for (int x = 0; x < 45; ++x) {
        const auto at = static_cast<std::size_t>((y + 17) * 200 + x + 15);
        QVERIFY(std::abs(mask.get(x, y, 0) - shown[at]) < 1e-6f);
      }
    }
    make_file(folder / "pixels.tif", {gray(45, 67)}, 5);
    QVERIFY(laid(folder / "pixels.tif", folder / "p.exr").bytes ==
            read_all(*open_picture(folder / "pixels.tif")).bytes);
    // The other way round, what the file has no pixels for is 0.
    const auto values = values_of(folder / "p.exr");
    Image depth = laid(folder / "p.exr", folder / "shown.tif");
    for (int y = 0; y < 150; ++y) {
      for (int x = 0; x < 200; ++x) {
        const bool inside = x >= 15 && x < 60 && y >= 17 && y < 84;
        const float there =
            inside ? values[static_cast<std::size_t>((y - 17) * 45 + x - 15)] : 0.0f;
        QCOMPARE(depth.get(x, y, 0), there);
      }
    }
  }

  void what_does_not_fit_is_refused() {
    const Folder folder;
    const Rect display{0, 0, 100, 80};
    make_file(folder / "p.tif", {gray(20, 10, 6)});
    make_file(folder / "m.tif", {gray(12, 9)});
    make_file(folder / "p.exr", {windowed({5, 6, 25, 16}, display)});
    make_file(folder / "away.exr", {windowed({50, 50, 80, 70}, display)});
    make_file(folder / "other.exr", {windowed({0, 0, 30, 15}, {0, 0, 50, 40})});
    const auto refused = [&](const char* role, const char* picture) {
      const auto of = open_picture(folder / picture);
      return refusal([&] { open_picture(folder / role, {.role = "mask", .of = of.get()}); });
    };
    const auto says = [](const std::string& message, const std::vector<std::string>& words) {
      return std::all_of(words.begin(), words.end(), [&](const std::string& w) {
        return message.find(w) != std::string::npos;
      });
    };
    std::string message = refused("m.tif", "p.tif");
    QVERIFY2(says(message, {"m.tif", "p.tif", "mask", "12 x 9 pixels, orientation 1",
                            "20 x 10 pixels, orientation 6", "; give"}),
             message.c_str());
    message = refused("away.exr", "p.exr");
    QVERIFY2(says(message,
                  {"away.exr", "data window 30 x 20 at (50, 50)", "data window 20 x 10 at (5, 6)",
                   "display window 100 x 80 at (0, 0)", "no pixel in common", "overlaps"}),
             message.c_str());
    message = refused("other.exr", "p.exr");
    QVERIFY2(says(message, {"display window 50 x 40 at (0, 0)", "orientation 1"}), message.c_str());
  }

  // The pixels of a role as it is laid are no file's: nothing can be copied along with them.
  void a_laid_role_is_no_origin() {
    const Folder folder;
    make_file(folder / "p.tif", {gray(13, 7, 6)});
    make_file(folder / "m.tif", {gray(7, 13)});
    const auto of = open_picture(folder / "p.tif");
    const auto in = open_picture(folder / "m.tif", {.role = "mask", .of = of.get()});
    QVERIFY_THROWS_EXCEPTION(std::logic_error, create_picture(folder / "b.tif", {}, *in));
    QCOMPARE(folder.names().size(), 2u);
  }
};

QTEST_GUILESS_MAIN(TestIoRoles)
#include "test_io_roles.moc"
