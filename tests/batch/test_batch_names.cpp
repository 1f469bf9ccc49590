// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Names of outputs, and what words of a command line stand for.
#include <unistd.h>

#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <fstream>

#include "batch/errors.hpp"
#include "batch/inputs.hpp"
#include "batch/name_patterns.hpp"
#include "batch/name_template.hpp"
#include "io/io.hpp"

using namespace sfumato;
namespace fs = std::filesystem;

namespace {

NameFields fields() {
  NameFields out;
  out.source = "/photos/trip/day one/a.b.JPG";
  out.below = "day one";
  out.recipe = "soft";
  out.extension = "jpg";
  out.counter = 7;
  out.time = 1780000000;  // in May or June 2026, whatever the time zone
  return out;
}

QString filled(const char* text, const NameFields& with = fields()) {
  try {
    return QString::fromStdString(NameTemplate(text).fill(with).string());
  } catch (const BatchError& e) {
    return QStringLiteral("refused: ") + QString::fromUtf8(e.what());
  }
}

std::string fault_of(const InputQuery& request) {
  try {
    find_inputs(request);
  } catch (const BatchError& e) {
    return e.what();
  }
  return "none";
}

}  // namespace

class TestBatchNames : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;

  fs::path at(const char* name) const { return folder_.path().toStdString() + "/" + name; }
  void make(const char* name) const {
    fs::create_directories(at(name).parent_path());
    std::ofstream(at(name)) << name;
  }
  std::string word(const char* name) const { return at(name).string(); }

  // What was found, as paths below the test's folder, with frames.
  QString found(const InputQuery& request) const {
    QStringList out;
    const fs::path root = fs::path(folder_.path().toStdString());
    for (const FoundInput& f : find_inputs(request).files) {
      QString text = QString::fromStdString(f.path.lexically_relative(root).string());
      if (!f.below.empty()) text += " below " + QString::fromStdString(f.below.string());
      if (f.frame) text += " #" + QString::number(*f.frame);
      out << text;
    }
    return out.join(QStringLiteral(", "));
  }

 private Q_SLOTS:
  void initTestCase() {
    for (const char* name :
         {"in/b10.png", "in/b9.PNG", "in/A1.jpg", "in/notes.txt", "in/.hidden.png",
          "in/noextension", "in/sub/c.tif", "in/sub/deep/d.exr", "in/out/made.png",
          "seq/shot.0009.exr", "seq/shot.0010.exr", "seq/shot.0012.exr", "seq/shot.10013.exr",
          "seq/shot.exr", "seq/shot.012.exr", "seq/shotx0011.exr", "odd/a[1].png", "odd/100%.png",
          "empty/x.txt"}) {
      make(name);
    }
    fs::create_directory_symlink(at("in"), at("in/sub/loop"));
  }

  void fields_are_filled() {
    QCOMPARE(filled("{folder}/{stem}_{recipe}.{ext}"), QStringLiteral("day one/a.b_soft.jpg"));
    QCOMPARE(filled("{parent}-{counter:4}.{ext}"), QStringLiteral("day one-0007.jpg"));
    QCOMPARE(filled("{counter}{{x}}.png"), QStringLiteral("7{x}.png"));
    QVERIFY(filled("{date}.png")
                .contains(QRegularExpression(QStringLiteral("^2026-0[56]-\\d\\d\\.png$"))));
    QVERIFY(filled("{time}.png").contains(QRegularExpression(QStringLiteral("^\\d{6}\\.png$"))));
    NameFields frame = fields();
    frame.frame = 12;
    QCOMPARE(filled("f{frame:6}.{ext}", frame), QStringLiteral("f000012.jpg"));
    frame.frame = 1234567;
    QCOMPARE(filled("f{frame:6}.{ext}", frame), QStringLiteral("f1234567.jpg"));
  }

  void an_empty_folder_leaves_no_slash() {
    NameFields top = fields();
    top.below = "";
    QCOMPARE(filled("{folder}/{stem}.{ext}", top), QStringLiteral("a.b.jpg"));
    QCOMPARE(filled("x/{folder}/{stem}.{ext}", top), QStringLiteral("x/a.b.jpg"));
    top.below = "/photos/trip";  // as role patterns have it
    QCOMPARE(filled("{folder}/{stem}_N.exr", top), QStringLiteral("/photos/trip/a.b_N.exr"));
  }

  void names_lead_nowhere_else() {
    NameFields bad = fields();
    bad.recipe = "../../etc/x\n";
    QCOMPARE(filled("{recipe}.png", bad), QStringLiteral(".._.._etc_x_.png"));
    QVERIFY(filled("../{stem}.png").contains(QStringLiteral("\"..\"")));
    bad.below = "..";
    QVERIFY(filled("{folder}/{stem}.png", bad).contains(QStringLiteral("\"..\"")));
  }

  void templates_are_refused_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("word");
    QTest::newRow("empty") << ""
                           << "is empty";
    QTest::newRow("unknown") << "{stm}.png"
                             << "did you mean \"stem\"";
    QTest::newRow("open") << "{stem"
                          << "not closed";
    QTest::newRow("open twice") << "{a{stem}"
                                << "not closed";
    QTest::newRow("close") << "a}b"
                           << "not opened";
    QTest::newRow("width") << "{stem:3}"
                           << "no number";
    QTest::newRow("no width") << "{counter:}"
                              << "1 to 12 digits";
    QTest::newRow("too wide") << "{counter:99}"
                              << "1 to 12 digits";
    QTest::newRow("frame") << "{frame}.png"
                           << "not a frame";
    QTest::newRow("folder") << "{stem}/"
                            << "gives no name";
  }
  void templates_are_refused() {
    QFETCH(const QString, text);
    QFETCH(const QString, word);
    const QString said = filled(text.toUtf8().constData());
    QVERIFY2(said.startsWith(QStringLiteral("refused")) && said.contains(word), qPrintable(said));
  }

  void folders_give_their_pictures_in_order() {
    QCOMPARE(found({{word("in")}}), QStringLiteral("in/A1.jpg, in/b9.PNG, in/b10.png"));
    QCOMPARE(found({{word("in")}, true, at("in/out")}),
             QStringLiteral("in/A1.jpg, in/b9.PNG, in/b10.png, in/sub/c.tif below sub, "
                            "in/sub/deep/d.exr below sub/deep"));
  }

  void each_file_comes_once() {
    QCOMPARE(found({{word("in/b9.PNG"), word("in"), word("in/./b9.PNG")}}),
             QStringLiteral("in/b9.PNG, in/A1.jpg, in/b10.png"));
    // Whatever it is called.
    QCOMPARE(found({{word("in/notes.txt"), word("in/noextension")}}),
             QStringLiteral("in/notes.txt, in/noextension"));
  }

  void patterns_find_files() {
    QCOMPARE(found({{word("in/b*.[pP]*")}}), QStringLiteral("in/b9.PNG, in/b10.png"));
    QCOMPARE(found({{word("in/**/*.exr")}}), QStringLiteral("in/sub/deep/d.exr below sub/deep"));
    QCOMPARE(found({{word("*/b?.PNG")}}), QStringLiteral("in/b9.PNG below in"));
    // Files that are there go before what their names could mean.
    QCOMPARE(found({{word("odd/a[1].png"), word("odd/100%.png")}}),
             QStringLiteral("odd/a[1].png, odd/100%.png"));
  }

  void numbered_sequences_are_found() {
    const QString all = QStringLiteral(
        "seq/shot.0009.exr #9, seq/shot.0010.exr #10, seq/shot.0012.exr #12, "
        "seq/shot.10013.exr #10013");
    QCOMPARE(found({{word("seq/shot.####.exr")}}), all);
    QCOMPARE(found({{word("seq/shot.%04d.exr")}}), all);
    InputQuery request{{word("seq/shot.8-12####.exr")}};
    QCOMPARE(found(request),
             QStringLiteral("seq/shot.0009.exr #9, seq/shot.0010.exr #10, seq/shot.0012.exr #12"));
    const auto warnings = find_inputs(request).warnings;
    QCOMPARE(warnings.size(), std::size_t{1});
    QVERIFY(in_english(warnings[0]).find("missing: 8, 11") != std::string::npos);
    QVERIFY(fault_of({{word("seq/shot.12-8####.exr")}}).find("ends before") != std::string::npos);
  }

  void what_stands_for_nothing_is_told() {
    QVERIFY(fault_of({{word("none.png")}}).find("no such file") != std::string::npos);
    QVERIFY(fault_of({{word("in/z*.png")}}).find("no file matches this name") != std::string::npos);
    QVERIFY(fault_of({{word("seq/x.####.exr")}}).find("no file matches") != std::string::npos);
    const std::string empty = fault_of({{word("empty")}});
    QVERIFY(empty.find("no pictures") != std::string::npos);
    QVERIFY(empty.find("--recursive") != std::string::npos);
  }

  void movies_are_their_frames() {
    make("clip.mp4");
    InputQuery request{{word("clip.mp4")}};
    request.movie_frames = [](const fs::path&) { return MovieCount{3}; };
    QCOMPARE(found(request), QStringLiteral("clip.mp4 #1, clip.mp4 #2, clip.mp4 #3"));
  }

  // A JPEG file's head tells that it may hold several pictures; others are not opened for that.
  void jpeg_files_with_an_index_are_counted() {
    constexpr std::string_view jfif("\xff\xd8\xff\xe0\0\4ab", 8), index("\xff\xe2\0\6MPF\0", 8),
        profile("\xff\xe2\0\6ICC_", 8), data("\xff\xdb\0\4ab\xff\xe2\0\6MPF\0", 14);
    const auto write = [this](const char* name, std::initializer_list<std::string_view> parts) {
      make(name);
      std::ofstream out(at(name), std::ios::binary);
      for (const std::string_view part : parts) out << part;
    };
    write("jpeg/a.jpg", {jfif, profile, data});
    write("jpeg/b.JPEG", {jfif, profile, index, data});
    write("jpeg/c.jpg", {jfif, index.substr(0, 7)});
    make("jpeg/d.mpo");
    make("jpeg/e.jpg");
    InputQuery request{{word("jpeg")}};
    std::string counted;
    request.pages = [&](const fs::path& path) {
      counted += path.filename().string() + ' ';
      return 2;
    };
    QCOMPARE(found(request), QStringLiteral("jpeg/a.jpg, jpeg/b.JPEG #1, jpeg/b.JPEG #2, "
                                            "jpeg/c.jpg, jpeg/d.mpo #1, jpeg/d.mpo #2, "
                                            "jpeg/e.jpg"));
    QCOMPARE(counted, std::string("b.JPEG d.mpo "));
  }

  void a_movie_that_cannot_be_counted_fails_by_itself() {
    make("bad/a.png");
    make("bad/clip.mov");
    InputQuery request{{word("bad")}};
    request.movie_frames = [](const fs::path&) -> MovieCount {
      throw FileError(foreign_message("no movie"));
    };
    const FoundInputs all = find_inputs(request);
    QCOMPARE(all.files.size(), std::size_t{2});
    QVERIFY(all.files[0].fault.empty());
    QCOMPARE(in_english(all.files[1].fault), std::string("no movie"));
    QVERIFY(!all.files[1].movie);
  }

  void listed_names_that_are_not_there_fail_by_themselves() {
    InputQuery request;
    request.listed = {word("none.png"), word("clip.mp4"), word("z*.png")};
    make("clip.mp4");
    const FoundInputs all = find_inputs(request);
    QCOMPARE(all.files.size(), std::size_t{3});
    QVERIFY(in_english(all.files[0].fault).find("no such file") != std::string::npos);
    QVERIFY(all.files[1].named && all.files[1].fault.empty());
    QVERIFY(in_english(all.files[2].fault).find("no such file") != std::string::npos);
  }

  // A file may be called like a pattern, and is gone: nobody asked for the others.
  void listed_names_are_no_patterns() {
    InputQuery request;
    request.listed = {word("in/b*.png"), word("seq/shot.####.exr"), word("seq/shot.9-10####.exr"),
                      word("in/A1.jpg")};
    const FoundInputs all = find_inputs(request);
    QCOMPARE(all.files.size(), std::size_t{4});
    for (int i = 0; i < 3; ++i) QVERIFY(!all.files[static_cast<std::size_t>(i)].fault.empty());
    QVERIFY(all.files[3].fault.empty());
  }

  void what_cannot_be_reached_is_an_input_that_fails() {
    make("locked/a.png");
    make("locked/secret/b.png");
    fs::create_symlink("nowhere.png", at("locked/dangling.png"));
    fs::create_symlink("loop.png", at("locked/loop.png"));
    fs::create_symlink("nowhere.txt", at("locked/no_picture.txt"));
    fs::permissions(at("locked/secret"), fs::perms::none);
    for (fs::path above = at("locked"); above != "/tmp"; above = above.parent_path()) {
      fs::permissions(above, fs::perms(0055), fs::perm_options::add);
    }
    constexpr uid_t nobody = 65534;
    const bool root = ::geteuid() == 0;  // whom permissions do not stop
    if (root) QCOMPARE(::seteuid(nobody), 0);
    const FoundInputs all = find_inputs({{word("locked")}, true});
    const std::string locked_itself =
        in_english(find_inputs({{word("locked/secret")}}).files.at(0).fault);
    if (root) QCOMPARE(::seteuid(0), 0);
    fs::permissions(at("locked/secret"), fs::perms::owner_all);
    std::map<std::string, std::string> faults;
    for (const FoundInput& file : all.files)
      faults[file.path.filename().string()] = in_english(file.fault);
    QCOMPARE(faults.size(), std::size_t{4});
    QVERIFY(faults.at("a.png").empty());
    QVERIFY(faults.at("dangling.png").find("leads to no file") != std::string::npos);
    QVERIFY(faults.at("loop.png").find("leads to no file") != std::string::npos);
    QVERIFY(faults.at("secret").find("the folder cannot be read (") != std::string::npos);
    QVERIFY(locked_itself.find("the folder cannot be read (") != std::string::npos);
  }

  void people_count() {
    QVERIFY(natural_less("a2", "a10"));
    QVERIFY(!natural_less("a10", "a2"));
    QVERIFY(natural_less("A1", "b1"));
    QVERIFY(natural_less("a", "a1"));
    QVERIFY(natural_less("a1", "a01") != natural_less("a01", "a1"));
    QVERIFY(!natural_less("a1", "a1"));
  }
};

QTEST_GUILESS_MAIN(TestBatchNames)
#include "test_batch_names.moc"
