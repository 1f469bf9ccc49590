// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Presets in the program: listed, printed, applied, and messages about unknown names.
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QJsonValue>

#include "program.hpp"

namespace {

const char* const average_gray =
    R"({"sfumato": 1, "steps": [{"filter": "grayscale", "values": {"weights": "average"}}]})";

}  // namespace

class TestCliPresets : public CliTest {
  Q_OBJECT

 private:
  QString folder() const { return path("data/sfumato/presets"); }
  void keep(const QString& name, const QByteArray& bytes) {
    write("data/sfumato/presets/" + name, bytes);
  }

  static QStringList first_words(const QString& table) {
    QStringList words;
    for (const QString& line : table.split('\n', Qt::SkipEmptyParts)) {
      words << line.section(' ', 0, 0);
    }
    return words;
  }

  Run apply(const QString& recipe, const QString& output) {
    return run({"apply", recipe, "in.ppm", output}, {"SFUMATO_DEVICE=reference"});
  }

 private slots:
  void initTestCase() {
    QVERIFY(folder_.isValid());
    write_ppm("in.ppm", 40, 30);
  }
  void init() { QVERIFY(QDir().mkpath(folder())); }
  void cleanup() { QVERIFY(QDir(path("data")).removeRecursively()); }

  void the_list() {
    const Run list = run({"presets"});
    QCOMPARE(list.status, 0);
    QCOMPARE(list.err, "");
    const QStringList ids = first_words(list.out);
    QVERIFY(ids.size() >= 25);
    for (const char* id : {"sharpen_3x3", "gaussian_5x5", "sepia", "pencil_sketch"}) {
      QVERIFY2(ids.contains(id), id);
    }
    for (const QString& line : list.out.split('\n', Qt::SkipEmptyParts)) {
      QVERIFY2(line.count(' ') > 3 && line.endsWith('.'), qPrintable(line));
    }
    keep("zebra.json", average_gray);
    QCOMPARE(first_words(run({"presets"}).out), ids + QStringList{"zebra"});
  }

  void the_list_for_programs() {
    keep("zebra.json", average_gray);
    const Run listed = run({"presets", "--json"});
    QCOMPARE(listed.status, 0);
    const QJsonArray all =
        QJsonDocument::fromJson(listed.out.toUtf8()).object()["presets"].toArray();
    QCOMPARE(all.size(), first_words(run({"presets"}).out).size());
    for (const QJsonValue& value : all) {
      const QJsonObject preset = value.toObject();
      for (const char* key : {"id", "name", "category", "summary"}) {
        QVERIFY2(!preset[key].toString().isEmpty(), key);
      }
      QCOMPARE(preset["recipe"].toObject()["sfumato"].toInt(), 1);
      QVERIFY(preset["built_in"].isBool());
      QCOMPARE(preset["built_in"].toBool(), preset["id"].toString() != "zebra");
      QCOMPARE(preset.contains("file"), !preset["built_in"].toBool());
    }
    QCOMPARE(all.last().toObject()["file"].toString(), folder() + "/zebra.json");
  }

  // A preset saved unchanged is the same recipe; a changed one is not.
  void a_printed_preset_is_a_recipe() {
    const Run printed = run({"presets", "sepia"});
    QCOMPARE(printed.status, 0);
    write("mine.json", printed.out.toUtf8());
    for (const char* recipe : {"sepia", "mine.json"}) {
      const Run r = apply(recipe, QString(recipe) + ".ppm");
      QVERIFY2(r.status == 0, qPrintable(r.err));
      QCOMPARE(r.err, "");
    }
    QVERIFY(!read("sepia.ppm").isEmpty());
    QVERIFY(read("sepia.ppm") != read("in.ppm"));
    QCOMPARE(read("sepia.ppm"), read("mine.json.ppm"));
    QCOMPARE(run({"presets", "black-and-white"}).out, run({"presets", "black_and_white"}).out);
    remove({"mine.json", "sepia.ppm", "mine.json.ppm"});
  }

  void an_existing_file_goes_first_and_a_folder_does_not() {
    QCOMPARE(apply("sepia", "preset.ppm").status, 0);
    QDir().mkpath(path("sepia"));
    QCOMPARE(apply("sepia", "beside_a_folder.ppm").status, 0);
    QCOMPARE(read("beside_a_folder.ppm"), read("preset.ppm"));
    QDir().rmdir(path("sepia"));
    write("sepia", average_gray);
    QCOMPARE(apply("sepia", "file.ppm").status, 0);
    write("gray.json", average_gray);
    QCOMPARE(apply("gray.json", "gray.ppm").status, 0);
    QVERIFY(read("file.ppm") != read("preset.ppm"));
    QCOMPARE(read("file.ppm"), read("gray.ppm"));
    remove({"preset.ppm", "beside_a_folder.ppm", "file.ppm", "gray.ppm", "sepia", "gray.json"});
  }

  void a_users_preset_is_applied() {
    keep("sepia.json", average_gray);
    keep("my_gray.json", average_gray);
    for (const char* id : {"sepia", "my-gray"}) {
      const Run r = apply(id, QString(id) + ".ppm");
      QVERIFY2(r.status == 0, qPrintable(r.err));
    }
    QCOMPARE(read("sepia.ppm"), read("my-gray.ppm"));
    QVERIFY(run({"presets", "sepia"}).out.contains("\"average\""));
    remove({"sepia.ppm", "my-gray.ppm"});
  }

  // A damaged file is reported and hides nothing; the preset that it replaces is not run silently.
  void a_damaged_preset() {
    keep("sepia.json", "{");
    const Run list = run({"presets"});
    QCOMPARE(list.status, 0);
    QVERIFY2(one_line(list.err) && list.err.contains("sepia.json"), qPrintable(list.err));
    QVERIFY(first_words(list.out).contains("vivid"));
    QCOMPARE(apply("vivid", "vivid.ppm").err, "");
    remove({"vivid.ppm"});
    refused({"apply", "sepia", "in.ppm", "o.png"}, 1, {"sepia.json", "line"});
    refused({"presets", "sepia"}, 1, {"sepia.json"});
    keep("by_depth.json", R"({"sfumato": 1, "steps": [{"filter": "geometry_blur"}]})");
    refused({"apply", "by_depth", "in.ppm", "o.png"}, 1, {"by_depth", "normal"});
  }

  void names_that_are_none() {
    refused({"apply", "sepai", "in.ppm", "o.png"}, 2,
            {"no recipe file or preset", "\"sepai\"", "\"sepia\"", "sfumato presets"});
    refused({"apply", "qqqqqqqq", "in.ppm", "o.png"}, 2, {"qqqqqqqq", "sfumato presets"});
    refused({"apply", "sepia.json", "in.ppm", "o.png"}, 1, {"sepia.json", "no such file"});
    refused({"apply", "./sepia", "in.ppm", "o.png"}, 1, {"sepia", "no such file"});
    refused({"apply", "sepia", "in.ppm"}, 2, {"OUTPUT"});
    refused({"apply"}, 2, {"PRESET"});
    refused({"presets", "sepai"}, 2, {"no preset \"sepai\"", "\"sepia\""});
    refused({"presets", "--jsn"}, 2, {"--jsn"});
    refused({"presets", "sepia", "vivid"}, 2, {"vivid"});
    refused({"sepia", "in.ppm", "o.png"}, 2, {"sepia", "sfumato apply sepia"});
  }

  void help_tells_of_presets() {
    QVERIFY(run({"help"}).out.contains("sfumato presets"));
    QVERIFY(run({"help", "apply"}).out.contains("PRESET"));
    const Run help = run({"help", "presets"});
    QVERIFY2(help.out.startsWith("Usage: sfumato presets"), qPrintable(help.out));
    QVERIFY(help.out.contains("XDG_DATA_HOME"));
  }

  void completion_knows_presets() {
    keep("sepulchral.json", average_gray);
    QCOMPARE(run({"--complete", "presets", "sep"}).out, "sepia\nsepulchral\n");
    QCOMPARE(run({"--complete", "apply", "sep"}).out, "sepia\nsepulchral\n");
    QCOMPARE(run({"--complete", "presets", "--"}).out, "--json\n");
    QCOMPARE(run({"--complete", "presets", "sepia", ""}).out, "");
    QCOMPARE(run({"--complete", "apply", "sepia", ""}).out, "");  // files
  }

  // Lists must be fast: they touch neither pictures nor devices.
  void lists_load_no_driver_and_no_file_library() {
    for (const QStringList& words :
         {QStringList{"presets"}, QStringList{"presets", "--json"}, QStringList{"presets", "vivid"},
          QStringList{"--complete", "apply", ""}}) {
      const QString loaded = run(words, {"LD_DEBUG=files"}).err;
      QVERIFY(loaded.contains("libc.so"));
      for (const char* library : {"OpenImageIO", "openimageio", "pocl"}) {
        QVERIFY2(!loaded.contains(library), library);
      }
    }
  }
};

QTEST_GUILESS_MAIN(TestCliPresets)
#include "test_cli_presets.moc"
