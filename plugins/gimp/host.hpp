// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The operations required of GIMP. drawables.cpp implements those that are the same in both
// versions, gimp_2_10.cpp and gimp_3.cpp the others.
#pragma once

#include <gegl.h>

#include <string>
#include <vector>

#include "image/plane.hpp"
#include "text/message.hpp"

namespace sfumato::gimp {

/// A drawable's id, a number in every version; 0 and below: none.
using Item = int;

/// GIMP refused an operation.
class HostError : public MessageError {
 public:
  using MessageError::MessageError;
};

// Messages used in several places.
Message no_layer();
Message not_taken();
Message empty_selection();

/// Why the drawable's pixels cannot be filtered, in one sentence; empty if they can.
Message objection_to(Item drawable);

struct Point {
  int x = 0, y = 0;
};
/// The position of its first pixel on the image, and the image's size.
Point offsets_of(Item drawable);
Point canvas_of(Item drawable);
std::string name_of(Item item);
/// All layers of the drawable's image that have pixels, from the top, including those in groups.
std::vector<Item> layers_beside(Item drawable);

/// The caller unrefs it. Throws HostError if the drawable is gone, like every function below that
/// takes one.
GeglBuffer* buffer_of(Item drawable);
/// The buffer to fill before take_result(); the caller unrefs it.
GeglBuffer* result_of(Item drawable);
/// The part of the drawable within the selection's bounds; false if it is empty.
bool selected(Item drawable, Rect& region);
/// Applies the result to the currently selected pixels, as one undo step. Throws HostError if GIMP
/// refuses.
void take_result(Item drawable, const Rect& region);

/// The image's ICC profile; empty: sRGB.
std::vector<unsigned char> profile_of(Item drawable);

void begin_progress(const std::string& text);
void tell_progress(double part);

/// Stores texts for as long as GIMP runs.
void remember(const std::string& key, const std::string& text);
std::string remembered(const std::string& key);

/// Whether GIMP's own theme is dark.
bool is_dark();
/// The desktop's id of the image's window; 0 if unknown.
unsigned long long window();

}  // namespace sfumato::gimp
