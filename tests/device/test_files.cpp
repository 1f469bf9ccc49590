// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Files appear whole, whatever else is in the folder.
#include <unistd.h>

#include <QtTest>
#include <cerrno>
#include <fstream>

#include "device/files.hpp"

using namespace sfumato;
namespace fs = std::filesystem;

class TestFiles : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;

  fs::path at(const char* name) const { return fs::path(folder_.path().toStdString()) / name; }
  static void put(const fs::path& file, const char* text) { std::ofstream(file) << text; }
  static std::string content(const fs::path& file) {
    std::string text;
    return read_file(file, text) ? text : "(cannot be read)";
  }

 private Q_SLOTS:
  void temporaries_of_killed_processes_are_passed_over() {
    const fs::path file = at("mark");
    // Left by an earlier process with this number; more than were made before this test.
    for (int i = 0; i < 20; ++i) {
      fs::path left = file;
      left += ".tmp" + std::to_string(::getpid()) + "." + std::to_string(i);
      put(left, "half");
    }
    QVERIFY(replace_file(file, "whole"));
    QCOMPARE(content(file), std::string("whole"));
    QVERIFY(replace_file(file, "again"));
    QCOMPARE(content(file), std::string("again"));
  }

  void what_is_not_committed_leaves_nothing() {
    const fs::path file = at("given up");
    {
      NewFile made(file);
      QVERIFY(made.descriptor() >= 0);
      QVERIFY(made.write(0, "half", 4));
      errno = ENOSPC;
    }
    QCOMPARE(errno, ENOSPC);
    QVERIFY(!fs::exists(file));
    for (const auto& entry : fs::directory_iterator(folder_.path().toStdString())) {
      QVERIFY(entry.path().filename().string().rfind("given up", 0) != 0);
    }
  }

  void folders_are_made_only_where_that_is_asked_for() {
    QVERIFY(!replace_file(at("missing/file"), "text"));
    QVERIFY(!fs::exists(at("missing")));
    QVERIFY(write_file_atomically(at("missing/file"), "text"));
    QCOMPARE(content(at("missing/file")), std::string("text"));
    const fs::path before = fs::current_path();
    fs::current_path(folder_.path().toStdString());
    const bool written = write_file_atomically("beside", "text");
    fs::current_path(before);
    QVERIFY(written);
  }

  void a_file_that_is_there_is_replaced_only_where_that_is_meant() {
    put(at("new"), "new");
    put(at("old"), "old");
    QCOMPARE(rename_file(at("new"), at("old"), false), EEXIST);
    QCOMPARE(content(at("old")), std::string("old"));
    QCOMPARE(rename_file(at("new"), at("old"), true), 0);
    QCOMPARE(content(at("old")), std::string("new"));
    QCOMPARE(rename_file(at("old"), at("free"), false), 0);
    QCOMPARE(rename_file(at("old"), at("free"), true), ENOENT);
  }
};

QTEST_GUILESS_MAIN(TestFiles)
#include "test_files.moc"
