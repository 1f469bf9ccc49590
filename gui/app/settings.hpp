// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What the user chose for the whole program.
#pragma once

#include <QString>

#include "engine/session.hpp"

namespace sfumato::gui {

enum class Theme { system, light, dark };

struct Settings {
  QString device;     ///< as choose_devices() takes it; empty: SFUMATO_DEVICE, else the fastest
  int memory_mb = 0;  ///< device memory to use; 0: chosen by the device
  Theme theme = Theme::system;
  QString language;        ///< "de", "en"; empty: the system's
  QString screen_profile;  ///< an ICC file; empty: what the screen says, else sRGB

  static Settings load();
  /// The device of this run alone, from the command line: for all windows until the preferences
  /// name another, and never kept.
  static void use_for_this_run(const QString& device);
  void save() const;
  SessionOptions session() const;
  /// As session().device.
  QString device_now() const;

  bool operator==(const Settings&) const = default;
};

/// Colours and style of the whole program. GUI thread.
void apply_theme(Theme theme);

}  // namespace sfumato::gui
