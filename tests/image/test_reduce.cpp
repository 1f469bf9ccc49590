// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Reduced pictures are means of light, with colour weighted by alpha, up to the last column and
// row; and ParallelRows.
#include <QTest>
#include <atomic>
#include <barrier>
#include <cmath>

#include "image/reduce.hpp"
#include "image/vector_state.hpp"
#include "support/pictures.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

using namespace sfumato;
using namespace sfumato::testing;

namespace {

#if defined(__x86_64__)
// Whether the processor reports the registers in use: XGETBV with 1.
bool tells_use() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __builtin_cpu_supports("avx2") && __get_cpuid_count(0xd, 1, &a, &b, &c, &d) != 0 &&
         (a & 4) != 0;
}

__attribute__((target("xsave"))) bool upper_halves_in_use() {
  return (_xgetbv(1) & 4) != 0;
}

// As a library may leave them. The compiler itself would clean up.
void use_upper_halves() {
  asm volatile("vpcmpeqd %%ymm9, %%ymm9, %%ymm9" ::: "xmm9");
}
#endif

Image reduced(Image& picture, int factor) {
  Image out(reduced_format(picture.format, factor));
  reduce(picture.view(), picture.format, factor, out.view(), ParallelRows());
  return out;
}

}  // namespace

class TestReduce : public QObject {
  Q_OBJECT

 private slots:
  void light_is_averaged_not_codes() {
    Image picture({2, 2, 3, SampleType::u8, AlphaKind::none, Coding::srgb()});
    for (int c = 0; c < 3; ++c) picture.set(0, 0, c, 1.0f);  // one white pixel of four
    Image small = reduced(picture, 2);
    QCOMPARE(small.format.width, 1);
    const double want = encode(Coding::srgb(), 0.25);
    QVERIFY(std::abs(static_cast<double>(small.get(0, 0, 1)) - want) < 1e-6);
  }

  void what_is_transparent_has_no_colour() {
    for (const AlphaKind kind : {AlphaKind::straight, AlphaKind::premultiplied}) {
      Image picture({2, 1, 4, SampleType::f32, kind, Coding::linear()});
      for (int c = 0; c < 3; ++c) picture.set(0, 0, c, 0.5f);
      picture.set(0, 0, 3, 1.0f);
      if (kind == AlphaKind::straight) picture.set(1, 0, 0, 9.0f);  // hidden
      Image small = reduced(picture, 2);
      QCOMPARE(small.get(0, 0, 3), 0.5f);
      const float want = kind == AlphaKind::straight ? 0.5f : 0.25f;
      for (int c = 0; c < 3; ++c) QCOMPARE(small.get(0, 0, c), want);
    }
  }

  void coded_premultiplied_numbers_are_decoded_straight() {
    Image picture({1, 2, 4, SampleType::f32, AlphaKind::premultiplied, Coding::srgb()});
    for (int y = 0; y < 2; ++y) {
      for (int c = 0; c < 3; ++c) picture.set(0, y, c, 0.3f);
      picture.set(0, y, 3, 0.5f);
    }
    Image small = reduced(picture, 2);
    for (int c = 0; c < 3; ++c) QVERIFY(std::abs(small.get(0, 0, c) - 0.3f) < 1e-6f);
  }

  void edges_are_means_of_what_is_left() {
    Image picture({7, 5, 1, SampleType::u16, AlphaKind::none, Coding::linear()});
    for (int y = 0; y < 5; ++y) {
      for (int x = 0; x < 7; ++x) picture.set(x, y, 0, x == 6 && y == 4 ? 1.0f : 0.25f);
    }
    Image small = reduced(picture, 3);
    QCOMPARE(small.format.width, 3);
    QCOMPARE(small.format.height, 2);
    QVERIFY(std::abs(small.get(0, 0, 0) - 0.25f) < 1e-4f);
    QVERIFY(std::abs(small.get(2, 1, 0) - 0.625f) < 1e-4f);  // two pixels: a quarter and white
  }

  void a_factor_of_one_changes_nothing() {
    Image picture = scene({9, 6, 4, SampleType::f32, AlphaKind::straight, Coding::srgb()});
    Image same = reduced(picture, 1);
    for (int y = 0; y < 6; ++y) {
      for (int x = 1; x < 9; ++x) {  // the first column is transparent
        for (int c = 0; c < 4; ++c) {
          QVERIFY(std::abs(same.get(x, y, c) - picture.get(x, y, c)) < 2e-6f);
        }
      }
    }
  }

  void cancelling_is_heard() {
    Image picture = scene({64, 64, 3, SampleType::u8, AlphaKind::none, Coding::srgb()});
    Image out(reduced_format(picture.format, 2));
    QVERIFY_THROWS_EXCEPTION(Cancelled, reduce(picture.view(), picture.format, 2, out.view(),
                                               ParallelRows([](int, int) { return false; })));
  }

  // A caller that cancels for its own reason might give another one if asked twice.
  void who_has_cancelled_is_not_asked_again() {
    constexpr int threads = 4;
    std::barrier together(threads);
    for (int again = 0; again < 50; ++again) {
      int asked = 0;
      const auto stop = [&](int, int) {
        ++asked;
        return false;
      };
      const auto meet = [&](int) { together.arrive_and_wait(); };
      QVERIFY_THROWS_EXCEPTION(Cancelled, ParallelRows(stop, threads).run(0, threads, meet));
      QCOMPARE(asked, 1);
    }
  }

  void rows_are_computed_with_reset_vector_state() {
#if defined(__x86_64__)
    if (!tells_use()) QSKIP("the processor does not tell");
    use_upper_halves();
    QVERIFY(upper_halves_in_use());
    std::atomic<int> in_use{0};
    ParallelRows({}, 3).run(0, 9, [&](int) { in_use += upper_halves_in_use() ? 1 : 0; });
    QCOMPARE(in_use.load(), 0);
    use_upper_halves();
    reset_vector_state();
    QVERIFY(!upper_halves_in_use());
#else
    QSKIP("no such registers");
#endif
  }
};

QTEST_GUILESS_MAIN(TestReduce)
#include "test_reduce.moc"
