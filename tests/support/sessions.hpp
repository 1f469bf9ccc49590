// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Sessions that a test keeps open: one per device and form, created on demand.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "support/devices.hpp"

namespace sfumato::testing {

class Sessions {
 public:
  using Log = std::function<void(const Message&)>;

  /// `memory_limit` applies to each session, in bytes; 0: the device's default. `log`, if given,
  /// receives all sessions' messages.
  explicit Sessions(std::size_t memory_limit = 0, Log log = {})
      : memory_limit_(memory_limit), log_(std::move(log)) {}

  Session& on(const Runner& runner) { return on(runner.label, runner.device.name, runner.form); }

  /// On the device with that name ("reference" too), under its own label.
  Session& on(const std::string& label, const std::string& device, std::optional<Form> form) {
    auto& session = sessions_[label];
    if (!session) {
      SessionOptions options;
      options.device = device;
      options.form = form;
      options.memory_limit = memory_limit_;
      options.verbose = log_ != nullptr;
      options.log = log_;
      session = std::make_unique<Session>(options);
    }
    return *session;
  }

 private:
  std::size_t memory_limit_;
  Log log_;
  std::map<std::string, std::unique_ptr<Session>> sessions_;
};

}  // namespace sfumato::testing
