// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Steps dragged by mouse to other positions in the stack, through real drag and drop.
#include <QApplication>
#include <QCoreApplication>
#include <QListWidget>
#include <QTest>
#include <QTimer>
#include <functional>

#include "app/stack_view.hpp"
#include "document/document.hpp"

using namespace sfumato;
using namespace sfumato::gui;

namespace {

struct Stack {
  Document document;
  StackView view{document};
  QListWidget* list = view.findChild<QListWidget*>();

  Stack() {
    for (const char* filter : {"gaussian", "median", "grayscale"}) document.add_step(filter);
    view.resize(260, 240);
    view.show();
  }

  QString order() const {
    QStringList names;
    for (const Step& step : document.recipe().steps) names << QString::fromStdString(step.filter);
    return names.join(QLatin1Char(' '));
  }
  QRect row(int i) const { return list->visualItemRect(list->item(i)); }
  // Just above the lower edge of a row, and just below the upper one.
  QPoint below(int i) const { return {40, row(i).bottom() - 1}; }
  QPoint above(int i) const { return {40, row(i).top() + 1}; }

  // Presses, moves and releases. A drag has its own event loop, which runs when the later moves
  // arrive.
  void drag(int from, const QPoint& to) {
    QWindow* window = view.windowHandle();
    const QPoint start = list->viewport()->mapTo(&view, row(from).center()),
                 end = list->viewport()->mapTo(&view, to);
    constexpr int moves = 4;
    bool done = false;
    std::function<void(int)> go_on = [&](int move) {
      QTimer::singleShot(0, &view, [&, move] {
        if (move <= moves) {
          go_on(move + 1);
          QTest::mouseMove(window, start + (end - start) * move / moves);
        } else {
          QTest::mouseRelease(window, Qt::LeftButton, {}, end);
          done = true;
        }
      });
    };
    QTest::mousePress(window, Qt::LeftButton, {}, start);
    go_on(1);
    QTRY_VERIFY_WITH_TIMEOUT(done, 180000);
  }
};

}  // namespace

class TestStackDrag : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void a_step_is_dragged_down_and_up() {
    Stack stack;
    stack.document.set_enabled(0, false);
    const int undo = stack.document.undo_stack().count();
    stack.drag(0, stack.below(2));
    QTRY_COMPARE_WITH_TIMEOUT(stack.order(), QStringLiteral("median grayscale gaussian"), 180000);
    QCOMPARE(stack.document.undo_stack().count(), undo + 1);
    QCOMPARE(stack.document.current(), 2);
    QVERIFY(!stack.document.recipe().steps[2].enabled);
    QCOMPARE(stack.list->count(), 3);
    QCOMPARE(stack.list->item(2)->checkState(), Qt::Unchecked);
    QCOMPARE(stack.list->currentRow(), 2);
    stack.drag(2, stack.above(1));
    QTRY_COMPARE_WITH_TIMEOUT(stack.order(), QStringLiteral("median gaussian grayscale"), 180000);
    QCOMPARE(stack.document.current(), 1);
    stack.drag(1, stack.above(0));
    QTRY_COMPARE_WITH_TIMEOUT(stack.order(), QStringLiteral("gaussian median grayscale"), 180000);
    stack.document.undo_stack().undo();
    QCOMPARE(stack.order(), QStringLiteral("median gaussian grayscale"));
    QCOMPARE(stack.list->item(1)->checkState(), Qt::Unchecked);
  }

  void a_step_dropped_where_it_was_changes_nothing() {
    Stack stack;
    const int undo = stack.document.undo_stack().count();
    stack.drag(1, stack.below(1));
    stack.drag(1, stack.above(1));
    QCoreApplication::processEvents();
    QCOMPARE(stack.order(), QStringLiteral("gaussian median grayscale"));
    QCOMPARE(stack.list->count(), 3);
    QCOMPARE(stack.document.undo_stack().count(), undo);
  }
};

// The platform "offscreen" ends every drag at once.
int main(int argc, char** argv) {
  qputenv("QT_QPA_PLATFORM", "minimal");
  QApplication app(argc, argv);
  TestStackDrag test;
  return QTest::qExec(&test, argc, argv);
}

#include "test_stack_drag.moc"
