// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What went wrong, as the user reads it.
#pragma once

#include <QString>
#include <exception>

namespace sfumato::gui {

/// The sentence of an exception; our own say what to do, those of the standard library do not.
QString fault_of(const std::exception& error);

}  // namespace sfumato::gui
