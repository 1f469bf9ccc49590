// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The interface of the module that is linked with OpenImageIO.
#pragma once

#include "io/drawing.hpp"
#include "io/io.hpp"
#include "io/plain_profile.hpp"

namespace sfumato::files {

/// A path for messages: quoted, with characters that could upset a terminal replaced.
std::string shown(const std::filesystem::path& path);

/// ASCII letters in lower case, whatever the locale.
std::string lower(std::string_view text);
/// A path's extension in lower case, without the dot; empty if it has none.
std::string lower_extension(const std::filesystem::path& path);
/// "8-bit", "16-bit", "half" or "float".
const char* depth_name(SampleType type);

/// The warning about a profile whose tone curve the engine does not know.
Message unknown_curve(const std::filesystem::path& path, SampleType type);

/// Side of the tiles of a JPEG 2000 file, in pixels.
inline constexpr int jpeg2000_tile = 1024;

/// PictureInfo::file_format of a file in io/pixel_file.hpp's form.
inline constexpr char pixel_file_format[] = "pixel file";

/// Encodes one picture into an open, empty file.
class FileWriter {
 public:
  virtual ~FileWriter() = default;
  virtual const PictureFormat& format() const = 0;
  virtual const std::vector<Message>& warnings() const = 0;
  virtual void write(const HostView& pixels) = 0;
  /// Writes what is left. Throws FileError; nothing may be written afterwards.
  virtual void finish() = 0;
};

struct WriteRequest {
  std::filesystem::path shown;      ///< the target, for messages
  int descriptor = -1;              ///< the temporary, open for reading and writing
  std::filesystem::path temporary;  ///< its name
  const FormatInfo* info = nullptr;
  WriteOptions options;
  InputPicture* origin = nullptr;  ///< may be null; else has an origin()
  PictureFormat format;            ///< of the origin, or what the caller has
};

/// Encodes pictures that are shown one after the other into one file.
class FramesWriter {
 public:
  virtual ~FramesWriter() = default;
  /// A writer of the next picture, which is shown from `start` milliseconds on; all have the same
  /// size. It is finished before the next one is made.
  virtual std::unique_ptr<FileWriter> next(const WriteRequest& frame, int start) = 0;
  /// Writes the file, whose last picture is shown until `end`. Throws FileError.
  virtual void finish(int end) = 0;
};

/// Exceptions pass from the module to the program: libstdc++ compares their types by name, so the
/// module may be loaded without sharing its symbols.
class FileModule {
 public:
  virtual ~FileModule() = default;
  /// PictureInfo::file_format of a file. Throws FileError.
  virtual std::string recognise(const std::filesystem::path& path) = 0;
  /// The bytes of memory that opening a file of such a format takes beyond what all files do; 0 for
  /// most. Damaged files may claim any number.
  virtual std::size_t memory_to_open(const std::filesystem::path& path,
                                     const std::string& format) = 0;
  virtual std::unique_ptr<InputPicture> open(const std::filesystem::path& path,
                                             const ReadOptions& options) = 0;
  virtual std::unique_ptr<FileWriter> create(const WriteRequest& request) = 0;
  /// An animated WebP file, shown `loops` times; 0: for ever.
  virtual std::unique_ptr<FramesWriter> animate(const WriteRequest& file, int loops) = 0;
  // As in drawing.hpp.
  virtual int width_of_text(const std::string& text, const TextStyle& style) = 0;
  virtual void draw_text(HeldPicture& picture, int x, int y, const std::string& text,
                         const TextStyle& style) = 0;
  virtual std::string versions() = 0;
  /// An ICC profile in numbers.
  virtual ProfileNumbers numbers_of(const std::vector<unsigned char>& profile) = 0;
};

/// The module, loaded by the first call, into this process. Any thread. Throws FileError.
FileModule& loaded_module();

/// The module's only exported function; the number in its name changes with this header.
inline constexpr char module_entry[] = "sfumato_file_module_22";
using ModuleEntry = FileModule*();

}  // namespace sfumato::files
