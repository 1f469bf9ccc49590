// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Pictures are decoded in processes that hostile and damaged files may take down: what that costs,
// and that nothing else changes.
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <QFile>
#include <QTest>
#include <array>
#include <set>

#include "device/descriptor.hpp"
#include "io/decoder/contained_picture.hpp"
#include "io/decoder/decoder_process.hpp"
#include "io/file_origin.hpp"
#include "io/waiting_process.hpp"
#include "support/files.hpp"
#include "support/hostile_files.hpp"
#include "support/profiles.hpp"

using namespace sfumato;
using namespace sfumato::testing;
using enum SampleType;

namespace {

QString said_of(const std::function<void()>& act) {
  return QString::fromStdString(refusal(act));
}

std::vector<char> rows(InputPicture& picture, int y0, int y1) {
  const PictureFormat& f = picture.format();
  std::vector<char> out(f.row_bytes() * static_cast<std::size_t>(y1 - y0));
  picture.read({0, y0, f.width, y1}, out.data(), static_cast<std::ptrdiff_t>(f.row_bytes()));
  return out;
}

}  // namespace

class TestIoDecoder : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    QVERIFY2(!decoder::find_decoder().empty(), "sfumato-decode was not built");
  }

  void a_file_that_crashes_its_reader_is_one_sentence() {
    Folder folder;
    put(folder / "a.pic", crashing_pic());
    Image image = scene({40, 30, 3, u8, AlphaKind::none, Coding::srgb()});
    through(folder / "good.png", image);
    for (int i = 0; i < 3; ++i) {
      const QString said = said_of([&] {
        const auto picture = open_picture(folder / "a.pic");
        rows(*picture, 0, picture->format().height);
      });
      QVERIFY2(said.contains("a.pic") && said.contains("its decoder ended (Softimage PIC)"),
               qPrintable(said));
      const auto good = open_picture(folder / "good.png");
      QVERIFY(rows(*good, 0, 30) == image.bytes);
    }
    QCOMPARE(folder.names(), (std::vector<std::string>{"a.pic", "good.png"}));
  }

  // Of every kind that is read: contained or not, the same picture.
  void the_same_pixels_and_properties_as_without() {
    Folder folder;
    for (const char* name : {"a.png", "a.jpg", "a.tif", "a.exr", "a.webp"}) {
      const bool wide = std::string_view(name).ends_with("exr");
      Image image = scene({333, 211, 3, wide ? f16 : u8, AlphaKind::none,
                           wide ? Coding::linear() : Coding::srgb()});
      through(folder / name, image);
      const auto in_process = open_picture(folder / name, {.contained = true});
      const auto here = open_picture(folder / name, {.contained = false});
      QVERIFY(dynamic_cast<void*>(in_process.get()) != dynamic_cast<void*>(here.get()));
      const PictureFormat &a = in_process->format(), &b = here->format();
      QVERIFY(a.rect() == b.rect() && a.channels == b.channels && a.type == b.type &&
              a.alpha == b.alpha && a.coding == b.coding);
      QCOMPARE(in_process->info().path, here->info().path);
      QCOMPARE(in_process->info().file_format, here->info().file_format);
      QVERIFY(rows(*in_process, 0, 211) == rows(*here, 0, 211));
      // Not only from the top on.
      QVERIFY(rows(*in_process, 150, 170) == rows(*here, 150, 170));
    }
  }

  void a_decoder_killed_from_outside() {
    Folder folder;
    Image image = scene({2000, 3000, 3, u16, AlphaKind::none, Coding::srgb()});
    through(folder / "a.tif", image);
    const auto picture = open_picture(folder / "a.tif");
    rows(*picture, 0, 10);
    const std::set<int> decoders = children_of(waiting_process());
    QCOMPARE(decoders.size(), std::size_t{1});
    QCOMPARE(::kill(*decoders.begin(), SIGKILL), 0);
    const QString said = said_of([&] { rows(*picture, 2000, 3000); });
    QVERIFY2(said.contains("its decoder ended (TIFF)"), qPrintable(said));
    // Whoever asks again hears the same, and this program is not taken for the decoder.
    rlimit before{}, after{};
    ::getrlimit(RLIMIT_CPU, &before);
    QCOMPARE(said_of([&] { rows(*picture, 2000, 3000); }), said);
    QCOMPARE(said_of([&] { picture->origin()->description(); }), said);
    ::getrlimit(RLIMIT_CPU, &after);
    QVERIFY(before.rlim_cur == after.rlim_cur);
    const auto again = open_picture(folder / "a.tif");
    QVERIFY(rows(*again, 2990, 3000) ==
            std::vector<char>(image.bytes.end() - 10 * 2000 * 6, image.bytes.end()));
  }

  void the_waiting_process_killed_from_outside() {
    Folder folder;
    Image image = scene({40, 30, 3, u8, AlphaKind::none, Coding::srgb()});
    through(folder / "a.png", image);
    const auto before = open_picture(folder / "a.png");
    const int waiting = waiting_process();
    QVERIFY(waiting > 0);
    QCOMPARE(::kill(waiting, SIGKILL), 0);
    const auto after = open_picture(folder / "a.png");
    QVERIFY(rows(*after, 0, 30) == image.bytes);
    QVERIFY(waiting_process() != waiting);
    QVERIFY(decoder::take_containment_fault().empty());
  }

  // Not by this program, which only passes it on.
  void a_profile_is_used_by_the_decoder() {
    Folder folder;
    OIIO::ImageSpec spec(40, 30, 3, OIIO::TypeDesc::UINT8);
    const cmsCIExyY white = {0.3127, 0.3290, 1};
    const cmsCIExyYTRIPLE wide = {{0.64, 0.33, 1}, {0.21, 0.71, 1}, {0.15, 0.06, 1}};
    cmsToneCurve* curve = cmsBuildGamma(nullptr, 1.9);
    const std::array<cmsToneCurve*, 3> curves = {curve, curve, curve};
    const auto profile = saved(cmsCreateRGBProfile(&white, &wide, curves.data()));
    cmsFreeToneCurve(curve);
    spec.attribute("ICCProfile",
                   OIIO::TypeDesc(OIIO::TypeDesc::UINT8, static_cast<int>(profile.size())),
                   profile.data());
    make_file(folder / "a.tif", {spec});
    const auto contained = open_picture(folder / "a.tif");
    const auto here = open_picture(folder / "a.tif", {.contained = false});
    QVERIFY(contained->origin()->can_convert_colors() && here->origin()->can_convert_colors());
    std::vector<float> a(4 * 600'000);  // more than a packet holds
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i % 997) / 996;
    const std::vector<float> before = a;
    std::vector<float> b = a;
    contained->origin()->convert_colors(a.data(), a.size() / 4);
    here->origin()->convert_colors(b.data(), b.size() / 4);
    QVERIFY(a == b && a != before);
    const ProfileCurve linear;
    const auto changed = contained->origin()->profile_with(linear);
    QVERIFY(!changed.empty() && changed == here->origin()->profile_with(linear));
    const std::set<int> decoders = children_of(waiting_process());
    QCOMPARE(decoders.size(), std::size_t{1});
    QCOMPARE(::kill(*decoders.begin(), SIGKILL), 0);
    const QString said = said_of([&] { contained->origin()->convert_colors(a.data(), 1); });
    QVERIFY2(said.contains("its decoder ended (TIFF)"), qPrintable(said));
  }

  void nothing_runs_on_after_a_picture() {
    Folder folder;
    Image image = scene({40, 30, 3, u8, AlphaKind::none, Coding::srgb()});
    through(folder / "a.png", image);
    for (int i = 0; i < 5; ++i) {
      const auto picture = open_picture(folder / "a.png");
      if (i % 2 == 0) rows(*picture, 0, 3);
    }
    QVERIFY(children_of(waiting_process()).empty());
  }

  // The file that was opened is read to its end, whatever is put in its place meanwhile.
  void a_file_that_is_replaced_meanwhile() {
    Folder folder;
    Image one = scene({500, 900, 3, u8, AlphaKind::none, Coding::srgb()});
    Image other = scene({30, 20, 3, u8, AlphaKind::none, Coding::srgb()});
    through(folder / "a.tif", one);
    const auto picture = open_picture(folder / "a.tif");
    rows(*picture, 0, 1);
    through(folder / "b.tif", other);
    std::filesystem::rename(folder / "b.tif", folder / "a.tif");
    QVERIFY(rows(*picture, 0, 900) == one.bytes);
  }

  void an_attribute_of_two_gigabytes() {
    Folder folder;
    // A header with one attribute that claims almost 2^31 bytes.
    const char exr[] =
        "\x76\x2f\x31\x01\x02\0\0\0"
        "comment\0string\0"
        "\xf0\xff\xff\x7f"
        "abc";
    put(folder / "a.exr", {exr, sizeof exr - 1});
    const QString said = said_of([&] { open_picture(folder / "a.exr"); });
    QVERIFY2(said.contains("a.exr"), qPrintable(said));
    QVERIFY(children_of(waiting_process()).empty());
  }

  void pipes_and_folders_are_refused_at_once() {
    Folder folder;
    QCOMPARE(::mkfifo((folder / "pipe.png").c_str(), 0600), 0);
    std::filesystem::create_directory(folder / "folder.png");
    for (const char* name : {"pipe.png", "folder.png", "missing.png"}) {
      QVERIFY2(said_of([&] { open_picture(folder / name); }).contains(name), name);
    }
  }

  // Then rows come through the socket.
  void no_memory_that_can_be_shared() {
    Folder folder;
    Image image = scene({900, 700, 3, u16, AlphaKind::none, Coding::srgb()});
    through(folder / "a.png", image);
    const auto before = ::signal(SIGXFSZ, SIG_IGN);
    rlimit usual{};
    QCOMPARE(::getrlimit(RLIMIT_FSIZE, &usual), 0);
    rlimit few = usual;
    few.rlim_cur = 4096;
    QCOMPARE(::setrlimit(RLIMIT_FSIZE, &few), 0);
    std::vector<char> whole;
    const QString said = said_of([&] { whole = rows(*open_picture(folder / "a.png"), 0, 700); });
    QCOMPARE(::setrlimit(RLIMIT_FSIZE, &usual), 0);
    ::signal(SIGXFSZ, before);
    QCOMPARE(said, "");
    QVERIFY(whole == image.bytes);
  }

  // Never decoded without protection because of that.
  void no_descriptors_left() {
#ifdef SFUMATO_SANITIZED
    QSKIP("sanitizers need some themselves");
#endif
    Folder folder;
    Image image = scene({40, 30, 3, u8, AlphaKind::none, Coding::srgb()});
    through(folder / "a.png", image);
    open_picture(folder / "a.png");
    std::vector<Descriptor> taken;
    while (true) {
      Descriptor one(::open("/dev/null", O_RDONLY | O_CLOEXEC));
      if (!one) break;
      taken.push_back(std::move(one));
    }
    QVERIFY(!taken.empty());
    const QString said = said_of([&] { open_picture(folder / "a.png"); });
    taken.clear();
    QVERIFY2(said.contains("a.png") && said.contains("decoder could not be started"),
             qPrintable(said));
    const auto picture = open_picture(folder / "a.png");
    QVERIFY(rows(*picture, 0, 30) == image.bytes);
  }
};

QTEST_GUILESS_MAIN(TestIoDecoder)
#include "test_io_decoder.moc"
