// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// One slot for the newest step, one thread that measures it, one canvas.
#include "params/response_plot.hpp"

#include <QAbstractButton>
#include <QButtonGroup>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <atomic>
#include <cmath>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "document/low_priority.hpp"
#include "filters/registry.hpp"
#include "image/parallel_rows.hpp"
#include "params/response_canvas.hpp"

namespace sfumato::gui {
namespace {

constexpr int calm = 60;  // ms without a change before a step is measured
constexpr int kernel_id = 0, magnitude_id = 1;

QString short_number(double value) {
  if (std::abs(value) < 5e-4) value = 0;  // avoids "-0" and rounding residue
  QLocale locale;
  locale.setNumberOptions(QLocale::OmitGroupSeparator);
  return locale.toString(value, 'g', std::abs(value) < 1000 ? 3 : 6);
}

// The period, in px, at a frequency index counted from 0.
QString period_at(double place, const Response& r) {
  const double share = place / static_cast<double>(r.magnitude.size() - 1) / r.pixels;
  const double period = 2 / share;
  return short_number(period < 100 ? period : std::round(period));
}

// The frequency index at which the response first falls below half of its initial value.
double half_of(const std::vector<float>& magnitude) {
  const float half = magnitude.front() / 2;
  const auto below =
      std::find_if(magnitude.begin(), magnitude.end(), [&](float m) { return m < half; });
  const double before = static_cast<double>(*(below - 1)), after = static_cast<double>(*below);
  return static_cast<double>(below - magnitude.begin()) - 1 +
         (before - static_cast<double>(half)) / (before - after);
}

QString words_of_kernel(const Response& r) {
  const QString sum = short_number(r.sum());
  if (r.endless) return ResponsePlot::tr("Sums to %1, without end").arg(sum);
  return ResponsePlot::tr("Sums to %1, %2 px wide").arg(sum).arg((2 * r.reach() + 1) * r.pixels);
}

// Describes the filter: fading fine detail, selecting a size, or anything else.
QString words_of_magnitude(const Response& r) {
  const auto [low, high] = std::minmax_element(r.magnitude.begin(), r.magnitude.end());
  const float first = r.magnitude.front(), last = r.magnitude.back();
  if (first > 0.99f * *high && last < *high / 2) {
    return ResponsePlot::tr("Halves a period of %1 px").arg(period_at(half_of(r.magnitude), r));
  }
  if (first < *high / 2 && last < *high / 2) {
    return ResponsePlot::tr("Strongest at %1 px")
        .arg(period_at(static_cast<double>(high - r.magnitude.begin()), r));
  }
  return ResponsePlot::tr("Passes %1 to %2").arg(short_number(*low), short_number(*high));
}

}  // namespace

// Handles the newest step; a replaced one is cancelled.
class ResponsePlot::Worker {
 public:
  explicit Worker(ResponsePlot& plot) : plot_(plot), thread_([this] { work(); }) {}

  ~Worker() {
    {
      const std::lock_guard lock(mutex_);
      stop_ = true;
    }
    wake_.notify_all();
    thread_.join();
  }

  // Null: nothing is wanted any more.
  void set(std::optional<Step> step) {
    {
      const std::lock_guard lock(mutex_);
      waiting_ = std::move(step);
      ++newest_;
    }
    wake_.notify_all();
  }

 private:
  bool is_newest(int number) const { return !stop_ && number == newest_; }

  void work() {
    lower_priority();
    while (true) {
      Step step;
      int number = 0;
      {
        std::unique_lock lock(mutex_);
        wake_.wait(lock, [this] { return stop_ || waiting_.has_value(); });
        if (stop_) return;
        step = std::move(*waiting_);
        waiting_.reset();
        number = newest_;
      }
      answer(step, number);
    }
  }

  void answer(const Step& step, int number) {
    std::optional<Response> found;
    try {
      found = response_of(step, [this, number] { return is_newest(number); });
    } catch (const Cancelled&) {
      return;
    } catch (const std::exception&) {
      // incompatible values, as the preview reports
    }
    QMetaObject::invokeMethod(
        &plot_,
        [this, number, found = std::move(found)] {
          if (is_newest(number)) plot_.take(found);
        },
        Qt::QueuedConnection);
  }

  ResponsePlot& plot_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::optional<Step> waiting_;
  // Changed under the lock and read without it: the window never waits for a low-priority thread.
  std::atomic<int> newest_ = 0;
  std::atomic<bool> stop_ = false;
  std::thread thread_;
};

ResponsePlot::ResponsePlot(QWidget* parent)
    : QWidget(parent),
      canvas_(new ResponseCanvas(this)),
      words_(new QLabel(this)),
      switch_(new QButtonGroup(this)),
      soon_(new QTimer(this)),
      worker_(std::make_unique<Worker>(*this)) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(4);
  make_header();
  layout->addWidget(canvas_);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  soon_->setSingleShot(true);
  soon_->setInterval(calm);
  connect(soon_, &QTimer::timeout, this, [this] { worker_->set(step_); });
  connect(switch_, &QButtonGroup::idClicked, this, [this](int id) {
    chosen_ = true;
    show_kernel(id == kernel_id);
  });
  clear();
}

ResponsePlot::~ResponsePlot() = default;

void ResponsePlot::make_header() {
  auto* header = new QHBoxLayout;
  header->setSpacing(0);
  header->addStretch(1);
  words_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  const auto add = [&](int id, const QString& text, const QString& help) {
    auto* button = new QToolButton(this);
    button->setText(text);
    button->setToolTip(help);
    button->setCheckable(true);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
    switch_->addButton(button, id);
    header->addWidget(button);
  };
  add(kernel_id, tr("Kernel"), tr("The response to a line one pixel wide"));
  add(magnitude_id, tr("Response"),
      tr("How much of each frequency passes; 1 is the highest, a period of 2 px"));
  auto* lines = static_cast<QVBoxLayout*>(layout());
  lines->addLayout(header);
  lines->addWidget(words_);  // a line of its own, since some languages need its full width
}

void ResponsePlot::show_step(const Step* step) {
  if (step == nullptr) return clear();
  const FilterInfo& info = Registry::get().at(step->filter).filter->info();
  if (info.plot == Plot::none) return clear();
  if (step->filter != step_.filter) {
    take(std::nullopt);
    if (!chosen_) show_kernel(info.plot == Plot::kernel);
  }
  step_ = *step;
  soon_->start();
}

void ResponsePlot::clear() {
  soon_->stop();
  worker_->set(std::nullopt);
  step_ = {};
  response_.reset();
  canvas_->show_response({});
  hide();
}

void ResponsePlot::take(std::optional<Response> response) {
  response_ = std::move(response);
  canvas_->show_response(response_);
  show_words();
  setVisible(response_.has_value());
  Q_EMIT measured();
}

bool ResponsePlot::shows_kernel() const {
  return switch_->checkedId() != magnitude_id;
}

void ResponsePlot::show_kernel(bool kernel) {
  switch_->button(kernel ? kernel_id : magnitude_id)->setChecked(true);
  canvas_->show_kernel(kernel);
  show_words();
}

QString ResponsePlot::description() const {
  if (!response_) return {};
  const QString text =
      shows_kernel() ? words_of_kernel(*response_) : words_of_magnitude(*response_);
  return response_->vertical ? tr("%1, down the columns").arg(text) : text;
}

void ResponsePlot::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  layout()->activate();
  show_words();
}

void ResponsePlot::show_words() {
  const QString text = description();
  words_->setText(words_->fontMetrics().elidedText(text, Qt::ElideRight, words_->width()));
  words_->setToolTip(text);
  canvas_->setToolTip(text);
  canvas_->setAccessibleName(shows_kernel() ? tr("Kernel") : tr("Frequency response"));
  canvas_->setAccessibleDescription(text);
  setAccessibleName(tr("Response of the filter"));
  setAccessibleDescription(text);
}

}  // namespace sfumato::gui
