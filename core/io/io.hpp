// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Reads and writes picture files in strips, with everything they hold besides the pixels.
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
#include "image/resampling.hpp"
#include "io/file_version.hpp"
#include "text/message.hpp"

namespace sfumato {

/// A file cannot be read or written. The message is one sentence that names the file and says what
/// to do.
class FileError : public MessageError {
 public:
  using MessageError::MessageError;
};

/// Pictures of one file must not come from two: what to throw where they would.
FileError file_changed(const std::filesystem::path& path);
/// Throws it unless the file at `path` is that of `before`. nullopt: there was none, or it need not
/// stay. Any thread.
void check_version(const std::filesystem::path& path, const std::optional<FileVersion>& before);

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
  /// The most bytes of memory that a decoder may take; 0: what is free. Who sets it refuses what
  /// takes more (PictureInfo::working_bytes) before the first row is read.
  std::size_t memory = 0;
  /// The page of a TIFF file, the frame of an animation (GIF, WebP, PNG) as it is shown, or the
  /// picture of a HEIF, PSD or ICO file, from 1: it is read as if it were alone. 0: the first, with
  /// a warning if there are more.
  int page = 0;
  /// Of a movie: the picture of this number, from 1 (io/movie.hpp). 0: the file is a picture.
  std::int64_t frame = 0;
  /// Decoders of movies and readers of animations that several frames share; null: one for this
  /// frame. `cancelled` must stay valid as long as they do.
  std::shared_ptr<Movies> movies = {};
  /// For a role: the picture that it belongs to, needed only while the role is opened. What is
  /// opened then has its size and lies as it does:
  /// - If their EXIF orientations differ, the role is turned, and kept in memory. If it fits
  ///   only as it is stored, it is not turned, with a warning. Vectors in it keep their directions.
  /// - In OpenEXR files with one display window, pixels with the same coordinates meet; a role as
  ///   large as the picture's display window (as another format holds it) is laid over that.
  /// - What the role does not cover is 0 (PixelSource::covered()); one that covers nothing of the
  ///   picture is a FileError.
  /// If neither their sizes nor those of their display windows agree, FileError says both.
  const InputPicture* of = nullptr;
  /// The file is decoded in a process of its own that can do nothing else, so that a hostile or
  /// damaged one costs a FileError at most. False: in this process.
  bool contained = true;
  /// Asked several times a second while a decoder works; returns true to end it with Cancelled. May
  /// be empty. Must stay valid as long as the picture.
  std::function<bool()> cancelled = {};
};

/// What a file says about its picture, except the pixels and their format.
struct PictureInfo {
  std::filesystem::path path;
  /// The file's format by its content, as in FormatInfo::id ("jpeg", "tiff", "raw"...).
  std::string file_format;
  /// The names of the channels that are read, in the order of the samples.
  std::vector<std::string> channel_names;
  /// The layers and parts of an OpenEXR file, as ReadOptions::channels takes them; empty if
  /// there are none besides the picture itself.
  std::vector<std::string> layers;
  /// All channels of the file, as ReadOptions::channels takes them.
  std::vector<std::string> all_channels;
  /// What the user should know (an unknown tone curve, pages left out), one sentence each.
  std::vector<Message> warnings;
  /// EXIF orientation, 1 to 8; 1 is upright.
  int orientation = 1;
  /// OpenEXR's data window, which has the picture's size, and its display window, in the file's
  /// coordinates; in other formats both are the whole picture at (0, 0).
  Rect data_window, display_window;
  /// Of a JPEG file, 1 to 100 as libjpeg counts: estimated from its table for brightness. 0: no
  /// JPEG, or its tables are not there.
  int jpeg_quality = 0;
  /// The number of pages or frames in the file, 1 to 65535; 0 if ReadOptions::page is 0, except for
  /// icons.
  int pages = 0;
  /// How long each frame of an animation is shown, in microseconds, as browsers do (0.1 s for at
  /// most 0.01 s). Empty: it is none, or ReadOptions::page is 0.
  std::vector<std::int64_t> frame_times;
  /// How often the animation is shown; 0: for ever.
  int loops = 0;
  /// The embedded ICC profile; empty if there is none.
  std::vector<unsigned char> icc_profile;
  /// Bytes of memory that reading needs in addition to its result, an upper estimate: large if the
  /// format is decoded as a whole (WebP, HEIF, raw files, interlaced PNG, progressive JPEG...).
  std::size_t working_bytes = 0;
  /// Bytes of the rows that are read at once. Reading holds them three times: those that are handed
  /// on, those that follow, and a copy.
  std::size_t chunk_bytes = 0;
};

/// A picture in a file, read in strips from top to bottom: no region may begin above the previous
/// one, unless keep_all() was called first. For EXR the picture is the data window. Pixels are as
/// stored: not turned by the orientation, premultiplied only if the file's are. One thread at a
/// time; two pictures may be read at once.
class InputPicture : public PixelSource {
 public:
  const PictureFormat& format() const final { return format_; }
  const PictureInfo& info() const { return info_; }
  /// As PixelSource says. With the last row, and where reading fails, it also calls
  /// check_unchanged().
  void read(const Rect& region, void* to, std::ptrdiff_t row_stride) final;
  /// Throws FileError if the file was written to after it had been opened: the rows would be partly
  /// of the old picture and partly of the new one. A file that another has replaced or whose name
  /// is gone is read to its end; movies may grow while they are recorded.
  void check_unchanged() const;
  /// The file, for a writer that takes over what is not read of it; null where there is none to
  /// take over from (io/file_origin.hpp).
  virtual FileOrigin* origin() { return nullptr; }
  /// Adds to info().warnings, before anyone else has the picture.
  void warn(const Message& warning) { info_.warnings.push_back(warning); }
  /// The file, watched since before it was opened.
  void watch(FileWatch file) { file_ = std::move(file); }

 protected:
  virtual void read_rows(const Rect& region, void* to, std::ptrdiff_t row_stride) = 0;

  // Set while the picture is opened, never changed afterwards.
  PictureFormat format_;
  PictureInfo info_;

 private:
  FileWatch file_;
};

/// Starts what the first picture would start: the process that decodes it, and, on a thread, the
/// file module, which writes one. Optional; an error is reported with the first picture. Any
/// thread.
[[nodiscard]] std::jthread prepare_files(const ReadOptions& options);

/// Opens a picture. Its format is recognised by its content, not by its name. The first call loads
/// OpenImageIO. Any thread. Throws FileError.
std::unique_ptr<InputPicture> open_picture(const std::filesystem::path& path,
                                           const ReadOptions& options = {});

/// The libraries that read and write files, for reports: "OpenImageIO 2.4.7.1, LittleCMS 2.14".
/// Loads them. Throws FileError.
std::string file_library_versions();

/// The tone curve with which files with this gray or RGB profile are read; empty if it has another
/// kind of curve. The profile is parsed in a process of its own. `path` is the picture's, for
/// messages. Any thread. Throws FileError.
std::optional<Coding> coding_of_icc(const std::vector<unsigned char>& profile,
                                    const std::filesystem::path& path);

/// A profile of the same colours for libraries in this process, written from the numbers that the
/// given one, parsed in a process of its own, consists of: tables have 33^3 colours. Empty if it is
/// not for gray or RGB, or damaged. The last ones are kept. Otherwise as coding_of_icc().
std::vector<unsigned char> plain_profile(const std::vector<unsigned char>& profile,
                                         const std::filesystem::path& path);

/// Throws FileError for what can be found out about an input without OpenImageIO: a missing file, a
/// folder, an empty file, a file that may not be read. open_picture() does this first.
void check_input(const std::filesystem::path& path);

/// What happens to the colours that a picture's profile describes.
enum class ProfileChoice {
  keep,  ///< profile and samples are kept
  /// Colours are converted to sRGB (integers coded, floats linear), with a profile that says so if
  /// the format can hold one. Pictures without a profile are taken for sRGB.
  srgb,
  strip,  ///< no ICC profile; samples are kept
};

/// A second picture of a file: a layer of OpenEXR with this name, or the second page of TIFF.
struct FileLayer;

/// WriteOptions::quality: as in the input.
inline constexpr int kept_quality = -1;

struct WriteOptions {
  /// Depth of the output; nullopt: the input's, as far as the format can hold it.
  std::optional<SampleType> bits = {};
  bool overwrite = false;  ///< replace an existing file
  /// 1 to 100 for formats with FormatInfo::quality; 100 is lossless, except in JPEG. 0: 95, or
  /// lossless in JPEG 2000, and in WebP if the input is a lossless WebP file; kept_quality: JPEG's
  /// is the input's, if that is JPEG.
  int quality = 0;
  /// The compression, one of FormatInfo::compressions; empty: the input's, or the format's usual
  /// one.
  std::string compression = {};
  bool in_color = false;  ///< a gray input becomes a file of three colours
  /// false: only what the samples mean (colours, orientation, resolution, the shape of pixels).
  bool keep_metadata = true;
  ProfileChoice profile = ProfileChoice::keep;
  /// Everything is on the disk when commit() returns: a power cut loses nothing.
  bool durable = false;
  /// As RenderOptions::dither. The engine dithers, except pictures that are laid over a background.
  bool dither = false;
  /// Called on any thread while write() or commit() encode large pieces (JPEG 2000) or the whole
  /// (WebP, AVIF, HEIF); if it returns true, they throw Cancelled. May be empty.
  std::function<bool()> cancelled = {};
  /// The picture gets another size; nullopt: it keeps its own. What is written must have the new
  /// one (io/resizing_sink.hpp). Other channels and parts of the input's file get it, too.
  std::optional<Resizing> resizing = {};
  /// What the file holds beside the picture; null: nothing. Only in files of floats. Its picture,
  /// which has the format of the output, must be complete before the first row is written.
  std::shared_ptr<FileLayer> layer = {};
  std::uint64_t max_pixels = default_max_pixels;  ///< of a picture in its new size
  /// The input, if the output is checked before the input is opened.
  std::filesystem::path input_path = {};
};

/// The number of pages or frames in a file; ReadOptions::page is of no meaning. Throws FileError.
int count_pages(const std::filesystem::path& path, ReadOptions options);

/// A picture that is written to a temporary file beside the target, which gets the target's name
/// in commit(). Without commit() the destructor removes it. One thread at a time.
/// If the format cannot hold alpha, a picture with alpha is laid over white in files of integers,
/// and over black in files of linear light; format() is then linear float with alpha.
class OutputPicture : public PixelSink {
 public:
  /// The file that commit() makes, symbolic links followed.
  virtual const std::filesystem::path& path() const = 0;
  /// What the target cannot hold (depth, alpha, metadata), in sentences; complete after commit().
  virtual const std::vector<Message>& warnings() const = 0;
  /// Bytes of memory that writing needs in addition to what it is given, an upper estimate.
  virtual std::size_t working_bytes() const = 0;
  /// Finishes the file and gives it its name. Throws FileError, or Cancelled if
  /// WriteOptions::cancelled says so; then nothing is left behind, and an existing file is
  /// unchanged.
  virtual void commit() = 0;
};

/// The format of `origin` in the size that `options` ask for. The size to fit into is that of the
/// picture as it is shown: sides of a picture that lies are exchanged.
PictureFormat resized_format(const InputPicture& origin, const WriteOptions& options);

/// Starts a picture with the size, channels and metadata of `origin` at `path`, in the format that
/// the path's extension names. `origin` was opened without ReadOptions::of and must outlive the
/// result: channels, layers, parts and pages that were not read are copied from it if the target
/// can hold them. Throws FileError.
std::unique_ptr<OutputPicture> create_picture(const std::filesystem::path& path,
                                              const WriteOptions& options, InputPicture& origin);

/// The same without an input: a picture with the size and channels of `format`, and with its depth
/// and tone curve as far as the file can hold them.
std::unique_ptr<OutputPicture> create_picture(const std::filesystem::path& path,
                                              const WriteOptions& options,
                                              const PictureFormat& format);

/// Throws FileError for what can be found out about an output without OpenImageIO: an unknown
/// extension, a folder that is missing or may not be written, an existing file without `overwrite`,
/// a depth that the format does not have, the input itself. create_picture() does this first.
void check_output(const std::filesystem::path& path, const WriteOptions& options);

/// A file format that can be written.
struct FormatInfo {
  /// "png", "jpeg", "tiff", "openexr", "webp", "pfm", "pnm", "hdr", "jpeg2000", "j2k" (its
  /// codestream alone), "avif", "heif", "bmp", "targa".
  std::string id;
  std::string name;                     ///< for people: "PNG"
  std::vector<std::string> extensions;  ///< lower case, without the dot, the usual one first
  std::vector<SampleType> depths;       ///< from the smallest to the largest
  bool alpha = false;
  bool gray = false;      ///< holds one channel; otherwise gray is written as RGB
  bool metadata = false;  ///< holds EXIF-like metadata
  bool icc = false;       ///< holds a profile
  bool quality = false;   ///< WriteOptions::quality has an effect
  /// Values of WriteOptions::compression; all are lossless except OpenEXR's pxr24, b44 and dwaa.
  std::vector<std::string> compressions = {};
};

/// Every format that can be written, from a table: OpenImageIO is not loaded. Whether libheif has
/// an encoder for "avif" and "heif" is only known when one is written.
const std::vector<FormatInfo>& writable_formats();

/// What the quality 0 stands for in a format that has one: lossless in JPEG 2000.
int usual_quality(const FormatInfo& format);

/// OutputPicture::working_bytes() of a file of this format.
std::size_t encoding_bytes(const FormatInfo& format, const PictureFormat& picture);

/// The format that a path's extension names, or null.
const FormatInfo* format_of(const std::filesystem::path& path);

/// Removes the temporary files of pictures that were not committed. Safe in a signal handler, for a
/// program that ends by SIGINT; otherwise destructors do this.
void remove_temporaries() noexcept;

/// A picture held in memory.
struct HeldPicture {
  PictureFormat format;
  std::vector<char> bytes;

  HostView view() {
    return {bytes.data(), static_cast<std::ptrdiff_t>(format.row_bytes()), format.rect()};
  }
  /// For reading only: HostView has no constant form.
  HostView view() const { return const_cast<HeldPicture*>(this)->view(); }
  /// A source of these pixels, with PixelSource::content(); the picture must outlive it.
  MemorySource source(std::uint64_t content = 0) const { return {format, view(), content}; }
};

struct FileLayer {
  std::string name;
  HeldPicture picture;
};

/// A picture of that format, with all bytes 0.
HeldPicture blank_picture(const PictureFormat& format);

/// Opens the files that a recipe's image parameters name, aligned with `picture`, which must
/// outlive the result. Each warning of a file is passed to `warn` once. `options` applies to every
/// file.
RoleResolver role_files(const InputPicture& picture, const ReadOptions& options,
                        std::function<void(const Message&)> warn);

/// Reads all of a source. Throws FileError, before anything is read, if it would not fit into free
/// memory.
HeldPicture read_all(PixelSource& source);

}  // namespace sfumato
