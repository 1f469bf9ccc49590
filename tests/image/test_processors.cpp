// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// How many threads compute: affinity, control groups and the user's limit.
#include <sched.h>

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "image/processors.hpp"

using namespace sfumato;

class TestProcessors : public QObject {
  Q_OBJECT

  std::unique_ptr<QTemporaryDir> folder_;

  std::string make(const QString& name, const char* text) const {
    const QString path = folder_->filePath(name);
    QDir().mkpath(QFileInfo(path).path());
    QFile out(path);
    if (out.open(QIODevice::WriteOnly)) out.write(text);
    return path.toStdString();
  }
  unsigned granted(const char* groups) const {
    return processors_of_control_group(make("groups", groups),
                                       folder_->filePath("sys").toStdString());
  }

 private slots:
  void init() { folder_ = std::make_unique<QTemporaryDir>(); }

  void without_groups_there_is_no_limit() {
    QCOMPARE(granted(""), 0u);
    QCOMPARE(granted("nonsense\n0::/a\n"), 0u);
    make("sys/a/cpu.max", "max 100000\n");
    QCOMPARE(granted("0::/a\n"), 0u);
  }

  void the_least_quota_counts_rounded_up() {
    make("sys/job/step/cpu.max", "350000 100000\n");
    make("sys/job/cpu.max", "800000 100000\n");
    QCOMPARE(granted("0::/job/step\n"), 4u);
    make("sys/job/cpu.max", "50000 100000\n");
    QCOMPARE(granted("0::/job/step\n"), 1u);
    make("sys/job/cpu.max", "damaged\n");
    QCOMPARE(granted("0::/job/step\n"), 4u);
  }

  void groups_of_the_first_version_are_read() {
    make("sys/cpu/job/cpu.cfs_quota_us", "200000\n");
    make("sys/cpu/job/cpu.cfs_period_us", "100000\n");
    QCOMPARE(granted("4:cpu,cpuacct:/job\n"), 2u);
    make("sys/cpu/job/cpu.cfs_quota_us", "-1\n");
    QCOMPARE(granted("4:cpu,cpuacct:/job\n"), 0u);
  }

  void affinity_counts() {
    cpu_set_t before, one;
    QCOMPARE(::sched_getaffinity(0, sizeof before, &before), 0);
    CPU_ZERO(&one);
    for (int i = 0; i < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++i) {
      if (CPU_ISSET(i, &before)) CPU_SET(i, &one);
    }
    QCOMPARE(::sched_setaffinity(0, sizeof one, &one), 0);
    const unsigned found = usable_processors();
    QCOMPARE(::sched_setaffinity(0, sizeof before, &before), 0);
    QCOMPARE(found, 1u);
  }

  void a_limit_takes_away_and_never_adds() {
    const unsigned all = compute_threads();
    QVERIFY(all >= 1);
    limit_compute_threads(1);
    QCOMPARE(compute_threads(), 1u);
    limit_compute_threads(most_threads);
    QCOMPARE(compute_threads(), all);
    limit_compute_threads(0);
    QCOMPARE(compute_threads(), all);
  }
};

QTEST_GUILESS_MAIN(TestProcessors)
#include "test_processors.moc"
