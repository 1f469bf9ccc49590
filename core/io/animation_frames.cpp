// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "io/animation_frames.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <type_traits>

#include "io/file_origin.hpp"
#include "io/module.hpp"

namespace sfumato {
namespace {

namespace fs = std::filesystem;

// Readers that are kept, and frames that were passed on the way to another and may be requested
// next.
constexpr std::size_t most_open = 4, most_kept = 16, most_kept_bytes = std::size_t{32} << 20;

}  // namespace

// One file, its reader, and frames that were passed.
class AnimationFile {
 public:
  AnimationFile(std::unique_ptr<InputPicture> reader, int page, Animations::Open open)
      : format_(reader->format()),
        info_(reader->info()),
        open_(std::move(open)),
        reader_(std::move(reader)),
        at_(page) {}

  const PictureFormat& format() const { return format_; }
  const PictureInfo& info() const { return info_; }

  std::vector<char> frame(int number) {
    const std::lock_guard lock(mutex_);
    if (auto found = kept_.extract(number)) return std::move(found.mapped());
    return guarded([&] {
      const int first = number - static_cast<int>(kept_frames());
      if (!reader_ || number < at_ || (number == at_ && is_read_)) go_to(number);
      if (at_ < first) go_to(first);
      while (at_ < number) {
        if (!is_read_) keep(read());
        go_to(at_ + 1);
      }
      return read();
    });
  }

  // What `request` makes of the reader's file, at any frame.
  template <typename Request>
  std::invoke_result_t<Request, FileOrigin&> ask(int number, Request request) {
    const std::lock_guard lock(mutex_);
    return guarded([&] {
      if (!reader_) go_to(number);
      return request(*reader_->origin());
    });
  }

 private:
  // A reader that failed, or was stopped in the middle of an answer, is not used again.
  template <typename Act>
  std::invoke_result_t<Act> guarded(Act act) try {
    return act();
  } catch (...) {
    reader_.reset();
    throw;
  }

  std::size_t kept_frames() const {
    return std::clamp<std::size_t>(most_kept_bytes / std::max<std::size_t>(1, format_.bytes()), 1,
                                   most_kept);
  }

  void go_to(int number) {
    if (auto* frames = dynamic_cast<FrameReader*>(reader_.get())) {
      frames->turn_to(number);
    } else {
      reader_ = open_(number);
      if (reader_->format() != format_) throw file_changed(info_.path);
    }
    at_ = number;
    is_read_ = false;
  }

  std::vector<char> read() {
    std::vector<char> pixels(format_.bytes());
    reader_->read(format_.rect(), pixels.data(), static_cast<std::ptrdiff_t>(format_.row_bytes()));
    is_read_ = true;
    return pixels;
  }

  void keep(std::vector<char> pixels) {
    kept_[at_] = std::move(pixels);
    if (kept_.size() > kept_frames()) kept_.erase(kept_.begin());
  }

  const PictureFormat format_;
  const PictureInfo info_;
  const Animations::Open open_;
  std::mutex mutex_;
  std::unique_ptr<InputPicture> reader_;
  int at_;  // its frame
  bool is_read_ = false;
  std::map<int, std::vector<char>> kept_;
};

namespace {

class AnimationFrame final : public InputPicture, public FileOrigin {
 public:
  AnimationFrame(std::shared_ptr<AnimationFile> file, int number)
      : file_(std::move(file)), number_(number) {
    format_ = file_->format();
    info_ = file_->info();
    info_.working_bytes += format_.bytes();
  }

  void read_rows(const Rect& region, void* to, std::ptrdiff_t row_stride) override {
    if (pixels_.empty()) pixels_ = file_->frame(number_);
    const HostView held{pixels_.data(), static_cast<std::ptrdiff_t>(format_.row_bytes()),
                        format_.rect()};
    MemorySource(format_, held).read(region, to, row_stride);
  }

  FileOrigin* origin() override { return this; }
  const std::string& description() override {
    if (!description_) {
      description_ = ask([](FileOrigin& file) { return file.description(); });
    }
    return *description_;
  }
  PageCopy begin_page(int number, const PagePlace& to) override {
    return ask([&](FileOrigin& file) { return file.begin_page(number, to); });
  }
  PagePiece next_of_page() override {
    return ask([](FileOrigin& file) { return file.next_of_page(); });
  }
  void read_native(int part, int y0, int y1, void* to, std::size_t bytes) override {
    ask([&](FileOrigin& file) { file.read_native(part, y0, y1, to, bytes); });
  }
  std::vector<unsigned char> profile_with(const ProfileCurve& curve) override {
    return ask([&](FileOrigin& file) { return file.profile_with(curve); });
  }
  bool can_convert_colors() override {
    return ask([](FileOrigin& file) { return file.can_convert_colors(); });
  }
  void convert_colors(float* pixels, std::size_t count) override {
    ask([&](FileOrigin& file) { file.convert_colors(pixels, count); });
  }

 private:
  template <typename Request>
  std::invoke_result_t<Request, FileOrigin&> ask(Request request) {
    return file_->ask(number_, request);
  }

  std::shared_ptr<AnimationFile> file_;
  int number_;
  std::vector<char> pixels_;  // from the first read() on
  std::optional<std::string> description_;
};

}  // namespace

Animations::Animations() = default;
Animations::~Animations() = default;

std::shared_ptr<AnimationFile> Animations::find(const fs::path& path, const FileVersion& version) {
  const auto found = std::find_if(known_.begin(), known_.end(), [&](const Known& one) {
    return one.path == path && one.version == version;
  });
  if (found == known_.end()) return nullptr;
  std::rotate(found, found + 1, known_.end());
  return known_.back().file;
}

std::unique_ptr<InputPicture> Animations::open(const fs::path& path, int page, const Open& open) {
  const auto version = version_of(path);
  std::shared_ptr<AnimationFile> file;
  if (version) {
    const std::lock_guard lock(mutex_);
    file = find(path, *version);
  }
  const auto has_page = [page](const PictureInfo& info) {
    return page >= 1 && static_cast<std::size_t>(page) <= info.frame_times.size();
  };
  if (file && has_page(file->info())) return std::make_unique<AnimationFrame>(file, page);
  std::unique_ptr<InputPicture> picture = open(page);
  const bool shared = version && version_of(path) == version && has_page(picture->info()) &&
                      dynamic_cast<FrameReader*>(picture.get()) != nullptr;
  if (!shared) return picture;
  const std::lock_guard lock(mutex_);
  file = find(path, *version);  // another thread's, by now
  if (!file) {
    file = std::make_shared<AnimationFile>(std::move(picture), page, open);
    if (known_.size() >= most_open) known_.erase(known_.begin());
    known_.push_back({path, *version, file});
  }
  return std::make_unique<AnimationFrame>(file, page);
}

}  // namespace sfumato
