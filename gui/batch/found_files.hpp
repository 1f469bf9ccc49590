// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What is found when files and folders are added, frames and pages included. Any thread.
#pragma once

#include <QString>
#include <QStringList>
#include <vector>

#include "batch/inputs.hpp"

namespace sfumato::gui {

/// Which pictures of files that hold several are processed.
struct FrameChoice {
  bool pages = false;  ///< every page of a file, and every frame of an animation
  QString join;        ///< the extension of files that take all frames (BatchRequest::join)

  bool operator==(const FrameChoice&) const = default;
};

struct FoundFiles {
  FoundInputs inputs;
  QString fault;   ///< a line for each path that cannot be searched
  QString folder;  ///< the first path, or the folder that contains it
};

/// Where results go until the user chooses a folder.
QString folder_beside(const QString& folder);

/// Files in the folder of outputs, or in that beside the first path if `outputs` is empty, are not
/// inputs.
FoundFiles find_files(const QStringList& paths, const QString& outputs, const FrameChoice& frames);

/// The same files by another choice, in the same order.
FoundInputs found_again(const std::vector<FoundInput>& files, const FrameChoice& frames);

}  // namespace sfumato::gui
