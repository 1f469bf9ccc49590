// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Errors: one sentence that names the problem and the remedy, the right status, no partial file and
// no changed input.
#include <sys/stat.h>
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QProcess>
#include <QTest>
#include <QThread>
#include <csignal>

#include "program.hpp"

namespace {

QByteArray big_endian(quint32 value) {
  QByteArray out;
  for (int shift = 24; shift >= 0; shift -= 8) out.append(static_cast<char>(value >> shift));
  return out;
}

// A PNG file of this size that ends after its header.
QByteArray png_header(quint32 width, quint32 height) {
  const QByteArray body =
      "IHDR" + big_endian(width) + big_endian(height) + QByteArray("\x08\x02\0\0\0", 5);
  quint32 crc = 0xffffffffu;
  for (const char byte : body) {
    crc ^= static_cast<unsigned char>(byte);
    for (int k = 0; k < 8; ++k) crc = (crc >> 1) ^ ((crc & 1u) != 0 ? 0xedb88320u : 0u);
  }
  return QByteArray("\x89PNG\r\n\x1a\n") + big_endian(13) + body + big_endian(~crc) +
         big_endian(1000) + "IDAT" + QByteArray(50, 'x');
}

}  // namespace

class TestCliRefusals : public CliTest {
  Q_OBJECT

 private:
  // A copy of the program that an ordinary user can run, whoever runs the tests.
  void use_program_for_everyone() {
    QFile::setPermissions(folder_.path(),
                          QFile::permissions(folder_.path()) | QFile::ReadOther | QFile::ExeOther);
    if (!QFile::exists(path("program"))) QVERIFY(QFile::copy(SFUMATO_PROGRAM, path("program")));
    program_ = path("program");
  }

 private slots:
  void initTestCase() {
    QVERIFY(folder_.isValid());
    write_ppm("in.ppm", 40, 30);
    write_ppm("small.ppm", 20, 30);
  }
  void cleanup() { program_ = SFUMATO_PROGRAM; }

  void the_users_language_data() {
    QTest::addColumn<QStringList>("environment");
    QTest::addColumn<bool>("german");
    QTest::newRow("German") << QStringList{"LC_ALL=de_AT.UTF-8"} << true;
    QTest::newRow("of messages") << QStringList{"LC_ALL=", "LC_MESSAGES=de_DE", "LANG=en_US"}
                                 << true;
    QTest::newRow("of everything") << QStringList{"LC_ALL=", "LC_MESSAGES=", "LANG=de"} << true;
    QTest::newRow("preferred") << QStringList{"LC_ALL=fr_FR", "LANGUAGE=fr:de:en"} << true;
    QTest::newRow("none") << QStringList{"LC_ALL=C", "LANGUAGE=de"} << false;
    QTest::newRow("C with UTF-8") << QStringList{"LC_ALL=C.UTF-8", "LANGUAGE=de"} << false;
    QTest::newRow("English first") << QStringList{"LC_ALL=de_DE", "LANGUAGE=en:de"} << false;
    QTest::newRow("without texts") << QStringList{"LC_ALL=fr_FR.UTF-8"} << false;
  }
  void the_users_language() {
    QFETCH(QStringList, environment);
    QFETCH(bool, german);
    const Run wrong = run({"gausian", "in.ppm", "o.png"}, environment);
    QCOMPARE(wrong.status, 2);
    QVERIFY2(wrong.err.contains(german ? "Es gibt keinen Filter oder Befehl \"gausian\"; war"
                                       : "there is no filter or command \"gausian\"; did you"),
             qPrintable(wrong.err));
    const Run missing = run({"gaussian", "none.ppm", "o.png"}, environment);
    QCOMPARE(missing.status, 1);
    QVERIFY2(missing.err.contains(german ? "gibt es nicht" : "there is no such file"),
             qPrintable(missing.err));
  }

  void a_file_that_holds_no_matrix() {
    write("m.txt", "1 2 1\n# a comment\n2 x 2\n");
    refused({"convolve", "in.ppm", "o.png", "--matrix", "@m.txt"}, 1, {"m.txt", "line 3", "\"x\""});
    write("m.txt", "1 2 1\n\n2 2\n");
    refused({"convolve", "in.ppm", "o.png", "--matrix", "@m.txt"}, 1, {"line 3", "2", "3"});
    write("m.txt", "# nothing\n");
    refused({"convolve", "in.ppm", "o.png", "--matrix", "@m.txt"}, 1, {"m.txt", "no number"});
    write("m.txt", "1 2\n3 4\n");
    refused({"convolve", "in.ppm", "o.png", "--matrix", "@m.txt"}, 2, {"2 x 2", "odd"});
    refused({"convolve", "in.ppm", "o.png", "--matrix", "@none.txt"}, 1, {"none.txt"});
    refused({"convolve", "in.ppm", "o.png", "--matrix", "@"}, 1, {"no name"});
    remove({"m.txt"});
  }

  void a_role_that_cannot_be_one() {
    write("gray.pgm", "P5\n40 30\n255\n" + QByteArray(1200, 'x'));
    refused({"geometry_blur", "in.ppm", "o.png", "--normal", "gray.pgm"}, 1,
            {"normal picture has 1 channel", "3 (x, y, z)"});
    remove({"gray.pgm"});
  }

  void wrong_words() {
    refused({"gausian", "in.ppm", "o.png"}, 2, {"gausian", "gaussian"});
    refused({"gaussian", "in.ppm", "o.png", "--simga", "2"}, 2, {"--simga", "--sigma"});
    refused({"gaussian", "in.ppm", "o.png", "--method", "bokes"}, 2, {"method", "boxes"});
    refused({"gaussian", "in.ppm"}, 2, {"OUTPUT"});
    refused({"gaussian", "in.ppm", "o.png", "p.png"}, 2, {"p.png"});
    refused({"gaussian", "in.ppm", "o.png", "--device", "toaster"}, 2, {"toaster", "devices"});
    refused({"geometry_blur", "in.ppm", "o.png"}, 2, {"--normal", "--depth"});
    refused({"help", "blurr"}, 2, {"blurr"});
    refused({"filters", "--jsn"}, 2, {"--jsn"});
  }

  void wrong_values() {
    const auto value = [this](const char* option, const char* text, const QStringList& words) {
      refused({"gaussian", "in.ppm", "o.png", option, text}, 2, words);
    };
    for (const char* text : {"abc", "nan", "inf", "-inf", "-1", "2000", "1e999", "3px", ""}) {
      value("--sigma", text, {"sigma", "0 to 1000 px"});
    }
    for (const char* text : {"1.5", "3px", "1e30"}) value("--radius", text, {"radius", "5000 px"});
    value("--mix", "1.1", {"mix", "0 to 1"});
    for (const char* text : {"12", "", "sixteen"}) {
      value("--bits", text, {"--bits takes 8, 16, half or float, not", text});
    }
    for (const char* text : {"sRGB", "", "p3"}) {
      value("--profile", text, {"--profile takes keep, srgb or strip, not", text});
    }
    refused({"gaussian", "in.ppm", "o.png", "--profile", "srgb", "--strip-profile"}, 2,
            {"--profile srgb", "--strip-profile"});
    for (const char* text : {"300", "0", "-5", "high", "50.5", "nan"}) {
      value("--quality", text, {"--quality takes a whole number from 1 to 100, not", text});
    }
    for (const char* text : {"abc", "1", "2000000000", "99999999999999999999", "1e3"}) {
      value("--memory", text,
            {"--memory takes a whole number from 16 to 1073741824 MB, not", text});
    }
    for (const char* text : {"0", "-1", "1025", "two", "1.5", ""}) {
      value("--threads", text, {"--threads takes a whole number from 1 to 1024, not", text});
    }
    for (const char* text : {"-1", "0", "last", "1.5"}) {
      value("--page", text, {"--page takes a whole number from 1 to ", "not", text});
      value("--frame", text, {"--frame takes a whole number from 1 to ", "not", text});
    }
    refused({"gaussian", "in.ppm", "o.png", "--page", "1", "--frame", "1"}, 2,
            {"--page", "--frame"});
    refused({"batch", "gaussian", "-o", "o", "in.ppm", "--page", "1", "--pages"}, 2,
            {"--pages", "--page"});
    for (const char* text : {"-1", "0", "many"}) {
      value("--max-pixels", text, {"--max-pixels takes a whole number from 1 to ", "not", text});
    }
    refused({"gaussian", "in.ppm", "o.png", "--sigma"}, 2, {"--sigma", "one value"});
    refused({"gaussian", "in.ppm", "o.png", "--bits", "8", "--bits", "16"}, 2,
            {"--bits", "one value"});
    refused({"gaussian", "in.ppm", "o.png", "--overwrite=maybe"}, 2,
            {"--overwrite is a switch and takes no value"});
  }

  // Unread messages must neither cost the picture nor leave a temporary file.
  void a_closed_pipe_costs_nothing() {
    QProcess shell;
    settle(shell, {"SFUMATO_DEVICE=reference"});
    shell.start("bash", {"-c",
                         "\"$0\" gaussian in.ppm piped.ppm --verbose 2>&1 | true; exit "
                         "${PIPESTATUS[0]}",
                         program_});
    QVERIFY(shell.waitForFinished(60000));
    QCOMPARE(shell.exitCode(), 0);
    QVERIFY(read("piped.ppm").size() > 100);
    for (const QString& name : snapshot().keys())
      QVERIFY2(!name.contains(".sfumato-"), qPrintable(name));
    remove({"piped.ppm"});
  }

  void a_full_disk_behind_stdout_is_reported_data() {
    QTest::addColumn<QString>("command");
    for (const char* command :
         {"recipe gaussian", "filters", "filters --json", "presets", "presets --json",
          "presets sepia", "help", "help gaussian", "help compare", "devices", "devices --json"}) {
      QTest::newRow(command) << command;
    }
  }
  void a_full_disk_behind_stdout_is_reported() {
    QFETCH(QString, command);
    QProcess process;
    settle(process);
    process.setStandardOutputFile("/dev/full");
    process.start(program_, command.split(' '));
    QVERIFY(process.waitForFinished(60000));
    const QString err = QString::fromUtf8(process.readAllStandardError());
    QCOMPARE(process.exitCode(), 1);
    QVERIFY2(one_line(err) && err.contains("No space left"), qPrintable(err));
  }

  // A recipe cannot hold these, so accepting them silently would be wrong.
  void options_that_a_recipe_has_not() {
    refused({"recipe", "gaussian", "--device", "cpu"}, 2, {"--device", "apply"});
    refused({"recipe", "gaussian", "--quality", "90"}, 2, {"--quality", "apply"});
    refused({"recipe", "gaussian", "--overwrite"}, 2, {"--overwrite", "apply"});
    refused({"recipe", "gaussian", "out.json"}, 2, {"out.json"});
  }

  void bad_inputs() {
    write("empty.png", "");
    write("text.png", "this is not a picture, whatever its name says\n");
    write("text", "this is not a picture either\n");
    QDir().mkpath(path("folder.png"));
    refused({"gaussian", "missing.jpg", "o.png"}, 1, {"missing.jpg", "no such file"});
    refused({"gaussian", "empty.png", "o.png"}, 1, {"empty.png", "empty"});
    refused({"gaussian", "text.png", "o.png"}, 1, {"text.png", "not a picture", "convert"});
    refused({"gaussian", "text", "o.png"}, 1, {"\"text\"", "not a picture", "convert"});
    refused({"gaussian", "folder.png", "o.png"}, 1, {"folder.png", "folder"});
    refused({"gaussian", "in.ppm", "o.png", "--mask", "missing.png"}, 1, {"missing.png"});
    refused({"gaussian", "in.ppm", "o.png", "--mask", "text.png"}, 1, {"text.png"});
    refused({"geometry_blur", "in.ppm", "o.png", "--depth", "small.ppm"}, 1,
            {"20 x 30", "40 x 30"});
    remove({"empty.png", "text.png", "text"});
    QDir().rmdir(path("folder.png"));
  }

  void truncated_inputs_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : {"a.png", "a.jpg", "a.tif", "a.webp", "a.ppm", "a.pfm", "a.hdr"}) {
      QTest::newRow(name) << name;
    }
  }

  // One line, although the decoding libraries like to print lines of their own.
  void truncated_inputs() {
    QFETCH(QString, name);
    const Run r = run({"grayscale", "in.ppm", name, "--mix", "0", "--device", "reference"});
    QVERIFY2(r.status == 0, qPrintable(r.err));
    const QByteArray whole = read(name);
    for (const double part : {0.9, 0.5, 0.1}) {
      write(name, whole.left(static_cast<int>(part * static_cast<double>(whole.size()))));
      // Without what PNM cannot hold.
      refused({"gaussian", name, "o.ppm", "--bits", "8", "--strip-metadata"}, 1,
              {name, "make it again"});
    }
    QByteArray damaged = whole;
    damaged.replace(whole.size() / 2, 40, QByteArray(40, 'U'));
    write(name, damaged);
    const Run reply = run({"gaussian", name, "o.ppm", "--bits", "8", "--strip-metadata", "--device",
                           "reference"});  // not every format can detect it
    QVERIFY2(reply.status == 0 ? reply.err.isEmpty() : one_line(reply.err), qPrintable(reply.err));
    remove({name, "o.ppm"});
  }

  void a_mislabelled_file_is_read_by_its_content() {
    QFile::copy(path("in.ppm"), path("in.jpg"));
    const Run r = run({"gaussian", "in.jpg", "o.png"});
    QVERIFY2(r.status == 0, qPrintable(r.err));
    QCOMPARE(r.err, "");
    remove({"in.jpg", "o.png"});
  }

  void a_header_that_claims_too_much() {
    write("huge.ppm", "P6\n100000 100000\n255\nabc");
    write("huge.png", png_header(100000, 100000));
    for (const char* name : {"huge.ppm", "huge.png"}) {
      refused({"gaussian", name, "o.png"}, 1, {name, "100000x100000", "--max-pixels"});
      // If allowed, the next problem is reported.
      refused({"gaussian", name, "o.png", "--max-pixels", "20000000000"}, 1,
              {name, "cut short", "make it again"});
    }
    refused({"gaussian", "in.ppm", "o.png", "--max-pixels", "1000"}, 1, {"in.ppm", "--max-pixels"});
    remove({"huge.ppm", "huge.png"});
  }

  void bad_outputs() {
    QDir().mkpath(path("folder.png"));
    refused({"gaussian", "in.ppm", "o.xyz"}, 1, {".xyz", ".png"});
    refused({"gaussian", "in.ppm", "o"}, 1, {"\"o\"", "extension", ".png"});
    refused({"gaussian", "in.ppm", "o.dng"}, 1, {".dng", "cannot be written", ".tif"});
    refused({"gaussian", "in.ppm", "folder.png"}, 1, {"folder.png", "folder"});
    refused({"gaussian", "in.ppm", "no/such/folder/o.png"}, 1, {"no/such/folder", "make it"});
    refused({"gaussian", "in.ppm", "/proc/o.png"}, 1, {"/proc", "choose"});
    refused({"gaussian", "in.ppm", "o.jpg", "--bits", "16"}, 1, {"o.jpg", "8-bit"});
    write("wide.ppm", "P6\n16384 1\n255\n" + QByteArray(3 * 16384, 'a'));
    refused({"gaussian", "wide.ppm", "o.webp"}, 1, {"o.webp", "16383", "choose"});
    remove({"wide.ppm"});
    QDir().rmdir(path("folder.png"));
  }

  void existing_outputs_and_the_input_itself() {
    write("kept.png", "precious");
    refused({"gaussian", "in.ppm", "kept.png"}, 1, {"kept.png", "exists", "--overwrite"});
    QVERIFY(QFile::link(path("in.ppm"), path("soft.ppm")));
    QCOMPARE(::link(qPrintable(path("in.ppm")), qPrintable(path("hard.ppm"))), 0);
    for (const char* name : {"in.ppm", "./in.ppm", "soft.ppm", "hard.ppm"}) {
      refused({"gaussian", "in.ppm", name}, 1, {"in", "the input itself", "--overwrite"});
    }
    refused({"gaussian", "soft.ppm", "in.ppm"}, 1, {"in.ppm", "the input itself"});
    const Run r = run({"gaussian", "in.ppm", "kept.png", "--overwrite"});
    QVERIFY2(r.status == 0, qPrintable(r.err));
    QVERIFY(read("kept.png").startsWith("\x89PNG"));
    remove({"kept.png", "soft.ppm", "hard.ppm"});
  }

  // As an ordinary user, even if root runs the tests, since root ignores permissions.
  void permissions() {
    use_program_for_everyone();
    QDir().mkpath(path("locked"));
    QFile::copy(path("in.ppm"), path("secret.ppm"));
    QCOMPARE(::chmod(qPrintable(path("locked")), 0555), 0);
    QCOMPARE(::chmod(qPrintable(path("secret.ppm")), 0200), 0);
    refused({"gaussian", "in.ppm", "locked/o.png"}, 1, {"locked", "may not be written", "choose"},
            become_nobody);
    refused({"batch", "gaussian", "in.ppm", "-o", "out", "--report", "locked/r.csv"}, 2,
            {"locked", "may not write", "choose"}, become_nobody);
    refused({"gaussian", "secret.ppm", "o.png"}, 1,
            {"secret.ppm", "may not be read", "check its permissions"}, become_nobody);
    refused({"apply", "secret.ppm", "in.ppm", "o.png"}, 1, {"secret.ppm", "may not be read"},
            become_nobody);
    QCOMPARE(::chmod(qPrintable(path("secret.ppm")), 0644), 0);
    remove({"secret.ppm"});
    QDir().rmdir(path("locked"));
  }

  void a_full_disk_data() {
    QTest::addColumn<QString>("output");
    QTest::addColumn<QString>("device");
    for (const char* name : {"full.tif", "full.png", "full.webp", "full.exr", "full.ppm"}) {
      QTest::newRow(name) << name << "reference";
    }
    QTest::newRow("any device") << "full.tif"
                                << "auto";
  }

  // A file size limit stands in for a full disk: the write fails in the middle.
  void a_full_disk() {
    QFETCH(QString, output);
    QFETCH(QString, device);
    write_ppm("big.ppm", 600, 500);
    const auto before = snapshot();
    QProcess process;
    settle(process);
    process.start("bash", {"-c", "trap '' XFSZ; ulimit -f 64; exec \"$0\" \"$@\"", SFUMATO_PROGRAM,
                           "grayscale", "big.ppm", output, "--device", device});
    QVERIFY(process.waitForFinished(60000));
    QCOMPARE(process.exitCode(), 1);
    const QString said = QString::fromUtf8(process.readAllStandardError());
    // A driver that cannot write its own cache may end the process before an error can be reported.
    if (device == "reference") {
      QVERIFY2(one_line(said) && said.contains(output), qPrintable(said));
      QVERIFY2(said.contains("free some space"), qPrintable(said));
    }
    QVERIFY(snapshot() == before);
    remove({"big.ppm"});
  }

  void bad_recipes() {
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
    refused({"apply", "in.ppm", "in.ppm", "o.png"}, 1, {"in.ppm"});
    refused({"apply"}, 2, {"RECIPE"});
    remove({"newer.json", "later.json", "name.json", "cut.json"});
  }

  // Neither is reported: the result is the same, slightly later.
  void a_damaged_program_cache_is_rebuilt_data() {
    QTest::addColumn<bool>("cut");
    QTest::newRow("cut short") << true;
    QTest::newRow("rubbish") << false;
  }

  void a_damaged_program_cache_is_rebuilt() {
    QFETCH(bool, cut);
    // Only OpenCL's devices compile programs; PoCL keeps no kernels, so that we do.
    const QStringList ours{"SFUMATO_DEVICE=pocl", "POCL_KERNEL_CACHE=0"};
    QVERIFY(run({"grayscale", "in.ppm", "a.png"}, ours).status == 0);
    QDirIterator it(path("cache/sfumato/programs"), QDir::Files);
    int damaged = 0;
    while (it.hasNext()) {
      QFile file(it.next());
      QVERIFY(file.open(QIODevice::ReadWrite));
      if (cut) {
        file.resize(file.size() / 3);
      } else {
        const qint64 size = file.size();
        file.seek(size / 4);
        file.write(QByteArray(static_cast<int>(size / 2), 'U'));
      }
      ++damaged;
    }
    QVERIFY(damaged > 0);
    const Run r = run({"grayscale", "in.ppm", "b.png"}, ours);
    QVERIFY2(r.status == 0, qPrintable(r.err));
    QCOMPARE(r.err, "");
    QCOMPARE(read("a.png"), read("b.png"));
    remove({"a.png", "b.png"});
  }

  void an_unwritable_program_cache_is_done_without() {
    QVERIFY(run({"grayscale", "in.ppm", "a.png", "--device", "pocl"}).status == 0);
    write("no_folder", "a file where the cache's folder would be");
    for (const QString& cache : {path("no_folder"), QString("/proc/cache")}) {
      const Run r =
          run({"grayscale", "in.ppm", "b.png", "--device", "pocl"}, {"XDG_CACHE_HOME=" + cache});
      QVERIFY2(r.status == 0, qPrintable(r.err));
      QVERIFY2(one_line(r.err) && r.err.contains(cache) && r.err.contains("XDG_CACHE_HOME"),
               qPrintable(r.err));
      QCOMPARE(read("a.png"), read("b.png"));
      remove({"b.png"});
    }
    QCOMPARE(read("no_folder"), QByteArray("a file where the cache's folder would be"));
    remove({"a.png", "no_folder"});
  }

  void control_c_data() {
    QTest::addColumn<int>("signal");
    QTest::newRow("SIGINT") << SIGINT;
    QTest::newRow("SIGTERM") << SIGTERM;
    QTest::newRow("SIGHUP") << SIGHUP;
  }

  void control_c() {
    QFETCH(int, signal);
    write_ppm("big.ppm", 1500, 1200);
    const auto before = snapshot();
    QProcess process;
    settle(process);
    // Minutes of work, so that the signal arrives in the middle, while the temporary file exists.
    process.start(SFUMATO_PROGRAM, {"bilateral", "big.ppm", "big.ppm", "--overwrite", "--radius",
                                    "60", "--device", "reference"});
    QVERIFY(process.waitForStarted());
    QTRY_VERIFY_WITH_TIMEOUT(snapshot().size() > before.size(), 60000);
    QCOMPARE(process.state(), QProcess::Running);
    ::kill(static_cast<pid_t>(process.processId()), signal);
    QVERIFY(process.waitForFinished(60000));
    QCOMPARE(process.exitStatus(), QProcess::NormalExit);
    QCOMPARE(process.exitCode(), 1);
    const QString said = QString::fromUtf8(process.readAllStandardError());
    QVERIFY2(one_line(said) && said.contains("nothing was written"), qPrintable(said));
    QVERIFY(snapshot() == before);
    remove({"big.ppm"});
  }

  // Encoders of HEIF and AVIF cannot be stopped: nothing waits for their end.
  void control_c_while_a_file_is_encoded() {
    write_ppm("large.ppm", 5000, 4000);
    const auto before = snapshot();
    QProcess process;
    settle(process);
    process.start(SFUMATO_PROGRAM, {"grayscale", "large.ppm", "out.avif"});
    QVERIFY(process.waitForStarted());
    QTRY_VERIFY_WITH_TIMEOUT(snapshot().size() > before.size(), 60000);
    QThread::sleep(2);  // the filter takes less, the encoder more
    QCOMPARE(process.state(), QProcess::Running);
    ::kill(static_cast<pid_t>(process.processId()), SIGINT);
    QVERIFY(process.waitForFinished(5000));
    QCOMPARE(process.exitStatus(), QProcess::NormalExit);
    QCOMPARE(process.exitCode(), 1);
    QVERIFY(process.readAllStandardError().endsWith("nothing was written\n"));
    QVERIFY(snapshot() == before);
    remove({"large.ppm"});
  }

  // As under nohup: a closed terminal ends nothing.
  void what_was_ignored_stays_ignored() {
    write_ppm("big.ppm", 1500, 1200);
    const auto before = snapshot();
    QProcess process;
    settle(process);
    process.setChildProcessModifier([] { ::signal(SIGHUP, SIG_IGN); });
    process.start(SFUMATO_PROGRAM, {"bilateral", "big.ppm", "big.ppm", "--overwrite", "--radius",
                                    "60", "--device", "reference"});
    QVERIFY(process.waitForStarted());
    QTRY_VERIFY_WITH_TIMEOUT(snapshot().size() > before.size(), 60000);
    QFile status(QString("/proc/%1/status").arg(process.processId()));
    QVERIFY(status.open(QIODevice::ReadOnly));
    qulonglong ignored = 0, caught = 0;
    for (const QByteArray& line : status.readAll().split('\n')) {
      if (line.startsWith("SigIgn:")) ignored = line.mid(7).trimmed().toULongLong(nullptr, 16);
      if (line.startsWith("SigCgt:")) caught = line.mid(7).trimmed().toULongLong(nullptr, 16);
    }
    QVERIFY((ignored >> (SIGHUP - 1) & 1) != 0 && (caught >> (SIGHUP - 1) & 1) == 0);
    QVERIFY((caught >> (SIGTERM - 1) & 1) != 0);
    process.terminate();
    QVERIFY(process.waitForFinished(60000));
    QCOMPARE(process.exitCode(), 1);
    remove({"big.ppm"});
  }
};

QTEST_GUILESS_MAIN(TestCliRefusals)
#include "test_cli_refusals.moc"
