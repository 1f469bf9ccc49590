// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What is compiled for devices is what the build made for Oclgrind.
#include <QTest>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "device/kernel_source.hpp"
#include "filters/registry_table.hpp"

using namespace sfumato;

namespace {

std::string content(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

class TestKernelSource : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void includes_are_resolved_data() {
    QTest::addColumn<int>("row");
    const auto rows = registry_table();
    QVERIFY(rows.size() > 20);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      QTest::addRow("%s", std::string(rows[i].id).c_str()) << static_cast<int>(i);
    }
  }

  void includes_are_resolved() {
    QFETCH(const int, row);
    const kernels::Source& source = *registry_table()[static_cast<std::size_t>(row)].source;
    const std::string text = source.text();
    QVERIFY(text == content(std::string(SFUMATO_KERNELS "/") + source.name + ".cl"));
    QVERIFY(text.find("\n#include \"") == std::string::npos);
    // Launches are cut and begin at an offset, which the numbers of groups do not include.
    QVERIFY(text.find("get_group_id") == std::string::npos);
    QVERIFY(text.find("get_num_groups") == std::string::npos);
  }

  void files_are_sorted() {
    const auto files = kernels::embedded_files();
    QVERIFY(files.size() > 30);
    for (std::size_t i = 1; i < files.size(); ++i) QVERIFY(files[i - 1].name < files[i].name);
  }

  void a_missing_file_is_a_fault() {
    const std::string text = "#include \"shared/none.clh\"\n";
    const kernels::Source broken{"broken", text.data(), text.data() + text.size(), "broken.cl"};
    QVERIFY_THROWS_EXCEPTION(std::logic_error, broken.text());
    const kernels::Source alone{"alone", text.data(), text.data() + text.size()};
    QCOMPARE(alone.text(), text);
  }
};

QTEST_GUILESS_MAIN(TestKernelSource)
#include "test_kernel_source.moc"
