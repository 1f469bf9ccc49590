// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What every version of GIMP is asked in the same words.
#include "gimp/drawables.hpp"

namespace sfumato::gimp {

Message objection_to(const DrawableState& state) {
  if (state.is_group) {
    return message({"layer.group",
                    "A layer group has no pixels of its own to filter: choose one of its layers."});
  }
  if (state.is_locked) {
    return message({"layer.locked", "The layer's pixels are locked: unlock them to filter it."});
  }
  if (state.is_in_locked_group) {
    return message(
        {"layer.in_locked_group", "The layer lies in a group whose pixels are locked: unlock it."});
  }
  if (state.is_indexed) {
    return message(
        {"image.indexed", "Indexed images cannot be filtered: choose Image, Mode, RGB first."});
  }
  return {};
}

GeglBuffer* buffer_of(Item drawable) {
  GeglBuffer* buffer = gimp_drawable_get_buffer(drawable_of(drawable));
  if (buffer == nullptr) throw HostError(no_layer());
  return buffer;
}

GeglBuffer* result_of(Item drawable) {
  GeglBuffer* buffer = gimp_drawable_get_shadow_buffer(drawable_of(drawable));
  if (buffer == nullptr) throw HostError(not_taken());
  return buffer;
}

bool selected(Item drawable, Rect& region) {
  gint x = 0, y = 0, width = 0, height = 0;
  if (!gimp_drawable_mask_intersect(drawable_of(drawable), &x, &y, &width, &height)) return false;
  region = {x, y, x + width, y + height};
  return !region.empty();
}

void take_result(Item drawable, const Rect& region) {
  if (!gimp_drawable_merge_shadow(drawable_of(drawable), TRUE)) throw HostError(not_taken());
  gimp_drawable_update(drawable_of(drawable), region.x0, region.y0, region.width(),
                       region.height());
}

std::vector<unsigned char> profile_of(Item drawable) {
  std::vector<unsigned char> out;
  GimpColorProfile* profile = gimp_image_get_effective_color_profile(image_of(drawable));
  if (profile == nullptr) return out;
  gsize length = 0;
  const guint8* data = gimp_color_profile_get_icc_profile(profile, &length);
  out.assign(data, data + length);
  g_object_unref(profile);
  return out;
}

void begin_progress(const std::string& text) {
  gimp_progress_init(text.c_str());
}

void tell_progress(double part) {
  gimp_progress_update(part);
}

}  // namespace sfumato::gimp
