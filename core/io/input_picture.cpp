// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A part of the library and of the module, whose pictures are of this class, too.
#include "io/file_origin.hpp"
#include "io/io.hpp"
#include "io/module.hpp"

namespace sfumato {

void InputPicture::read(const Rect& region, void* to, std::ptrdiff_t row_stride) {
  try {
    read_rows(region, to, row_stride);
  } catch (const FileError&) {
    check_unchanged();  // which would be the reason
    throw;
  }
  if (region.y1 == format_.height) check_unchanged();
}

void InputPicture::check_unchanged() const {
  if (!file_.written()) return;
  throw FileError(message({"file.written_to",
                           "{file}: the file was written to while it was read; try again when it "
                           "is complete"},
                          files::shown(info_.path)));
}

}  // namespace sfumato
