// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Tells all other windows that the user's presets have changed.
#pragma once

#include <QObject>

namespace sfumato::gui {

/// GUI thread only.
class PresetNews final : public QObject {
  Q_OBJECT

 public:
  /// The program's single object.
  static PresetNews& get();

 Q_SIGNALS:
  void changed();
};

}  // namespace sfumato::gui
