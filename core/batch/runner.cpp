// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A pool of threads opens, reads and writes; one thread for each device filters. What is nearest to
// its end goes first, so that memory is given back before more is taken.
#include "batch/runner.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <new>
#include <optional>
#include <stdexcept>
#include <thread>
#include <utility>

#include "batch/budget.hpp"
#include "batch/picture_memory.hpp"
#include "device/device.hpp"
#include "engine/memory.hpp"
#include "image/rows.hpp"
#include "io/movie.hpp"
#include "io/target.hpp"

namespace sfumato {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using ItemState = ItemResult::State;

constexpr std::size_t mebibyte = std::size_t{1} << 20;
constexpr std::size_t program = 256 * mebibyte;   // the program, its libraries, its strips
constexpr std::size_t compiler = 192 * mebibyte;  // of a driver, in our process
constexpr std::size_t least_for_pictures = 64 * mebibyte;
constexpr std::size_t usual_tiles = 128 * mebibyte;  // of a session on a CPU device, left to itself

double seconds_since(Clock::time_point begun) {
  return std::chrono::duration<double>(Clock::now() - begun).count();
}

// One item in work.
struct Work {
  const BatchItem* item = nullptr;
  Clock::time_point begun;  // the stage it is in; what it waits in queues does not count
  std::unique_ptr<InputPicture> input;
  std::unique_ptr<OutputPicture> output;  // begun, not committed
  std::size_t bytes = 0;                  // that it needs in all
  std::size_t taken = 0;                  // from the budget
  std::optional<std::size_t> opening;     // what opening it will take, if its head tells
  bool streamed = false;                  // too large to be held
  HeldPicture before, after;
  ItemResult result;
};
using WorkPtr = std::unique_ptr<Work>;

}  // namespace

class BatchRunner::Run {
 public:
  Run(const BatchPlan& plan, const Recipe& recipe, BatchOptions options, Journal* journal,
      BatchListener& listener)
      : plan_(plan),
        recipe_(recipe),
        options_(std::move(options)),
        journal_(journal),
        listener_(listener),
        budget_(0) {
    for (const BatchItem& item : plan_.items) {
      if (item.source.movie) ++frames_left_[item.source.path];
    }
    // What is told by an item of its own.
    for (const BatchItem& item : plan_.items) {
      if (!item.source.fault.empty()) frames_left_.erase(item.source.path);
    }
  }

  BatchSummary run() {
    const auto begun = Clock::now();
    open_devices();
    const int jobs = options_.jobs > 0 ? options_.jobs : usual_jobs();
    {
      std::vector<std::jthread> threads;
      for (const auto& session : sessions_) {
        threads.emplace_back([this, &session] { filter_all(*session); });
      }
      for (int i = 0; i < jobs; ++i) threads.emplace_back([this] { read_and_write(); });
    }
    if (fatal_) std::rethrow_exception(fatal_);
    summary_.cancelled =
        static_cast<std::int64_t>(plan_.items.size()) - summary_.done - summary_.failed;
    summary_.seconds = seconds_since(begun);
    summary_.most_memory = budget_.most();
    return summary_;
  }

  void cancel() {
    cancelled_ = true;
    const std::lock_guard lock(mutex_);
    wake_.notify_all();
  }

  void pause(bool paused) {
    const std::lock_guard lock(mutex_);
    paused_ = paused;
    wake_.notify_all();
  }

 private:
  // A session for each device; one at least, which may end at the scalar reference.
  void open_devices() {
    const std::size_t limit =
        options_.memory_limit != 0 ? options_.memory_limit : usable_memory() / 2;
    SessionOptions options = options_.session;
    if (options.device.empty()) {
      const char* wish = std::getenv("SFUMATO_DEVICE");
      options.device = wish != nullptr ? wish : "auto";
    }
    options.log = [this](const std::string& sentence) { say(sentence); };
    // Where there is little, tiles are small; else sizes, and so pixels, are those of any render.
    // What cannot be tiled takes what a render by itself would, or goes to the next device.
    if (options.memory_limit == 0 && limit < 8 * usual_tiles) {
      options.tile_wish = std::max(limit / 8, 32 * mebibyte);
    }
    const std::string& wish = options.device;
    const int first = options.passed_over;
    const int count = std::max(1, Session(options).device_count() - first);
    for (int i = 0; i < count; ++i) {
      options.passed_over = first + i;
      sessions_.push_back(std::make_unique<Session>(options));
    }
    const std::size_t wish_of_tiles = std::max(options.memory_limit, options.tile_wish);
    const std::size_t tiles = wish_of_tiles != 0 ? wish_of_tiles + wish_of_tiles / 2 : usual_tiles;
    const std::size_t taken = program + compiler + tiles * sessions_.size();
    if (options_.memory_limit != 0 && limit < taken + least_for_pictures) {
      say("a limit of " + std::to_string(limit / mebibyte) +
          " MB of main memory cannot be kept: at least some " +
          std::to_string((taken + least_for_pictures) / mebibyte) + " MB will be taken");
    }
    budget_ = Budget(std::max(limit > taken ? limit - taken : 0, least_for_pictures));
    find_target(wish);
  }

  // A CPU device's, whose memory is ours; the references take it likewise.
  void find_target(const std::string& wish) {
    if (wish == "reference") return;
    try {
      for (const DeviceInfo& info : choose_devices(list_devices(), wish)) {
        const Form form = options_.session.form.value_or(info.natural_form());
        if (info.cpu) target_ = target_of(info, form);
      }
    } catch (const std::invalid_argument& error) {
      throw EngineError(error.what());
    }
  }

  // One more than there are processors: one waits for the disk. Fewer where there is not even
  // memory for a small picture each.
  int usual_jobs() const {
    const std::size_t processors = std::max(1u, std::thread::hardware_concurrency());
    return static_cast<int>(std::min(processors, budget_.limit() / least_for_pictures) + 1);
  }

  bool stopped() const { return cancelled_; }

  void say(const std::string& sentence) {
    const std::lock_guard lock(telling_);
    listener_.said(sentence);
  }
  void enter(const Work& work, ItemStage stage) {
    const std::lock_guard lock(telling_);
    listener_.entered(*work.item, stage);
  }

  // Memory of pictures that are done, for the next ones: fresh pages cost as much as a filter's
  // pass. It counts as taken, and goes when its room is wanted.
  std::vector<char> memory_of(std::size_t bytes) {
    std::vector<char> memory;
    {
      const std::lock_guard lock(mutex_);
      const auto fits = [bytes](const std::vector<char>& spare) {
        return spare.capacity() >= bytes && spare.capacity() / 2 <= bytes;
      };
      const auto found = std::find_if(spare_.begin(), spare_.end(), fits);
      if (found != spare_.end()) {
        memory = std::move(*found);
        spare_.erase(found);
        spare_bytes_ -= memory.capacity();
      }
    }
    memory.resize(bytes);
    return memory;
  }
  void keep_memory(std::vector<char> memory) {
    if (memory.empty()) return;
    const std::lock_guard lock(mutex_);
    spare_bytes_ += memory.capacity();
    spare_.push_back(std::move(memory));
  }
  // Under the lock.
  bool has_room(std::size_t bytes) {
    if (!budget_.fits(bytes)) return false;
    if (!budget_.fits(bytes + spare_bytes_) || bytes + spare_bytes_ > budget_.limit()) {
      spare_.clear();
      spare_bytes_ = 0;
    }
    return true;
  }

  // Nobody will hand anything on any more. Under the lock.
  bool all_begun() const { return stopped() || next_ == plan_.items.size(); }
  bool none_in_work() const {
    return in_work_ == 0 && to_open_.empty() && opened_.empty() && to_filter_.empty() &&
           to_write_.empty();
  }

  // The next thing for a thread of the pool to do; empty at the end.
  std::function<void()> next_task() {
    std::unique_lock lock(mutex_);
    while (true) {
      if (!to_write_.empty()) {
        WorkPtr work = take(to_write_, to_write_.begin());
        return
            [this, work = std::make_shared<WorkPtr>(std::move(work))] { write(std::move(*work)); };
      }
      const bool hungry = to_filter_.size() <= sessions_.size();
      const auto readable = hungry || stopped() ? find_readable() : opened_.end();
      if (readable != opened_.end()) {
        WorkPtr work = take(opened_, readable);
        charge(*work, work->bytes);
        return
            [this, work = std::make_shared<WorkPtr>(std::move(work))] { read(std::move(*work)); };
      }
      const bool begins = !paused_ && opened_.empty() && hungry;
      if (!to_open_.empty() && (stopped() || (begins && may_open(*to_open_.front())))) {
        WorkPtr work = take(to_open_, to_open_.begin());
        charge(*work, expected(*work).value_or(0));
        ++opening_;
        opening_bytes_ += work->taken;
        return
            [this, work = std::make_shared<WorkPtr>(std::move(work))] { open(std::move(*work)); };
      }
      if (!all_begun() && begins && to_open_.empty()) {
        const BatchItem& item = plan_.items[next_++];
        ++in_work_;
        return [this, &item] { look_at(item); };
      }
      if (all_begun() && none_in_work()) {
        wake_.notify_all();
        return {};
      }
      wake_.wait(lock);
    }
  }

  WorkPtr take(std::deque<WorkPtr>& from, std::deque<WorkPtr>::iterator at) {
    WorkPtr work = std::move(*at);
    from.erase(at);
    ++in_work_;
    return work;
  }

  // The following under the lock. So much of the budget is an item's now.
  void charge(Work& work, std::size_t bytes) {
    if (bytes > work.taken) budget_.take(bytes - work.taken);
    if (bytes < work.taken) budget_.give_back(work.taken - bytes);
    work.taken = bytes;
  }

  // What opening this will take; nullopt: nobody knows.
  std::optional<std::size_t> expected(const Work& work) const {
    return work.opening ? work.opening : costs_.expected(kind_of(*work.item), work.item->size);
  }

  // Of what may take any memory, one at a time.
  bool may_open(const Work& work) {
    const auto bytes = expected(work);
    return bytes ? has_room(*bytes) : opening_ == 0;
  }

  // The first that there is room for; or any, where all that is taken waits to be read.
  std::deque<WorkPtr>::iterator find_readable() {
    if (stopped() || opened_.empty()) return opened_.begin();
    const auto found = std::find_if(opened_.begin(), opened_.end(), [this](const WorkPtr& work) {
      return has_room(work->bytes - std::min(work->bytes, work->taken));
    });
    std::size_t waiting = opening_bytes_;
    for (const WorkPtr& work : opened_) waiting += work->taken;
    return found == opened_.end() && waiting >= budget_.used() ? opened_.begin() : found;
  }
  void hand_on(std::deque<WorkPtr>& to, WorkPtr work) {
    work->result.seconds += seconds_since(work->begun);
    const std::lock_guard lock(mutex_);
    to.push_back(std::move(work));
    --in_work_;
    wake_.notify_all();
  }

  void read_and_write() {
    while (const auto task = next_task()) task();
  }

  // Runs one stage of an item; what it throws is the item's end.
  template <typename Stage>
  void guarded(WorkPtr work, Stage&& stage) {
    work->begun = Clock::now();
    try {
      if (stopped()) throw Cancelled();
      stage(work);
    } catch (const Cancelled&) {
      end(std::move(work), ItemState::cancelled, {});
    } catch (const std::bad_alloc&) {
      end(std::move(work), ItemState::failed, "there is not enough memory for this picture");
    } catch (const std::exception& error) {
      end(std::move(work), ItemState::failed, error.what());
    }
  }

  // Frames of one movie are alike.
  static std::string kind_of(const BatchItem& item) {
    return item.source.movie ? item.source.path.string() : item.source.path.extension().string();
  }

  // Before it is opened, as that may take much memory.
  void look_at(const BatchItem& item) {
    auto begun = std::make_unique<Work>();
    begun->item = &item;
    guarded(std::move(begun), [&](WorkPtr& work) {
      if (!item.source.movie) work->opening = opening_bytes(item.source.path);
      hand_on(to_open_, std::move(work));
    });
  }

  void open(WorkPtr looked_at) {
    const BatchItem& item = *looked_at->item;
    bool opening = true;
    const auto settle = [this, &opening, taken = looked_at->taken] {
      if (!std::exchange(opening, false)) return;
      --opening_;
      opening_bytes_ -= taken;
      wake_.notify_all();
    };
    guarded(std::move(looked_at), [&](WorkPtr& work) {
      enter(*work, ItemStage::reading);
      if (journal_ != nullptr) keep([&] { journal_->begin(item, plan_.recipe_hash); });
      if (!item.source.fault.empty()) throw FileError(item.source.fault);
      ReadOptions read = options_.read;
      if (item.source.movie) read.frame = item.source.frame.value_or(1);
      read.movies = movies_;
      work->input = open_picture(item.source.path, read);
      WriteOptions write = options_.write;
      write.overwrite = item.replaces;
      write.input_path = item.source.path;
      write.in_color = write.in_color || makes_colour(recipe_);
      write.durable = write.durable || journal_ != nullptr;
      write.cancelled = [this] { return stopped(); };
      files::make_folder(item.target.parent_path());
      work->output = item.source.movie
                         ? create_picture(item.target, write, output_of_frame(*work->input, write))
                         : create_picture(item.target, write, *work->input);
      if (journal_ != nullptr) {
        const fs::path temporary = files::temporary_in_work(item.target);
        keep([&] { journal_->made(item, plan_.recipe_hash, temporary); });
      }
      for (const std::string& warning : work->input->warnings()) warn(*work, warning);
      for (const std::string& warning : work->output->warnings()) warn(*work, warning);
      const PictureFormat &from = work->input->format(), &to = work->output->format();
      work->result.megapixels = 1e-6 * from.width * from.height;
      const Recipe recipe = with_roles(recipe_, item.roles);
      const std::size_t held = work->input->working_bytes();
      const std::size_t in_work = held + work->output->working_bytes() +
                                  bytes_of_roles(recipe, *work->input, options_.read) +
                                  (target_ ? bytes_in_one_piece(recipe, from, to, *target_) : 0);
      work->bytes = bytes_of(from) + bytes_of(to) + in_work;
      work->streamed = work->bytes > budget_.limit();
      if (work->streamed) work->bytes = std::max(held, budget_.limit());
      const std::lock_guard lock(mutex_);
      if (!work->opening) costs_.learn(kind_of(item), item.size, held);
      charge(*work, held);
      settle();
      work->result.seconds += seconds_since(work->begun);
      opened_.push_back(std::move(work));
      --in_work_;
    });
    const std::lock_guard lock(mutex_);
    settle();
  }

  // A frame has no file's ways to be kept to, but its colours.
  static PictureFormat output_of_frame(const InputPicture& frame, const WriteOptions& write) {
    PictureFormat format = frame.format();
    if (write.bits) format.type = *write.bits;
    if (!is_integer(format.type)) format.coding = Coding::linear();
    return format;
  }

  void read(WorkPtr opened) {
    guarded(std::move(opened), [&](WorkPtr& work) {
      if (!work->streamed) {
        const PictureFormat& format = work->input->format();
        work->before = {format, memory_of(bytes_of(format))};
        constexpr int rows =
            64;  // a source that is read once keeps what was asked for in one piece
        for (int y = 0; y < format.height; y += rows) {
          if (stopped()) throw Cancelled();
          HostView strip = work->before.view();
          strip.region = {0, y, format.width, std::min(format.height, y + rows)};
          work->input->read(
              strip.region,
              work->before.bytes.data() +
                  static_cast<std::size_t>(y) * static_cast<std::size_t>(strip.row_stride),
              strip.row_stride);
        }
      }
      hand_on(to_filter_, std::move(work));
    });
  }

  void filter_all(Session& session) {
    while (true) {
      WorkPtr work;
      {
        std::unique_lock lock(mutex_);
        wake_.wait(lock, [this] { return !to_filter_.empty() || (all_begun() && none_in_work()); });
        if (to_filter_.empty()) {
          wake_.notify_all();
          return;
        }
        work = take(to_filter_, to_filter_.begin());
        wake_.notify_all();  // room for the next to be read
      }
      filter(session, std::move(work));
    }
  }

  void filter(Session& session, WorkPtr read) {
    guarded(std::move(read), [&](WorkPtr& work) {
      enter(*work, ItemStage::filtering);
      RenderOptions options;
      options.dither = options_.write.dither;
      options.roles = role_files(*work->input, options_.read,
                                 [&](const std::string& warning) { warn(*work, warning); });
      options.progress = [&](double part) {
        const std::lock_guard lock(telling_);
        listener_.progressed(*work->item, part);
        return !stopped();
      };
      const Recipe recipe = with_roles(recipe_, work->item->roles);
      RenderReport report;
      if (work->streamed) {
        report = session.render(recipe, *work->input, *work->output, options);
      } else {
        const PictureFormat& format = work->output->format();
        work->after = {format, memory_of(bytes_of(format))};
        MemorySource source = work->before.source();
        MemorySink sink(work->after.format, work->after.view());
        report = session.render(recipe, source, sink, options);
        keep_memory(std::move(work->before.bytes));
        release(*work, bytes_of(work->before.format));
        work->before = {};
      }
      work->result.device = report.device;
      for (const std::string& warning : report.warnings) warn(*work, warning);
      hand_on(to_write_, std::move(work));
    });
  }

  void write(WorkPtr filtered) {
    guarded(std::move(filtered), [&](WorkPtr& work) {
      enter(*work, ItemStage::writing);
      if (!work->streamed) {
        // In bands: what is given up is given up soon.
        constexpr int rows = 256;
        const PictureFormat& format = work->after.format;
        for (int y = 0; y < format.height; y += rows) {
          if (stopped()) throw Cancelled();
          HostView band = work->after.view();
          band.data = band.row(y);
          band.region = {0, y, format.width, std::min(format.height, y + rows)};
          work->output->write(band);
        }
      }
      work->output->commit();
      end(std::move(work), ItemState::done, {});
    });
  }

  static void warn(Work& work, const std::string& warning) {
    auto& warnings = work.result.warnings;
    if (std::find(warnings.begin(), warnings.end(), warning) == warnings.end()) {
      warnings.push_back(warning);
    }
  }

  void release(Work& work, std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    charge(work, work.taken - std::min(bytes, work.taken));
    wake_.notify_all();
  }

  void end(WorkPtr work, ItemState state, const std::string& reason) {
    const BatchItem& item = *work->item;
    ItemResult result = std::move(work->result);
    result.state = state;
    result.reason = reason;
    result.seconds += seconds_since(work->begun);
    const std::size_t bytes = work->taken;
    keep_memory(std::move(work->before.bytes));
    keep_memory(std::move(work->after.bytes));
    work.reset();  // its temporary with it
    if (journal_ != nullptr) {
      keep([&] { journal_->end(item, plan_.recipe_hash, result); });
    }
    tell_damage(item, result);
    {
      const std::lock_guard lock(telling_);
      listener_.ended(item, result);
    }
    const std::lock_guard lock(mutex_);
    if (result.state == ItemState::done) {
      ++summary_.done;
      summary_.megapixels += result.megapixels;
    }
    if (result.state == ItemState::failed) ++summary_.failed;
    budget_.give_back(bytes);
    --in_work_;
    wake_.notify_all();
  }

  // Decoders that complain give pictures all the same, and nobody knows which of them are wrong:
  // the last one is told as failed for all, and like them it is made.
  void tell_damage(const BatchItem& item, ItemResult& result) {
    const auto left = item.source.movie ? frames_left_.find(item.source.path) : frames_left_.end();
    if (left == frames_left_.end() || --left->second > 0 || result.state != ItemState::done) return;
    result.reason = movies_->complaint(item.source.path);
    if (!result.reason.empty()) result.state = ItemState::failed;
  }

  // The journal's failure is the run's.
  template <typename Action>
  void keep(Action&& action) {
    try {
      action();
    } catch (const std::exception&) {
      {
        const std::lock_guard lock(mutex_);
        if (!fatal_) fatal_ = std::current_exception();
      }
      cancel();
    }
  }

  const BatchPlan& plan_;
  const Recipe& recipe_;
  BatchOptions options_;
  Journal* journal_;
  BatchListener& listener_;
  std::vector<std::unique_ptr<Session>> sessions_;
  std::optional<Target> target_;  // of the device whose memory is ours
  const std::shared_ptr<Movies> movies_ = std::make_shared<Movies>();
  std::map<fs::path, std::atomic<std::int64_t>> frames_left_;  // of movies that seem whole

  std::mutex telling_;  // one listener's function at a time
  std::mutex mutex_;    // guards what follows
  std::condition_variable wake_;
  Budget budget_;
  std::vector<std::vector<char>> spare_;
  std::size_t spare_bytes_ = 0;
  std::size_t next_ = 0;  // of the plan's items
  int in_work_ = 0;       // in a stage, in no queue
  std::deque<WorkPtr> to_open_, opened_, to_filter_, to_write_;
  OpeningCosts costs_;
  int opening_ = 0;                // items that are being opened
  std::size_t opening_bytes_ = 0;  // that they have of the budget
  bool paused_ = false;
  std::atomic<bool> cancelled_ = false;
  std::exception_ptr fatal_;
  BatchSummary summary_;
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
