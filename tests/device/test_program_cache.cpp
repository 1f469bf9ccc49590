// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The disk space of compiled programs: its limit, and the order of eviction.
#include <QDir>
#include <QTemporaryDir>
#include <QTest>
#include <fstream>

#include "device/cache_limit.hpp"
#include "device/files.hpp"
#include "device/opencl.hpp"
#include "device/program_cache.hpp"
#include "support/devices.hpp"
#include "support/skips.hpp"

using namespace sfumato;
namespace fs = std::filesystem;

class TestProgramCache : public QObject {
  Q_OBJECT

 private:
  QTemporaryDir folder_;
  int made_ = 0;

  // An empty cache folder.
  fs::path cache() { return fs::path(folder_.path().toStdString()) / std::to_string(++made_); }

  static void put(const fs::path& file, std::size_t bytes, int hours_ago) {
    QVERIFY(write_file_atomically(file, std::string(bytes, 'x')));
    fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::hours(hours_ago));
  }

 private Q_SLOTS:
  void the_oldest_go_until_the_others_fit() {
    const fs::path at = cache();
    for (int i = 0; i < 10; ++i) {
      put(at / "programs" / (std::to_string(i) + ".bin"), 1000, 10 - i);
    }
    put(at / "tuning.json", 5000, 99);
    put(at / "devices" / "one", 5000, 99);
    QCOMPARE(cached_program_bytes(at), std::uint64_t{10000});
    trim_cached_programs(at, 10000);
    QCOMPARE(cached_program_bytes(at), std::uint64_t{10000});
    trim_cached_programs(at, 5500);
    QCOMPARE(cached_program_bytes(at), std::uint64_t{5000});
    QVERIFY(!fs::exists(at / "programs" / "4.bin"));
    QVERIFY(fs::exists(at / "programs" / "5.bin"));
    trim_cached_programs(at, 0);
    QCOMPARE(cached_program_bytes(at), std::uint64_t{0});
    QVERIFY(fs::exists(at / "tuning.json") && fs::exists(at / "devices" / "one"));
  }

  void the_limit_lies_in_the_folder() {
    const fs::path at = cache();
    QCOMPARE(cache_limit(at), usual_cache_limit);
    QVERIFY(set_cache_limit(at, 12345678));
    QCOMPARE(cache_limit(at), std::uint64_t{12345678});
    for (const char* damaged : {"", "much", "-5", "0", "99999999999999999999999"}) {
      QVERIFY(write_file_atomically(at / "limit", damaged));
      QCOMPARE(cache_limit(at), usual_cache_limit);
    }
  }

  void without_a_folder_nothing_is_touched() {
    const QString here = QDir::currentPath();
    QVERIFY(QDir::setCurrent(folder_.path()));
    put("programs/mine.bin", 10, 1);
    trim_cached_programs({}, 0);
    QCOMPARE(cached_program_bytes({}), std::uint64_t{0});
    QVERIFY(!set_cache_limit({}, 1));
    QVERIFY(fs::exists("programs/mine.bin"));
    QVERIFY(QDir::setCurrent(here));
  }

  void what_is_used_is_young_and_what_is_stored_makes_room() {
    static const char text[] = "kernel void one(global float* x) { x[get_global_id(0)] = 1; }";
    const kernels::Source source{"one", text, text + sizeof text - 1};
    const auto devices = sfumato::testing::cpu_devices();
    if (devices.empty()) SKIP_WITHOUT("an OpenCL device on the processor");
    DeviceInfo device = devices.front();
    device.keeps_kernels = false;
    const cl::Context context(cl::Device(device.handle, true));
    const fs::path at = cache();
    ProgramCache(context, device, at).kernel(source, "", "one");
    const fs::path file = fs::directory_iterator(at / "programs")->path();
    const auto then = fs::file_time_type::clock::now() - std::chrono::hours(48);
    fs::last_write_time(file, then);
    ProgramCache again(context, device, at);
    again.kernel(source, "", "one");
    QCOMPARE(again.loaded(), 1);
    QVERIFY(fs::last_write_time(file) > then + std::chrono::hours(47));
    put(at / "programs" / "old.bin", 1 << 20, 12);
    QVERIFY(set_cache_limit(at, 1 << 20));
    again.kernel(source, "-DOTHER", "one");
    QVERIFY(!fs::exists(at / "programs" / "old.bin"));
    QVERIFY(fs::exists(file));
  }

  void a_program_cache_serves_from_disk() {
    QTemporaryDir folder;
    const std::filesystem::path path = folder.path().toStdString();
    static const char text[] =
        "kernel void twice(global float* x) { x[get_global_id(0)] *= 2.0f; }";
    const kernels::Source source{"twice", text, text + sizeof text - 1};
    const std::vector<DeviceInfo> devices = sfumato::testing::cpu_devices();
    if (devices.empty()) SKIP_WITHOUT("an OpenCL device on the processor");
    for (DeviceInfo d : devices) {
      d.keeps_kernels = false;
      const cl::Context context(cl::Device(d.handle, true));
      ProgramCache cold(context, d, path);
      cold.kernel(source, "", "twice");
      QCOMPARE(cold.compiled(), 1);
      ProgramCache warm(context, d, path);
      warm.kernel(source, "", "twice");
      QCOMPARE(warm.compiled(), 0);
      QCOMPARE(warm.loaded(), 1);
      warm.kernel(source, "-DOTHER", "twice");
      QCOMPARE(warm.compiled(), 1);
      static const char wrong[] = "kernel void wrong(";
      const kernels::Source broken{"wrong", wrong, wrong + sizeof wrong - 1};
      QVERIFY_THROWS_EXCEPTION(DeviceError, warm.kernel(broken, "", "wrong"));
    }
  }

  void the_folder_is_in_the_users_own_cache() {
    const QByteArray home = qgetenv("HOME"), xdg = qgetenv("XDG_CACHE_HOME");
    const auto found = [](const QByteArray& home_now, const QByteArray& xdg_now) {
      qputenv("HOME", home_now);
      qputenv("XDG_CACHE_HOME", xdg_now);
      return QString::fromStdString(default_cache_folder().string());
    };
    const QByteArray there = folder_.path().toUtf8();
    const QString in_home = found(there, ""), of_relative = found(there, "cache");
    const QString in_xdg = found(there, "/xdg"), in_relative = found("home", "");
    const QString in_missing = found(there + "/missing", "");
    qunsetenv("HOME");
    const QString without = QString::fromStdString(default_cache_folder().string());
    home.isNull() ? qunsetenv("HOME") : qputenv("HOME", home);
    xdg.isNull() ? qunsetenv("XDG_CACHE_HOME") : qputenv("XDG_CACHE_HOME", xdg);
    QCOMPARE(in_home, folder_.path() + "/.cache/sfumato");
    QCOMPARE(of_relative, in_home);
    QCOMPARE(in_xdg, "/xdg/sfumato");
    QCOMPARE(in_relative, "");
    QCOMPARE(in_missing, "");
    QCOMPARE(without, "");
  }

  void nothing_is_stored_where_the_driver_keeps_kernels() {
    static const char text[] = "kernel void one(global float* x) { x[get_global_id(0)] = 1; }";
    const kernels::Source source{"one", text, text + sizeof text - 1};
    QTemporaryDir folder;
    const std::vector<DeviceInfo> devices = sfumato::testing::cpu_devices();
    if (devices.empty()) SKIP_WITHOUT("an OpenCL device on the processor");
    for (DeviceInfo device : devices) {
      QCOMPARE(device.keeps_kernels, device.platform == "Portable Computing Language");
      device.keeps_kernels = true;
      const cl::Context context(cl::Device(device.handle, true));
      ProgramCache(context, device, folder.path().toStdString()).kernel(source, "", "one");
      QVERIFY(QDir(folder.path()).isEmpty());
    }
  }
};

QTEST_GUILESS_MAIN(TestProgramCache)
#include "test_program_cache.moc"
