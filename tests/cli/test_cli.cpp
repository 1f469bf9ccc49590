// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The program as a user meets it: what it says, what it returns, and what it leaves behind.
#include <unistd.h>
#include <QProcess>
#include <QtTest>
#include <csignal>

namespace {

struct Run {
  int status;
  QString out, err;
};

}  // namespace

class TestCli : public QObject {
  Q_OBJECT

 private:
  QTemporaryDir folder_;

  QString path(const QString& name) const { return folder_.filePath(name); }

  Run run(const QStringList& arguments, const QStringList& environment = {}) {
    QProcess process;
    QProcessEnvironment env = QProcessEnvironment::systemEnvironment();
    env.insert("XDG_CACHE_HOME", path("cache"));
    env.remove("SFUMATO_DEVICE");
    for (const QString& e : environment) env.insert(e.section('=', 0, 0), e.section('=', 1));
    process.setProcessEnvironment(env);
    process.setWorkingDirectory(folder_.path());
    process.start(SFUMATO_PROGRAM, arguments);
    if (!process.waitForFinished(120000)) return {-1, {}, "did not finish"};
    return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -2,
            QString::fromUtf8(process.readAllStandardOutput()),
            QString::fromUtf8(process.readAllStandardError())};
  }

  void write(const QString& name, const QByteArray& bytes) {
    QFile file(path(name));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
  }
  QByteArray read(const QString& name) const {
    QFile file(path(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }

  // A binary PPM of noise: the simplest picture there is.
  void write_ppm(const QString& name, int w, int h) {
    QByteArray bytes =
        QByteArray("P6\n") + QByteArray::number(w) + " " + QByteArray::number(h) + "\n255\n";
    quint32 seed = 1;
    for (int i = 0; i < w * h * 3; ++i) {
      seed = seed * 1664525u + 1013904223u;
      bytes.append(static_cast<char>(seed >> 24));
    }
    write(name, bytes);
  }

  // Everything in the folder but what the program may keep.
  QStringList files() const {
    QStringList list = QDir(folder_.path()).entryList(QDir::Files | QDir::Hidden, QDir::Name);
    return list;
  }

  // One sentence on stderr with all these words, this status, and no new file.
  void refused(const QStringList& arguments, int status, const QStringList& words) {
    const QStringList before = files();
    const Run r = run(arguments);
    const QString label = arguments.join(' ') + " -> " + QString::number(r.status) + ": " + r.err;
    QVERIFY2(r.status == status, qPrintable(label));
    for (const QString& word : words) {
      QVERIFY2(r.err.contains(word, Qt::CaseInsensitive),
               qPrintable("\"" + word + "\" is missing: " + label));
    }
    QVERIFY2(r.err.startsWith("sfumato: "), qPrintable(label));
    QVERIFY2(files() == before, qPrintable("left behind: " + files().join(' ')));
  }

 private slots:
  void initTestCase() {
    QVERIFY(folder_.isValid());
    write_ppm("in.ppm", 40, 30);
    write_ppm("small.ppm", 20, 30);
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
    QVERIFY(run({"--version"}).out.startsWith("sfumato "));
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
    // Names with '-' and '_', of filters and parameters, are one.
    r = run({"bilateral", "in.ppm", "c.png", "--range_sigma", "0.2", "--radius", "2"});
    QVERIFY2(r.status == 0, qPrintable(r.err));
    r = run({"bilateral", "in.ppm", "d.png", "--range-sigma", "0.2", "--radius", "2"});
    QCOMPARE(read("c.png"), read("d.png"));
    r = run({"geometry-blur", "in.ppm", "e.png", "--depth", "in.ppm"});
    QVERIFY2(r.status == 0, qPrintable(r.err));
    for (const char* f : {"a.png", "b.png", "c.png", "d.png", "e.png", "r.json"})
      QFile::remove(path(f));
  }

  void the_reference_agrees_without_any_device() {
    Run r = run({"gaussian", "in.ppm", "a.pfm", "--bits", "float", "--sigma", "2", "--device",
                 "reference"});
    QVERIFY2(r.status == 0, qPrintable(r.err));
    // With no OpenCL driver at all the same happens by itself.
    QDir().mkpath(path("no_drivers"));
    r = run({"gaussian", "in.ppm", "b.pfm", "--bits", "float", "--sigma", "2"},
            {"OCL_ICD_VENDORS=" + path("no_drivers")});
    QVERIFY2(r.status == 0, qPrintable(r.err));
    QCOMPARE(read("a.pfm"), read("b.pfm"));
    QFile::remove(path("a.pfm"));
    QFile::remove(path("b.pfm"));
  }

  void wrong_words_are_named() {
    refused({"gausian", "in.ppm", "o.png"}, 2, {"gausian", "gaussian"});
    refused({"gaussian", "in.ppm", "o.png", "--simga", "2"}, 2, {"--simga", "--sigma"});
    refused({"gaussian", "in.ppm", "o.png", "--sigma", "abc"}, 2, {"sigma", "abc", "number"});
    refused({"gaussian", "in.ppm", "o.png", "--sigma", "nan"}, 2, {"sigma", "nan"});
    refused({"gaussian", "in.ppm", "o.png", "--sigma", "inf"}, 2, {"sigma"});
    refused({"gaussian", "in.ppm", "o.png", "--sigma", "-1"}, 2, {"sigma", "0 to 1000 px"});
    refused({"gaussian", "in.ppm", "o.png", "--sigma", "2000"}, 2, {"sigma", "0 to 1000 px"});
    refused({"gaussian", "in.ppm", "o.png", "--method", "bokes"}, 2, {"method", "boxes"});
    refused({"gaussian", "in.ppm", "o.png", "--radius", "1.5"}, 2, {"radius"});
    refused({"gaussian", "in.ppm", "o.png", "--sigma"}, 2, {"sigma"});
    refused({"gaussian", "in.ppm"}, 2, {"OUTPUT"});
    refused({"gaussian", "in.ppm", "o.png", "p.png"}, 2, {"p.png"});
    refused({"gaussian", "in.ppm", "o.png", "--bits", "12"}, 2, {"12"});
    refused({"gaussian", "in.ppm", "o.png", "--device", "toaster"}, 1, {"toaster", "devices"});
    refused({"geometry_blur", "in.ppm", "o.png"}, 2, {"--normal", "--depth"});
    refused({"help", "blurr"}, 2, {"blurr"});
    refused({"filters", "--jsn"}, 2, {"--jsn"});
  }

  void bad_files_are_named() {
    write("empty.png", "");
    write("truncated.ppm", read("in.ppm").left(1000));
    write("text.png", "this is not a picture, whatever its name says\n");
    QDir().mkpath(path("folder.png"));
    refused({"gaussian", "missing.jpg", "o.png"}, 1, {"missing.jpg"});
    refused({"gaussian", "empty.png", "o.png"}, 1, {"empty.png", "empty"});
    refused({"gaussian", "truncated.ppm", "o.png"}, 1, {"truncated.ppm"});
    refused({"gaussian", "text.png", "o.png"}, 1, {"text.png"});
    refused({"gaussian", "folder.png", "o.png"}, 1, {"folder.png", "folder"});
    refused({"gaussian", "in.ppm", "o.xyz"}, 1, {"xyz"});
    refused({"gaussian", "in.ppm", "no/such/folder/o.png"}, 1, {"folder"});
    refused({"gaussian", "in.ppm", "/proc/o.png"}, 1, {"/proc"});
    refused({"gaussian", "in.ppm", "o.png", "--mask", "missing.png"}, 1, {"missing.png"});
    refused({"geometry_blur", "in.ppm", "o.png", "--depth", "small.ppm"}, 1,
            {"20 x 30", "40 x 30"});
    for (const char* f : {"empty.png", "truncated.ppm", "text.png"}) QFile::remove(path(f));
    QDir().rmdir(path("folder.png"));
  }

  void a_mislabelled_file_is_read_by_its_content() {
    QFile::copy(path("in.ppm"), path("in.jpg"));
    const Run r = run({"gaussian", "in.jpg", "o.png"});
    QVERIFY2(r.status == 0, qPrintable(r.err));
    QFile::remove(path("in.jpg"));
    QFile::remove(path("o.png"));
  }

  void a_header_that_claims_too_much_is_refused() {
    write("huge.ppm", "P6\n100000 100000\n255\nabc");
    refused({"gaussian", "huge.ppm", "o.png"}, 1, {"huge.ppm", "--max-pixels"});
    refused({"gaussian", "in.ppm", "o.png", "--max-pixels", "1000"}, 1, {"in.ppm", "--max-pixels"});
    QFile::remove(path("huge.ppm"));
  }

  void outputs_are_safe() {
    write("kept.png", "precious");
    refused({"gaussian", "in.ppm", "kept.png"}, 1, {"kept.png", "--overwrite"});
    QCOMPARE(read("kept.png"), QByteArray("precious"));
    const QByteArray before = read("in.ppm");
    refused({"gaussian", "in.ppm", "in.ppm"}, 1, {"in.ppm"});
    QVERIFY(QFile::link(path("in.ppm"), path("link.ppm")));
    refused({"gaussian", "in.ppm", "link.ppm"}, 1, {"link.ppm"});
    QCOMPARE(read("in.ppm"), before);
    const Run r = run({"gaussian", "in.ppm", "kept.png", "--overwrite"});
    QVERIFY2(r.status == 0, qPrintable(r.err));
    QVERIFY(read("kept.png").startsWith("\x89PNG"));
    QFile::remove(path("kept.png"));
    QFile::remove(path("link.ppm"));
  }

  void a_full_disk_leaves_nothing() {
    // A limit on the size of files stands for the full disk: the write fails in the middle.
    write_ppm("big.ppm", 600, 500);
    const QStringList before = files();
    for (const char* device : {"reference", "auto"}) {
      QProcess process;
      process.setWorkingDirectory(folder_.path());
      process.start("bash",
                    {"-c", "trap '' XFSZ; ulimit -f 64; exec \"$0\" \"$@\"", SFUMATO_PROGRAM,
                     "grayscale", "big.ppm", "full.tif", "--device", device});
      QVERIFY(process.waitForFinished(60000));
      QCOMPARE(process.exitCode(), 1);
      const QByteArray said = process.readAllStandardError();
      // A driver that cannot write its own cache may end the process before we can say anything.
      if (device == std::string("reference")) QVERIFY2(said.contains("full.tif"), said.constData());
      QCOMPARE(files(), before);
    }
    QFile::remove(path("big.ppm"));
  }

  void bad_recipes_are_named() {
    write("newer.json", R"({"sfumato": 2, "steps": []})");
    write("later.json",
          R"({"sfumato": 1, "steps": [{"filter": "gaussian", "version": 99, "values": {}}]})");
    write("name.json",
          R"({"sfumato": 1, "steps": [{"filter": "gaussian", "values": {"simga": 2}}]})");
    write("cut.json", R"({"sfumato": 1, "steps": [)");
    refused({"apply", "newer.json", "in.ppm", "o.png"}, 1, {"newer.json", "2", "1"});
    refused({"apply", "later.json", "in.ppm", "o.png"}, 1, {"later.json", "99"});
    refused({"apply", "name.json", "in.ppm", "o.png"}, 1, {"simga", "sigma"});
    refused({"apply", "cut.json", "in.ppm", "o.png"}, 1, {"cut.json", "line"});
    refused({"apply", "missing.json", "in.ppm", "o.png"}, 1, {"missing.json"});
    refused({"apply"}, 2, {"RECIPE"});
    for (const char* f : {"newer.json", "later.json", "name.json", "cut.json"})
      QFile::remove(path(f));
  }

  void a_damaged_program_cache_is_rebuilt() {
    QVERIFY(run({"grayscale", "in.ppm", "a.png"}).status == 0);
    QDirIterator it(path("cache/sfumato/programs"), QDir::Files);
    int damaged = 0;
    while (it.hasNext()) {
      QFile file(it.next());
      QVERIFY(file.open(QIODevice::ReadWrite));
      file.resize(file.size() / 3);
      ++damaged;
    }
    QVERIFY(damaged > 0);
    const Run r = run({"grayscale", "in.ppm", "b.png"});
    QVERIFY2(r.status == 0, qPrintable(r.err));
    QCOMPARE(r.err, "");
    QCOMPARE(read("a.png"), read("b.png"));
    QFile::remove(path("a.png"));
    QFile::remove(path("b.png"));
  }

  void control_c_stops_cleanly() {
    write_ppm("big.ppm", 1500, 1200);
    const QStringList before = files();
    QProcess process;
    process.setWorkingDirectory(folder_.path());
    // Minutes of work, so that the signal surely comes in the middle.
    process.start(SFUMATO_PROGRAM,
                  {"bilateral", "big.ppm", "o.png", "--radius", "60", "--device", "reference"});
    QVERIFY(process.waitForStarted());
    QTest::qWait(1500);
    QCOMPARE(process.state(), QProcess::Running);
    ::kill(static_cast<pid_t>(process.processId()), SIGINT);
    QVERIFY(process.waitForFinished(20000));
    QCOMPARE(process.exitStatus(), QProcess::NormalExit);
    QCOMPARE(process.exitCode(), 1);
    QVERIFY(process.readAllStandardError().contains("nothing was written"));
    QCOMPARE(files(), before);
    QFile::remove(path("big.ppm"));
  }

  void completion_knows_filters_parameters_and_choices() {
    QVERIFY(run({"--complete", "gau"}).out.split('\n').contains("gaussian"));
    QVERIFY(run({"--complete", "gaussian", "in.ppm", "o.png", "--sig"})
                .out.split('\n')
                .contains("--sigma"));
    const QString methods = run({"--complete", "gaussian", "a", "b", "--method", ""}).out;
    QVERIFY(methods.split('\n').contains("multirate"));
    QVERIFY(run({"--complete", "help", ""}).out.split('\n').contains("bilateral"));
    QCOMPARE(run({"--complete", "gaussian", ""}).out, "");  // files: the shell's business
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
    for (const char* f : {"a.exr", "b.exr", "scene.exr"}) QFile::remove(path(f));
  }
};

QTEST_GUILESS_MAIN(TestCli)
#include "test_cli.moc"
