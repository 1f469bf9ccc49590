// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Sentences are recognised by their words; what stands between them are values, which may be
// sentences in their turn.
#include "params/core_text.hpp"

#include <QCoreApplication>
#include <QRegularExpression>
#include <QStringList>
#include <vector>

#include "params/core_text_pictures.hpp"
#include "params/core_text_start.hpp"
#include "params/translation.hpp"

namespace sfumato::gui {
namespace {

constexpr int deepest = 4;  // a reason within a fault within a step

// As core and its file module say them; the first that fits counts.
constexpr const char* templates[] = {
    // Files
    QT_TRANSLATE_NOOP("Core", "%1: there is no such file; check the name"),
    QT_TRANSLATE_NOOP("Core", "%1: the file cannot be read (%2); check its permissions"),
    QT_TRANSLATE_NOOP("Core", "%1: the file cannot be read; check its permissions"),
    QT_TRANSLATE_NOOP("Core", "%1: the file may not be read (%2); check its permissions"),
    QT_TRANSLATE_NOOP("Core", "%1: this is a folder; give a picture in it"),
    QT_TRANSLATE_NOOP("Core", "%1: this is a folder; give the name of a file in it"),
    QT_TRANSLATE_NOOP("Core", "%1: this is not an ordinary file; save the picture to one first"),
    QT_TRANSLATE_NOOP("Core", "%1: this is not an ordinary file; choose another name"),
    QT_TRANSLATE_NOOP("Core", "%1: the file is empty; make it again"),
    QT_TRANSLATE_NOOP("Core", "%1: symbolic links lead back to themselves; choose another name"),
    QT_TRANSLATE_NOOP("Core",
                      "%1: this is not a picture in a format that can be read; convert it to PNG, "
                      "TIFF or OpenEXR first"),
    QT_TRANSLATE_NOOP("Core",
                      "%1: the %2 file is damaged, cut short or of an unknown variant (%3); make "
                      "it again"),
    QT_TRANSLATE_NOOP("Core",
                      "%1: the file is damaged or cut short near row %2 of %3 (%4); make it again"),
    QT_TRANSLATE_NOOP("Core",
                      "%1: the file is cut short: %2 pixels are promised, but not all are there; "
                      "make it again"),
    QT_TRANSLATE_NOOP("Core",
                      "%1: the file claims %2 pixels, more than the limit of %3; if it really is "
                      "that large, raise the limit (--max-pixels)"),
    QT_TRANSLATE_NOOP("Core",
                      "%1: its %2 pixels take %3 of memory, and %4 are free; close other programs "
                      "or make the picture smaller"),
    QT_TRANSLATE_NOOP("Core", "%1: the picture is in %2; convert it to RGB"),
    QT_TRANSLATE_NOOP("Core", "%1: the picture's profile is for %2; convert it to RGB"),
    QT_TRANSLATE_NOOP("Core",
                      "%1: the installed OpenImageIO cannot read %2 files; convert it to PNG, TIFF "
                      "or OpenEXR first"),
    QT_TRANSLATE_NOOP("Core", "%1: there is no channel or layer %2; the file has %3"),
    QT_TRANSLATE_NOOP("Core",
                      "%1: the file exists already; choose another name or allow overwriting "
                      "(--overwrite)"),
    QT_TRANSLATE_NOOP("Core",
                      "%1: this is the input itself; choose another name or allow overwriting "
                      "(--overwrite)"),
    QT_TRANSLATE_NOOP("Core",
                      "%1: a file of this name has appeared meanwhile and was left as it is; "
                      "choose another name or allow overwriting (--overwrite)"),
    QT_TRANSLATE_NOOP("Core", "%1: there is no folder %2; make it first or choose another"),
    QT_TRANSLATE_NOOP("Core", "%1: the folder %2 may not be written to (%3); choose another"),
    QT_TRANSLATE_NOOP("Core",
                      "%1: no file can be made in the folder %2 (%3); choose a folder that you may "
                      "write to"),
    QT_TRANSLATE_NOOP("Core",
                      "%1: the file cannot be written (%2); free some space or choose another "
                      "folder"),
    QT_TRANSLATE_NOOP("Core", "%1: the file cannot be written (%2)"),
    QT_TRANSLATE_NOOP("Core", "%1: the file cannot be written to the disk (%2)"),
    QT_TRANSLATE_NOOP("Core",
                      "%1: the file cannot be written whole; free some space or choose another "
                      "folder"),
    QT_TRANSLATE_NOOP("Core",
                      "%1: the %2 file cannot be written (%3); free some space or choose another "
                      "folder"),
    QT_TRANSLATE_NOOP("Core", "%1: the %2 file cannot be written (%3); choose another format"),
    QT_TRANSLATE_NOOP("Core", "%1: the finished file cannot be given its name (%2)"),
    QT_TRANSLATE_NOOP("Core", "%1: the name has no extension to choose the format by; use %2"),
    QT_TRANSLATE_NOOP("Core", "%1: files ending in %2 cannot be written; use %3"),
    QT_TRANSLATE_NOOP("Core",
                      "%1: %2 holds %3 numbers, not %4; choose another depth or another format"),
    QT_TRANSLATE_NOOP("Core",
                      "%1: %2 holds pictures of up to %3 pixels a side; choose TIFF, PNG or "
                      "OpenEXR"),
    // Roles
    QT_TRANSLATE_NOOP("Core",
                      "%1: the %2 (%3) cannot be laid on %4 (%5); give one of the same size"),
    QT_TRANSLATE_NOOP("Core",
                      "%1: the %2 (%3) lies beside %4 (%5), and they have no pixel in common; give "
                      "one that lies on it"),
    QT_TRANSLATE_NOOP("Core",
                      "the %1 picture is %2 pixels, but the picture is %3; both must have the same "
                      "size"),
    QT_TRANSLATE_NOOP("Core",
                      "the %1 picture lies beside the picture: they have no pixel in common"),
    QT_TRANSLATE_NOOP("Core",
                      "the %1 picture covers only %2 x %3 pixels, from (%4, %5) on, of the %6 of "
                      "the picture; elsewhere the picture stays as it is"),
    QT_TRANSLATE_NOOP("Core",
                      "the %1 picture covers only %2 x %3 pixels, from (%4, %5) on, of the %6 of "
                      "the picture; elsewhere it counts as 0"),
    QT_TRANSLATE_NOOP("Core", "%1: the %2 picture has %3 channels; the first one is taken"),
    QT_TRANSLATE_NOOP("Core", "the %1 picture has %2 channels; the first one is taken"),
    QT_TRANSLATE_NOOP("Core",
                      "the %1 picture has 1 channel, but a normal has 3 (x, y, z); give a picture "
                      "that has them"),
    QT_TRANSLATE_NOOP("Core",
                      "the %1 picture has %2 channels, but a normal has 3 (x, y, z); give a "
                      "picture that has them"),
    QT_TRANSLATE_NOOP("Core", "%1 needs a picture for its role %2"),
    // Many files, and movies
    QT_TRANSLATE_NOOP("Core", "%1: the file exists already"),
    QT_TRANSLATE_NOOP("Core", "%1: the input itself"),
    QT_TRANSLATE_NOOP("Core", "%1: itself an input of this batch"),
    QT_TRANSLATE_NOOP("Core", "%1: itself a picture that this batch takes for a role"),
    QT_TRANSLATE_NOOP("Core", "%1: changed since %2 was made of it, which is left as it is"),
    QT_TRANSLATE_NOOP("Core", "%1: the output of both %2 and %3"),
    QT_TRANSLATE_NOOP(
        "Core",
        "an output cannot have its name, so nothing was begun; skip, rename or overwrite existing "
        "files (--existing), resume an earlier run (--resume), or give other names (--name)"),
    QT_TRANSLATE_NOOP("Core",
                      "%1 outputs cannot have their names, so nothing was begun; skip, rename or "
                      "overwrite existing files (--existing), resume an earlier run (--resume), or "
                      "give other names (--name)"),
    QT_TRANSLATE_NOOP("Core", "%1: another batch is at work in this folder; wait for its end"),
    QT_TRANSLATE_NOOP(
        "Core", "%1: another batch has worked in this folder meanwhile; start this one again"),
    QT_TRANSLATE_NOOP(
        "Core", "%1: the journal cannot be written (%2); choose a folder that you may write to"),
    QT_TRANSLATE_NOOP("Core", "%1: the journal cannot be written (%2); make room and resume"),
    QT_TRANSLATE_NOOP("Core", "%1: the journal cannot be read"),
    QT_TRANSLATE_NOOP("Core", "%1: there is no such file or folder; check the name"),
    QT_TRANSLATE_NOOP("Core",
                      "%1: all pictures there were made by earlier batches of what is there; name "
                      "files themselves to filter them again"),
    QT_TRANSLATE_NOOP("Core", "%1: there are no pictures in this folder"),
    QT_TRANSLATE_NOOP("Core", "%1: no file has such a name"),
    QT_TRANSLATE_NOOP("Core", "%1: the folder cannot be read (%2); its pictures are left out"),
    QT_TRANSLATE_NOOP("Core", "%1: the link leads to no file; mend it, or take it away"),
    QT_TRANSLATE_NOOP("Core", "%1: the folder cannot be made (%2); choose another for the outputs"),
    QT_TRANSLATE_NOOP("Core",
                      "every input is a picture that another one takes for a role, so that none is "
                      "left; give the roles a pattern that fits other files"),
    QT_TRANSLATE_NOOP("Core",
                      "a limit of %1 MB of main memory cannot be kept: at least some %2 MB will be "
                      "taken"),
    QT_TRANSLATE_NOOP("Core", "%1: this is a file; name a folder for the outputs"),
    QT_TRANSLATE_NOOP("Core", "no step of the recipe takes a picture as %1"),
    QT_TRANSLATE_NOOP(
        "Core", "a recipe of several steps takes no mask; write it into the step that it is for"),
    QT_TRANSLATE_NOOP("Core", "there is not enough memory for this picture"),
    QT_TRANSLATE_NOOP("Core", "the name template is empty; such as {stem}_{recipe}.{ext}"),
    QT_TRANSLATE_NOOP(
        "Core",
        "the name template %1 opens a brace that is not closed; write {{ for a brace itself"),
    QT_TRANSLATE_NOOP(
        "Core",
        "the name template %1 closes a brace that was not opened; write }} for a brace itself"),
    QT_TRANSLATE_NOOP("Core", "the name template's field {%1} takes 1 to %2 digits"),
    QT_TRANSLATE_NOOP("Core",
                      "the name template's field {%1} has no number whose digits could be told"),
    QT_TRANSLATE_NOOP("Core", "there is no field {%1} for names; did you mean %2?; there are %3"),
    QT_TRANSLATE_NOOP("Core", "there is no field {%1} for names; there are %2"),
    QT_TRANSLATE_NOOP("Core",
                      "%1 is no frame of a sequence, which the name template's {frame} asks for"),
    QT_TRANSLATE_NOOP("Core", "the name %1 leads out of the output's folder by \"..\""),
    QT_TRANSLATE_NOOP("Core", "%1: the movie cannot be read (%2); make it again"),
    QT_TRANSLATE_NOOP("Core",
                      "%1: the movie is damaged (%2); its pictures are made as far as they can be "
                      "decoded"),
    QT_TRANSLATE_NOOP("Core",
                      "%1: the movie ends before it should, after picture %2; make it again"),
    QT_TRANSLATE_NOOP("Core", "%1: the file holds no movie"),
    QT_TRANSLATE_NOOP("Core", "%1: the movie ends at picture %2, before %3"),
    QT_TRANSLATE_NOOP("Core",
                      "%1: the movie has more pixels than the limit of %2; if it really is that "
                      "large, raise the limit (--max-pixels)"),
    QT_TRANSLATE_NOOP("Core",
                      "%1: the movie is for HDR displays (PQ or HLG); its numbers are taken for "
                      "sRGB's, and its brightness will look wrong"),
    QT_TRANSLATE_NOOP("Core",
                      "the program %1 cannot be started (%2); install Debian's package ffmpeg"),
    QT_TRANSLATE_NOOP("Core", "the program %1 cannot be started (%2)"),
    QT_TRANSLATE_NOOP("Core", "the range of frames %1 ends before it begins"),
    QT_TRANSLATE_NOOP("Core", "%1: frames that are not there: %2"),
    QT_TRANSLATE_NOOP(
        "Core",
        "%1: there are no pictures in this folder; look into the folders in it too (--recursive)"),
    QT_TRANSLATE_NOOP("Core", "a name template holds no zero bytes"),
    QT_TRANSLATE_NOOP("Core", "the name template %1 makes no name of %2"),
    QT_TRANSLATE_NOOP("Core", "no files or folders were given"),
    // Devices
    QT_TRANSLATE_NOOP("Core", "%1 failed (%2); going on with %3"),
    QT_TRANSLATE_NOOP("Core", "%1 ran out of memory; going on with smaller tiles"),
    QT_TRANSLATE_NOOP(
        "Core", "no OpenCL device can compute this: going on without one, which takes about %1 s"),
    QT_TRANSLATE_NOOP("Core", "reference (no OpenCL)"),
    QT_TRANSLATE_NOOP("Core", "cancelled"),
    QT_TRANSLATE_NOOP("Core", "the tuning table %1 is not used: %2"),
    QT_TRANSLATE_NOOP("Core", "it is no tuning table"),
    QT_TRANSLATE_NOOP("Core", "it is a tuning table of another version"),
    QT_TRANSLATE_NOOP("Core", "it lists no devices"),
    QT_TRANSLATE_NOOP("Core", "%1 is not used: %2"),
    QT_TRANSLATE_NOOP("Core", "it failed its self-test: %1"),
    QT_TRANSLATE_NOOP("Core", "its result differs from the reference by %1"),
    QT_TRANSLATE_NOOP("Core", "%1; raise the limit (--memory)"),
    QT_TRANSLATE_NOOP("Core", "%1; no more memory can be had here"),
    QT_TRANSLATE_NOOP("Core",
                      "a memory limit of %1 MB is more than can be had here: %2 MB are taken, as "
                      "this program may use %3 MB in all"),
    QT_TRANSLATE_NOOP(
        "Core",
        "this recipe works on the whole picture at once, which takes %1 MB of memory; "
        "the limit is %2 MB"),
    QT_TRANSLATE_NOOP("Core", "not even a tile of 16 rows fits into %1 MB of device memory"),
    QT_TRANSLATE_NOOP("Core", "the device memory limit of %1 MB is too small for this tile"),
    QT_TRANSLATE_NOOP("Core", "the device refused %1 MB (%2)"),
    QT_TRANSLATE_NOOP("Core", "VkFFT has no plan for %1 x %2 (code %3)"),
    QT_TRANSLATE_NOOP("Core", "VkFFT failed to run (code %1)"),
    QT_TRANSLATE_NOOP("Core", "VkFFT computes %1 x %2 wrongly here"),
    QT_TRANSLATE_NOOP("Core", "checking a Fourier plan failed (%1)"),
    QT_TRANSLATE_NOOP("Core", "mapping pixels failed (%1)"),
    QT_TRANSLATE_NOOP("Core", "unmapping pixels failed (%1)"),
    QT_TRANSLATE_NOOP("Core", "making an image failed (%1)"),
    QT_TRANSLATE_NOOP("Core", "opening a queue on %1 failed (%2)"),
    QT_TRANSLATE_NOOP("Core", "opening %1 failed (%2)"),
    QT_TRANSLATE_NOOP("Core", "writing to %1 failed (%2)"),
    QT_TRANSLATE_NOOP("Core", "reading from %1 failed (%2)"),
    QT_TRANSLATE_NOOP("Core", "waiting for %1 failed (%2)"),
    QT_TRANSLATE_NOOP("Core", "%1 failed (%2)"),
    QT_TRANSLATE_NOOP("Core", "%1: argument %2 (%3)"),
    QT_TRANSLATE_NOOP("Core", "%1: %2 bytes of local memory"),
    QT_TRANSLATE_NOOP("Core", "%1.cl: no kernel %2 (%3)"),
    QT_TRANSLATE_NOOP("Core", "%1.cl does not build with \"%2\": %3"),
    QT_TRANSLATE_NOOP("Core", "OpenCL status %1"),
    // Recipes and presets
    QT_TRANSLATE_NOOP("Core", "step %1 (%2): %3"),
    QT_TRANSLATE_NOOP("Core", "step %1: %2"),
    QT_TRANSLATE_NOOP("Core", "unknown filter %1"),
    QT_TRANSLATE_NOOP("Core",
                      "recipe needs %1 version %2; this program knows version %3: update Sfumato"),
    QT_TRANSLATE_NOOP("Core",
                      "the recipe has format version %1; this program knows version %2: update "
                      "Sfumato"),
    QT_TRANSLATE_NOOP("Core", "this is not a Sfumato recipe: it has no \"sfumato\" version"),
    QT_TRANSLATE_NOOP("Core", "this is not a Sfumato recipe: it is no JSON object"),
    QT_TRANSLATE_NOOP("Core", "the recipe has no \"steps\""),
    QT_TRANSLATE_NOOP("Core", "the recipe's \"steps\" must be an array"),
    QT_TRANSLATE_NOOP("Core", "the recipe's \"steps\" are empty: it does nothing"),
    QT_TRANSLATE_NOOP("Core", "the recipe cannot be read: %1"),
    QT_TRANSLATE_NOOP("Core", "a recipe without steps does nothing"),
    QT_TRANSLATE_NOOP("Core", "a preset needs a name"),
    QT_TRANSLATE_NOOP("Core", "there is a preset %1 already; choose another name"),
    QT_TRANSLATE_NOOP("Core", "cannot write %1; check the folder's permissions and the room left"),
    QT_TRANSLATE_NOOP("Core", "cannot delete %1: %2"),
    QT_TRANSLATE_NOOP(
        "Core", "the preset %1 is built in and cannot be renamed; save a copy under another name"),
    QT_TRANSLATE_NOOP(
        "Core", "the preset %1 is built in and cannot be deleted; save a copy under another name"),
    QT_TRANSLATE_NOOP("Core", "the preset %1 cannot be used: %2"),
    QT_TRANSLATE_NOOP("Core", "the built-in preset %1: %2"),
    QT_TRANSLATE_NOOP("Core", "a preset's file needs a name of at most 60 plain characters"),
    QT_TRANSLATE_NOOP("Core", "it cannot be read (%1)"),
    QT_TRANSLATE_NOOP("Core", "it cannot be read; check its permissions"),
    QT_TRANSLATE_NOOP("Core", "it cannot be read"),
    QT_TRANSLATE_NOOP("Core", "it is too large for a recipe"),
    QT_TRANSLATE_NOOP("Core", "the recipe cannot be written: %1"),
    QT_TRANSLATE_NOOP("Core", "the recipe's \"sfumato\" version must be a whole number from 1"),
    QT_TRANSLATE_NOOP("Core", "the recipe has %1 steps; %2 are the most"),
    QT_TRANSLATE_NOOP("Core", "it has no \"filter\""),
    QT_TRANSLATE_NOOP("Core", "\"filter\" must be a text"),
    QT_TRANSLATE_NOOP("Core", "it must be an object with \"filter\" and \"values\""),
    QT_TRANSLATE_NOOP("Core", "\"version\" must be a whole number from 1"),
    QT_TRANSLATE_NOOP("Core", "\"enabled\" must be true or false"),
    QT_TRANSLATE_NOOP("Core", "\"values\" must be an object of names and values"),
    QT_TRANSLATE_NOOP("Core", "its values could not be taken from version %1 to %2: %3"),
    QT_TRANSLATE_NOOP("Core", "line %1, column %2: %3"),
    QT_TRANSLATE_NOOP("Core", "the name %1 is given twice in one object"),
    QT_TRANSLATE_NOOP("Core", "it nests deeper than %1 levels"),
    QT_TRANSLATE_NOOP("Core", "it is larger than %1 MiB"),
    QT_TRANSLATE_NOOP("Core", "the text is not valid UTF-8"),
    QT_TRANSLATE_NOOP("Core", "a text in it is not valid UTF-8"),
    QT_TRANSLATE_NOOP("Core", "unexpected %1; expected %2"),
    QT_TRANSLATE_NOOP("Core", "unexpected %1"),
    QT_TRANSLATE_NOOP("Core", "invalid literal"),
    QT_TRANSLATE_NOOP("Core", "end of input"),
    // Parameters
    QT_TRANSLATE_NOOP("Core", "unknown parameter %1 of %2; there are none"),
    QT_TRANSLATE_NOOP("Core", "unknown parameter %1; there are none"),
    QT_TRANSLATE_NOOP("Core", "unknown parameter %1 of %2; there are %3"),
    QT_TRANSLATE_NOOP("Core", "unknown parameter %1; there are %2"),
    QT_TRANSLATE_NOOP("Core", "unknown parameter %1 of %2"),
    QT_TRANSLATE_NOOP("Core", "%1: %2 is outside %3 to %4"),
    QT_TRANSLATE_NOOP("Core", "%1: %2 is not allowed; give a number from %3 to %4"),
    QT_TRANSLATE_NOOP("Core", "%1: %2 is not allowed; give a number of at least %3"),
    QT_TRANSLATE_NOOP("Core", "%1: %2 is not allowed; give a number of at most %3"),
    QT_TRANSLATE_NOOP("Core", "%1: %2 is not one of %3"),
    QT_TRANSLATE_NOOP("Core",
                      "%1: %2 is not a number; write rows like \"0 -1 0; -1 5 -1; 0 -1 0\""),
    QT_TRANSLATE_NOOP("Core",
                      "%1: %2 is not a matrix; write as many numbers in every row, like \"0 -1 0; "
                      "-1 5 -1; 0 -1 0\""),
    QT_TRANSLATE_NOOP("Core", "%1: a matrix of %2 is larger than %3"),
    QT_TRANSLATE_NOOP("Core", "%1: a matrix of %2 has no middle; both sizes must be odd"),
    QT_TRANSLATE_NOOP("Core", "%1: a matrix needs at least one row and one column"),
    QT_TRANSLATE_NOOP("Core", "%1: %2 is not allowed; %3"),
    QT_TRANSLATE_NOOP("Core", "%1: %2 is beyond what a number can hold; %3"),
    QT_TRANSLATE_NOOP("Core", "%1: %2 is not a number; %3"),
    QT_TRANSLATE_NOOP("Core", "%1: %2 is not a whole number; %3"),
    QT_TRANSLATE_NOOP("Core", "give a number from %1 to %2"),
    QT_TRANSLATE_NOOP("Core", "give a number of at least %1"),
    QT_TRANSLATE_NOOP("Core", "give a number of at most %1"),
    QT_TRANSLATE_NOOP("Core", "give a number of any size"),
    QT_TRANSLATE_NOOP("Core", "%1: %2 is outside at least %3"),
    QT_TRANSLATE_NOOP("Core", "%1: %2 is outside at most %3"),
    QT_TRANSLATE_NOOP("Core", "%1: %2 is neither yes nor no"),
    QT_TRANSLATE_NOOP("Core",
                      "%1: %2 is not a gradient; write stops like \"0 #000000; 1 #ffffff\""),
    QT_TRANSLATE_NOOP("Core", "%1: %2 is not a curve; write points like \"0 0; 0.5 0.7; 1 1\""),
    QT_TRANSLATE_NOOP("Core",
                      "%1: %2 is not a colour; write \"#rrggbb\", or red, green, blue and perhaps "
                      "alpha as numbers with spaces between"),
    QT_TRANSLATE_NOOP("Core", "%1: a gradient needs at least one stop"),
    QT_TRANSLATE_NOOP("Core", "%1: position %2 comes after %3; give the stops from left to right"),
    QT_TRANSLATE_NOOP("Core", "%1: a curve needs at least two points"),
    QT_TRANSLATE_NOOP("Core", "%1: x %2 comes after %3; x must rise"),
    QT_TRANSLATE_NOOP("Core", "%1: a matrix of %2 does not hold %3 numbers"),
    QT_TRANSLATE_NOOP("Core", "%1: a path cannot hold NUL"),
    QT_TRANSLATE_NOOP("Core", "%1: channels %2 have no file"),
    QT_TRANSLATE_NOOP("Core", "%1: channels %2 lack a name between commas"),
    QT_TRANSLATE_NOOP("Core", "%1: %2 are not names of channels"),
    QT_TRANSLATE_NOOP("Core", "%1: its kind is %2, not %3"),
    QT_TRANSLATE_NOOP("Core", "%1: %2 is not a number"),
    QT_TRANSLATE_NOOP("Core", "%1: %2 is not a whole number"),
    QT_TRANSLATE_NOOP("Core", "%1: %2 is not a text"),
    QT_TRANSLATE_NOOP("Core", "%1: %2 is not true or false"),
    QT_TRANSLATE_NOOP("Core", "%1: %2 is not a colour; give [red, green, blue, alpha]"),
    QT_TRANSLATE_NOOP(
        "Core", "%1: %2 is not a gradient; give [{\"position\": ..., \"color\": [...]}, ...]"),
    QT_TRANSLATE_NOOP("Core", "%1: %2 is not a curve; give [[x, y], ...]"),
    QT_TRANSLATE_NOOP("Core",
                      "%1: %2 is not a matrix; give an array of rows that are equally long"),
    QT_TRANSLATE_NOOP("Core",
                      "%1: %2 is not an image; give {\"path\": ..., \"channels\": ...} or null"),
    QT_TRANSLATE_NOOP("Core", "%1: an image has no %2"),
    QT_TRANSLATE_NOOP("Core", "values must be an object of names and values, not %1"),
    // What is in a value, and its unit
    QT_TRANSLATE_NOOP("Core", "%1 degrees"),
    QT_TRANSLATE_NOOP("Core", "red %1"),
    QT_TRANSLATE_NOOP("Core", "green %1"),
    QT_TRANSLATE_NOOP("Core", "blue %1"),
    QT_TRANSLATE_NOOP("Core", "alpha %1"),
    QT_TRANSLATE_NOOP("Core", "position %1"),
    QT_TRANSLATE_NOOP("Core", "an array"),
    QT_TRANSLATE_NOOP("Core", "an object"),
    // Reasons that the system gives
    QT_TRANSLATE_NOOP("Core", "No such file or directory"),
    QT_TRANSLATE_NOOP("Core", "Permission denied"),
    QT_TRANSLATE_NOOP("Core", "Operation not permitted"),
    QT_TRANSLATE_NOOP("Core", "No space left on device"),
    QT_TRANSLATE_NOOP("Core", "Disk quota exceeded"),
    QT_TRANSLATE_NOOP("Core", "File too large"),
    QT_TRANSLATE_NOOP("Core", "File name too long"),
    QT_TRANSLATE_NOOP("Core", "Read-only file system"),
    QT_TRANSLATE_NOOP("Core", "Input/output error"),
    QT_TRANSLATE_NOOP("Core", "Too many open files"),
};

struct Worded {
  const char* said;
  const char* shown;
};

// Said with names of the command line, or advice on it; windows have labels. Keep them as the
// filters declare them.
constexpr Worded worded[] = {
    {"no OpenCL device fits \"%1\"; `sfumato devices` lists them, and \"reference\" runs without "
     "OpenCL",
     QT_TRANSLATE_NOOP("Core", "no OpenCL device fits \"%1\"; choose another in the preferences")},
    {"there is no filter %1 (`sfumato filters` lists them)",
     QT_TRANSLATE_NOOP("Core", "there is no filter %1")},
    {"the picture has samples that are not finite numbers; %1 reads them as 0",
     QT_TRANSLATE_NOOP("Core",
                       "the picture has samples that are not finite numbers; they are read as 0")},
    {"white: it must be above black; to turn the picture negative, exchange output_black and "
     "output_white",
     QT_TRANSLATE_NOOP("Core",
                       "White: it must be above Black; to turn the picture negative, exchange "
                       "Output black and Output white")},
    {"low_threshold: it must not be above high_threshold; equal ones make a single threshold",
     QT_TRANSLATE_NOOP(
         "Core",
         "Low threshold: it must not be above High threshold; equal ones make a single threshold")},
    {"cutoff_high: it must be above cutoff, where the band begins",
     QT_TRANSLATE_NOOP("Core", "High cutoff: it must be above Cutoff, where the band begins")},
    {"method: fast is for distance color; choose that, or exact",
     QT_TRANSLATE_NOOP("Core", "Method: Fast is for the distance Colour")},
    {"method: direct sums (2 radius + 1)^2 products a pixel and is offered to sigma 8 (radius 32); "
     "use separable, which gives the same",
     QT_TRANSLATE_NOOP("Core",
                       "Method: Direct sums (2 radius + 1)^2 products a pixel and is offered to "
                       "sigma 8 (radius 32); use Separable, which gives the same")},
    {"kernel: the picture sums to 0 in a channel, so it cannot be normalised; give one that is not "
     "black, or switch normalise off",
     QT_TRANSLATE_NOOP("Core",
                       "Kernel: the picture sums to 0 in a channel, so it cannot be normalised; "
                       "give one that is not black, or switch Normalise off")},
    {"show: %1 has no direction, only a magnitude; %2 takes sobel, scharr, prewitt or roberts",
     QT_TRANSLATE_NOOP("Core",
                       "Show: this operator has no direction, only a magnitude; choose Sobel, "
                       "Scharr, Prewitt or Roberts")},
    {"%1 needs a picture whose edges it keeps: one for guide, for normal, for depth, or for "
     "several of them",
     QT_TRANSLATE_NOOP("Core",
                       "%1 needs a picture whose edges it keeps: one for Guide, for Normals, for "
                       "Depth, or for several of them")},
    {"%1 needs the render's normals, depths or both: a picture for normal, for depth, or for each",
     QT_TRANSLATE_NOOP("Core",
                       "%1 needs the render's normals, depths or both: a picture for Normals, for "
                       "Depth, or for each")},
    {"matrix: give it, or row and column, not both",
     QT_TRANSLATE_NOOP("Core", "Matrix: give it, or Row and Column, not both")},
    {"matrix: its numbers may be -1000000 to 1000000",
     QT_TRANSLATE_NOOP("Core", "Matrix: its numbers may be -1000000 to 1000000")},
    {"row: its numbers may be -1000000 to 1000000",
     QT_TRANSLATE_NOOP("Core", "Row: its numbers may be -1000000 to 1000000")},
    {"column: its numbers may be -1000000 to 1000000",
     QT_TRANSLATE_NOOP("Core", "Column: its numbers may be -1000000 to 1000000")},
    {"normalise: every weight is 0, so there is no sum to divide by",
     QT_TRANSLATE_NOOP("Core", "Normalise: every weight is 0, so there is no sum to divide by")},
    {"normalise: the weights sum to 0, which nothing can be divided by; leave it off, and "
     "give a factor",
     QT_TRANSLATE_NOOP("Core",
                       "Normalise: the weights sum to 0, which nothing can be divided by; leave it "
                       "off, and give a factor")},
};

// What any sentence about a name may end with.
constexpr const char* suggestion = QT_TRANSLATE_NOOP("Core", "did you mean %1?");

const QRegularExpression& placeholder() {
  static const QRegularExpression made(QStringLiteral("%([1-9])"));
  return made;
}

// The words of the template, with values of any kind between them, in the order of their numbers.
QRegularExpression pattern_of(const char* text) {
  QString pattern = QRegularExpression::escape(QLatin1String(text));
  pattern.replace(QRegularExpression(QStringLiteral("\\\\%[1-9]")), QStringLiteral("(.+?)"));
  return QRegularExpression(QRegularExpression::anchoredPattern(pattern),
                            QRegularExpression::DotMatchesEverythingOption);
}

QString filled(const QString& text, const QStringList& values) {
  QString out;
  qsizetype from = 0;
  auto places = placeholder().globalMatch(text);
  while (places.hasNext()) {
    const auto place = places.next();
    out += text.mid(from, place.capturedStart() - from);
    out += values.value(place.captured(1).toInt() - 1);
    from = place.capturedEnd();
  }
  return out + text.mid(from);
}

// Without the options of the command line.
QString translated(const char* text) {
  static const QRegularExpression option(QStringLiteral(" \\(--[a-z-]+(?: [a-z0-9]+)?\\)"));
  return QCoreApplication::translate("Core", text).remove(option);
}

struct Known {
  const char* said;
  const char* shown;
  QRegularExpression pattern;
};

// The first that fits counts: exact ones, and then those that have most to say.
const std::vector<Known>& all_known() {
  static const std::vector<Known> known = [] {
    std::vector<Known> made;
    for (const auto& [said, shown] : worded) made.push_back({said, shown, pattern_of(said)});
    for (const char* text : start_templates) made.push_back({text, text, pattern_of(text)});
    for (const char* text : templates) made.push_back({text, text, pattern_of(text)});
    for (const char* text : picture_templates) made.push_back({text, text, pattern_of(text)});
    return made;
  }();
  return known;
}

QString translated(const QString& sentence, int depth) {
  static const QRegularExpression suggested = pattern_of("%1; did you mean %2?");
  if (depth > deepest) return sentence;
  if (const auto match = suggested.match(sentence); match.hasMatch()) {
    return translated(match.captured(1), depth) + QStringLiteral("; ") +
           filled(translated(suggestion), {match.captured(2)});
  }
  for (const Known& known : all_known()) {
    const auto match = known.pattern.match(sentence);
    if (!match.hasMatch()) continue;
    QStringList values = match.capturedTexts().mid(1);
    for (QString& value : values) value = translated(value, depth + 1);
    return filled(translated(known.shown), values);
  }
  return sentence;
}

}  // namespace

QString core_text(const QString& sentence) {
  return translated(sentence, 0);
}

QString core_text(const std::string& sentence) {
  return core_text(QString::fromStdString(sentence));
}

QString core_text(const Message& message) {
  if (message.id.empty()) return core_text(in_english(message));
  return QString::fromStdString(in_words(message, translations(), Reader::window));
}

std::vector<CoreSentence> core_sentences() {
  std::vector<CoreSentence> out{
      {QStringLiteral("%1; did you mean \"%2\"?"),
       QStringLiteral("%1; ") + filled(translated(suggestion), {QStringLiteral("\"%2\"")})}};
  for (const Known& known : all_known()) {
    out.push_back({QString::fromUtf8(known.said), translated(known.shown)});
  }
  return out;
}

}  // namespace sfumato::gui
