// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A picture whose rows come out of another process's memory.
#include "io/decoder/contained_picture.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <new>

#include "device/descriptor.hpp"
#include "device/free_descriptors.hpp"
#include "io/decoder/decoder_process.hpp"
#include "io/decoder/picture_text.hpp"
#include "io/decoder/process_memory.hpp"
#include "io/file_origin.hpp"
#include "io/module.hpp"
#include "io/room.hpp"
#include "text/system_reason.hpp"

namespace sfumato::decoder {
namespace {

namespace fs = std::filesystem;

// How often libraries and our own readers have a file open at a time, at most; most formats need
// far fewer, so that a decoder goes on with some where there are no more.
constexpr std::size_t openings = 48, some_openings = 12;

// Not in every container.
bool has_proc() {
  return ::access("/proc/self/fd", X_OK) == 0;
}

std::vector<Descriptor> descriptors_of(const fs::path& path) {
  std::vector<Descriptor> out;
  // All of one file, even if another takes its place meanwhile.
  std::string again = path.string();
  while (out.size() < openings) {
    // O_NONBLOCK: a pipe would wait for its other end.
    Descriptor one(::open(again.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    if (!one && errno == EMFILE && out.size() >= some_openings) break;
    if (!one && errno == EMFILE) {
      throw FileError(
          message({"file.too_many_open",
                   "{file}: the file cannot be opened ({reason}); close some others, or "
                   "raise the limit that is set here (ulimit -n)"},
                  files::shown(path), system_reason(EMFILE)));
    }
    if (!one) {
      throw FileError(message({"file.not_opened", "{file}: the file cannot be opened ({reason})"},
                              files::shown(path), system_reason(errno)));
    }
    out.push_back(std::move(one));
    if (out.size() == 1 && has_proc()) {
      again = "/proc/self/fd/" + std::to_string(out.front().get());
    }
  }
  return out;
}

// What decoders that hold the picture as a whole may take beside what all take: OpenImageIO reads
// 256 rows at once, with all channels of the file.
std::size_t bytes_for(const Opened& opened) {
  constexpr std::size_t all = std::size_t{512} << 20, by_pixel = 32;
  constexpr std::size_t rows = 256, most_for_rows = std::size_t{8} << 30;
  const std::size_t row = 4 * static_cast<std::size_t>(opened.format.width) *
                          std::max<std::size_t>(opened.info.all_channels.size(),
                                                static_cast<std::size_t>(opened.format.channels));
  const std::size_t pixels = static_cast<std::size_t>(opened.format.width) *
                             static_cast<std::size_t>(opened.format.height);
  const std::size_t chunk = opened.format.row_bytes() * static_cast<std::size_t>(opened.chunk_rows);
  return all + std::min(rows * row, most_for_rows) + 8 * chunk +
         2 * std::min(opened.info.working_bytes, by_pixel * pixels);
}

// What even small pictures take of a decoder's address space, whatever is free.
constexpr std::size_t least_room = std::size_t{512} << 20;

// Far more than any decoder needs on a slow machine. Pixels that take no bytes of the file are
// plain, and decoded at once.
std::chrono::milliseconds time_for(const PictureFormat& format, std::uint64_t file_bytes) {
  constexpr std::int64_t least = 3000, pixels_a_millisecond = 500, plain_a_millisecond = 5000;
  constexpr std::uint64_t pixels_of_byte = 64;
  const std::int64_t pixels = std::int64_t{format.width} * format.height;
  const auto costly = static_cast<std::int64_t>(
      std::min(static_cast<std::uint64_t>(pixels), pixels_of_byte * file_bytes));
  return std::chrono::milliseconds(least + costly / pixels_a_millisecond +
                                   pixels / plain_a_millisecond);
}
// For frames of an animation that are drawn on the way to the wanted one.
std::chrono::milliseconds time_for_frames(const PictureFormat& format, int frames) {
  constexpr std::int64_t pixels_a_millisecond = 5000, most = 60'000;
  return std::chrono::milliseconds(
      std::min(most, std::int64_t{format.width} * format.height / pixels_a_millisecond * frames));
}
std::uint64_t size_of(const Descriptor& file) {
  struct stat state {};
  return ::fstat(file.get(), &state) == 0 ? static_cast<std::uint64_t>(state.st_size) : 0;
}
// Some formats are decoded as a whole when they are opened.
std::chrono::milliseconds time_for_file(std::uint64_t bytes) {
  constexpr std::uint64_t bytes_a_millisecond = 1000;
  return std::chrono::milliseconds(bytes / bytes_a_millisecond);
}
std::chrono::milliseconds time_for_rows(std::size_t bytes) {
  constexpr std::size_t bytes_a_millisecond = 1000;
  return std::chrono::milliseconds(bytes / bytes_a_millisecond);
}

// What `read` makes of an answer, which may be false.
template <typename Read>
auto checked_answer(const DecoderProcess& process, Read read) try {
  return read();
} catch (const ProtocolError&) {
  process.throw_impossible_answer();
}

class ContainedPicture final : public InputPicture, public FileOrigin, public FrameReader {
 public:
  ContainedPicture(std::unique_ptr<DecoderProcess> process, const fs::path& path,
                   const ReadOptions& options)
      : process_(std::move(process)) {
    const std::size_t room = std::max(room_to_decode(options), least_room);
    if (room < opening_bytes) process_->allow_memory(room);
    {
      const auto turn = turn_at_scarce_descriptors();
      const std::vector<Descriptor> file = descriptors_of(path);
      std::vector<int> numbers;
      for (const Descriptor& one : file) numbers.push_back(one.get());
      file_bytes_ = size_of(file.front());
      process_->allow_time(time_for_file(file_bytes_));
      process_->send(PacketKind::open, text_of(path, options), numbers);
    }
    process_->receive(PacketKind::recognised);
    const std::string claimed = process_->receive(PacketKind::claims).text;
    allow_claim(checked_answer(*process_, [&] { return read_number(claimed); }), path, options);
    const std::string said = process_->receive(PacketKind::opened).text;
    const Opened opened =
        checked_answer(*process_, [&] { return read_opened(said, options.max_pixels); });
    format_ = opened.format;
    info_ = opened.info;
    info_.path = path;
    process_->allow_memory(std::min(bytes_for(opened), room));
    process_->allow_time(time_for(format_, file_bytes_));
    if (!info_.frame_times.empty()) process_->allow_time(time_for_frames(format_, options.page));
    frame_ = options.page;
    chunk_rows_ = opened.chunk_rows;
    chunk_bytes_ = format_.row_bytes() * static_cast<std::size_t>(opened.chunk_rows);
    info_.chunk_bytes = chunk_bytes_;
    begin_rows();
  }

  void read_rows(const Rect& region, void* to, std::ptrdiff_t row_stride) override {
    window_->read(region, to, row_stride);
  }
  void keep_all() override { window_->keep_all(); }
  void expect(const Rect& next) override { window_->expect(next); }

  void turn_to(int frame) override {
    begin_rows();  // ends reading ahead
    const std::lock_guard lock(mutex_);
    process_->allow_time(time_for(format_, file_bytes_) +
                         time_for_frames(format_, frame > frame_ ? frame - frame_ : frame));
    process_->send(PacketKind::turn, text_of(std::int64_t{frame}));
    process_->receive(PacketKind::turned);
    frame_ = frame;
    begin_rows();
  }

  FileOrigin* origin() override { return this; }

  const std::string& description() override {
    const std::lock_guard lock(mutex_);
    if (description_.empty()) {
      process_->send(PacketKind::describe);
      for (bool more = true; more;) {
        const std::string piece = process_->receive(PacketKind::described).text;
        more = piece.size() == longest_text;
        description_ += piece;
        if (description_.size() > longest_description) process_->throw_impossible_answer();
      }
    }
    return description_;
  }

  PageCopy begin_page(int number, const PagePlace& to) override {
    const std::lock_guard lock(mutex_);
    if (number > most_pages) process_->throw_impossible_answer();
    process_->allow_time(time_for_rows(longest_piece));
    process_->send(PacketKind::page, text_of(PageRequest{number, to}));
    const std::string said = process_->receive(PacketKind::begun).text;
    const std::int64_t copy = checked_answer(*process_, [&] { return read_number(said); });
    if (copy < 0 || copy > static_cast<std::int64_t>(PageCopy::copied)) {
      process_->throw_impossible_answer();
    }
    return static_cast<PageCopy>(copy);
  }

  PagePiece next_of_page() override {
    const std::lock_guard lock(mutex_);
    process_->allow_time(time_for_rows(longest_piece));
    process_->send(PacketKind::piece);
    std::string said = process_->receive(PacketKind::bytes).text;
    PagePiece piece = checked_answer(*process_, [&] { return read_piece(std::move(said)); });
    copied_bytes_ += piece.bytes.size();
    // Somewhat more than what it begins to copy.
    constexpr std::uint64_t most = std::uint64_t{1} << 29;
    if (copied_bytes_ > most + 16 * file_bytes_) process_->throw_impossible_answer();
    return piece;
  }

  void read_native(int part, int y0, int y1, void* to, std::size_t bytes) override {
    const std::lock_guard lock(mutex_);
    process_->allow_time(time_for_rows(bytes));
    // The decoder writes as much as fits: exactly the rows.
    if (native_.size() != bytes) native_ = shared(bytes);
    if (native_.size() == 0) {
      process_->send(PacketKind::send_native,
                     text_of(RowRange{part, y0, y1, static_cast<std::int64_t>(bytes)}));
      return take_bytes(static_cast<char*>(to), bytes);
    }
    process_->send(PacketKind::read_native, text_of(RowRange{part, y0, y1}),
                   {native_.descriptor()});
    process_->receive(PacketKind::decoded);
    std::memcpy(to, native_.data(), bytes);
  }

  std::vector<unsigned char> profile_with(const ProfileCurve& curve) override {
    const std::lock_guard lock(mutex_);
    process_->send(PacketKind::profile_with, text_of(curve));
    const std::string said = process_->receive(PacketKind::described).text;
    return {said.begin(), said.end()};
  }

  bool can_convert_colors() override {
    const std::lock_guard lock(mutex_);
    process_->send(PacketKind::can_convert);
    const std::string said = process_->receive(PacketKind::can).text;
    return checked_answer(*process_, [&] { return read_number(said) != 0; });
  }

  void convert_colors(float* pixels, std::size_t count) override {
    const std::lock_guard lock(mutex_);
    constexpr std::size_t most = longest_text / bytes_of_color;
    while (count > 0) {
      const std::size_t some = std::min(count, most), bytes = some * bytes_of_color;
      process_->allow_time(time_for_rows(bytes));
      process_->send(PacketKind::convert, {reinterpret_cast<const char*>(pixels), bytes});
      const std::string said = process_->receive(PacketKind::bytes).text;
      if (said.size() != bytes) process_->throw_impossible_answer();
      std::memcpy(pixels, said.data(), bytes);
      pixels += 4 * some;
      count -= some;
    }
  }

 private:
  // What the file's header claims, up to what the largest picture that is wanted could need.
  void allow_claim(std::int64_t bytes, const fs::path& path, const ReadOptions& options) {
    constexpr std::uint64_t usual = std::uint64_t{512} << 20, most = std::uint64_t{16} << 30,
                            by_pixel = 128;
    if (bytes < 0) process_->throw_impossible_answer();
    if (bytes == 0) return;
    const std::uint64_t largest =
        options.max_pixels < most / by_pixel ? options.max_pixels * by_pixel : most;
    const std::uint64_t allowed = std::min(static_cast<std::uint64_t>(bytes), largest);
    check_room_to_open(path, allowed, options);
    process_->allow_memory(usual + allowed);
    process_->send(PacketKind::allowed);
  }

  // Empty where none can be had: it counts as a file, whose size may be limited (ulimit -f).
  SharedMemory shared(std::size_t bytes) {
    if (!can_share_) return {};
    try {
      return SharedMemory(bytes);
    } catch (const std::bad_alloc&) {
      can_share_ = false;
      return {};
    }
  }

  void begin_rows() {
    window_ = std::make_unique<RowWindow>(
        format_,
        [this](int y0, int y1, void* to, std::ptrdiff_t row_stride) {
          take_rows(y0, y1, to, row_stride);
        },
        chunk_rows_);
  }

  void take_bytes(char* to, std::size_t bytes) {
    while (bytes > 0) {
      const std::string some = process_->receive(PacketKind::bytes).text;
      if (some.empty() || some.size() > bytes) process_->throw_impossible_answer();
      to = std::copy(some.begin(), some.end(), to);
      bytes -= some.size();
    }
  }

  void take_rows(int y0, int y1, void* to, std::ptrdiff_t row_stride) {
    const std::lock_guard lock(mutex_);
    const std::size_t bytes = format_.row_bytes() * static_cast<std::size_t>(y1 - y0);
    process_->allow_time(time_for_rows(bytes));
    if (memory_.size() == 0 && can_share_) {
      memory_ = shared(2 * chunk_bytes_);
      if (memory_.size() > 0) process_->send(PacketKind::memory, {}, {memory_.descriptor()});
    }
    if (memory_.size() == 0) {
      std::vector<char> rows(bytes);  // before a request that would have to be answered
      process_->send(PacketKind::send_rows, text_of(RowRange{0, y0, y1}));
      take_bytes(rows.data(), bytes);
      return copy_packed_rows(rows.data(), format_.row_bytes(), y1 - y0, to, row_stride);
    }
    process_->send(PacketKind::decode, text_of(RowRange{0, y0, y1}));
    const std::string said = process_->receive(PacketKind::decoded).text;
    const std::int64_t at = checked_answer(*process_, [&] { return read_number(said); });
    if (at != 0 && at != static_cast<std::int64_t>(chunk_bytes_))
      process_->throw_impossible_answer();
    copy_packed_rows(memory_.data() + at, format_.row_bytes(), y1 - y0, to, row_stride);
  }

  // A writer asks while the reader of the next rows waits.
  std::mutex mutex_;
  std::unique_ptr<DecoderProcess> process_;
  std::uint64_t file_bytes_ = 0, copied_bytes_ = 0;
  int frame_ = 0;  // as ReadOptions::page
  int chunk_rows_ = 0;
  std::size_t chunk_bytes_ = 0;
  SharedMemory memory_;  // two chunks: one is decoded while the other is read
  SharedMemory native_;
  bool can_share_ = true;
  std::string description_;
  std::unique_ptr<RowWindow> window_;
};

}  // namespace

std::unique_ptr<InputPicture> open_contained(const fs::path& path, const ReadOptions& options) {
  std::unique_ptr<DecoderProcess> process = DecoderProcess::start(path, options.cancelled);
  if (!process) return nullptr;
  return std::make_unique<ContainedPicture>(std::move(process), path, options);
}

std::optional<ProfileNumbers> contained_numbers(const std::vector<unsigned char>& profile,
                                                const fs::path& path) {
  std::unique_ptr<DecoderProcess> process = DecoderProcess::start(path, {});
  if (!process) return std::nullopt;
  process->send(PacketKind::profile, {profile.begin(), profile.end()});
  const std::string said = process->receive(PacketKind::numbers).text;
  return checked_answer(*process, [&] { return read_profile_numbers(said); });
}

}  // namespace sfumato::decoder
