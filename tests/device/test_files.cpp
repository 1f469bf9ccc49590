// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Files appear whole, whatever else is in the folder.
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QTemporaryDir>
#include <QTest>
#include <array>
#include <cerrno>
#include <csignal>
#include <fstream>
#include <set>

#include "device/files.hpp"
#include "device/left_over.hpp"

using namespace sfumato;
namespace fs = std::filesystem;

class TestFiles : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;

  fs::path at(const char* name) const { return fs::path(folder_.path().toStdString()) / name; }
  static void put(const fs::path& file, const char* text) { std::ofstream(file) << text; }
  static std::set<std::string> names_in(const fs::path& folder) {
    std::set<std::string> out;
    for (const auto& entry : fs::directory_iterator(folder))
      out.insert(entry.path().filename().string());
    return out;
  }
  static std::string content(const fs::path& file) {
    std::string text;
    return read_file(file, text) ? text : "(cannot be read)";
  }

 private Q_SLOTS:
  void temporaries_of_killed_processes_are_passed_over() {
    const fs::path file = at("mark");
    QVERIFY(replace_file(file, "first"));  // after which this folder is not looked through again
    // Left by an earlier process with this number; more than were made before this test.
    for (int i = 0; i < 20; ++i) {
      const std::string number = std::to_string(::getpid()) + "-" + std::to_string(i);
      put(at((".mark.sfumato-" + number).c_str()), "half");
    }
    QVERIFY(replace_file(file, "whole"));
    QCOMPARE(content(file), std::string("whole"));
    QVERIFY(replace_file(file, "again"));
    QCOMPARE(content(file), std::string("again"));
  }

  // The target's name, the mark, two numbers and the extension; a mark alone may be the user's.
  void temporaries_are_known_by_their_names() {
    const fs::path target = at("a.png");
    QVERIFY(files::is_temporary_of(files::temporary_name(target).filename().string(), target));
    QVERIFY(files::is_temporary_of(".a.sfumato-4711-0.png", target));
    for (const char* other :
         {"a.sfumato-4711-0.png", ".b.sfumato-4711-0.png", ".a.sfumato-x.png",
          ".a.sfumato-4711-0.tif", ".a.sfumato-.png", ".a.png", "xa.sfumato-4711-0.png"}) {
      QVERIFY2(!files::is_temporary_of(other, target), other);
    }
  }

  void what_a_killed_process_leaves_is_removed() {
    const fs::path folder = at("killed");
    fs::create_directory(folder);
    const pid_t child = ::fork();
    if (child == 0) {
      const NewFile half(folder / "preset.json");
      if (half.write(0, "half", 4)) ::raise(SIGKILL);
      ::_exit(1);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    QCOMPARE(WIFSIGNALED(status) ? WTERMSIG(status) : 0, SIGKILL);
    QCOMPARE(names_in(folder).size(), std::size_t{1});
    QVERIFY(replace_file(folder / "other", "whole"));
    QCOMPARE(names_in(folder), std::set<std::string>{"other"});
  }

  void what_another_process_is_writing_stays() {
    const fs::path folder = at("busy");
    fs::create_directory(folder);
    std::array<int, 2> ready{}, go_on{};
    QVERIFY(::pipe(ready.data()) == 0 && ::pipe(go_on.data()) == 0);
    const pid_t child = ::fork();
    if (child == 0) {
      char byte = 0;
      NewFile made(folder / "preset.json");
      const bool good = made.write(0, "whole", 5) && ::write(ready[1], &byte, 1) == 1 &&
                        ::read(go_on[0], &byte, 1) == 1 && made.commit();
      ::_exit(good ? 0 : 1);
    }
    char byte = 0;
    QCOMPARE(::read(ready[0], &byte, 1), ssize_t{1});
    QVERIFY(replace_file(folder / "other", "whole"));
    QCOMPARE(names_in(folder).size(), std::size_t{2});
    QCOMPARE(::write(go_on[1], &byte, 1), ssize_t{1});
    int status = 0;
    ::waitpid(child, &status, 0);
    QCOMPARE(status, 0);
    QCOMPARE(names_in(folder), (std::set<std::string>{"other", "preset.json"}));
    for (const int end : {ready[0], ready[1], go_on[0], go_on[1]}) ::close(end);
  }

  void reasons_are_kept() {
    std::string text;
    QVERIFY(!read_file(at("nowhere"), text));
    QCOMPARE(errno, ENOENT);
    QVERIFY(!read_file(at(""), text));
    QCOMPARE(errno, EISDIR);
    QCOMPARE(::mkfifo(at("pipe").c_str(), 0600), 0);
    QVERIFY(!read_file(at("pipe"), text));  // at once
    QCOMPARE(errno, ENOTSUP);
    put(at("no folder"), "text");
    QVERIFY(!write_file_atomically(at("no folder/file"), "text"));
    QCOMPARE(errno, ENOTDIR);
    QVERIFY(!replace_file(at("nowhere/file"), "text"));
    QCOMPARE(errno, ENOENT);
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
      QVERIFY(entry.path().filename().string().find("given up") == std::string::npos);
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
