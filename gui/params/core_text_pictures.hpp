// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What is said of a picture's contents: what reading them guesses, and what a file cannot hold.
#pragma once

#include <QtGlobal>

namespace sfumato::gui {

inline constexpr const char* picture_templates[] = {
    // Read
    QT_TRANSLATE_NOOP("Core",
                      "%1: the colour profile's tone curve is of an unknown kind; the sRGB curve "
                      "is used for computing"),
    QT_TRANSLATE_NOOP("Core",
                      "%1: the colour profile's tone curve is of an unknown kind; light is assumed "
                      "for computing"),
    QT_TRANSLATE_NOOP("Core", "%1: the file's %2 are read as 32-bit ones, which keep 7 digits"),
    QT_TRANSLATE_NOOP("Core",
                      "%1: the file's %2 are read as data from -1 to 1, without a tone curve"),
    QT_TRANSLATE_NOOP("Core",
                      "%1: the file's %2 are read as float numbers, which keep 24 bits of them"),
    QT_TRANSLATE_NOOP("Core", "%1-bit float numbers"),
    QT_TRANSLATE_NOOP("Core", "signed %1-bit integers"),
    QT_TRANSLATE_NOOP("Core", "%1-bit integers"),
    QT_TRANSLATE_NOOP("Core", "%1: there is no flat picture in the file; export it again"),
    QT_TRANSLATE_NOOP(
        "Core", "%1: the file holds deep data only, several values per pixel; flatten it first"),
    QT_TRANSLATE_NOOP("Core", "%1: one to four channels can be read, not those of %2; name fewer"),
    QT_TRANSLATE_NOOP(
        "Core",
        "%1: the channels %2 are in different parts of the file; name channels of one part"),
    QT_TRANSLATE_NOOP("Core", "%1: the file holds %2 pictures; only the main one is read"),
    QT_TRANSLATE_NOOP("Core",
                      "%1: the picture is for HDR displays (PQ or HLG); the sRGB curve is used for "
                      "computing, and its brightness will look wrong"),
    QT_TRANSLATE_NOOP("Core",
                      "%1: the file is an animation of %2 frames; only the first one is read"),
    QT_TRANSLATE_NOOP(
        "Core",
        "%1: it fits the picture only as it is stored, and is not turned by its orientation"),
    QT_TRANSLATE_NOOP("Core", "%1 pixels, data window %2, display window %3, orientation %4"),
    QT_TRANSLATE_NOOP("Core", "%1 pixels, orientation %2"),
    QT_TRANSLATE_NOOP("Core", "%1 x %2 at (%3, %4)"),
    QT_TRANSLATE_NOOP("Core", "the input has no name; give a picture file"),
    QT_TRANSLATE_NOOP("Core",
                      "no picture can be opened or written: the file module cannot be loaded (%1); "
                      "install Sfumato again"),
    QT_TRANSLATE_NOOP("Core", "%1 is of another version"),
    QT_TRANSLATE_NOOP("Core", "%1 was not found"),
    QT_TRANSLATE_NOOP("Core", "unknown error"),
    QT_TRANSLATE_NOOP("Core", "CMYK, the colours of printing inks"),
    QT_TRANSLATE_NOOP("Core", "CMYK, printing inks"),
    QT_TRANSLATE_NOOP("Core", "Lab colours"),
    // Why a file cannot be read or written, as its decoder is quoted
    QT_TRANSLATE_NOOP("Core", "no reason given"),
    QT_TRANSLATE_NOOP("Core", "\"no header\""),
    QT_TRANSLATE_NOOP("Core", "\"the header has no size\""),
    QT_TRANSLATE_NOOP("Core", "\"the header has no scale\""),
    QT_TRANSLATE_NOOP("Core", "\"the header has no largest value\""),
    QT_TRANSLATE_NOOP("Core", "\"row %1 is missing\""),
    QT_TRANSLATE_NOOP("Core", "\"it cannot be read\""),
    QT_TRANSLATE_NOOP("Core", "\"the file ends early\""),
    QT_TRANSLATE_NOOP("Core", "\"the container is damaged\""),
    QT_TRANSLATE_NOOP("Core", "\"there is no picture in it\""),
    QT_TRANSLATE_NOOP("Core", "\"its size is not what its header says\""),
    QT_TRANSLATE_NOOP("Core", "\"the picture's data is damaged\""),
    QT_TRANSLATE_NOOP("Core", "\"there is not enough memory\""),
    QT_TRANSLATE_NOOP("Core", "\"libwebp is of another version\""),
    QT_TRANSLATE_NOOP("Core", "\"libwebp refuses the picture\""),
    QT_TRANSLATE_NOOP("Core", "\"the picture is too large for this quality\""),
    QT_TRANSLATE_NOOP("Core", "\"the metadata does not fit into the file\""),
    // Written
    QT_TRANSLATE_NOOP("Core", "the output has no name; give one with an extension"),
    QT_TRANSLATE_NOOP("Core",
                      "%1: the installed OpenImageIO cannot write %2; choose another format"),
    QT_TRANSLATE_NOOP("Core",
                      "%1: what the filter leaves alone cannot be copied (%2); the file is "
                      "damaged, make it again"),
    QT_TRANSLATE_NOOP("Core", "%1: %2 knows no compression %3; leave it out"),
    QT_TRANSLATE_NOOP("Core", "%1: %2 knows no compression %3; choose one of %4"),
    QT_TRANSLATE_NOOP("Core",
                      "%1: the colour profile cannot be used; the colours are taken for sRGB's"),
    QT_TRANSLATE_NOOP("Core", "%1: %2 cannot hold %3 numbers; the picture is stored with %4 ones"),
    QT_TRANSLATE_NOOP("Core", "%1: %2 cannot hold %3; the picture is stored with %4 ones"),
    QT_TRANSLATE_NOOP("Core", "%1: %2 cannot hold transparency; the picture is laid over white"),
    QT_TRANSLATE_NOOP("Core", "%1: %2 cannot hold transparency; the picture is laid over black"),
    QT_TRANSLATE_NOOP("Core",
                      "%1: the picture's %2 are stored as float numbers in linear light; choose 16 "
                      "bits (--bits 16) to keep their tone curve"),
    QT_TRANSLATE_NOOP("Core", "%1: the picture's %2 are stored as float numbers in linear light"),
    QT_TRANSLATE_NOOP("Core",
                      "%1: %2 knows no display window; the file holds the data window alone"),
    QT_TRANSLATE_NOOP("Core",
                      "%1: %2 cannot hold the colour profile; it is left out, colours will look "
                      "different elsewhere"),
    QT_TRANSLATE_NOOP("Core",
                      "%1: the colour profile is not sRGB's; as it is left out, colours will look "
                      "different elsewhere"),
    QT_TRANSLATE_NOOP("Core", "%1: the colour profile does not fit %2 numbers and is left out"),
    QT_TRANSLATE_NOOP(
        "Core",
        "%1: JPEG cannot hold all of the picture's metadata; what is too long for it is "
        "left out (%2)"),
    QT_TRANSLATE_NOOP("Core", "%1: %2 cannot hold the picture's XMP metadata; it is left out"),
    QT_TRANSLATE_NOOP("Core", "%1: %2 cannot hold the picture's IPTC metadata; it is left out"),
    QT_TRANSLATE_NOOP("Core", "%1: %2 cannot hold the picture's metadata; it is left out"),
    QT_TRANSLATE_NOOP("Core",
                      "%1: %2 cannot say which side is up; the picture will lie as it is stored"),
    QT_TRANSLATE_NOOP("Core", "%1: 1 other channel of the input cannot be kept in this file"),
    QT_TRANSLATE_NOOP("Core", "%1: %2 other channels of the input cannot be kept in this file"),
    QT_TRANSLATE_NOOP("Core", "%1: 1 deep part is left out; only flat parts are copied"),
    QT_TRANSLATE_NOOP("Core", "%1: %2 deep parts are left out; only flat parts are copied"),
    QT_TRANSLATE_NOOP(
        "Core", "%1: only one of the input's %2 parts is written; choose OpenEXR to keep them all"),
    QT_TRANSLATE_NOOP("Core", "%1: only the first page was filtered; the other pages are copied"),
    QT_TRANSLATE_NOOP("Core", "%1: only the first of the input's pictures is read and written"),
    // Handed over by another program
    QT_TRANSLATE_NOOP("Core",
                      "%1: it was handed over in version %2, and this program knows version 1; "
                      "install both parts of Sfumato again"),
    QT_TRANSLATE_NOOP("Core", "%1: a picture of %2 x %3 pixels cannot be filtered"),
    QT_TRANSLATE_NOOP(
        "Core",
        "%1: %2 channels were handed over; gray and RGB, with or without alpha, can be filtered"),
    QT_TRANSLATE_NOOP("Core", "%1: it does not say what its pixels are"),
    QT_TRANSLATE_NOOP("Core", "%1: its tone curve is none"),
    QT_TRANSLATE_NOOP("Core", "%1: its place on the canvas is none, or its profile is too long"),
    QT_TRANSLATE_NOOP("Core", "%1: no picture was handed over"),
    QT_TRANSLATE_NOOP("Core", "%1: it is not as long as it says"),
    QT_TRANSLATE_NOOP("Core", "%1: it cannot be read"),
    QT_TRANSLATE_NOOP("Core", "%1: it cannot be written: %2"),
    QT_TRANSLATE_NOOP("Core", "%1: it has more pixels than are allowed"),
    QT_TRANSLATE_NOOP("Core", "%1: it ended while it was read"),
};

}  // namespace sfumato::gui
