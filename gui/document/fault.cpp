// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Sentences for standard exceptions, which only have names.
#include "document/fault.hpp"

#include "params/core_text.hpp"

#include <QCoreApplication>
#include <new>
#include <stdexcept>

namespace sfumato::gui {

QString fault_of(const std::exception& error) {
  // A size beyond all memory throws std::length_error.
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr ||
      dynamic_cast<const std::length_error*>(&error) != nullptr) {
    return QCoreApplication::translate(
        "Fault",
        "There is not enough memory for this. Close other pictures or programs, and try "
        "again.");
  }
  return core_text(message_in(error));
}

}  // namespace sfumato::gui
