// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Kernels that were compiled ahead of time: how they are found, what they get, and who runs them.
#include <sys/wait.h>
#include <unistd.h>

#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <array>
#include <atomic>
#include <csignal>
#include <numeric>
#include <thread>

#include "device/native_driver.hpp"
#include "device/worker_pool.hpp"
#include "text/message.hpp"

using namespace sfumato;
namespace fs = std::filesystem;

class TestNativeDriver : public QObject {
  Q_OBJECT

  static std::unique_ptr<Driver> opened() {
    return open_driver(native_device(std::make_shared<const NativeKernels>(SFUMATO_NATIVE_OBJECT)),
                       {});
  }
  static std::string why_not(const fs::path& object) {
    try {
      const NativeKernels kernels(object);
      return {};
    } catch (const DeviceError& error) {
      return in_english(error.message());
    }
  }

  static inline const kernels::Source alpha{"alpha", nullptr, nullptr},
      beta{"beta", nullptr, nullptr}, gamma{"gamma", nullptr, nullptr};

 private slots:
  void definitions_are_found_in_any_order() {
    const auto driver = opened();
    DeviceKernel& found = driver->kernel(alpha, "-D A -DB=2", "number_items");
    QCOMPARE(found.name(), std::string("number_items"));
    QVERIFY(&driver->kernel(alpha, "-D A -DB=2", "number_items") == &found);
    (void)driver->kernel(alpha, "-DB=2  -DA", "sum_groups");
    (void)driver->kernel(beta, "", "number_items");
    for (const char* other : {"-DA", "-DB=2", "-DA -DB=3", "-DA -DB=2 -DC", ""}) {
      QVERIFY_THROWS_EXCEPTION(DeviceError, (void)driver->kernel(alpha, other, "number_items"));
    }
    QVERIFY_THROWS_EXCEPTION(DeviceError, (void)driver->kernel(gamma, "", "number_items"));
    QVERIFY_THROWS_EXCEPTION(DeviceError, (void)driver->kernel(beta, "", "sum_groups"));
  }

  void every_item_runs_once_data() {
    QTest::addColumn<int>("width");
    QTest::addColumn<int>("height");
    for (const auto& [w, h] : {std::pair{1, 1}, {3, 1}, {1, 50}, {7, 9}, {640, 31}}) {
      QTest::addRow("%d x %d", w, h) << w << h;
    }
  }
  void every_item_runs_once() {
    QFETCH(const int, width);
    QFETCH(const int, height);
    const auto driver = opened();
    std::vector<int> numbers(static_cast<std::size_t>(width * height), 0);
    const auto memory = driver->allocate(numbers.size() * sizeof(int));
    driver->write(*memory, numbers.data(), memory->bytes());
    const std::array arguments = {Argument::of_memory(memory.get()), Argument::of(width)};
    DeviceKernel& kernel = driver->kernel(beta, "", "number_items");
    const auto w = static_cast<std::size_t>(width), h = static_cast<std::size_t>(height);
    // In two pieces, as long launches are.
    driver->launch(kernel, arguments, {{0, 0}, {w, h / 2}, {1, 1}});
    driver->launch(kernel, arguments, {{0, h / 2}, {w, h}, {1, 1}});
    driver->finish();
    driver->read(*memory, numbers.data(), memory->bytes());
    for (std::size_t y = 0; y < h; ++y) {
      for (std::size_t x = 0; x < w; ++x) {
        QCOMPARE(numbers[y * w + x], static_cast<int>(10 * y + x + 1));
      }
    }
  }

  void groups_have_their_own_local_memory() {
    constexpr std::size_t groups = 300, size = 8;
    const auto driver = opened();
    std::array<int, groups> sums{};
    const auto memory = driver->allocate(sizeof sums);
    const std::array arguments = {Argument::of_memory(memory.get()), Argument::of_local(4)};
    driver->launch(driver->kernel(alpha, "-DA -DB=2", "sum_groups"), arguments,
                   {{0, 0}, {groups * size, 1}, {size, 1}});
    driver->read(*memory, sums.data(), sizeof sums);
    for (std::size_t g = 0; g < groups; ++g) {
      QCOMPARE(sums[g], static_cast<int>(g * size * size + size * (size - 1) / 2));
    }
  }

  // More than one group, so that it is missed on threads of the pool.
  void local_memory_that_is_not_there_is_an_error() {
    const auto driver = opened();
    const auto memory = driver->allocate(64 * sizeof(int));
    const std::array arguments = {Argument::of_memory(memory.get()),
                                  Argument::of_local(std::size_t{1} << 62)};
    DeviceKernel& kernel = driver->kernel(alpha, "-DA -DB=2", "sum_groups");
    QVERIFY_THROWS_EXCEPTION(DeviceError,
                             driver->launch(kernel, arguments, {{0, 0}, {64, 1}, {1, 1}}));
    // The driver can still be used.
    const std::array possible = {Argument::of_memory(memory.get()), Argument::of_local(4)};
    driver->launch(kernel, possible, {{0, 0}, {64, 1}, {1, 1}});
  }

  void arguments_must_fit() {
    const auto driver = opened();
    DeviceKernel& kernel = driver->kernel(beta, "", "number_items");
    const auto memory = driver->allocate(64);
    const WorkItems items{{0, 0}, {1, 1}, {1, 1}};
    const Argument there = Argument::of_memory(memory.get());
    const int width = 1;
    const double wide = 1;
    const std::vector<std::vector<Argument>> wrong = {{},
                                                      {there},
                                                      {there, there},
                                                      {there, Argument::of(wide)},
                                                      {there, Argument::of_local(4)},
                                                      {Argument::of(width), there},
                                                      {there, Argument::of(width), there}};
    for (const auto& arguments : wrong) {
      QVERIFY_THROWS_EXCEPTION(DeviceError, driver->launch(kernel, arguments, items));
    }
    QVERIFY_THROWS_EXCEPTION(DeviceError, (void)driver->allocate_image(4, 4));
    QVERIFY_THROWS_EXCEPTION(DeviceError, (void)driver->allocate(std::size_t{1} << 62));
  }

  void damaged_objects_are_refused() {
    const QTemporaryDir folder;
    const QString path = folder.filePath("object.so");
    QVERIFY(why_not(path.toStdString()).find("could not be loaded") != std::string::npos);
    for (const QByteArray& damaged : {QByteArray(), QByteArray("no object")}) {
      QFile file(path);
      QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
      file.write(damaged);
      file.close();
      QVERIFY(why_not(path.toStdString()).find("could not be loaded") != std::string::npos);
    }
    QVERIFY(why_not(SFUMATO_OTHER_OBJECT).find("holds no kernels of this version") !=
            std::string::npos);
    QVERIFY(why_not("libm.so.6").find("holds no kernels of this version") != std::string::npos);
  }

  // Several threads give jobs to one pool at once.
  void jobs_of_several_threads_are_done() {
    WorkerPool pool(3);
    QCOMPARE(pool.threads(), 3u);
    std::atomic<int> wrong = 0;
    const auto work = [&] {
      for (std::size_t count = 0; count < 200; ++count) {
        std::vector<std::atomic<int>> seen(count);
        pool.run(count, [&](std::size_t part) { ++seen[part]; });
        for (const auto& one : seen) wrong += one != 1 ? 1 : 0;
      }
    };
    {
      std::vector<std::jthread> threads;
      for (int i = 0; i < 4; ++i) threads.emplace_back(work);
    }
    QCOMPARE(wrong.load(), 0);
  }

  // Others hold all threads of the pool: the one that calls does its job alone.
  void a_job_is_done_without_free_threads() {
    WorkerPool pool(2);
    std::atomic<bool> free = false;
    std::atomic<int> held = 0;
    std::jthread other([&] {
      pool.run(2, [&](std::size_t) {
        ++held;
        while (!free) std::this_thread::yield();
      });
    });
    while (held < 2) std::this_thread::yield();
    std::atomic<int> done = 0;
    pool.run(50, [&](std::size_t) { ++done; });
    QCOMPARE(done.load(), 50);
    free = true;
  }

  void the_first_failure_is_the_caller_s() {
    WorkerPool pool(3);
    for (const int failing : {0, 7, 99}) {
      QVERIFY_THROWS_EXCEPTION(std::bad_alloc, pool.run(100, [&](std::size_t part) {
        if (part == static_cast<std::size_t>(failing)) throw std::bad_alloc();
      }));
    }
    std::atomic<int> done = 0;
    pool.run(100, [&](std::size_t) { ++done; });
    QCOMPARE(done.load(), 100);
  }

  void a_child_works_alone() {
    WorkerPool pool(4);
    std::atomic<int> done = 0;
    const auto count = [&](std::size_t) { ++done; };
    pool.run(100, count);
    const pid_t child = ::fork();
    if (child == 0) {
      done = 0;
      pool.run(100, count);
      ::_exit(done == 100 ? 0 : 1);
    }
    int status = -1;
    QCOMPARE(::waitpid(child, &status, 0), child);
    QCOMPARE(status, 0);
    pool.run(100, count);
    QCOMPARE(done.load(), 200);
  }

  // Signals are for the threads of the host.
  void workers_take_no_signals() {
    WorkerPool pool(4);
    const std::thread::id caller = std::this_thread::get_id();
    std::atomic<int> open = 0;
    pool.run(64, [&](std::size_t) {
      sigset_t mask;
      pthread_sigmask(SIG_SETMASK, nullptr, &mask);
      if (std::this_thread::get_id() != caller && sigismember(&mask, SIGTERM) == 0) ++open;
      std::this_thread::yield();
    });
    QCOMPARE(open.load(), 0);
  }
};

QTEST_GUILESS_MAIN(TestNativeDriver)
#include "test_native_driver.moc"
