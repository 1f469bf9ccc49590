// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A second picture of the same size in a file: a layer of OpenEXR, a page of TIFF.
#pragma once

#include <OpenImageIO/imageio.h>

#include <string>
#include <vector>

#include "io/io.hpp"

namespace sfumato::files {

/// Adds the channels of a layer, named "NAME.R"..., to those of a picture of the format `stored`.
/// Opacity is the picture's.
void add_layer(OIIO::ImageSpec& spec, const std::string& name, const PictureFormat& stored);

/// Rows [y0, y1) of the picture, whose packed pixels are in `rows`, with the layer's samples after
/// each pixel, as add_layer() describes them.
void put_beside(const std::vector<char>& rows, const FileLayer& layer, int y0, int y1,
                std::vector<char>& to);

/// Writes the layer as the next page of a TIFF file, whose picture has that description. False:
/// the writer has a reason.
bool append_page(OIIO::ImageOutput& out, const std::string& path, const OIIO::ImageSpec& picture,
                 const FileLayer& layer);

}  // namespace sfumato::files
