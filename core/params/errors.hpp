// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Errors that a user can act on: one sentence that names the parameter and what is allowed.
#pragma once

#include <string>
#include <utility>

#include "text/message.hpp"

namespace sfumato {

/// A value or name that the parameter model rejects. `what()` is one sentence for the user, for
/// example «sigma: 2000 px is outside 0 to 1000 px».
class ParameterError : public MessageError {
 public:
  enum class Reason {
    unknown_name,  ///< no parameter has this name
    malformed,     ///< the text or JSON does not fit the parameter's kind
    not_allowed,   ///< well formed, but outside the range, the choices or the limits
    wrong_kind     ///< the value has another kind
  };

  ParameterError(Reason reason, std::string parameter, Message sentence, std::string filter = {})
      : MessageError(std::move(sentence)),
        reason_(reason),
        parameter_(std::move(parameter)),
        filter_(std::move(filter)) {}

  Reason reason() const noexcept { return reason_; }
  /// The parameter's name; for `unknown_name` the name as given.
  const std::string& parameter() const noexcept { return parameter_; }
  /// The filter's id if known, else empty.
  const std::string& filter() const noexcept { return filter_; }

 private:
  Reason reason_;
  std::string parameter_;
  std::string filter_;
};

/// A recipe that cannot be read or written. `what()` is one sentence for the user.
class RecipeError : public MessageError {
 public:
  explicit RecipeError(Message sentence, int step = -1)
      : MessageError(std::move(sentence)), step_(step) {}

  /// The faulty step, counted from 0; -1 if the fault is not in one step.
  int step() const noexcept { return step_; }

 private:
  int step_;
};

}  // namespace sfumato
