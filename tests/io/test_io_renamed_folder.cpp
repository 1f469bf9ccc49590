// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A folder that is renamed while a file is written into it: the file is finished there, and nothing
// else is left, neither there nor where the folder was.
#include <sys/stat.h>

#include <QTest>
#include <fstream>
#include <functional>
#include <set>

#include "io/io.hpp"
#include "io/temporary.hpp"
#include "support/files.hpp"

using namespace sfumato;
using namespace sfumato::testing;

namespace {

namespace fs = std::filesystem;

std::set<std::string> names_in(const fs::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) {
    names.insert(entry.path().filename().string());
  }
  return names;
}

}  // namespace

class TestIoRenamedFolder : public QObject {
  Q_OBJECT

  Folder folder_;

  // Two folders of these names, empty.
  fs::path fresh(const char* name) const {
    fs::remove_all(folder_ / name);
    fs::create_directory(folder_ / name);
    return folder_ / name;
  }

  // `between` happens between the halves of the picture.
  static void write(const fs::path& file, const WriteOptions& options,
                    const std::function<void()>& between) {
    const PictureFormat eight_bits{40, 30, 3, SampleType::u8, AlphaKind::none, Coding::srgb()};
    const auto out = create_picture(file, options, eight_bits);
    Image image = scene(out->format());  // of floats where the file holds no others
    const HostView all = image.view();
    constexpr int half = 15;
    for (const Rect& rows : {Rect{0, 0, 40, half}, Rect{0, half, 40, 30}}) {
      out->write({all.row(rows.y0), all.row_stride, rows});
      if (rows.y0 == 0) between();
    }
    out->commit();
  }

  static std::vector<char> pixels_of(const fs::path& file) {
    return read_all(*open_picture(file)).bytes;
  }

 private Q_SLOTS:
  void the_file_is_finished_in_it_data() {
    QTest::addColumn<QString>("extension");
    for (const FormatInfo& format : writable_formats()) {
      QTest::newRow(format.id.c_str()) << QString::fromStdString(format.extensions.front());
    }
  }

  void the_file_is_finished_in_it() {
    QFETCH(const QString, extension);
    const std::string name = "a." + extension.toStdString();
    const fs::path plain = fresh("plain"), before = fresh("before"), after = folder_ / "after";
    fs::remove_all(after);
    try {
      write(plain / name, {}, [] {});
    } catch (const FileError& error) {
      if (std::string(error.what()).find("encoder") != std::string::npos) return;  // of libheif
      throw;
    }
    // Another folder takes its place.
    write(before / name, {}, [&] {
      fs::rename(before, after);
      fs::create_directory(before);
    });
    QCOMPARE(names_in(after), std::set<std::string>{name});
    QVERIFY(names_in(before).empty());
    // Some formats hold the time of writing.
    QCOMPARE(fs::file_size(after / name), fs::file_size(plain / name));
    QVERIFY(pixels_of(after / name) == pixels_of(plain / name));
  }

  void what_is_given_up_leaves_nothing() {
    const fs::path before = fresh("before"), after = folder_ / "after";
    fs::remove_all(after);
    Image image = scene({40, 30, 3, SampleType::u8, AlphaKind::none, Coding::srgb()});
    {
      const auto out = create_picture(before / "a.tif", {}, image.format);
      QCOMPARE(names_in(before).size(), std::size_t{1});
      fs::rename(before, after);
    }
    QVERIFY(names_in(after).empty());
    // As a signal's handler does it.
    const auto out = create_picture(after / "a.tif", {}, image.format);
    fs::rename(after, before);
    QCOMPARE(names_in(before).size(), std::size_t{1});
    remove_temporaries();
    QVERIFY(names_in(before).empty());
  }

  void a_file_in_it_is_replaced_as_elsewhere() {
    const fs::path before = fresh("before"), after = folder_ / "after";
    fs::remove_all(after);
    std::ofstream(before / "a.png") << "old";
    QCOMPARE(::chmod((before / "a.png").c_str(), 0640), 0);
    const auto rename = [&] { fs::rename(before, after); };
    write(before / "a.png", {.overwrite = true}, rename);
    QCOMPARE(names_in(after), std::set<std::string>{"a.png"});
    struct stat state {};
    QCOMPARE(::stat((after / "a.png").c_str(), &state), 0);
    QCOMPARE(state.st_mode & 07777, mode_t{0640});
    QVERIFY(content(after / "a.png") != "old");
    // What another program has saved there meanwhile stays.
    fs::rename(after, before);
    QVERIFY_THROWS_EXCEPTION(FileError, write(before / "a.png", {.overwrite = true}, [&] {
                               rename();
                               std::ofstream(after / "a.png") << "newer";
                             }));
    QCOMPARE(content(after / "a.png"), std::string("newer"));
    QCOMPARE(names_in(after).size(), std::size_t{1});
  }

  void a_folder_that_is_gone_is_said() {
    const fs::path before = fresh("before");
    QVERIFY_THROWS_EXCEPTION(FileError,
                             write(before / "a.png", {}, [&] { fs::remove_all(before); }));
    QVERIFY(!fs::exists(before));
  }
};

QTEST_GUILESS_MAIN(TestIoRenamedFolder)
#include "test_io_renamed_folder.moc"
