// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A pool of threads opens, reads and writes; one thread for each device filters.
#include "batch/runner.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <new>
#include <thread>
#include <utility>

#include "batch/devices.hpp"
#include "batch/run_report.hpp"
#include "batch/stages.hpp"
#include "batch/work_queue.hpp"
#include "image/processors.hpp"

namespace sfumato {

class BatchRunner::Run {
 public:
  Run(const BatchPlan& plan, const Recipe& recipe, BatchOptions options, Journal* journal,
      BatchListener& listener)
      : options_(std::move(options)),
        queue_(plan),
        report_(plan, journal, listener, [this] { queue_.cancel(); }),
        stages_(recipe, options_, devices_.cpu, queue_, report_) {
    options_.session.log = [this](const Message& sentence) { report_.say(sentence); };
  }

  BatchSummary run() {
    const auto start = std::chrono::steady_clock::now();
    devices_ = open_devices(options_);
    queue_.set_budget(devices_.for_pictures, devices_.renderers.size());
    const int jobs = options_.jobs > 0 ? options_.jobs : usual_jobs();
    {
      std::vector<std::jthread> threads;
      for (const auto& renderer : devices_.renderers) {
        threads.emplace_back([this, &renderer] { filter_all(*renderer); });
      }
      for (int i = 0; i < jobs; ++i) threads.emplace_back([this] { read_and_write(); });
    }
    BatchSummary summary = report_.finish();
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    summary.seconds = taken.count();
    summary.most_memory = queue_.most_memory();
    return summary;
  }

  void cancel() { queue_.cancel(); }
  void pause(bool paused) { queue_.pause(paused); }

 private:
  // One more than there are processors, as one waits for the disk; fewer if there is not enough
  // memory for a small picture each.
  int usual_jobs() const {
    const std::size_t processors = compute_threads();
    return static_cast<int>(std::min(processors, devices_.threads_that_fit) + 1);
  }

  void read_and_write() {
    while (auto task = queue_.next_task()) {
      guarded(std::move(task->work), [&](WorkPtr& work) { run_stage(task->stage, work); });
    }
  }

  void run_stage(WorkQueue::Stage stage, WorkPtr& work) {
    switch (stage) {
      case WorkQueue::Stage::probe:
        stages_.probe(*work);
        return queue_.queue_for_opening(std::move(work));
      case WorkQueue::Stage::open: {
        const std::size_t held = stages_.open(*work);
        return queue_.queue_for_reading(std::move(work), held);
      }
      case WorkQueue::Stage::read:
        stages_.read(*work);
        return queue_.hand_to_filter(std::move(work));
      case WorkQueue::Stage::write:
        stages_.write(*work);
        return end(std::move(work), ItemResult::State::done, {});
    }
  }

  void filter_all(Renderer& renderer) {
    while (WorkPtr next = queue_.next_to_filter()) {
      guarded(std::move(next), [&](WorkPtr& work) {
        stages_.filter(renderer, *work);
        queue_.queue_for_writing(std::move(work));
      });
    }
  }

  // Runs one stage of an item; an exception ends the item.
  template <typename Stage>
  void guarded(WorkPtr work, Stage&& stage) {
    work->stage_start = Work::Clock::now();
    try {
      if (queue_.cancelled()) throw Cancelled();
      stage(work);
    } catch (const Cancelled&) {
      end(std::move(work), ItemResult::State::cancelled, {});
    } catch (const std::bad_alloc&) {
      end(std::move(work), ItemResult::State::failed,
          message({"batch.no_memory", "there is not enough memory for this picture"}));
    } catch (const std::exception& error) {
      end(std::move(work), ItemResult::State::failed, message_in(error));
    }
  }

  void end(WorkPtr work, ItemResult::State state, const Message& reason) {
    work->count_time();
    const BatchItem& item = *work->item;
    ItemResult result = std::move(work->result);
    result.state = state;
    result.reason = reason;
    const Work::Share share = work->share;
    if (work->render) {
      queue_.keep_memory(work->render->take_input_memory());
      queue_.keep_memory(work->render->take_output_memory());
    }
    work.reset();  // also removes its temporary
    report_.end(item, std::move(result), stages_.movies());
    queue_.ended(share);
  }

  BatchOptions options_;
  BatchDevices devices_;
  WorkQueue queue_;
  RunReport report_;
  Stages stages_;
};

BatchRunner::BatchRunner(const BatchPlan& plan, const Recipe& recipe, BatchOptions options,
                         Journal* journal, BatchListener& listener)
    : run_(std::make_unique<Run>(plan, recipe, std::move(options), journal, listener)) {}

BatchRunner::~BatchRunner() = default;

BatchSummary BatchRunner::run() {
  return run_->run();
}

void BatchRunner::cancel() {
  run_->cancel();
}

void BatchRunner::pause(bool paused) {
  run_->pause(paused);
}

}  // namespace sfumato
