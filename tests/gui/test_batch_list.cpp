// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The list of a batch with thousands of rows.
#include <QAbstractItemModel>
#include <QListView>
#include <QModelIndex>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <filesystem>

#include "batch/batch_delegate.hpp"
#include "batch/batch_model.hpp"
#include "document/paths.hpp"

using namespace sfumato;
using namespace sfumato::gui;

namespace {

// Counts the thumbnails that a view requests.
class CountingModel : public BatchModel {
 public:
  mutable int asked = 0;
  QVariant data(const QModelIndex& index, int role) const override {
    if (role == Qt::DecorationRole) ++asked;
    return BatchModel::data(index, role);
  }
};

}  // namespace

class TestBatchList : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void thousands_of_files_cost_what_is_seen_of_them() {
    constexpr int count = 5000;
    const QTemporaryDir temporary;
    const std::filesystem::path folder = native_path(temporary.path());
    CountingModel model;
    std::vector<FoundInput> files;
    for (int i = 0; i < count; ++i) files.push_back({folder / (std::to_string(i) + ".ppm"), {}});
    QCOMPARE(model.add(files), count);
    QListView list;
    list.setModel(&model);
    list.setItemDelegate(new BatchDelegate(&list));
    list.setUniformItemSizes(true);
    list.resize(500, 600);
    list.show();
    QVERIFY(QTest::qWaitForWindowExposed(&list));
    QTest::qWait(0);
    const int seen = 2 + list.viewport()->height() / list.sizeHintForRow(0);
    const auto painted = [&] {
      model.asked = 0;
      list.viewport()->repaint();
      return model.asked;
    };
    QVERIFY2(painted() <= seen, qPrintable(QString::number(model.asked)));
    // Changes of all files at once cause one signal, and repaint only the visible part.
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    std::vector<FileChange> changes;
    for (int i = 0; i < count; ++i) changes.push_back({i, FileState::filtering, 0.5, {}, {}});
    model.asked = 0;
    model.apply(changes);
    QCOMPARE(changed.size(), 1);
    QVERIFY(model.asked == 0);
    QVERIFY(painted() <= seen);
    list.scrollToBottom();
    QVERIFY(painted() <= seen);
    model.remove({0, 1, count - 1});
    QCOMPARE(model.rowCount(), count - 3);
    QCOMPARE(model.path(0), shown_path(folder / "2.ppm"));
  }
};

QTEST_MAIN(TestBatchList)
#include "test_batch_list.moc"
