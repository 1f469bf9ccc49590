// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Picture files: read and written in strips, with all that they carry besides the pixels.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "engine/pixels.hpp"
#include "engine/roles.hpp"
#include "text/message.hpp"

namespace sfumato {

/// A file that cannot be read or written. Its message is one sentence that names the file and says
/// what to do about it.
class FileError : public MessageError {
 public:
  using MessageError::MessageError;
};

/// The most pixels that a file may claim to have unless the user allows more: 46,000 x 46,000.
inline constexpr std::uint64_t default_max_pixels = std::uint64_t{1} << 31;

class FileOrigin;
class InputPicture;
class Movies;

struct ReadOptions {
  /// What the picture is used for: empty for the picture itself, else a role's name. "normal" and
  /// "depth" look for channels of their usual names (N.X, normal.R, Z, depth.V...).
  std::string role = {};
  /// Channels by name ("N.X,N.Y,N.Z"), or a layer's or part's name ("normal"), as in
  /// ImageRef::channels; letter case aside. Empty: the first colour layer, or what suits the role.
  std::string channels = {};
  std::uint64_t max_pixels = default_max_pixels;
  /// Of a movie: the picture of this number, from 1 (io/movie.hpp). 0: the file is a picture.
  std::int64_t frame = 0;
  /// Decoders of movies that several frames share; null: one for this frame.
  std::shared_ptr<Movies> movies = {};
  /// For a role: the picture that it belongs to, needed only while the role is opened. What is
  /// opened then has its size and lies as it does:
  /// - Where their EXIF orientations differ the role is turned, and held in memory; if it fits
  ///   only as it is stored it is not, with a warning. Vectors in it keep their directions.
  /// - In OpenEXR files with one display window, pixels with the same coordinates meet; a role as
  ///   large as the picture's display window (as another format holds it) is laid over that.
  /// - What the role does not cover is 0 (PixelSource::covered()); one that covers nothing of the
  ///   picture is a FileError.
  /// Where neither their sizes nor their display windows' agree, FileError says both.
  const InputPicture* of = nullptr;
  /// The file is decoded in a process of its own that can do nothing else, so that a hostile or
  /// damaged one costs a FileError at most. False: in this process.
  bool contained = true;
};

/// What a file says of its picture besides the pixels and their format.
struct PictureInfo {
  std::filesystem::path path;
  /// The file's format by its content, as in FormatInfo::id ("jpeg", "tiff", "raw"...).
  std::string file_format;
  /// The names of the channels that are read, in their order.
  std::vector<std::string> channel_names;
  /// The layers and parts of an OpenEXR file, as ReadOptions::channels takes them; empty where
  /// there is none but the picture itself.
  std::vector<std::string> layers;
  /// All channels of the file, as ReadOptions::channels takes them.
  std::vector<std::string> all_channels;
  /// What the user should know: an unknown tone curve, pages left out. One sentence each.
  std::vector<Message> warnings;
  /// EXIF orientation, 1 to 8; 1 is upright.
  int orientation = 1;
  /// OpenEXR's data window, which has the picture's size, and its display window, in the file's
  /// coordinates; both the whole picture at (0, 0) in other formats.
  Rect data_window, display_window;
  /// The embedded ICC profile; empty where there is none.
  std::vector<unsigned char> icc_profile;
  /// Bytes of memory that reading takes beside what it gives, roughly from above: many where the
  /// format is decoded as a whole (WebP, HEIF, raw files, interlaced PNG, progressive JPEG...).
  std::size_t working_bytes = 0;
};

/// A picture in a file, read in strips from top to bottom; regions that overlap upwards only as
/// far as the last region's top, unless keep_all() was called first. For EXR the picture is the
/// data window. Pixels are as stored: not turned by the orientation, not premultiplied if they are
/// not. One thread at a time; two pictures may be read at once.
class InputPicture : public PixelSource {
 public:
  const PictureFormat& format() const final { return format_; }
  const PictureInfo& info() const { return info_; }
  /// The file, for a writer that takes over what is not read of it; null where there is none to
  /// take over from (io/file_origin.hpp).
  virtual FileOrigin* origin() { return nullptr; }
  /// Adds to info().warnings, before anyone else has the picture.
  void warn(const Message& warning) { info_.warnings.push_back(warning); }

 protected:
  // Filled while the picture is opened, never changed afterwards.
  PictureFormat format_;
  PictureInfo info_;
};

/// Starts what the first picture would start: the process that decodes it, and, on a thread, the
/// file module, which writes one. Optional; a fault is reported with the first picture. Any thread.
[[nodiscard]] std::jthread prepare_files(const ReadOptions& options);

/// Opens a picture; what it is, is decided by its content, not by its name. The first call loads
/// OpenImageIO. Any thread. Throws FileError.
std::unique_ptr<InputPicture> open_picture(const std::filesystem::path& path,
                                           const ReadOptions& options = {});

/// "OpenImageIO 2.4.7.1, LittleCMS 2.14": what reads and writes files, for reports. Loads it.
/// Throws FileError.
std::string file_library_versions();

/// The tone curve of a gray or RGB profile, as files with it are read; empty where it has another
/// kind of curve. Throws FileError where the module cannot be loaded.
std::optional<Coding> coding_of_icc(const std::vector<unsigned char>& profile);

/// Throws FileError for what can be told of an input without OpenImageIO: no such file, a folder,
/// an empty file, one that may not be read. open_picture() does this first.
void check_input(const std::filesystem::path& path);

/// What becomes of the colours that a picture's profile describes.
enum class ProfileChoice {
  keep,  ///< the profile goes with its numbers
  /// The numbers become sRGB's (integers coded, floats light), with a profile that says so where
  /// the file holds one. Pictures without a profile are taken for sRGB.
  srgb,
  strip,  ///< no ICC profile; the numbers stay what they are
};

struct WriteOptions {
  /// Depth of the output; nullopt: the input's, as far as the format holds it.
  std::optional<SampleType> bits = {};
  bool overwrite = false;  ///< replace a file that is there
  /// 1..100 for JPEG and WebP, 100 being lossless in WebP; 0: 95, or lossless where both files are
  /// WebP and the input is.
  int quality = 0;
  /// How the file is packed, by a name of FormatInfo::compressions; empty: the input's way, or
  /// the usual one.
  std::string compression = {};
  bool in_color = false;      ///< a gray input becomes a file of three colours
  bool keep_metadata = true;  ///< false: the ICC profile, resolution and orientation only
  ProfileChoice profile = ProfileChoice::keep;
  /// Everything is on the disk when commit() returns, so that a power cut takes nothing away.
  bool durable = false;
  /// As RenderOptions::dither: the engine dithers, but for pictures that are laid over a ground.
  bool dither = false;
  /// Asked while a format that is encoded as a whole (WebP) is finished, on any thread; true makes
  /// commit() throw Cancelled. May be empty.
  std::function<bool()> cancelled = {};
  /// The input, where the output is checked before the input is opened.
  std::filesystem::path input_path = {};
};

/// A picture being written: to a temporary beside the target, which takes the target's name only
/// in commit(). Destroyed without commit(), it leaves nothing behind. One thread at a time.
/// A picture with alpha is laid over white where the file holds integers and no alpha, and over
/// black where it holds light and no alpha; format() then asks for float light with alpha.
class OutputPicture : public PixelSink {
 public:
  /// The file that commit() makes, symbolic links followed.
  virtual const std::filesystem::path& path() const = 0;
  /// What the target cannot hold (depth, alpha, metadata). One sentence each.
  virtual const std::vector<Message>& warnings() const = 0;
  /// Bytes of memory that writing takes beside what it is given, roughly from above.
  virtual std::size_t working_bytes() const = 0;
  /// Finishes the file and gives it its name. Throws FileError, or Cancelled where the options
  /// allow it, and then leaves nothing behind; a file that was there before stays as it was.
  virtual void commit() = 0;
};

/// Starts a picture of `origin`'s size, channels and metadata at `path`, in the format that its
/// extension names. `origin` was opened without ReadOptions::of and must outlive the result:
/// channels, layers, parts and pages that were not read are copied from it where the target can
/// hold them. Throws FileError.
std::unique_ptr<OutputPicture> create_picture(const std::filesystem::path& path,
                                              const WriteOptions& options, InputPicture& origin);

/// The same with nothing to take over: a picture of `format`'s size and channels; its depth and
/// tone curve too as far as the file can hold them.
std::unique_ptr<OutputPicture> create_picture(const std::filesystem::path& path,
                                              const WriteOptions& options,
                                              const PictureFormat& format);

/// Throws FileError for what can be told of an output without OpenImageIO: an unknown extension, a
/// folder that is missing or may not be written, an existing file without `overwrite`, a depth
/// that the format has not, the input itself. create_picture() does this first.
void check_output(const std::filesystem::path& path, const WriteOptions& options);

/// A file format that can be written.
struct FormatInfo {
  std::string id;    ///< "png", "jpeg", "tiff", "openexr", "webp", "pfm", "pnm", "hdr"
  std::string name;  ///< as people write it: "PNG"
  std::vector<std::string> extensions;  ///< lower case, without the dot, the usual one first
  std::vector<SampleType> depths;       ///< from the smallest to the largest
  bool alpha = false;
  bool gray = false;      ///< holds one channel; else gray is written as RGB
  bool metadata = false;  ///< holds EXIF-like metadata
  bool icc = false;       ///< holds a profile
  bool quality = false;   ///< WriteOptions::quality counts
  /// What WriteOptions::compression may be: without loss but for OpenEXR's pxr24, b44 and dwaa.
  std::vector<std::string> compressions = {};
};

/// Every format that can be written, from a table: OpenImageIO is not loaded.
const std::vector<FormatInfo>& writable_formats();

/// The format that a path's extension names, or null.
const FormatInfo* format_of(const std::filesystem::path& path);

/// Removes the temporaries of pictures that were not committed. Safe in a signal handler, for a
/// program that is about to end by SIGINT; otherwise destructors do this.
void remove_temporaries() noexcept;

/// A picture held in memory.
struct HeldPicture {
  PictureFormat format;
  std::vector<char> bytes;

  HostView view() {
    return {bytes.data(), static_cast<std::ptrdiff_t>(format.row_bytes()), format.rect()};
  }
  /// To be read only: a view's pointer is the same for both.
  HostView view() const { return const_cast<HeldPicture*>(this)->view(); }
  /// A source of these pixels; the picture must outlive it.
  MemorySource source() const { return {format, view()}; }
};

/// A picture of that format, all bytes 0.
HeldPicture blank_picture(const PictureFormat& format);

/// Opens the files that a recipe's image parameters name, laid as `picture`, which must outlive the
/// result; `warn` hears each file's warnings once. `options` holds what every file is read with.
RoleResolver role_files(const InputPicture& picture, const ReadOptions& options,
                        std::function<void(const Message&)> warn);

/// Reads all of a source. Throws FileError before anything is read where it would not fit into the
/// memory that is free.
HeldPicture read_all(PixelSource& source);

}  // namespace sfumato
