// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The user's settings for the whole program.
#pragma once

#include <QString>

#include "engine/session.hpp"

namespace sfumato::gui {

enum class Theme { system, light, dark };

struct Settings {
  QString device;     ///< as for choose_devices(); empty: SFUMATO_DEVICE, else the fastest
  int memory_mb = 0;  ///< device memory to use; 0: chosen by the device
  Theme theme = Theme::system;
  QString language;        ///< "de", "en"; empty: the system's
  QString screen_profile;  ///< an ICC file; empty: the screen's own, else sRGB

  static Settings load();
  /// The device for this run, from the command line. It applies to all windows until the
  /// preferences name another, and is never saved.
  static void use_for_this_run(const QString& device);
  void save() const;
  SessionOptions session() const;
  /// The same as session().device.
  QString device_now() const;

  bool operator==(const Settings&) const = default;
};

/// Applies colours and style to the whole program. GUI thread.
void apply_theme(Theme theme);

}  // namespace sfumato::gui
