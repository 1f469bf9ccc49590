// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Sizes by device: precedence of tables, handling of bad ones, and the tuner itself.
#include <QTemporaryDir>
#include <QTest>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "device/program_cache.hpp"
#include "device/tuning.hpp"
#include "engine/backend.hpp"
#include "engine/tuner.hpp"
#include "params/errors.hpp"
#include "params/json_text.hpp"
#include "support/devices.hpp"
#include "support/not_empty.hpp"
#include "support/pictures.hpp"
#include "support/skips.hpp"

using namespace sfumato;
using namespace sfumato::testing;
namespace fs = std::filesystem;

namespace {

using Words = std::vector<std::pair<std::string, std::string>>;

DeviceInfo some_device(const std::string& name, const std::string& vendor = "Maker") {
  DeviceInfo info;
  info.name = name;
  info.vendor = vendor;
  info.platform = "Platform";
  info.version = "OpenCL 3.0";
  info.driver = "1.0";
  return info;
}

const Tunable results{"results", "results of an item", {1, 2, 4, 8}, 4, 2, {{}}};

std::string shipped(const std::string& devices) {
  return R"({"sfumato_tuning": 1, "devices": [)" + devices + "]}";
}

int shipped_results(const std::string& table, const DeviceInfo& info, Form form) {
  bool found = false;
  const Sizes sizes = shipped_sizes(table, info, form, &found);
  return Tuning(TuningOrigin::shipped, {sizes}).at("blur", results, form);
}

}  // namespace

class TestTuning : public QObject {
  Q_OBJECT

 private slots:
  void init() {
    folder_ = std::make_unique<QTemporaryDir>();
    QVERIFY(folder_->isValid());
  }

  void a_size_falls_back_to_the_default_of_its_form() {
    const Tuning none;
    QCOMPARE(none.at("blur", results, Form::gpu), 4);
    QCOMPARE(none.at("blur", results, Form::cpu), 2);
    const Tuning other(TuningOrigin::user, {{{"other", {{"results", 8}}}}});
    QCOMPARE(other.at("blur", results, Form::gpu), 4);
  }

  void the_first_layer_counts_unless_its_value_is_no_choice() {
    const Sizes good{{"blur", {{"results", 8}}}}, bad{{"blur", {{"results", 3}}}},
        second{{"blur", {{"results", 1}}}};
    QCOMPARE(Tuning(TuningOrigin::user, {good, second}).at("blur", results, Form::gpu), 8);
    QCOMPARE(Tuning(TuningOrigin::user, {bad, second}).at("blur", results, Form::gpu), 1);
    QCOMPARE(Tuning(TuningOrigin::user, {bad}).at("blur", results, Form::gpu), 4);
  }

  void shipped_entries_go_by_names_and_form() {
    const std::string table = shipped(
        R"({"vendor": "Maker", "form": "gpu", "sizes": {"blur": {"results": 1}}},
           {"vendor": "Maker", "name": "Fast", "form": "gpu", "sizes": {"blur": {"results": 8}}},
           {"vendor": "Maker", "name": "Fast", "form": "cpu", "sizes": {"blur": {"results": 1}}})");
    QCOMPARE(shipped_results(table, some_device("Fast 2000"), Form::gpu), 8);
    QCOMPARE(shipped_results(table, some_device("Fast 2000"), Form::cpu), 1);
    QCOMPARE(shipped_results(table, some_device("Slow 1"), Form::gpu), 1);
    QCOMPARE(shipped_results(table, some_device("Fast 2000", "Someone"), Form::gpu), 4);
  }

  void values_that_are_no_whole_numbers_are_passed_over() {
    for (const char* value : {"\"8\"", "8.5", "1e300", "null", "[8]", "true", "-8"}) {
      const std::string table =
          shipped(R"({"vendor": "Maker", "form": "gpu", "sizes": {"blur": {"results": )" +
                  std::string(value) + "}}}");
      QCOMPARE(shipped_results(table, some_device("Fast"), Form::gpu), 4);
    }
  }

  // Every choice in the shipped table is valid for its filter.
  void the_shipped_table_names_choices_of_filters() {
    const auto table = parse_json(shipped_tuning_table());
    QCOMPARE(table["sfumato_tuning"].get<int>(), 1);
    for (const auto& entry : not_empty(table["devices"], "tuned devices")) {
      const Form form = entry["form"] == "gpu" ? Form::gpu : Form::cpu;
      for (const auto& [filter, values] : not_empty(entry["sizes"], "sizes").items()) {
        const FilterInfo& info = Registry::get().at(filter).filter->info();
        for (const auto& [name, value] : not_empty(values, "sizes").items()) {
          const Tunable& tunable = find_tunable(info.tunables, name);
          QVERIFY2(tunable.otherwise(form) != 0, name.c_str());
          QVERIFY2(tunable.allows(value.get<int>()), name.c_str());
        }
      }
    }
  }

  void tunables_are_declared_as_promised() {
    for (const RegisteredFilter& f : not_empty(Registry::get().all(), "filters")) {
      for (const Tunable& t : f.filter->info().tunables) {
        const QByteArray label = (f.filter->info().id + " " + t.name).c_str();
        QVERIFY2(std::is_sorted(t.choices.begin(), t.choices.end()), label);
        QVERIFY2(t.choices.size() > 1 && !t.help.empty() && !t.cases.empty(), label);
        QVERIFY2(t.gpu != 0 || t.cpu != 0, label);
        QVERIFY2(t.gpu == 0 || t.allows(t.gpu), label);
        QVERIFY2(t.cpu == 0 || t.allows(t.cpu), label);
      }
    }
  }

  void the_users_table_keeps_one_entry_a_device_and_form() {
    const UserTuning table(folder());
    const DeviceInfo one = some_device("One"), two = some_device("Two");
    Sizes read;
    QVERIFY(!table.find(one, Form::gpu, read));
    QVERIFY(!table.remove(one, Form::gpu));
    QVERIFY(!fs::exists(table.file()));
    table.put(one, Form::gpu, {{"blur", {{"results", 8}}}});
    table.put(one, Form::cpu, {{"blur", {{"results", 1}}}});
    table.put(two, Form::gpu, {{"blur", {{"results", 2}}}});
    table.put(one, Form::gpu, {{"blur", {{"results", 1}}}});
    QVERIFY(table.find(one, Form::gpu, read));
    QCOMPARE(read["blur"]["results"], 1);
    QVERIFY(table.find(two, Form::gpu, read));
    QCOMPARE(read["blur"]["results"], 2);
    DeviceInfo new_driver = one;
    new_driver.driver = "2.0";
    QVERIFY(!table.find(new_driver, Form::gpu, read));
    QVERIFY(table.remove(one, Form::gpu));
    QVERIFY(!table.find(one, Form::gpu, read));
    QVERIFY(table.find(one, Form::cpu, read));
    QVERIFY(table.find(two, Form::gpu, read));
  }

  void the_user_goes_before_what_is_shipped() {
    const DeviceInfo info = some_device("One");
    QVERIFY(load_tuning(info, Form::gpu, folder()).origin() == TuningOrigin::defaults);
    UserTuning(folder()).put(info, Form::gpu, {{"blur", {{"results", 8}}}});
    const Tuning tuning = load_tuning(info, Form::gpu, folder());
    QVERIFY(tuning.origin() == TuningOrigin::user);
    QCOMPARE(tuning.at("blur", results, Form::gpu), 8);
    QVERIFY(load_tuning(info, Form::gpu, {}).origin() == TuningOrigin::defaults);
  }

  void a_bad_table_is_passed_over_with_one_warning_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("no JSON") << QByteArray("{\"sfumato_tuning\": 1, \"dev");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("foreign") << QByteArray("{\"sfumato\": 1, \"steps\": []}");
    QTest::newRow("newer") << QByteArray("{\"sfumato_tuning\": 2, \"devices\": []}");
    QTest::newRow("no devices") << QByteArray("{\"sfumato_tuning\": 1, \"devices\": 5}");
    QTest::newRow("no object") << QByteArray("[]");
  }
  void a_bad_table_is_passed_over_with_one_warning() {
    QFETCH(QByteArray, text);
    const UserTuning table(folder());
    write(table.file(), text);
    int warnings = 0;
    const Tuning tuning =
        load_tuning(some_device("One"), Form::gpu, folder(), [&](const Message& sentence) {
          ++warnings;
          QVERIFY(in_english(sentence).find("tuning.json") != std::string::npos);
        });
    QCOMPARE(warnings, 1);
    QCOMPARE(tuning.at("blur", results, Form::gpu), 4);
    Sizes read;
    QVERIFY_THROWS_EXCEPTION(JsonError, table.find(some_device("One"), Form::gpu, read));
    // Tuning again repairs it.
    table.put(some_device("One"), Form::gpu, {{"blur", {{"results", 8}}}});
    QVERIFY(table.find(some_device("One"), Form::gpu, read));
  }

  void a_table_is_written_whole_or_not_at_all() {
    // A folder blocks the table: the rename fails, and nothing is left beside it.
    const UserTuning table(folder());
    fs::create_directories(table.file() / "inside");
    QVERIFY_THROWS_EXCEPTION(std::runtime_error, table.put(some_device("One"), Form::gpu, {}));
    int files = 0;
    for (const auto& entry : fs::directory_iterator(folder())) {
      ++files;
      QVERIFY(entry.path() == table.file());
    }
    QCOMPARE(files, 1);
    QVERIFY_THROWS_EXCEPTION(std::runtime_error,
                             UserTuning({}).put(some_device("One"), Form::gpu, {}));
    QVERIFY_THROWS_EXCEPTION(std::runtime_error, UserTuning({}).check_writable());
    QVERIFY_THROWS_EXCEPTION(std::runtime_error, UserTuning("/proc/nowhere").check_writable());
  }

  void a_session_reads_the_users_table() {
    if (find_runners().empty()) SKIP_WITHOUT("an OpenCL device");
    for (const Runner& runner : natural_runners()) {
      UserTuning(folder()).put(runner.device, runner.form, {});
      std::vector<std::string> lines;
      SessionOptions options;
      options.device = runner.device.name;
      options.cache_folder = folder();
      options.verbose = true;
      options.log = [&](const Message& line) { lines.push_back(in_english(line)); };
      Session session(options);
      Image picture = scene(linear_format(20, 20, 4));
      run(session, one_step("gaussian", Words{{"sigma", "2"}}), picture, picture.format);
      QVERIFY(std::any_of(lines.begin(), lines.end(), [](const std::string& line) {
        return line.find("tuned here") != std::string::npos;
      }));
    }
  }

  void a_session_warns_once_of_a_bad_table() {
    if (find_runners().empty()) SKIP_WITHOUT("an OpenCL device");
    write(UserTuning(folder()).file(), "no table");
    std::vector<std::string> lines;
    SessionOptions options;
    options.cache_folder = folder();
    options.log = [&](const Message& line) { lines.push_back(in_english(line)); };
    Session session(options);
    Image picture = scene(linear_format(20, 20, 4));
    for (int i = 0; i < 2; ++i) {
      run(session, one_step("gaussian", Words{{"sigma", "2"}}), picture, picture.format);
    }
    QCOMPARE(lines.size(), 1u);
    QVERIFY(lines[0].find("tuning.json") != std::string::npos);
  }

  // Within one session's context, as in the tuner: cached data of one size must not be used for
  // another. Sizes compiled into kernels show it.
  void another_size_is_another_kernel_data() {
    QTest::addColumn<QString>("filter");
    QTest::addColumn<QString>("size");
    QTest::newRow("gaussian") << "gaussian"
                              << "row_results";
    QTest::newRow("gaussian strip") << "gaussian"
                                    << "strip_items";
    QTest::newRow("bilateral") << "bilateral"
                               << "results";
    QTest::newRow("convolve") << "convolve"
                              << "results";
  }
  void another_size_is_another_kernel() {
    QFETCH(QString, filter);
    QFETCH(QString, size);
    const std::vector<DeviceInfo> devices = requested(list_opencl_devices());
    if (devices.empty()) SKIP_WITHOUT("an OpenCL device");
    const DeviceInfo& info = devices.front();
    const RegisteredFilter& entry = Registry::get().at(filter.toStdString());
    const FilterInfo& about = entry.filter->info();
    const Tunable& tunable = find_tunable(about.tunables, size.toStdString());
    DeviceContext context(info, Form::gpu, std::size_t{1} << 30, std::size_t{1} << 30, {});
    Values values;
    for (const auto& [name, text] : tunable.cases[0]) {
      set_text(values, about.parameters, name, text);
    }
    values = complete(about.parameters, values);
    Picture picture;
    picture.width = 64;
    picture.height = 32;
    const DeviceImage input = context.image({0, 0, 64, 32}, 4);
    const DeviceImage output = context.image({0, 0, 64, 32}, 4);
    const auto programs_with = [&](int choice) {
      Tuning tuning;
      tuning.set(about.id, tunable.name, choice);
      const Target target = target_of(info, Form::gpu, std::make_shared<const Tuning>(tuning));
      const TileJob job{input, Edge({0, 0, 64, 32}, border_of(values)), output, {}};
      Passes passes(context, *entry.source);
      entry.filter->prepare(values, picture, target)->run(job, passes);
      context.finish();
      return context.driver().compiled();
    };
    const int first = programs_with(tunable.choices.front());
    QCOMPARE(programs_with(tunable.choices.front()), first);
    QVERIFY(programs_with(tunable.choices.back()) > first);
  }

  void the_tuner_times_every_size_and_keeps_choices() {
    if (find_runners().empty()) SKIP_WITHOUT("an OpenCL device");
    for (const Runner& runner : natural_runners()) {
      TuneOptions options;
      options.filters = {"convolve"};
      options.form = runner.form;
      options.cache_folder = default_cache_folder();
      options.width = 97;
      options.height = 61;
      double last = -1;
      options.progress = [&](double part, const std::string& what) {
        const bool forward = part >= last && part <= 1;
        last = part;
        return forward && what.find("convolve") != std::string::npos;
      };
      const TuneResult result = tune(runner.device, options);
      const FilterInfo& info = Registry::get().at("convolve").filter->info();
      std::size_t expected = 0;
      for (const Tunable& t : info.tunables) expected += t.otherwise(runner.form) != 0;
      QCOMPARE(result.sizes.size(), expected);
      QCOMPARE(result.values.at("convolve").size(), expected);
      QVERIFY(result.form == runner.form && result.width == 97 && result.height == 61);
      for (const TunedSize& s : result.sizes) {
        const Tunable& t = find_tunable(info.tunables, s.name);
        QVERIFY(t.allows(s.before) && t.allows(s.after));
        QCOMPARE(result.values.at("convolve").at(s.name), s.after);
        QVERIFY(s.before_ms > 0 && s.after_ms > 0);
        QVERIFY(s.after == s.before || s.after_ms < s.before_ms);
        QCOMPARE(s.refused, 0);
      }
    }
  }

  void the_tuner_can_be_cancelled() {
    if (find_runners().empty()) SKIP_WITHOUT("an OpenCL device");
    TuneOptions options;
    options.width = options.height = 32;
    options.cache_folder = default_cache_folder();
    options.progress = [](double, const std::string&) { return false; };
    QVERIFY_THROWS_EXCEPTION(Cancelled, tune(runners()[0].device, options));
    options.progress = {};
    options.filters = {"no_such_filter"};
    QVERIFY_THROWS_EXCEPTION(ParameterError, tune(runners()[0].device, options));
  }

 private:
  fs::path folder() const { return folder_->path().toStdString(); }
  static void write(const fs::path& file, const QByteArray& text) {
    std::ofstream(file, std::ios::binary) << text.toStdString();
  }

  std::unique_ptr<QTemporaryDir> folder_;
};

QTEST_GUILESS_MAIN(TestTuning)
#include "test_tuning.moc"
