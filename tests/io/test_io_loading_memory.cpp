// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The memory of libraries that are being loaded: which blocks come from it, that they are blocks as
// malloc's, and that what is not used of them costs nothing.
#include <dlfcn.h>
#include <malloc.h>

#include <QCoreApplication>
#include <QProcess>
#include <QTest>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <new>
#include <thread>
#include <vector>

#include "io/loading_memory.hpp"
#include "support/files.hpp"
#include "support/skips.hpp"

using namespace sfumato;
using namespace sfumato::testing;

namespace {

// Whether a block that this thread requests now comes from there. Compilers may leave a call of
// malloc out whose block is not used, but none of this pointer.
void* (*volatile request)(std::size_t) = std::malloc;
void* (*volatile request_zeros)(std::size_t, std::size_t) = std::calloc;
void* (*volatile resize)(void*, std::size_t) = std::realloc;

bool comes_from_there(std::size_t bytes) {
  const std::size_t before = files::loading_memory_used();
  void* const block = request(bytes);
  std::free(block);
  return files::loading_memory_used() != before;
}

// The pages of this process that are in memory.
std::size_t resident_pages() {
  std::ifstream state("/proc/self/statm");
  std::size_t all = 0, resident = 0;
  state >> all >> resident;
  return resident;
}

class Requesting {
 public:
  Requesting() { files::request_from_loading_memory(true); }
  Requesting(const Requesting&) = delete;
  Requesting& operator=(const Requesting&) = delete;
  ~Requesting() { files::request_from_loading_memory(false); }
};

}  // namespace

class TestIoLoadingMemory : public QObject {
  Q_OBJECT

  Folder folder_;

 private slots:
  void initTestCase() {
    if (is_sanitized) QSKIP("a sanitizer has malloc");
  }

  // In this order: the address space is reserved once, and is never given back.
  void what_the_module_requests() {
    files::use_loading_memory();
    Image image(usual_format(3, SampleType::u8, AlphaKind::none, 8, 8));
    through(folder_ / "a.png", image, {});
    QCOMPARE(read_all(*open_picture(folder_ / "a.png", {.contained = false})).format.width, 8);
    QVERIFY(files::loading_memory_used() > 0);
  }

  void only_while_it_is_requested() {
    QVERIFY(!comes_from_there(4096));
    {
      const Requesting now;
      QVERIFY(comes_from_there(4096));
      bool elsewhere = true;
      std::thread([&] { elsewhere = comes_from_there(4096); }).join();
      QVERIFY(!elsewhere);
    }
    QVERIFY(!comes_from_there(4096));
  }

  void blocks_of_one_to_eight_kibibytes() {
    const Requesting now;
    for (const std::size_t bytes : {1024U, 1025U, 2048U, 4096U, 8192U}) {
      QVERIFY2(comes_from_there(bytes), std::to_string(bytes).c_str());
    }
    for (const std::size_t bytes : {0U, 1U, 1023U, 8193U, 1U << 20}) {
      QVERIFY2(!comes_from_there(bytes), std::to_string(bytes).c_str());
    }
  }

  void blocks_as_of_malloc() {
    const Requesting now;
    char* const one = static_cast<char*>(request(3000));
    char* const two = static_cast<char*>(request_zeros(300, 10));
    QVERIFY(one != nullptr && two != nullptr);
    QCOMPARE(reinterpret_cast<std::uintptr_t>(one) % alignof(std::max_align_t), std::uintptr_t{0});
    QVERIFY(two >= one + 3000 || one >= two + 3000);
    QVERIFY(std::all_of(two, two + 3000, [](char c) { return c == 0; }));
    QCOMPARE(::malloc_usable_size(one), std::size_t{3000});
    std::memset(one, 'a', 3000);
    char* const longer = static_cast<char*>(resize(one, 100'000));
    QVERIFY(longer != nullptr && longer != one);
    QCOMPARE(std::string(longer, 3000), std::string(3000, 'a'));
    QVERIFY(::malloc_usable_size(longer) >= 100'000);
    std::free(longer);
    std::memset(two, 'b', 3000);
    char* const shorter = static_cast<char*>(resize(two, 10));
    QCOMPARE(std::string(shorter, 10), std::string(10, 'b'));
    std::free(shorter);
    QVERIFY(resize(request(2000), 0) == nullptr);
    QVERIFY(request_zeros(std::size_t{1} << 40, std::size_t{1} << 40) == nullptr);
  }

  // Libraries find the program's functions, all of them.
  void libraries_find_these() {
    char* block = nullptr;
    {
      const Requesting now;
      block = static_cast<char*>(request(3000));
    }
    const auto size =
        reinterpret_cast<std::size_t (*)(void*)>(::dlsym(RTLD_DEFAULT, "malloc_usable_size"));
    QCOMPARE(size(block), std::size_t{3000});
    const auto longer = reinterpret_cast<void* (*)(void*, std::size_t, std::size_t)>(
        ::dlsym(RTLD_DEFAULT, "reallocarray"));
    block = static_cast<char*>(longer(block, 100, 100));
    QVERIFY(block != nullptr);
    QVERIFY(longer(block, SIZE_MAX, 2) == nullptr);
    std::free(block);
  }

  void aligned_blocks_are_given_back() {
    const Requesting now;
    void* block = nullptr;
    QCOMPARE(::posix_memalign(&block, 4096, 5000), 0);
    QCOMPARE(reinterpret_cast<std::uintptr_t>(block) % 4096, std::uintptr_t{0});
    std::free(block);
    QCOMPARE(::posix_memalign(&block, 24, 5000), EINVAL);
    for (void* other : {::aligned_alloc(64, 6400), ::memalign(128, 5000), ::valloc(5000)}) {
      QVERIFY(other != nullptr);
      std::free(other);
    }
    ::operator delete(::operator new(4000, std::align_val_t(64)), std::align_val_t(64));
  }

  // One that knows its own blocks only.
  void beside_another_allocator() {
    const QString other = "libc_malloc_debug.so.0";
    if (::dlopen(qPrintable(other), RTLD_LAZY) == nullptr) QSKIP("libc has none here");
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("LD_PRELOAD", other);
    environment.insert("MALLOC_CHECK_", "3");
    process.setProcessEnvironment(environment);
    process.start(QCoreApplication::applicationFilePath(),
                  {"what_the_module_requests", "aligned_blocks_are_given_back"});
    QVERIFY(process.waitForFinished(-1));
    QVERIFY2(process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0,
             process.readAll().constData());
  }

  // Their contents are there in other threads, which may give them back, too.
  void freed_elsewhere() {
    char* block = nullptr;
    {
      const Requesting now;
      block = static_cast<char*>(request(2048));
      std::memset(block, 'c', 2048);
    }
    std::thread([&] {
      block = static_cast<char*>(std::realloc(block, 5000));
      std::free(block);
    }).join();
    QVERIFY(block != nullptr);
  }

  void untouched_blocks_take_no_memory() {
    constexpr int count = 1024;
    const std::size_t before = resident_pages();
    {
      const Requesting now;
      for (int i = 0; i < count; ++i) QVERIFY(request_zeros(1, 4096) != nullptr);
    }
    QVERIFY(files::loading_memory_used() >= std::size_t{count} * 4096);
    const std::size_t taken = resident_pages() - before;
    QVERIFY2(taken < count / 4, std::to_string(taken).c_str());
  }

  void libc_when_it_is_used_up() {
    const Requesting now;
    std::vector<char*> blocks;
    while (blocks.size() < (std::size_t{40} << 20) / 8192) {
      blocks.push_back(static_cast<char*>(request(8192)));
      QVERIFY(blocks.back() != nullptr);
      blocks.back()[8191] = 'd';
    }
    QVERIFY(files::loading_memory_used() <= std::size_t{32} << 20);
    QVERIFY(!comes_from_there(8192));
    for (char* block : blocks) std::free(block);
  }
};

QTEST_GUILESS_MAIN(TestIoLoadingMemory)
#include "test_io_loading_memory.moc"
