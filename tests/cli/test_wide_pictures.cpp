// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Very wide pictures of many channels under sfumato batch --limit.
#include <sys/resource.h>

#include <QRegularExpression>
#include <QtEndian>

#include "batch_program.hpp"
#include "support/blank_pictures.hpp"
#include "support/skips.hpp"

class TestWidePictures : public BatchTest {
  Q_OBJECT

  static constexpr int megabyte = 1 << 20;

  // The peak memory of the largest of the programs run so far, in bytes.
  static qint64 peak() {
    rusage usage{};
    ::getrusage(RUSAGE_CHILDREN, &usage);
    return qint64{usage.ru_maxrss} * 1024;
  }

  template <typename Number>
  static QByteArray bytes(Number number) {
    QByteArray out(sizeof number, '\0');
    qToLittleEndian(number, out.data());
    return out;
  }
  static QByteArray attribute(const char* name, const char* type, const QByteArray& value) {
    return QByteArray(name) + '\0' + type + '\0' + bytes(qint32(value.size())) + value;
  }

  // A black OpenEXR file of halves that is not packed. Its pixels take no room on the disk.
  void write_exr(const QString& name, qint32 width, qint32 height, int channels) const {
    QStringList names{"B", "G", "R"};
    for (int i = 3; i < channels; ++i) names << QString("x%1").arg(i, 3, 10, QLatin1Char('0'));
    QByteArray list;
    for (const QString& channel : names) {
      list += channel.toLatin1() + '\0' + bytes(qint32{1}) + QByteArray(4, '\0') +
              bytes(qint32{1}) + bytes(qint32{1});
    }
    const QByteArray window =
        bytes(qint32{0}) + bytes(qint32{0}) + bytes(width - 1) + bytes(height - 1);
    const QByteArray one = QByteArray::fromHex("0000803f"), zero(4, '\0');
    const QByteArray head =
        QByteArray::fromHex("762f310102000000") + attribute("channels", "chlist", list + '\0') +
        attribute("compression", "compression", QByteArray(1, '\0')) +
        attribute("dataWindow", "box2i", window) + attribute("displayWindow", "box2i", window) +
        attribute("lineOrder", "lineOrder", QByteArray(1, '\0')) +
        attribute("pixelAspectRatio", "float", one) +
        attribute("screenWindowCenter", "v2f", zero + zero) +
        attribute("screenWindowWidth", "float", one) + '\0';
    const qint64 row = qint64{2} * width * channels, first = head.size() + qint64{8} * height;
    QFile file(path(name));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(head);
    for (qint32 y = 0; y < height; ++y) file.write(bytes(quint64(first + y * (row + 8))));
    for (qint32 y = 0; y < height; ++y) {
      QVERIFY(file.seek(first + y * (row + 8)));
      file.write(bytes(y) + bytes(qint32(row)));
    }
    QVERIFY(file.resize(first + height * (row + 8)));
  }

  QStringList limited(int limit, const QStringList& more) const {
    return QStringList{"batch", "gaussian", "--sigma", "2",       "--device",
                       "cpu",   "-o",       "out",     "--limit", QString::number(limit)} +
           more;
  }

  // Without reading them: what this process holds counts as memory of those that it starts.
  QStringList made() const {
    QStringList names = QDir(path("out")).entryList(QDir::Files | QDir::Hidden);
    names.removeOne("sfumato-batch.jsonl");
    return names;
  }

 private Q_SLOTS:
  void init() {
    for (const char* folder : {"in", "out"}) QDir(path(folder)).removeRecursively();
    make_folder("in");
  }

  void the_limit_is_kept_data() {
    QTest::addColumn<int>("width");
    QTest::addColumn<int>("height");
    QTest::addColumn<int>("channels");
    QTest::addColumn<QString>("extension");
    QTest::newRow("all channels are kept") << 60000 << 300 << 24 << "exr";
    QTest::newRow("three channels are kept") << 100000 << 200 << 12 << "tif";
    QTest::newRow("more than there may be") << 200000 << 500 << 48 << "exr";
  }
  void the_limit_is_kept() {
    QFETCH(const int, width);
    QFETCH(const int, height);
    QFETCH(const int, channels);
    QFETCH(const QString, extension);
    if (is_sanitized) QSKIP("the address sanitizer keeps what is freed");
    write_exr("in/wide.exr", width, height, channels);
    const Run r = run(limited(700, {"in", "--name", "wide." + extension, "-q"}));
    qInfo("peak %lld MB", static_cast<long long>(peak() / megabyte));
    QVERIFY2(peak() <= qint64{700} * megabyte, qPrintable(QString::number(peak() / megabyte)));
    const bool refused = r.status == 1 && r.err.contains("do not fit into the limit of 700 MB");
    QVERIFY2(r.status == 0 || refused, qPrintable(r.err));
    QCOMPARE(refused, width == 200000);
    QCOMPARE(made(), refused ? QStringList() : QStringList("wide." + extension));
  }

  // The sentence names a limit that is enough.
  void the_limit_that_is_named_suffices() {
    write_exr("in/wide.exr", 200000, 100, 12);
    const Run low = run(limited(620, {"in", "-q"}));
    QCOMPARE(low.status, 1);
    const auto named = QRegularExpression("need about (\\d+) MB").match(low.err);
    QVERIFY2(named.hasMatch(), qPrintable(low.err));
    const Run enough = run(limited(named.captured(1).toInt(), {"in", "-q", "--resume"}));
    QVERIFY2(enough.status == 0, qPrintable(enough.err));
  }

  // One that is decoded as a whole is refused before, whatever decoders take elsewhere.
  void the_limit_holds_for_decoders() {
    if (is_sanitized) QSKIP("the address sanitizer keeps what is freed");
    QFile file(path("in/whole.j2k"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray::fromStdString(sfumato::testing::blank_codestream(4000, 3000, 3)));
    file.close();
    const QStringList more{"in", "--name", "whole.tif", "-q"};
    const Run low = run(limited(700, more));
    QCOMPARE(low.status, 1);
    QVERIFY2(low.err.contains("which can only be decoded as a whole, do not fit into the limit of "
                              "700 MB"),
             qPrintable(low.err));
    QCOMPARE(made(), QStringList());
    const auto named = QRegularExpression("need about (\\d+) MB").match(low.err);
    const Run enough = run(limited(named.captured(1).toInt(), more + QStringList{"--resume"}));
    QVERIFY2(enough.status == 0, qPrintable(enough.err));
  }

  // Beside others, it is the only one that fails.
  void others_are_made() {
    write_exr("in/wide.exr", 200000, 100, 48);
    write_ppm("in/a.ppm", 60, 40);
    const Run r = run(limited(700, {"in", "-q"}));
    QCOMPARE(r.status, 1);
    QVERIFY2(r.err.contains("1 done, 1 failed"), qPrintable(r.err));
    QCOMPARE(made(), QStringList("a_gaussian.ppm"));
  }
};

QTEST_GUILESS_MAIN(TestWidePictures)
#include "test_wide_pictures.moc"
