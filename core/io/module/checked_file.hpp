// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The file to which OpenImageIO's writers write: no failed write goes unnoticed.
#pragma once

#include <OpenImageIO/filesystem.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sfumato::files {

/// Some of OpenImageIO's writers ignore whether their last writes succeed, so that a full disk
/// leaves a truncated file. This class remembers the first error. It does not own the descriptor.
class CheckedFile final : public OIIO::Filesystem::IOProxy {
 public:
  explicit CheckedFile(int descriptor) : IOProxy("", IOProxy::Write), descriptor_(descriptor) {
    buffer_.reserve(capacity);
  }

  /// Inserts bytes, such as PNG chunks after the header, when the writer reaches `offset`. Only for
  /// writers that write from beginning to end.
  void insert_at(std::int64_t offset, std::string bytes) {
    insert_at_ = offset;
    insert_ = std::move(bytes);
  }

  /// Leaves these bytes out of the file's head, wherever they are in it. Only for writers that ask
  /// for their place after the head, such as OpenEXR's, which states no offset before, or that
  /// write from beginning to end, such as PNG's: then in the first megabyte.
  void leave_out(std::string bytes) { left_out_.push_back(std::move(bytes)); }

  /// Puts bytes before the first `mark` in the file's head, with the same writers.
  void put_before(std::string mark, std::string bytes) {
    mark_ = std::move(mark);
    marked_ = std::move(bytes);
  }

  /// The errno of the first failed write, or 0.
  int error() const { return error_; }

  // Not "file": OpenImageIO's JPEG writer takes any proxy of that name for its own class.
  const char* proxytype() const override { return "checked"; }
  bool opened() const override { return true; }
  void close() override {
    settle_head();
    flush();
  }
  std::int64_t tell() override {
    settle_head();
    return at_;
  }

  bool seek(std::int64_t offset) override {
    settle_head();
    flush();
    at_ = offset;
    return true;
  }

  std::size_t write(const void* bytes, std::size_t size) override {
    const auto* from = static_cast<const char*>(bytes);
    if (!insert_.empty() && at_ <= insert_at_ &&
        at_ + static_cast<std::int64_t>(size) > insert_at_) {
      const auto before = static_cast<std::size_t>(insert_at_ - at_);
      const std::string inserted = std::move(insert_);
      insert_.clear();
      append(from, before);
      flush();
      put(inserted.data(), inserted.size(), at_);
      shift_ = static_cast<std::int64_t>(inserted.size());
      append(from + before, size - before);
    } else {
      append(from, size);
    }
    return error_ == 0 ? size : 0;
  }

  std::size_t read(void* to, std::size_t size) override {
    const std::size_t got = pread(to, size, at_);
    at_ += static_cast<std::int64_t>(got);
    return got;
  }

  std::size_t pread(void* to, std::size_t size, std::int64_t offset) override {
    flush();
    std::size_t done = 0;
    while (done < size) {
      const ssize_t n = ::pread(descriptor_, static_cast<char*>(to) + done, size - done,
                                offset + static_cast<std::int64_t>(done));
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) break;
      done += static_cast<std::size_t>(n);
    }
    return done;
  }

  std::size_t pwrite(const void* bytes, std::size_t size, std::int64_t offset) override {
    flush();
    put(static_cast<const char*>(bytes), size, offset);
    return error_ == 0 ? size : 0;
  }

  std::size_t size() const override {
    const off_t end = ::lseek(descriptor_, 0, SEEK_END);
    const auto held = static_cast<std::size_t>(std::max<off_t>(0, end));
    return std::max(held, static_cast<std::size_t>(at_));
  }

  void flush() const override {
    auto* self = const_cast<CheckedFile*>(this);  // the base class declares it const
    if (buffer_.empty()) return;
    self->put(buffer_.data(), buffer_.size(), at_ - static_cast<std::int64_t>(buffer_.size()));
    self->buffer_.clear();
  }

 private:
  static constexpr std::size_t capacity = std::size_t{1} << 20;

  // Changes the head once it is complete.
  void settle_head() {
    if (buffer_.empty()) return;
    if (!marked_.empty()) put_marked();
    if (!left_out_.empty()) shorten();
  }

  void put_marked() {
    const std::size_t at = std::string_view(buffer_.data(), buffer_.size()).find(mark_);
    const std::string bytes = std::exchange(marked_, {});
    if (at == std::string_view::npos) return;
    buffer_.insert(buffer_.begin() + static_cast<std::ptrdiff_t>(at), bytes.begin(), bytes.end());
    at_ += static_cast<std::int64_t>(bytes.size());
  }

  void shorten() {
    std::string_view held(buffer_.data(), buffer_.size());
    for (const std::string& bytes : left_out_) {
      for (std::size_t at = held.find(bytes); at != held.npos; at = held.find(bytes)) {
        buffer_.erase(buffer_.begin() + static_cast<std::ptrdiff_t>(at),
                      buffer_.begin() + static_cast<std::ptrdiff_t>(at + bytes.size()));
        at_ -= static_cast<std::int64_t>(bytes.size());
        held = {buffer_.data(), buffer_.size()};
      }
    }
    left_out_.clear();
  }

  void append(const char* from, std::size_t size) {
    if (size >= capacity) {
      settle_head();
      flush();
      put(from, size, at_);
      at_ += static_cast<std::int64_t>(size);
      return;
    }
    if (buffer_.size() + size > capacity) {
      settle_head();
      flush();
    }
    buffer_.insert(buffer_.end(), from, from + size);
    at_ += static_cast<std::int64_t>(size);
  }

  void put(const char* from, std::size_t size, std::int64_t offset) {
    std::size_t done = 0;
    while (done < size && error_ == 0) {
      const ssize_t n = ::pwrite(descriptor_, from + done, size - done,
                                 offset + shift_ + static_cast<std::int64_t>(done));
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) {
        error_ = n < 0 ? errno : ENOSPC;
        return;
      }
      done += static_cast<std::size_t>(n);
    }
  }

  int descriptor_;
  int error_ = 0;
  std::int64_t at_ = 0;     // after what is in the buffer
  std::int64_t shift_ = 0;  // bytes that were inserted
  std::int64_t insert_at_ = 0;
  std::string insert_, mark_, marked_;
  std::vector<std::string> left_out_;
  std::vector<char> buffer_;
};

}  // namespace sfumato::files
