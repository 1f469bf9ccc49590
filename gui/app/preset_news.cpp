// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The program's single object.
#include "app/preset_news.hpp"

namespace sfumato::gui {

PresetNews& PresetNews::get() {
  static PresetNews news;
  return news;
}

}  // namespace sfumato::gui
