// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Errors in words for the user.
#pragma once

#include <QString>
#include <exception>

namespace sfumato::gui {

/// The message of an exception. Our own exceptions have useful messages; the standard library's do
/// not.
QString fault_of(const std::exception& error);

}  // namespace sfumato::gui
