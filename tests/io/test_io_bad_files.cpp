// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Bad input and bad targets: one clear sentence each, no partial file, no changed input.
#include <sys/resource.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <QTest>
#include <array>
#include <csignal>
#include <fstream>

#include "io/jpeg_head.hpp"
#include "io/raw_files.hpp"
#include "io/tiff_writer.hpp"
#include "support/files.hpp"
#include "support/not_empty.hpp"

#ifdef __SANITIZE_ADDRESS__
// Whole call stacks tell OpenImageIO's leaks from ours.
extern "C" __attribute__((visibility("default"), used)) const char* __asan_default_options() {
  return "fast_unwind_on_malloc=0";
}
#endif

using namespace sfumato;
using namespace sfumato::testing;
using enum SampleType;

namespace {

PictureFormat rgb(int width = 200, int height = 150, SampleType type = u8) {
  return {width, height,          3,
          type,  AlphaKind::none, is_integer(type) ? Coding::srgb() : Coding::linear()};
}

// Where the tests are run by root, whom permissions do not stop, an ordinary user for as long as
// this lives; access() asks for the real user, not for the effective one.
class OrdinaryUser {
 public:
  OrdinaryUser() {
    constexpr uid_t nobody = 65534;
    if (root_ && ::setresuid(nobody, nobody, 0) != 0) throw std::runtime_error("setresuid failed");
  }
  ~OrdinaryUser() {
    if (root_ && ::setresuid(0, 0, 0) != 0) std::abort();
  }
  OrdinaryUser(const OrdinaryUser&) = delete;
  OrdinaryUser& operator=(const OrdinaryUser&) = delete;

 private:
  bool root_ = ::geteuid() == 0;
};

// One sentence that names the file and a remedy: "name": what; what to do.
bool clear(const std::string& message, const std::string& name, const std::string& word) {
  return message.find(name) != std::string::npos && message.find("; ") != std::string::npos &&
         message.find(word) != std::string::npos && message.find('\n') == std::string::npos;
}

// Reading either refuses the file at once or on the way.
std::string reading(const std::filesystem::path& path, const ReadOptions& options = {}) {
  return refusal([&] { read_all(*open_picture(path, options)); });
}

#define VERIFY_CLEAR(message, name, word)            \
  do {                                               \
    const std::string said = message;                \
    QVERIFY2(clear(said, name, word), said.c_str()); \
  } while (false)

}  // namespace

class TestIoBadFiles : public QObject {
  Q_OBJECT

 private slots:
  void missing_empty_and_folders() {
    const Folder folder;
    VERIFY_CLEAR(reading(folder / "none.png"), "none.png", "no such file");
    VERIFY_CLEAR(reading(folder / "none" / "none.png"), "none.png", "no such file");
    put(folder / "empty.png", "");
    VERIFY_CLEAR(reading(folder / "empty.png"), "empty.png", "empty");
    std::filesystem::create_directory(folder / "dir.png");
    VERIFY_CLEAR(reading(folder / "dir.png"), "dir.png", "folder");
    VERIFY_CLEAR(reading("/dev/null"), "null", "ordinary");
    put(folder / "text.png", "This is no picture, whatever its name says.\n");
    VERIFY_CLEAR(reading(folder / "text.png"), "text.png", "not a picture");
  }

  void truncated_data() {
    QTest::addColumn<QString>("extension");
    for (const char* e : {"png", "jpg", "tif", "exr", "webp", "pfm", "ppm", "hdr", "jp2", "j2k",
                          "avif", "heic", "bmp", "tga"}) {
      QTest::newRow(e) << e;
    }
  }

  // Cut anywhere, and with bytes of rubbish for a body: never a crash, and never half a picture
  // taken for a whole one.
  void truncated() {
    QFETCH(QString, extension);
    const Folder folder;
    const std::string name = "a." + extension.toStdString();
    const FormatInfo* info = format_of(name);
    Image image = scene(rgb(200, 150, info->depths.back()));
    through(folder / name, image);
    const std::string whole = content(folder / name);
    QCOMPARE(reading(folder / name), std::string());
    for (const double part : {0.95, 0.7, 0.4, 0.1, 0.02}) {
      put(folder / name,
          whole.substr(0, static_cast<std::size_t>(part * static_cast<double>(whole.size()))));
      VERIFY_CLEAR(reading(folder / name), name, "");
      put(folder / "out.tif", "before");
      const std::string copying =
          refusal([&] { pass_through(folder / name, folder / "out.tif", {.overwrite = true}); });
      QVERIFY(!copying.empty());
      QCOMPARE(content(folder / "out.tif"), std::string("before"));
      QCOMPARE(folder.names(), (std::vector<std::string>{name, "out.tif"}));
    }
    put(folder / name, whole.substr(0, 4));
    QVERIFY(!reading(folder / name).empty());
  }

  // Deflate holds a check sum: a changed byte is told, in strips and in tiles.
  void damaged_tiff() {
    const Folder folder;
    for (const int tile : {0, 64}) {
      OIIO::ImageSpec s(200, 150, 3, OIIO::TypeDesc::UINT8);
      s.attribute("compression", "zip");
      s.tile_width = s.tile_height = tile;
      make_file(folder / "a.tif", {s});
      QCOMPARE(reading(folder / "a.tif"), std::string());
      std::string damaged = content(folder / "a.tif");
      damaged.replace(damaged.size() / 2, 200, std::string(200, 'U'));
      put(folder / "a.tif", damaged);
      VERIFY_CLEAR(reading(folder / "a.tif"), "a.tif", "damaged");
    }
  }

  void rubbish_does_not_crash() {
    const Folder folder;
    for (const char* e : {"png", "jpg", "tif", "exr", "webp", "pfm", "ppm", "hdr", "jp2", "j2k",
                          "avif", "heic", "bmp", "tga"}) {
      const std::string name = std::string("a.") + e;
      Image image = scene(rgb(60, 40, format_of(name)->depths.front()));
      through(folder / name, image, {.overwrite = true});
      const std::string whole = content(folder / name);
      std::uint32_t seed = 11;
      for (int round = 0; round < 40; ++round) {
        std::string damaged = whole;
        for (int k = 0; k < 8; ++k) {
          const auto at =
              static_cast<std::size_t>(noise_at(seed) * static_cast<float>(damaged.size() - 1));
          damaged[at] = static_cast<char>(static_cast<int>(noise_at(seed) * 255.0f));
        }
        put(folder / name, damaged);
        reading(folder / name, {.max_pixels = 1 << 20});  // may be refused, may be read
      }
    }
  }

  void too_many_pixels() {
    const Folder folder;
    put(folder / "huge.ppm", "P6\n100000 100000\n255\n");
    VERIFY_CLEAR(reading(folder / "huge.ppm"), "huge.ppm", "--max-pixels");
    OIIO::ImageSpec s(100000, 100000, 3, OIIO::TypeDesc::UINT8);
    auto out = OIIO::ImageOutput::create("tiff");
    s.attribute("compression", "none");
    s.attribute("tiff:bigtiff", 1);
    QVERIFY(out->open((folder / "huge.tif").string(), s));
    std::vector<char> row(300000);
    out->write_scanline(0, 0, OIIO::TypeDesc::UINT8, row.data());
    out->close();
    VERIFY_CLEAR(reading(folder / "huge.tif"), "huge.tif", "100000x100000");
    // The limit lets 20,000 x 20,000 pass, and the user may set it.
    put(folder / "large.pgm", "P5\n20000 20000\n255\n");
    VERIFY_CLEAR(reading(folder / "large.pgm"), "large.pgm", "cut short");
    Image image = scene(rgb(20, 20));
    through(folder / "small.png", image);
    VERIFY_CLEAR(reading(folder / "small.png", {.max_pixels = 399}), "small.png", "399");
    QCOMPARE(reading(folder / "small.png", {.max_pixels = 400}), std::string());
  }

  // The decoder says nothing of scans that are missing.
  void progressive_jpegs_that_are_cut_short() {
    const Folder folder;
    OIIO::ImageSpec s(200, 150, 3, OIIO::TypeDesc::UINT8);
    s.attribute("jpeg:progressive", 1);
    std::vector<unsigned char> pixels(200 * 150 * 3);
    std::uint32_t noise = 1;
    for (unsigned char& p : pixels) {
      noise = noise * 1664525u + 1013904223u;
      p = static_cast<unsigned char>(noise >> 24);
    }
    const auto file = folder / "scans.jpg";
    const auto out = OIIO::ImageOutput::create("jpeg");
    QVERIFY(out->open(file.string(), s));
    QVERIFY(out->write_image(OIIO::TypeDesc::UINT8, pixels.data()));
    out->close();
    QVERIFY(files::jpeg_head(file)->progressive);
    QCOMPARE(reading(file), std::string());
    const auto size = std::filesystem::file_size(file);
    std::string whole(size, '\0');
    QVERIFY(static_cast<bool>(std::ifstream(file, std::ios::binary).read(whole.data(), size)));
    put(file, whole + "what cameras put behind it");
    QCOMPARE(reading(file), std::string());
    for (const std::size_t part : {size - 2, size * 9 / 10, size / 2, size / 5}) {
      put(file, whole.substr(0, part));
      VERIFY_CLEAR(reading(file), "scans.jpg", "cut short");
    }
  }

  void cmyk_is_refused() {
    const Folder folder;
    OIIO::ImageSpec s(20, 20, 4, OIIO::TypeDesc::UINT8);
    s.channelnames = {"C", "M", "Y", "K"};
    s.alpha_channel = -1;
    s.attribute("tiff:ColorSpace", "CMYK");
    s.attribute("tiff:PhotometricInterpretation", 5);
    make_file(folder / "ink.tif", {s});
    if (spec_of(folder / "ink.tif").get_string_attribute("tiff:ColorSpace") != "CMYK") {
      QSKIP("this OpenImageIO does not write CMYK");
    }
    VERIFY_CLEAR(reading(folder / "ink.tif"), "ink.tif", "CMYK");
  }

  // What OpenImageIO hands over as it is stored would be taken for RGB.
  void other_colour_spaces_are_refused() {
    const Folder folder;
    const std::string data(20 * 10 * 3, '\x50');
    put(folder / "rgb.tif", plain_tiff(20, 10, 3, 8, 2, 1, data));
    QCOMPARE(reading(folder / "rgb.tif"), std::string());
    for (const int photometric : {8, 9, 10}) {
      put(folder / "lab.tif", plain_tiff(20, 10, 3, 8, photometric, 1, data));
      VERIFY_CLEAR(reading(folder / "lab.tif"), "lab.tif", "convert it to RGB");
      VERIFY_CLEAR(reading(folder / "lab.tif"), "lab.tif", "Lab");
      put(folder / "lab.tif", plain_tiff(20, 10, 3, 16, photometric, 1, data + data));
      VERIFY_CLEAR(reading(folder / "lab.tif"), "lab.tif", "Lab");
    }
    // LogLuv is light in other coordinates; 4 is a mask of transparency, no picture.
    put(folder / "luv.tif", plain_tiff(20, 10, 3, 16, 32845, 1, data + data));
    QVERIFY(!reading(folder / "luv.tif").empty());
  }

  void unknown_outputs() {
    const Folder folder;
    const auto creating = [&](const std::string& name, const WriteOptions& options = {}) {
      return refusal([&] { create_picture(folder / name, options, rgb()); });
    };
    VERIFY_CLEAR(creating("a.pgn"), "a.pgn", "did you mean \"png\"");
    VERIFY_CLEAR(creating("a"), "\"", "no extension");
    VERIFY_CLEAR(creating("a.gif"), "a.gif", ".png");
    VERIFY_CLEAR(creating("a.jpg", {.bits = u16}), "a.jpg", "8-bit");
    VERIFY_CLEAR(creating("none/a.png"), "a.png", "no folder");
    std::filesystem::create_directory(folder / "dir.png");
    VERIFY_CLEAR(creating("dir.png"), "dir.png", "folder");
    put(folder / "file", "x");
    VERIFY_CLEAR(creating("file/a.png"), "a.png", "no folder");
    QCOMPARE(refusal([&] { check_output(folder / "a.png", {}); }), std::string());
    // /proc takes no new files even from root.
    const std::string proc = refusal([&] { create_picture("/proc/a.png", {}, rgb()); });
    VERIFY_CLEAR(proc, "a.png", "folder");
    QCOMPARE(folder.names(), (std::vector<std::string>{"dir.png", "file"}));
  }

  // Said before the work, not after it.
  void links_that_lead_nowhere() {
    const Folder folder;
    std::filesystem::create_symlink("loop.png", folder / "loop.png");
    std::filesystem::create_symlink("there.png", folder / "back.png");
    std::filesystem::create_symlink("back.png", folder / "there.png");
    for (const char* name : {"loop.png", "there.png", "loop.png/a.png"}) {
      for (const bool overwrite : {false, true}) {
        VERIFY_CLEAR(refusal([&] { check_output(folder / name, {.overwrite = overwrite}); }),
                     std::filesystem::path(name).filename().string(), "lead back to themselves");
      }
    }
    // One that leads to a file not made yet is a name like any other.
    std::filesystem::create_symlink("new.png", folder / "link.png");
    Image image = scene(rgb());
    through(folder / "link.png", image);
    QVERIFY(std::filesystem::is_regular_file(folder / "new.png"));
    QVERIFY(std::filesystem::is_symlink(folder / "link.png"));
  }

  void permissions() {
    const Folder folder;
    Image image = scene(rgb());
    through(folder / "secret.png", image);
    std::filesystem::create_directory(folder / "locked");
    std::filesystem::create_directory(folder / "closed");
    std::filesystem::copy(folder / "secret.png", folder / "closed/a.png");
    using std::filesystem::perms;
    std::filesystem::permissions(folder / "", perms{0711});
    std::filesystem::permissions(folder / "locked", perms{0555});
    std::filesystem::permissions(folder / "closed", perms{0600});
    std::filesystem::permissions(folder / "secret.png", perms{0200});
    {
      const OrdinaryUser user;
      VERIFY_CLEAR(refusal([&] { create_picture(folder / "locked/a.png", {}, rgb()); }), "a.png",
                   "may not be written");
      VERIFY_CLEAR(refusal([&] { create_picture(folder / "closed/a.png", {}, rgb()); }), "a.png",
                   "may not be written");
      VERIFY_CLEAR(reading(folder / "secret.png"), "secret.png", "may not be read");
      VERIFY_CLEAR(reading(folder / "closed/a.png"), "a.png", "check its permissions");
    }
    std::filesystem::permissions(folder / "closed", perms{0700});
    std::filesystem::permissions(folder / "locked", perms{0700});
    QVERIFY(std::filesystem::is_empty(folder / "locked"));
  }

  // Sums of coordinates would overflow in readers, which do not see such a place.
  void a_picture_that_lies_far_away() {
    const Folder folder;
    Image image(rgb(24, 20));
    through(folder / "a.png", image);
    const std::string png = content(folder / "a.png");
    for (const std::uint64_t far : {std::uint64_t{0x7fff0000}, std::uint64_t{0x80010000}}) {
      const std::string zero(4, '\0'), at = big_endian_bytes(far, 4);
      for (const std::string& place : {at + zero, zero + at}) {
        put(folder / "b.png", with_chunks(png, chunk("oFFs", place + '\0')));
        QCOMPARE(reading(folder / "b.png"), std::string());
        QCOMPARE(open_picture(folder / "b.png", {.page = 1})->format().width, 24);
      }
    }
    put(folder / "c.png", with_chunks(png, chunk("oFFs", big_endian_bytes(7, 8) + '\0')));
    QCOMPARE(open_picture(folder / "c.png")->format().width, 24);
  }

  void existing_outputs_and_the_input_itself() {
    const Folder folder;
    Image image = scene(rgb());
    through(folder / "in.png", image);
    const std::string before = content(folder / "in.png");
    put(folder / "old.png", "old");
    std::filesystem::create_symlink(folder / "in.png", folder / "soft.png");
    std::filesystem::create_hard_link(folder / "in.png", folder / "hard.png");
    const auto writing = [&](const char* name) {
      return refusal([&] { pass_through(folder / "in.png", folder / name); });
    };
    VERIFY_CLEAR(writing("old.png"), "old.png", "exists already");
    for (const char* name : {"in.png", "soft.png", "hard.png", "./in.png"}) {
      VERIFY_CLEAR(writing(name), name, "the input itself");
    }
    QCOMPARE(content(folder / "in.png"), before);
    QCOMPARE(content(folder / "old.png"), std::string("old"));
    QCOMPARE(folder.names().size(), 4u);
    // Replacing the input is allowed when it is asked for, and a link stays a link.
    const auto invert = [](std::vector<char>& bytes) {
      for (char& b : bytes) b = static_cast<char>(~b);
    };
    pass_through(folder / "in.png", folder / "soft.png", {.overwrite = true}, {}, invert);
    QVERIFY(std::filesystem::is_symlink(folder / "soft.png"));
    QVERIFY(content(folder / "in.png") != before);
    QCOMPARE(content(folder / "hard.png"), before);
    QCOMPARE(folder.names().size(), 4u);
  }

  void permissions_are_kept() {
    const Folder folder;
    Image image = scene(rgb());
    through(folder / "a.png", image);
    const auto only_me = std::filesystem::perms::owner_read | std::filesystem::perms::owner_write;
    std::filesystem::permissions(folder / "a.png", only_me);
    through(folder / "a.png", image, {.overwrite = true});
    QCOMPARE(std::filesystem::status(folder / "a.png").permissions(), only_me);
  }

  // With its attributes, among them access control lists.
  void attributes_are_kept() {
    const Folder folder;
    Image image = scene(rgb());
    const auto file = folder / "a.png";
    through(file, image);
    if (::setxattr(file.c_str(), "user.sfumato.test", "seen", 4, 0) != 0) {
      QSKIP("this file system has no extended attributes");
    }
    through(file, image, {.overwrite = true});
    std::array<char, 8> value{};
    QCOMPARE(::getxattr(file.c_str(), "user.sfumato.test", value.data(), value.size()), 4);
    QCOMPARE(std::string_view(value.data(), 4), "seen");
  }

  // Nobody may read a private file's successor while it is written.
  void what_replaces_a_private_file_is_private() {
    const Folder folder;
    Image image = scene(rgb());
    through(folder / "a.png", image);
    std::filesystem::permissions(folder / "a.png", std::filesystem::perms::owner_read);
    const auto picture = create_picture(folder / "a.png", {.overwrite = true}, image.format);
    int temporaries = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder / "")) {
      if (entry.path().filename() == "a.png") continue;
      const auto others = std::filesystem::perms::group_all | std::filesystem::perms::others_all;
      QCOMPARE(entry.status().permissions() & others, std::filesystem::perms::none);
      ++temporaries;
    }
    QCOMPARE(temporaries, 1);
  }

  void long_folders_have_a_name() {
    const std::string name(70, 'x');
    QVERIFY(refusal([&] { open_picture("/" + name + "/"); }).find(name.substr(0, 30)) !=
            std::string::npos);
  }

  // A file that appears while ours is being written is not replaced.
  void a_race_is_lost_politely() {
    const Folder folder;
    Image image = scene(rgb());
    auto out = create_picture(folder / "a.png", {}, image.format);
    out->write(image.view());
    put(folder / "a.png", "someone else's");
    VERIFY_CLEAR(refusal([&] { out->commit(); }), "a.png", "meanwhile");
    out.reset();
    QCOMPARE(content(folder / "a.png"), std::string("someone else's"));
    QCOMPARE(folder.names().size(), 1u);
  }

  void nothing_is_left_without_commit() {
    const Folder folder;
    Image image = scene(rgb());
    for (const FormatInfo& f : not_empty(writable_formats(), "formats to write")) {
      auto out = create_picture(folder / ("a." + f.extensions.front()), {}, image.format);
      QCOMPARE(folder.names().size(), 1u);
      QCOMPARE(folder.names()[0].substr(0, 11), std::string(".a.sfumato-"));
      HostView half = image.view();
      half.region.y1 = 20;
      if (out->format().type == u8) out->write(half);
      out.reset();
      QVERIFY(folder.names().empty());
    }
    auto out = create_picture(folder / "a.tif", {}, image.format);
    QVERIFY_THROWS_EXCEPTION(std::logic_error, out->commit());
    remove_temporaries();  // what a signal handler does
    QVERIFY(folder.names().empty());
  }

  void full_disk_data() {
    QTest::addColumn<QString>("extension");
    for (const FormatInfo& f : not_empty(writable_formats(), "formats to write")) {
      QTest::newRow(f.id.c_str()) << QString::fromStdString(f.extensions.front());
    }
    QTest::newRow("pages") << "pages.tif";
  }

  // A limit on the size of files fails in write() as a full disk does.
  void full_disk() {
    QFETCH(QString, extension);
    const Folder folder;
    const std::string name = "a." + extension.toStdString();
    const FormatInfo* info = format_of(name);
    Image image = scene(rgb(200, 150, info->depths.front()));
    std::string source = "in.png";
    if (extension == "pages.tif") {
      source = "in.tif";
      const OIIO::ImageSpec page(200, 150, 3, OIIO::TypeDesc::UINT8);
      make_file(folder / source, {page, page});
    } else {
      image.format = rgb();
      image = scene(image.format);
      through(folder / source, image);
    }
    pass_through(folder / source, folder / name);
    const auto size = static_cast<rlim_t>(std::filesystem::file_size(folder / name));
    put(folder / name, "before");
    std::signal(SIGXFSZ, SIG_IGN);
    struct rlimit old {};
    ::getrlimit(RLIMIT_FSIZE, &old);
    for (const rlim_t most : {size - 1, size / 2, rlim_t{100}}) {
      struct rlimit limit = old;
      limit.rlim_cur = most;
      ::setrlimit(RLIMIT_FSIZE, &limit);
      const std::string message =
          refusal([&] { pass_through(folder / source, folder / name, {.overwrite = true}); });
      ::setrlimit(RLIMIT_FSIZE, &old);
      VERIFY_CLEAR(message, name, "cannot be written");
      QCOMPARE(content(folder / name), std::string("before"));
      QCOMPARE(folder.names().size(), 2u);
    }
  }

  void unknown_channels() {
    const Folder folder;
    Image image = scene(rgb(20, 20, f16));
    through(folder / "a.exr", image);
    VERIFY_CLEAR(reading(folder / "a.exr", {.channels = "N.X,N.Y,N.Z"}), "a.exr", "n.x");
    VERIFY_CLEAR(reading(folder / "a.exr", {.channels = "R,G,B,R,G"}), "a.exr", "one to four");
  }
};

QTEST_GUILESS_MAIN(TestIoBadFiles)
#include "test_io_bad_files.moc"
