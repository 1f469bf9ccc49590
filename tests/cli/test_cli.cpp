// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The program as a user meets it: filters, recipes and lists.
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include "program.hpp"
#include "support/skips.hpp"

class TestCli : public CliTest {
  Q_OBJECT

 private slots:
  void initTestCase() {
    QVERIFY(folder_.isValid());
    write_ppm("in.ppm", 40, 30);
  }

  void help_lists_and_versions() {
    QCOMPARE(run({"help"}).status, 0);
    QCOMPARE(run({}).status, 2);
    const Run help = run({"help", "gaussian"});
    QCOMPARE(help.status, 0);
    for (const char* word :
         {"--sigma", "--border", "renormalise", "--mix", "Direct3D", "--overwrite"}) {
      QVERIFY2(help.out.contains(word), word);
    }
    QCOMPARE(run({"gaussian", "--help"}).out, help.out);
    const Run list = run({"filters"});
    for (const char* id : {"gaussian", "bilateral", "grayscale", "geometry_blur"})
      QVERIFY(list.out.contains(id));
    const QJsonObject json =
        QJsonDocument::fromJson(run({"filters", "--json"}).out.toUtf8()).object();
    QVERIFY(json["filters"].toArray().size() >= 4);
    QVERIFY(json["filters"].toArray()[0].toObject()["parameters"].isArray());
    const Run devices = run({"devices", "--json"});
    QCOMPARE(devices.status, 0);
    QVERIFY(QJsonDocument::fromJson(devices.out.toUtf8()).object()["devices"].isArray());
  }

  // By text, by CSV, and by a picture, whose samples are 0 to 1.
  void a_matrix_comes_from_a_file() {
    const QStringList common{"convolve", "in.ppm", "m.ppm", "--overwrite", "--matrix"};
    const auto result = [&](const QString& matrix) {
      const Run r = run(common + QStringList{matrix, "--normalise", "yes"});
      if (r.status != 0) qWarning("%s", qPrintable(r.err));
      return r.status == 0 ? read("m.ppm") : QByteArray();
    };
    const QByteArray right = result("1 0 2; 0 3 0; 4 0 5");
    QVERIFY(!right.isEmpty());
    write("m.txt", "# weights\n1 0 2\n\n0 3\t0\r\n4 0 5");
    QCOMPARE(result("@m.txt"), right);
    write("m.csv", "1,0,2\n0, 3, 0\n4;0;5\n");
    QCOMPARE(result("@m.csv"), right);
    // As spreadsheets write them, with a mark of UTF-8, and as the option itself is written.
    for (const char* text :
         {"\xef\xbb\xbf"
          "1,0,2\r\n0,3,0\r\n4,0,5\r\n",
          "1;0;2\n0;3;0\n4;0;5\n", "1,0;0;2,00\n0;3;0\n4;0;5\n", "1 0 2; 0 3 0; 4 0 5\n",
          "1 0 2;\n0 3 0;\n4 0 5;\n", "1,0,2;0,3,0;4,0,5"}) {
      write("m.csv", text);
      QCOMPARE(result("@m.csv"), right);
    }
    write("m.pgm", QByteArray("P5\n3 3\n255\n") + QByteArray("\x19\0\x32\0\x4b\0\x64\0\x7d", 9));
    QCOMPARE(result("@m.pgm"), right);
    remove({"m.txt", "m.csv", "m.pgm", "m.ppm"});
  }

  // Nothing but the program speaks, whatever a library cannot write.
  void libraries_are_silent() {
    QVERIFY(run({"gaussian", "in.ppm", "gps.jpg"}).status == 0);
    if (QProcess::execute(
            "exiftool", {"-q", "-overwrite_original", "-GPSVersionID=2 3 0 0", "-GPSLatitude=12.5",
                         "-GPSLatitudeRef=N", path("gps.jpg")}) != 0) {
      SKIP_WITHOUT("exiftool");
    }
    const Run r = run({"gaussian", "gps.jpg", "gps.exr"});
    QCOMPARE(r.status, 0);
    QCOMPARE(r.err, "");
    remove({"gps.jpg", "gps.exr"});
  }

  void a_filter_runs_and_its_recipe_gives_the_same() {
    Run r = run({"gaussian", "in.ppm", "a.png", "--sigma", "2.5", "--border=mirror"});
    QVERIFY2(r.status == 0, qPrintable(r.err));
    QCOMPARE(r.err, "");
    r = run({"recipe", "gaussian", "--sigma", "2.5", "--border", "mirror"});
    QCOMPARE(r.status, 0);
    write("r.json", r.out.toUtf8());
    r = run({"apply", "r.json", "in.ppm", "b.png"});
    QVERIFY2(r.status == 0, qPrintable(r.err));
    QVERIFY(!read("a.png").isEmpty());
    QCOMPARE(read("b.png"), read("a.png"));
    // '-' and '_' are equivalent in names of filters and parameters.
    r = run({"bilateral", "in.ppm", "c.png", "--range_sigma", "0.2", "--radius", "2"});
    QVERIFY2(r.status == 0, qPrintable(r.err));
    r = run({"bilateral", "in.ppm", "d.png", "--range-sigma", "0.2", "--radius", "2"});
    QCOMPARE(read("c.png"), read("d.png"));
    r = run({"geometry-blur", "in.ppm", "e.png", "--depth", "in.ppm"});
    QVERIFY2(r.status == 0, qPrintable(r.err));
    remove({"a.png", "b.png", "c.png", "d.png", "e.png", "r.json"});
  }

  void commands_have_help_too() {
    for (const char* command :
         {"apply", "compare", "recipe", "filters", "presets", "devices", "help"}) {
      const Run help = run({"help", command});
      QVERIFY2(help.status == 0 && help.out.startsWith("Usage: sfumato " + QString(command)),
               qPrintable(help.out));
      QCOMPARE(run({command, "--help"}).out, help.out);
    }
    QVERIFY(run({"help", "compare"}).out.contains("--methods"));
    QVERIFY(!run({"help", "compare"}).out.contains("--bits"));
  }

  void files_behind_two_dashes() {
    QVERIFY(QFile::copy(path("in.ppm"), path("-p.ppm")));
    const Run r = run({"grayscale", "--weights", "average", "--", "-p.ppm", "--o.ppm"},
                      {"SFUMATO_DEVICE=reference"});
    QVERIFY2(r.status == 0, qPrintable(r.err));
    QVERIFY(read("--o.ppm").startsWith("P6"));
    remove({"-p.ppm", "--o.ppm"});
  }

  void a_value_without_effect_is_reported() {
    const Run r =
        run({"gaussian", "in.ppm", "idle.ppm", "--iterations", "3"}, {"SFUMATO_DEVICE=reference"});
    QCOMPARE(r.status, 0);
    QVERIFY2(r.err.contains("--iterations") && r.err.contains("method = boxes"), qPrintable(r.err));
    remove({"idle.ppm"});
  }

  // A printed recipe works from any folder.
  void a_printed_recipe_names_full_paths() {
    QVERIFY(QDir(folder_.path()).mkpath("sub"));
    const Run printed = run({"recipe", "grayscale", "--mask", "in.ppm"});
    QVERIFY2(printed.out.contains(path("in.ppm")), qPrintable(printed.out));
    write("sub/m.json", printed.out.toUtf8());
    const Run r =
        run({"apply", "sub/m.json", "in.ppm", "masked.ppm"}, {"SFUMATO_DEVICE=reference"});
    QVERIFY2(r.status == 0, qPrintable(r.err));
    remove({"masked.ppm", "sub/m.json"});
    // A host's layer is not a file.
    const Run layer = run({"recipe", "grayscale", "--mask", "layer:Base: copy"});
    QVERIFY2(layer.out.contains("\"layer:Base: copy\""), qPrintable(layer.out + layer.err));
  }

  // Steps without a picture of their own use the command line's.
  void apply_takes_pictures_for_roles() {
    const Run printed = run({"recipe", "joint_bilateral"});
    QVERIFY2(printed.status == 0, qPrintable(printed.err));
    write("joint.json", printed.out.toUtf8());
    const QStringList env{"SFUMATO_DEVICE=reference"};
    Run r = run({"apply", "joint.json", "in.ppm", "g.ppm"}, env);
    QVERIFY(r.status != 0);
    r = run({"apply", "joint.json", "in.ppm", "g.ppm", "--guide", "in.ppm"}, env);
    QVERIFY2(r.status == 0, qPrintable(r.err));
    r = run({"joint_bilateral", "in.ppm", "h.ppm", "--guide", "in.ppm"}, env);
    QVERIFY2(r.status == 0, qPrintable(r.err));
    QCOMPARE(read("g.ppm"), read("h.ppm"));
    r = run({"apply", "sepia", "in.ppm", "i.ppm", "--guide", "in.ppm"}, env);
    QCOMPARE(r.status, 2);
    QVERIFY2(r.err.contains("--guide"), qPrintable(r.err));
    remove({"joint.json", "g.ppm", "h.ppm"});
  }

  void the_reference_agrees_without_any_device() {
    Run r = run({"gaussian", "in.ppm", "a.pfm", "--bits", "float", "--sigma", "2", "--device",
                 "reference"});
    QVERIFY2(r.status == 0, qPrintable(r.err));
    // The same happens automatically without the built-in device and any OpenCL driver.
    QDir().mkpath(path("no_drivers"));
    r = run({"gaussian", "in.ppm", "b.pfm", "--bits", "float", "--sigma", "2"},
            {"OCL_ICD_VENDORS=" + path("no_drivers"), "SFUMATO_BUILT_IN=0"});
    QVERIFY2(r.status == 0, qPrintable(r.err));
    QCOMPARE(read("a.pfm"), read("b.pfm"));
    remove({"a.pfm", "b.pfm"});
  }

  // A gray file becomes a colour file only if the recipe has colours.
  void gray_files_get_colours() {
    write("gray.pgm", QByteArray("P5\n2 1\n255\n") + QByteArray("\x00\xff", 2));
    const auto mapped = [&](const QStringList& more) {
      remove({"mapped.pnm"});
      const Run r = run(
          QStringList{"gradient_map", "gray.pgm", "mapped.pnm", "--device", "reference"} + more);
      return r.status == 0 ? read("mapped.pnm") : r.err.toUtf8();
    };
    const QByteArray colours =
        QByteArray("P6\n2\n1\n255\n") + QByteArray("\x00\x00\xff\xff\xff\x00", 6);
    QCOMPARE(mapped({"--gradient", "0 #0000ff; 1 #ffff00"}), colours);
    const QByteArray head = "P5\n2\n1\n255\n";
    QCOMPARE(mapped({"--gradient", "0 #ffffff; 1 #000000"}), head + QByteArray("\xff\x00", 2));
    QCOMPARE(mapped({"--gradient", "0 #0000ff; 1 #ffff00", "--mix", "0"}),
             head + QByteArray("\x00\xff", 2));
  }

  void a_depth_in_colour_is_reported() {
    write_ppm("depth.ppm", 40, 30);
    const Run done = run({"geometry_blur", "in.ppm", "o.png", "--depth", "depth.ppm"});
    QVERIFY2(done.status == 0, qPrintable(done.err));
    QVERIFY2(done.err.contains("depth picture has 3 channels; the first one is taken"),
             qPrintable(done.err));
    remove({"depth.ppm", "o.png"});
  }

  void channels_of_one_exr_are_roles() {
    QProcess scene;
    scene.setWorkingDirectory(folder_.path());
    scene.start(SFUMATO_SCENE, {"scene.exr", "96", "64"});
    QVERIFY(scene.waitForFinished(30000));
    QCOMPARE(scene.exitCode(), 0);
    const Run named = run({"geometry_blur", "scene.exr", "a.exr", "--normal",
                           "scene.exr:N.X,N.Y,N.Z", "--depth", "scene.exr:Z"});
    QVERIFY2(named.status == 0, qPrintable(named.err));
    const Run found = run(
        {"geometry_blur", "scene.exr", "b.exr", "--normal", "scene.exr", "--depth", "scene.exr"});
    QVERIFY2(found.status == 0, qPrintable(found.err));
    QCOMPARE(read("a.exr"), read("b.exr"));
    remove({"a.exr", "b.exr", "scene.exr"});
  }
};

QTEST_GUILESS_MAIN(TestCli)
#include "test_cli.moc"
