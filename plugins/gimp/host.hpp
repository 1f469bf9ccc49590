// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What is asked of GIMP. drawables.cpp answers what is the same in both versions, gimp_2_10.cpp or
// gimp_3.cpp the rest.
#pragma once

#include <gegl.h>

#include <string>
#include <vector>

#include "image/plane.hpp"
#include "text/message.hpp"

namespace sfumato::gimp {

/// A drawable's id; a number in every version. 0 and below: none.
using Item = int;

/// GIMP cannot do what is asked of it.
class HostError : public MessageError {
 public:
  using MessageError::MessageError;
};

// What is said in several places.
Message no_layer();
Message not_taken();
Message empty_selection();

/// One sentence why the drawable's pixels cannot be filtered; empty: they can.
Message objection_to(Item drawable);

struct Point {
  int x = 0, y = 0;
};
/// Where its first pixel lies on the image, and how large the image is.
Point offsets_of(Item drawable);
Point canvas_of(Item drawable);
std::string name_of(Item item);
/// All layers of the drawable's image that have pixels, from the top, those in groups too.
std::vector<Item> layers_beside(Item drawable);

/// The caller unrefs it. Throws HostError where the drawable is gone, as all below that take one.
GeglBuffer* buffer_of(Item drawable);
/// Where the result is put before take_result(); the caller unrefs it.
GeglBuffer* result_of(Item drawable);
/// The part of the drawable within the selection's bounds; false where there is none.
bool selected(Item drawable, Rect& region);
/// Makes the result the drawable's pixels as far as they are selected now, one step of undo. Throws
/// HostError where GIMP does not let it.
void take_result(Item drawable, const Rect& region);

/// The image's ICC profile; empty: sRGB.
std::vector<unsigned char> profile_of(Item drawable);

void begin_progress(const std::string& text);
void tell_progress(double part);

/// Texts that live as long as GIMP runs.
void remember(const std::string& key, const std::string& text);
std::string remembered(const std::string& key);

/// Whether GIMP's own windows are dark.
bool is_dark();
/// The image's window, as the desktop numbers it; 0: not known.
unsigned long long window();

}  // namespace sfumato::gimp
