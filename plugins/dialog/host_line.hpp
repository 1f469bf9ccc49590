// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The lines of JSON that the dialog's program and the host that started it exchange.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "dialog/host_layers.hpp"

namespace sfumato::hosts {

/// Tells the host: {"progress": 0..1}, {"layer": NAME} (it answers with {"file": PATH} or
/// {"message": SENTENCE}), and at the end {"accepted": ..., "recipe": ..., "name": ..., "message":
/// ...}. On standard output and input. Any thread.
class HostLine {
 public:
  /// `attached`: standard input is connected to a host, and is closed when that ends.
  explicit HostLine(bool attached) : attached_(attached) {}

  void tell(const std::string& line);
  /// Whether the host is still running; true if none is attached.
  bool alive() const;
  bool attached() const { return attached_; }
  /// Requests a layer, and returns the file that the host writes. Throws FileError.
  std::string ask_for_layer(const std::string& name);

 private:
  std::string read_line();

  bool attached_;
  std::mutex mutex_;
  std::string read_;
};

/// Layers that the host writes when they are requested.
class LineLayers final : public gui::HostLayers {
 public:
  LineLayers(HostLine& line, std::vector<std::string> names)
      : line_(line), names_(std::move(names)) {}

  const std::vector<std::string>& names() const override { return names_; }
  std::filesystem::path file_of(const std::string& name) override;

 private:
  HostLine& line_;
  std::vector<std::string> names_;
  std::mutex mutex_;
  std::map<std::string, std::string> files_;
};

}  // namespace sfumato::hosts
