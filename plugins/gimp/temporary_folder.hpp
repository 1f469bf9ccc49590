// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Temporary folders for pixels, one per process, removed once that process is gone.
#pragma once

#include <QTemporaryDir>
#include <memory>

namespace sfumato::gimp {

/// A folder of this process, removed with its owner. Removes those left by plug-ins that were
/// killed. Throws FileError if none can be made.
std::unique_ptr<QTemporaryDir> make_temporary_folder();

}  // namespace sfumato::gimp
