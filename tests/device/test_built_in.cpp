// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Which object of kernels the built-in device takes, and what is said of those it cannot.
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "device/built_in.hpp"
#include "device/driver.hpp"
#include "support/native_object.hpp"
#include "text/message.hpp"

using namespace sfumato;
using namespace sfumato::testing;
namespace fs = std::filesystem;

class TestBuiltIn : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;

  fs::path at(const std::string& set) const {
    return fs::path(folder_.path().toStdString()) / native_object_name(set);
  }
  static QByteArray content_of(const char* file) {
    QFile in(QString::fromUtf8(file));
    return in.open(QIODevice::ReadOnly) ? in.readAll() : QByteArray();
  }
  void put(const std::string& set, const QByteArray& content) const {
    QFile out(QString::fromStdString(at(set).string()));
    QVERIFY(out.open(QIODevice::WriteOnly));
    QCOMPARE(out.write(content), content.size());
  }
  BuiltIn found(const std::vector<std::string>& sets) const {
    const std::vector<fs::path> folders{"/nonexistent", fs::path(folder_.path().toStdString())};
    return find_built_in(folders, sets);
  }
  QByteArray good() const { return whole_object(content_of(SFUMATO_NATIVE_OBJECT)); }

 private slots:
  void init() {
    for (const char* set : {"best", "other"}) fs::remove(at(set));
  }

  void the_best_is_taken() {
    put("best", good());
    put("other", good());
    const BuiltIn own = found({"best", "other"});
    QVERIFY(own.fault.empty());
    QVERIFY(own.device.has_value());
    QCOMPARE(own.device->version, std::string("best"));
    QVERIFY(own.device->built_in && own.device->cpu && own.device->compute_units > 0);
    QVERIFY(own.device->natural_form() == Form::cpu);
    const kernels::Source alpha{"alpha", nullptr, nullptr};
    const auto driver = open_driver(*own.device, {});
    QCOMPARE(driver->kernel(alpha, "-DB=2 -DA", "number_items").name(), "number_items");
  }

  void without_an_object_there_is_none() {
    const BuiltIn own = found({"best", "other"});
    QVERIFY(!own.device.has_value());
    QCOMPARE(in_english(own.fault), "the built-in device lacks its file kernels-best.so");
  }

  void an_older_processor_has_none() {
    put("best", good());
    const BuiltIn own = found({});
    QVERIFY(!own.device.has_value());
    QVERIFY(in_english(own.fault).find("older") != std::string::npos);
  }

  void a_missing_object_is_replaced_by_the_next() {
    put("other", good());
    const BuiltIn own = found({"best", "other"});
    QCOMPARE(own.device->version, std::string("other"));
    QVERIFY(in_english(own.fault).find("kernels-best.so") != std::string::npos);
  }

  void a_damaged_object_is_not_loaded_data() {
    QTest::addColumn<QByteArray>("content");
    const QByteArray object = good();
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("short") << QByteArray("sfumato1");
    QTest::newRow("without sum") << content_of(SFUMATO_NATIVE_OBJECT);
    QTest::newRow("cut") << object.left(object.size() / 2);
    QTest::newRow("cut by a byte") << object.left(object.size() - 1);
    QTest::newRow("longer") << object + QByteArray(8, '\0');
    for (const qsizetype place : {qsizetype{0}, object.size() / 2, object.size() - 1}) {
      QByteArray changed = object;
      changed[place] = static_cast<char>(changed[place] ^ 1);
      QTest::addRow("byte %lld", static_cast<long long>(place)) << changed;
    }
  }
  void a_damaged_object_is_not_loaded() {
    QFETCH(QByteArray, content);
    put("best", content);
    QVERIFY(!is_whole(at("best")));
    const BuiltIn own = found({"best"});
    QVERIFY(!own.device.has_value());
    QVERIFY(in_english(own.fault).find("is damaged") != std::string::npos);
  }

  void what_is_no_object_is_refused() {
    put("best", whole_object("not an object of kernels"));
    QVERIFY(is_whole(at("best")));
    BuiltIn own = found({"best"});
    QVERIFY(!own.device.has_value() && !own.fault.empty());
    put("best", whole_object(content_of(SFUMATO_OTHER_OBJECT)));
    own = found({"best"});
    QVERIFY(!own.device.has_value());
    QVERIFY(in_english(own.fault).find("of this version") != std::string::npos);
  }

  void sets_are_listed_from_the_best_on() {
    const std::vector<std::string> sets = instruction_sets();
    QVERIFY(std::is_sorted(sets.rbegin(), sets.rend()));
    for (const std::string& set : sets)
      QVERIFY(native_object_name(set).find(set) != std::string::npos);
  }
};

QTEST_GUILESS_MAIN(TestBuiltIn)
#include "test_built_in.moc"
