// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Editor of a matrix of weights.
#include "params/matrix_editor.hpp"

#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QScopedValueRollback>
#include <QScrollBar>
#include <QSpinBox>
#include <QTableView>
#include <algorithm>

#include "params/core_text.hpp"
#include "params/error_line.hpp"
#include "params/errors.hpp"
#include "params/matrix_model.hpp"
#include "params/model_text.hpp"
#include "params/text.hpp"

namespace sfumato::gui {
namespace {

constexpr int rows_shown = 7;  // more are scrolled

// Skips even sizes, which have no centre, if only odd ones are allowed.
class SizeBox final : public QSpinBox {
 public:
  SizeBox(bool odd_only, QWidget* parent) : QSpinBox(parent), odd_only_(odd_only) {
    setSingleStep(odd_only ? 2 : 1);
    setKeyboardTracking(false);
    guard_wheel(this);
  }

 protected:
  QValidator::State validate(QString& text, int& position) const override {
    const QValidator::State state = QSpinBox::validate(text, position);
    const bool even = locale().toInt(text) % 2 == 0;
    return state == QValidator::Acceptable && odd_only_ && even ? QValidator::Intermediate : state;
  }
  // An even size becomes the next odd one.
  void fixup(QString& text) const override {
    text = locale().toString(std::clamp(locale().toInt(text) | 1, minimum(), maximum()));
  }

 private:
  bool odd_only_;
};

}  // namespace

MatrixEditor::MatrixEditor(const Parameter& parameter, QWidget* parent)
    : ParameterEditor(parameter, parent),
      model_(new MatrixModel(parameter, this)),
      table_(new QTableView(this)),
      text_(new ErrorLine(this)) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(6);
  set_up_table();
  set_up_line();
  setFocusProxy(table_);  // the first; Tab reaches the others after it
  set_value(parameter.default_value);
}

QSpinBox* MatrixEditor::size_box(int largest, const QString& part) {
  auto* box = new SizeBox(parameter().odd_only, this);
  box->setRange(1, parameter().odd_only ? (largest - 1) | 1 : largest);
  describe(box, part);
  box->setVisible(largest > 1);
  connect(box, &QSpinBox::valueChanged, this, &MatrixEditor::resize_matrix);
  return box;
}

// The whole matrix as text, and the sizes beside it.
void MatrixEditor::set_up_line() {
  const Parameter& p = parameter();
  auto* line = new QHBoxLayout;
  line->setSpacing(6);
  line->addWidget(text_->line(), 1);
  rows_ = size_box(p.max_rows, tr("rows"));
  times_ = new QLabel(tr("×"), this);
  columns_ = size_box(p.max_columns, tr("columns"));
  rows_->setToolTip(tr("Rows"));
  columns_->setToolTip(tr("Columns"));
  times_->setVisible(p.max_rows > 1 && p.max_columns > 1);
  line->addWidget(rows_);
  line->addWidget(times_);
  line->addWidget(columns_);
  static_cast<QVBoxLayout*>(layout())->addLayout(line);
  set_up_text();
}

void MatrixEditor::set_up_table() {
  describe(table_, tr("weights"));
  table_->setModel(model_);
  table_->horizontalHeader()->hide();
  table_->verticalHeader()->hide();
  table_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  table_->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  table_->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::AnyKeyPressed |
                          QAbstractItemView::EditKeyPressed | QAbstractItemView::SelectedClicked);
  table_->setTabKeyNavigation(false);  // Tab leaves the table; arrow keys move within it
  table_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  table_->setMinimumWidth(80);
  layout()->addWidget(table_);
  connect(model_, &MatrixModel::edited, this, [this] {
    show_text();
    change(model_->matrix(), true);
  });
}

void MatrixEditor::set_up_text() {
  describe(text_->line(), tr("as text"));
  text_->line()->setToolTip(tr("Weights separated by spaces, rows by semicolons"));
  layout()->addWidget(text_);
  connect(text_->line(), &QLineEdit::textEdited, this, &MatrixEditor::take_text);
  connect(text_->line(), &QLineEdit::editingFinished, this, [this] {
    finish();
    if (!text_->has_error()) show_text();
  });
}

void MatrixEditor::resize_matrix() {
  if (showing()) return;
  model_->set_matrix(resized(model_->matrix(), rows_->value(), columns_->value()));
  fit_table();
  show_text();
  change(model_->matrix(), true);
}

void MatrixEditor::take_text(const QString& text) {
  try {
    Value matrix = parse(parameter(), text.toStdString());
    check(parameter(), matrix);
    text_->clear_error();
    model_->set_matrix(std::get<Matrix>(matrix));
    change(std::move(matrix), false);
    show_sizes();
    fit_table();
  } catch (const ParameterError& error) {
    text_->set_error(core_text(error.message()));
  }
}

void MatrixEditor::show_value() {
  model_->set_matrix(std::get<Matrix>(value()));
  show_sizes();
  show_text();
  fit_table();
}

void MatrixEditor::show_sizes() {
  for (QSpinBox* box : {rows_, columns_}) {
    const QSignalBlocker quiet(box);
    box->setValue(box == rows_ ? model_->matrix().rows : model_->matrix().columns);
  }
}

void MatrixEditor::show_text() {
  text_->clear_error();
  text_->line()->setText(QString::fromStdString(print(parameter(), model_->matrix())));
  text_->line()->setCursorPosition(0);
}

// Cells share the width if they stay wide enough; otherwise they are scrolled.
void MatrixEditor::fit_table() {
  const int rows = model_->rowCount(), columns = model_->columnCount();
  const int frame = 2 * table_->frameWidth();
  const int least = fontMetrics().horizontalAdvance(QStringLiteral("-0.000")) + 10;
  const int high = fontMetrics().height() + 10;
  const int bar = table_->style()->pixelMetric(QStyle::PM_ScrollBarExtent);
  const bool scrolls_down = rows > rows_shown;
  const int room = std::max(width() - frame - (scrolls_down ? bar : 0), least);
  const int cell = std::max(least, room / columns);
  table_->horizontalHeader()->setMinimumSectionSize(1);
  table_->horizontalHeader()->setDefaultSectionSize(cell);
  table_->verticalHeader()->setMinimumSectionSize(1);
  table_->verticalHeader()->setDefaultSectionSize(high);
  const bool scrolls_right = cell * columns > room;
  // The last column takes the remainder of the division.
  if (!scrolls_right) table_->setColumnWidth(columns - 1, room - cell * (columns - 1));
  // With automatic policies, each bar could make the other one necessary.
  table_->setHorizontalScrollBarPolicy(scrolls_right ? Qt::ScrollBarAlwaysOn
                                                     : Qt::ScrollBarAlwaysOff);
  table_->setVerticalScrollBarPolicy(scrolls_down ? Qt::ScrollBarAlwaysOn : Qt::ScrollBarAlwaysOff);
  table_->setFixedHeight(std::min(rows, rows_shown) * high + frame + (scrolls_right ? bar : 0));
}

void MatrixEditor::resizeEvent(QResizeEvent* event) {
  ParameterEditor::resizeEvent(event);
  fit_table();
}

void MatrixEditor::changeEvent(QEvent* event) {
  ParameterEditor::changeEvent(event);
  if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) fit_table();
}

}  // namespace sfumato::gui
