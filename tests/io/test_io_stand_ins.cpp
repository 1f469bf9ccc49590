// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Stand-ins for libraries that read movies: they are loaded instead of these, and pictures are read
// and written as ever.
#include <dlfcn.h>

#include <QTest>
#include <fstream>

#include "io/decoder/decoder_process.hpp"
#include "io/stand_ins.hpp"
#include "support/files.hpp"

using namespace sfumato;
using namespace sfumato::testing;

namespace {

namespace fs = std::filesystem;

std::vector<std::string> mapped_libraries() {
  std::vector<std::string> out;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    const auto at = line.find('/');
    if (at != std::string::npos) out.push_back(line.substr(at));
  }
  return out;
}

bool is_loaded(const fs::path& library) {
  void* const handle = ::dlopen(library.filename().c_str(), RTLD_LAZY | RTLD_NOLOAD);
  if (handle != nullptr) ::dlclose(handle);
  return handle != nullptr;
}

fs::path stand_in_folder() {
  return decoder::find_decoder().parent_path() / "stand-ins";
}

}  // namespace

class TestIoStandIns : public QObject {
  Q_OBJECT

  Folder folder_;

 private slots:
  void initTestCase() {
    if (!fs::exists(stand_in_folder())) QSKIP("OpenImageIO needs none of these libraries here");
  }

  // In this order: what is asked for once stays so.
  void unasked() { QVERIFY(!files::StandIns(stand_in_folder())); }
  void damaged_and_missing() {
    files::use_stand_ins();
    put(folder_ / "libnone.so.1", "no library");
    QVERIFY(!files::StandIns(folder_ / ""));
    QVERIFY(!files::StandIns(folder_ / "missing"));
  }
  void unloaded_when_nothing_needs_them() {
    const fs::path one = fs::directory_iterator(stand_in_folder())->path();
    {
      const files::StandIns loaded(stand_in_folder());
      QVERIFY(loaded);
      QVERIFY(is_loaded(one));
      QVERIFY(!files::StandIns(stand_in_folder()));  // they are there
    }
    QVERIFY(!is_loaded(one));
  }
  void instead_of_the_libraries() {
    Image image(usual_format(3, SampleType::u8, AlphaKind::none, 8, 8));
    for (const char* name : {"a.png", "a.tif", "a.jpg", "a.exr", "a.webp"}) {
      through(folder_ / name, image, {});
      QCOMPARE(read_all(*open_picture(folder_ / name, {.contained = false})).format.width, 8);
    }
    int found = 0;
    for (const auto& stand_in : fs::directory_iterator(stand_in_folder())) {
      for (const std::string& library : mapped_libraries()) {
        if (fs::path(library).filename() != stand_in.path().filename()) continue;
        QCOMPARE(fs::path(library).parent_path().filename().string(), std::string("stand-ins"));
        ++found;
      }
    }
    QVERIFY(found > 0);
  }
};

QTEST_GUILESS_MAIN(TestIoStandIns)
#include "test_io_stand_ins.moc"
