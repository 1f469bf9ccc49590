// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Limits on memory that control groups set, in trees of the test's own.
#include <QTest>
#include <limits>

#include "batch_folder.hpp"
#include "engine/memory.hpp"

using namespace sfumato;

class TestBatchMemory : public BatchFolderTest {
  Q_OBJECT

  using Limit = std::optional<std::size_t>;

  Limit limit(const std::string& groups) const {
    return memory_of_control_group(make("cgroup", groups), at("sys"));
  }

 private Q_SLOTS:
  void init() { new_folder(); }

  void without_groups_there_is_no_limit() {
    QCOMPARE(memory_of_control_group(at("none"), at("none")), Limit());
    QCOMPARE(limit(""), Limit());
    QCOMPARE(limit("nonsense\n0\n:\n::\n0::/a\n"), Limit());
    QVERIFY(usable_memory() > 0);
  }

  void the_least_of_a_group_and_those_above_counts() {
    make("sys/user/job/step/memory.max", "max\n");
    make("sys/user/job/memory.max", "3000000000\n");
    make("sys/user/memory.max", "8000000000\n");
    make("sys/other/memory.max", "1000\n");
    QCOMPARE(limit("0::/user/job/step\n"), Limit(3000000000));
    QCOMPARE(limit("0::/user\n"), Limit(8000000000));
    QCOMPARE(limit("0::/\n"), Limit());
    make("sys/user/memory.max", "2000000000\n");
    QCOMPARE(limit("0::/user/job/step"), Limit(2000000000));
  }

  // A container sees its own group as the uppermost, and may be told of it by its name outside.
  void containers_have_the_limit_at_the_top() {
    make("sys/memory.max", "500000000\n");
    make("other/memory.max", "1000\n");
    QCOMPARE(limit("0::/\n"), Limit(500000000));
    QCOMPARE(limit("0::/docker/0123456789abcdef\n"), Limit(500000000));
    QCOMPARE(limit("0::/../other\n"), Limit(500000000));
  }

  void groups_of_the_first_version_are_read() {
    make("sys/memory/memory.limit_in_bytes", "9223372036854771712\n");
    make("sys/memory/slurm/job_7/memory.limit_in_bytes", "4000000000\n");
    make("sys/memory/slurm/memory.limit_in_bytes", "6000000000\n");
    make("sys/cpu/slurm/job_7/memory.limit_in_bytes", "1000\n");
    const std::string others = "9:name=systemd:/memory\n3:cpu,cpuacct:/slurm/job_7\n";
    QCOMPARE(limit(others + "4:memory:/slurm/job_7/step_0\n0::/\n"), Limit(4000000000));
    QCOMPARE(limit(others + "4:hugetlb,memory:/slurm\n"), Limit(6000000000));
    QCOMPARE(limit(others), Limit());
    QVERIFY(limit("4:memory:/\n") > Limit(std::numeric_limits<std::int64_t>::max() / 2));
  }
};

QTEST_GUILESS_MAIN(TestBatchMemory)
#include "test_batch_memory.moc"
