// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Reads a file through one of OpenImageIO's readers, which sees it otherwise than it is stored.
#pragma once

#include <OpenImageIO/filesystem.h>

#include <cstdio>
#include <functional>
#include <memory>
#include <string>

#include "io/module/parts.hpp"

namespace sfumato::files {

/// A base for readers whose format_name() is that of the reader in use.
class ProxyInput : public WithErrorText<OIIO::ImageInput> {
 public:
  bool close() override {
    reader_.reset();
    proxy_.reset();
    file_.reset();
    return true;
  }

 protected:
  using Proxy = OIIO::Filesystem::IOFile;
  /// Shows the open file to the reader; null: it cannot.
  using MakeProxy = std::function<std::unique_ptr<Proxy>(std::FILE* file)>;

  /// Opens the file anew and fills `m_spec`; false on an error, which geterror() states.
  bool open_reader(const std::string& name, const OIIO::ImageSpec& config, const MakeProxy& make) {
    close();
    file_.reset(std::fopen(name.c_str(), "rb"));
    if (file_) proxy_ = make(file_.get());
    if (!proxy_) return fail(message({"webp.not_read", "the file cannot be read"}));
    reader_ = OIIO::ImageInput::create(format_name());
    if (!reader_ || !reader_->set_ioproxy(proxy_.get()) || !reader_->open(name, m_spec, config)) {
      return fail_as_reader();
    }
    next_ = 0;
    return true;
  }

  bool has_reader() const { return reader_ != nullptr; }
  /// A reader goes back by opening the file anew, by its name: it would lose the proxy.
  bool is_passed(int y) const { return y < next_; }
  bool read_row(int y, int z, void* data) {
    next_ = y + 1;
    return reader_->read_native_scanline(0, 0, y, z, data) || fail_as_reader();
  }

 private:
  struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  bool fail_as_reader() {
    if (reader_) errorfmt("{}", reader_->geterror());
    return false;
  }

  int next_ = 0;
  std::unique_ptr<std::FILE, Closer> file_;
  std::unique_ptr<Proxy> proxy_;
  std::unique_ptr<OIIO::ImageInput> reader_;  // destroyed first
};

}  // namespace sfumato::files
