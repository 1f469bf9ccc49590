// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Reads a file through one of OpenImageIO's readers, which sees it otherwise than it is stored.
#pragma once

#include <OpenImageIO/filesystem.h>

#include <cstdio>
#include <memory>
#include <string>

#include "io/module/embedded.hpp"
#include "io/module/parts.hpp"

namespace sfumato::files {

/// A base for readers whose format_name() is that of the reader in use. The file is one picture,
/// unless a derived class says otherwise.
class ProxyInput : public WithErrorText<OIIO::ImageInput> {
 public:
  bool open(const std::string& name, OIIO::ImageSpec& spec) override {
    return open(name, spec, OIIO::ImageSpec());
  }
  bool open(const std::string& name, OIIO::ImageSpec& spec,
            const OIIO::ImageSpec& config) override {
    name_ = name;
    config_ = config;
    look_into(name);
    if (!open_again()) return false;
    spec = m_spec;
    return true;
  }
  bool close() override {
    reader_.reset();
    proxy_.reset();
    file_.reset();
    return true;
  }
  int current_subimage() const override { return 0; }
  bool seek_subimage(int subimage, int miplevel) override { return subimage == 0 && miplevel == 0; }

  /// A reader goes back by opening the file by its name: it would lose the proxy.
  bool read_native_scanline(int subimage, int miplevel, int y, int z, void* data) override {
    if (!seek_subimage(subimage, miplevel) || (y < next_ && !open_again())) return false;
    next_ = y + 1;
    return reader_->read_native_scanline(0, 0, y, z, data) || fail_as_reader();
  }

 protected:
  using Proxy = OIIO::Filesystem::IOProxy;
  /// Finds what show() needs to know of the file.
  virtual void look_into(const std::string& name) = 0;
  /// Shows the open file to the reader; null: it cannot.
  virtual std::unique_ptr<Proxy> show(std::FILE* file) const = 0;

  /// Opens the file anew and fills `m_spec`; false on an error, which geterror() states.
  bool open_again() {
    close();
    file_.reset(std::fopen(name_.c_str(), "rb"));
    if (file_) proxy_ = show(file_.get());
    if (!proxy_) return fail(message({"webp.not_read", "the file cannot be read"}));
    reader_ = OIIO::ImageInput::create(format_name());
    if (!reader_ || !reader_->set_ioproxy(proxy_.get()) || !reader_->open(name_, m_spec, config_)) {
      return fail_as_reader();
    }
    remove_own_names(m_spec);
    next_ = 0;
    return true;
  }
  bool is_open() const { return reader_ != nullptr; }
  OIIO::ImageInput& reader() const { return *reader_; }
  bool fail_as_reader() {
    if (reader_) errorfmt("{}", reader_->geterror());
    return false;
  }

 private:
  struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  std::string name_;
  OIIO::ImageSpec config_;
  int next_ = 0;
  std::unique_ptr<std::FILE, Closer> file_;
  std::unique_ptr<Proxy> proxy_;
  std::unique_ptr<OIIO::ImageInput> reader_;  // destroyed first
};

}  // namespace sfumato::files
