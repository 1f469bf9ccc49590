// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Files that change while they are read: no output is half of the old picture and half of the new.
#include <fcntl.h>
#include <sys/stat.h>

#include <QTest>
#include <fstream>

#include "engine/renderer.hpp"
#include "io/compare_pictures.hpp"
#include "io/render_file.hpp"
#include "support/files.hpp"

using namespace sfumato;
using namespace sfumato::testing;

namespace {

// Copies the picture; between its halves, something happens.
class CopyingRenderer final : public Renderer {
 public:
  explicit CopyingRenderer(std::function<void()> between) : between_(std::move(between)) {}

  void prepare() noexcept override {}
  bool is_opening() const noexcept override { return false; }
  Rect required_region(const Recipe&, const PictureFormat&, const Rect& region) override {
    return region;
  }
  RenderReport render(const Recipe&, PixelSource& source, PixelSink& sink,
                      const RenderOptions&) override {
    const PictureFormat& f = source.format();
    std::vector<char> band(f.bytes());
    const int half = f.height / 2;
    for (const Rect& rows : {Rect{0, 0, f.width, half}, Rect{0, half, f.width, f.height}}) {
      source.read(rows, band.data(), static_cast<std::ptrdiff_t>(f.row_bytes()));
      sink.write({band.data(), static_cast<std::ptrdiff_t>(f.row_bytes()), rows});
      if (rows.y0 == 0) between_();
    }
    return {};
  }

 private:
  std::function<void()> between_;
};

}  // namespace

class TestIoChanged : public QObject {
  Q_OBJECT

  Folder folder_;

  void make(const char* name, float value) {
    Image image(usual_format(3, SampleType::u8, AlphaKind::none, 40, 2000));
    for (int y = 0; y < 2000; ++y) {
      for (int x = 0; x < 40; ++x) image.set(x, y, 0, value);
    }
    through(folder_ / name, image, {.overwrite = true});
  }
  // What is said of a copy in the middle of which something happens.
  std::string copied(const std::string& name, const std::function<void()>& between) {
    CopyingRenderer renderer(between);
    FileJob job;
    job.input = folder_ / name;
    job.output = folder_ / "out.png";
    job.write.overwrite = true;
    return refusal([&] { render_file(renderer, job); });
  }
  static void write_over(const std::filesystem::path& from, const std::filesystem::path& to) {
    const std::string bytes = content(from);
    std::ofstream(to, std::ios::binary | std::ios::trunc) << bytes;
  }
  // The times of the last change are those from before. Clocks of files are coarse: the file is
  // written until its state is another.
  static void write_unseen(const std::filesystem::path& from, const std::filesystem::path& to) {
    struct stat before {};
    QCOMPARE(::stat(to.c_str(), &before), 0);
    struct stat now = before;
    while (now.st_ctim.tv_sec == before.st_ctim.tv_sec &&
           now.st_ctim.tv_nsec == before.st_ctim.tv_nsec) {
      write_over(from, to);
      const timespec times[] = {before.st_atim, before.st_mtim};
      QCOMPARE(::utimensat(AT_FDCWD, to.c_str(), times, 0), 0);
      QCOMPARE(::stat(to.c_str(), &now), 0);
    }
    QCOMPARE(now.st_mtim.tv_nsec, before.st_mtim.tv_nsec);
  }

 private slots:
  void written_in_place() {
    for (const char* name : {"a.ppm", "a.png", "a.tif", "a.bmp"}) {
      make(name, 0.25f);
      const std::string other = std::string("b") + name;
      make(other.c_str(), 0.75f);
      const std::string said = copied(name, [&] { write_over(folder_ / other, folder_ / name); });
      QVERIFY2(said.find("written to while it was read") != std::string::npos, said.c_str());
      QVERIFY(!std::filesystem::exists(folder_ / "out.png"));
      QCOMPARE(copied(name, [] {}), std::string());
      std::filesystem::remove(folder_ / "out.png");
    }
  }

  void growing() {
    make("a.ppm", 0.5f);
    const std::string said = copied("a.ppm", [&] {
      std::ofstream(folder_ / "a.ppm", std::ios::binary | std::ios::app) << "more";
    });
    QVERIFY2(said.find("written to while it was read") != std::string::npos, said.c_str());
  }

  void written_with_its_time_set_back() {
    make("a.ppm", 0.25f);
    make("b.ppm", 0.75f);
    const std::string said =
        copied("a.ppm", [&] { write_unseen(folder_ / "b.ppm", folder_ / "a.ppm"); });
    QVERIFY2(said.find("written to while it was read") != std::string::npos, said.c_str());
    QVERIFY(!std::filesystem::exists(folder_ / "out.png"));
    // Nor do other changes hide it.
    const std::string also = copied("a.ppm", [&] {
      write_unseen(folder_ / "b.ppm", folder_ / "a.ppm");
      std::filesystem::permissions(folder_ / "a.ppm", std::filesystem::perms::owner_all);
    });
    QVERIFY2(also.find("written to while it was read") != std::string::npos, also.c_str());
  }
  void moved_and_written() {
    make("a.ppm", 0.25f);
    const std::string said = copied("a.ppm", [&] {
      std::filesystem::rename(folder_ / "a.ppm", folder_ / "moved.ppm");
      std::ofstream(folder_ / "moved.ppm", std::ios::binary | std::ios::app) << "more";
    });
    QVERIFY2(said.find("written to while it was read") != std::string::npos, said.c_str());
  }
  // Programs that tidy up do not write.
  void state_alone_changed() {
    using std::filesystem::perms;
    make("a.ppm", 0.25f);
    const std::filesystem::path file = folder_ / "a.ppm";
    QCOMPARE(copied("a.ppm", [&] { std::filesystem::permissions(file, perms::owner_read); }),
             std::string());
    QCOMPARE(copied("a.ppm", [&] { std::filesystem::create_hard_link(file, folder_ / "c.ppm"); }),
             std::string());
    QCOMPARE(copied("a.ppm",
                    [&] {
                      // Changed and changed back.
                      std::filesystem::permissions(file, perms::owner_all);
                      std::filesystem::permissions(file, perms::owner_read);
                      std::filesystem::remove(folder_ / "c.ppm");
                      const timespec times[] = {{1, 0}, {0, UTIME_OMIT}};
                      QCOMPARE(::utimensat(AT_FDCWD, file.c_str(), times, 0), 0);
                    }),
             std::string());
    QCOMPARE(copied("a.ppm", [&] { std::filesystem::rename(file, folder_ / "moved.ppm"); }),
             std::string());
  }
  // Whoever reads it.
  void read_as_a_whole() {
    for (const bool contained : {true, false}) {
      make("a.ppm", 0.25f);
      make("b.ppm", 0.75f);
      const auto picture = open_picture(folder_ / "a.ppm", {.contained = contained});
      write_over(folder_ / "b.ppm", folder_ / "a.ppm");
      const std::string said = refusal([&] { read_all(*picture); });
      QVERIFY2(said.find("written to while it was read") != std::string::npos, said.c_str());
    }
  }
  void of_a_role() {
    make("a.ppm", 0.25f);
    make("mask.ppm", 0.5f);
    make("b.ppm", 0.75f);
    const auto picture = open_picture(folder_ / "a.ppm");
    const auto resolver = role_files(*picture, {}, [](const Message&) {});
    const auto role = resolver(0, "mask", {folder_ / "mask.ppm", {}});
    write_over(folder_ / "b.ppm", folder_ / "mask.ppm");
    const std::string said = refusal([&] { read_all(*role); });
    QVERIFY2(said.find("mask.ppm\": the file was written to") != std::string::npos, said.c_str());
  }
  void compared() {
    make("a.ppm", 0.25f);
    make("b.ppm", 0.75f);
    const auto a = open_picture(folder_ / "a.ppm"), b = open_picture(folder_ / "b.ppm");
    CompareOptions options;
    options.progress = [&](double) {
      write_over(folder_ / "a.ppm", folder_ / "b.ppm");
      return true;
    };
    const std::string said = refusal([&] { compare_pictures(*a, *b, options); });
    QVERIFY2(said.find("b.ppm\": the file was written to") != std::string::npos, said.c_str());
  }

  // The file that was opened is read to its end, whatever has its name.
  void replaced_or_removed() {
    make("a.ppm", 0.25f);
    make("b.ppm", 0.75f);
    QCOMPARE(
        copied("a.ppm", [&] { std::filesystem::rename(folder_ / "b.ppm", folder_ / "a.ppm"); }),
        std::string());
    const std::vector<float> values = values_of(folder_ / "out.png");
    QVERIFY(std::abs(values.front() - 0.25f) < 0.01f &&
            std::abs(values[values.size() - 3] - 0.25f) < 0.01f);
    QCOMPARE(copied("a.ppm", [&] { std::filesystem::remove(folder_ / "a.ppm"); }), std::string());
  }

  // Another program saves a picture that is to be replaced: it keeps what it saved, whether that
  // is the input or not.
  void output_saved_again() {
    for (const char* output : {"a.ppm", "out.ppm"}) {
      for (const bool renamed : {true, false}) {
        make("a.ppm", 0.25f);
        make("b.ppm", 0.75f);
        make("out.ppm", 0.5f);
        if (!renamed && output == std::string("a.ppm")) continue;  // as written_in_place()
        const std::string saved = content(folder_ / "b.ppm") + "#";
        CopyingRenderer renderer([&] {
          put(folder_ / (renamed ? "b.ppm" : output), saved);
          if (renamed) std::filesystem::rename(folder_ / "b.ppm", folder_ / output);
        });
        FileJob job;
        job.input = folder_ / "a.ppm";
        job.output = folder_ / output;
        job.write.overwrite = true;
        const std::string said = refusal([&] { render_file(renderer, job); });
        QVERIFY2(said.find("saved the file again") != std::string::npos, said.c_str());
        QVERIFY(content(folder_ / output) == saved);
      }
    }
  }
};

QTEST_GUILESS_MAIN(TestIoChanged)
#include "test_io_changed.moc"
