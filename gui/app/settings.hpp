// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What the user chose for the whole program.
#pragma once

#include <QString>

#include "engine/session.hpp"

namespace sfumato::gui {

enum class Theme { system, light, dark };

struct Settings {
  QString device = QStringLiteral("auto");  ///< as choose_devices() takes it
  int memory_mb = 0;                        ///< device memory to use; 0: chosen by the device
  Theme theme = Theme::system;
  QString language;        ///< "de", "en"; empty: the system's
  QString screen_profile;  ///< an ICC file; empty: what the screen says, else sRGB

  static Settings load();
  void save() const;
  SessionOptions session() const;

  bool operator==(const Settings&) const = default;
};

/// Colours and style of the whole program. GUI thread.
void apply_theme(Theme theme);

}  // namespace sfumato::gui
