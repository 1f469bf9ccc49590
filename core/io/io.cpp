// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Loads the module that uses OpenImageIO, and combines its writers with targets.
#include "io/io.hpp"

#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <latch>
#include <limits>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <utility>

#include "device/free_descriptors.hpp"
#include "device/part_folders.hpp"
#include "engine/memory.hpp"
#include "io/aligned_role.hpp"
#include "io/decoder/contained_picture.hpp"
#include "io/decoder/decoder_process.hpp"
#include "io/loading_memory.hpp"
#include "io/module.hpp"
#include "io/movie.hpp"
#include "io/pixel_file.hpp"
#include "io/plain_profile.hpp"
#include "io/room.hpp"
#include "io/stand_ins.hpp"
#include "io/target.hpp"

namespace sfumato {
namespace {

namespace fs = std::filesystem;

constexpr char module_name[] = "sfumato-io-openimageio.so";

bool may_map(std::size_t bytes, int rights) {
  void* const place =
      ::mmap(nullptr, bytes, rights, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (place == MAP_FAILED) return false;
  ::munmap(place, bytes);
  return true;
}

// A library that OpenImageIO depends on starts threads when it is loaded, and ends the program if
// there are no threads or no memory for them. Therefore both are tried first.
bool is_room_for_module() {
  // What the libraries and their threads need of address space, and of RLIMIT_DATA.
  constexpr std::size_t space = std::size_t{430} << 20, data = std::size_t{96} << 20;
  // What this program and a decoder take at least of a control group, which would end them.
  constexpr std::size_t least = std::size_t{112} << 20;
  if (usable_memory() < least) return false;
  if (!may_map(space, PROT_NONE) || !may_map(data, PROT_READ | PROT_WRITE)) return false;
  constexpr int threads = 8;
  std::latch all(1);
  std::vector<std::jthread> started;
  try {
    for (int i = 0; i < threads; ++i) started.emplace_back([&all] { all.wait(); });
  } catch (const std::exception&) {
    all.count_down();
    return false;
  }
  all.count_down();
  return true;
}

std::atomic<void (*)(bool)> loading_observer = nullptr;

// While it exists, the observer takes this thread for one that loads.
class Loading {
 public:
  Loading() {
    if (observer_ != nullptr) observer_(true);
  }
  Loading(const Loading&) = delete;
  Loading& operator=(const Loading&) = delete;
  ~Loading() {
    if (observer_ != nullptr) observer_(false);
  }

 private:
  void (*const observer_)(bool) = loading_observer.load();
};

// With the true libraries where a newer OpenImageIO needs more of them than stand-ins have.
void* load(const fs::path& file) {
  constexpr int mode = RTLD_NOW | RTLD_LOCAL;
  const Loading loading;
  {
    const files::StandIns without(file.parent_path() / "stand-ins");
    void* const handle = ::dlopen(file.c_str(), mode);
    if (handle != nullptr || !without) return handle;
  }
  return ::dlopen(file.c_str(), mode);
}

// libgcrypt, which OpenImageIO depends on, ends the program if it cannot open a file when it is
// loaded. Other threads may open some meanwhile.
constexpr int descriptors_for_module = 12;

// Never unloaded: OpenImageIO has threads and static objects.
files::FileModule* load_module(Message& why) {
  const auto turn = turn_at_scarce_descriptors();
  if (!has_free_descriptors(descriptors_for_module)) {  // tried again with the next picture
    throw FileError(message({"module.no_descriptors",
                             "no picture can be opened or written: too many files are open; close "
                             "some, or raise the limit that is set here (ulimit -n)"}));
  }
  if (!is_room_for_module()) {  // tried again with the next picture
    throw FileError(message(
        {"module.no_room",
         "no picture can be opened or written: there is too little memory, or no more threads can "
         "be started; close other programs or raise the limits that are set here (ulimit)"}));
  }
  why = message({"module.not_found", "{module} was not found"}, module_name);
  for (const fs::path& folder : part_folders()) {
    const fs::path file = folder / module_name;
    std::error_code error;
    if (!fs::exists(file, error)) continue;
    void* handle = load(file);
    if (handle == nullptr) {
      const char* said = ::dlerror();
      why = said != nullptr ? foreign_message(said)
                            : message({"module.unknown_error", "unknown error"});
      continue;
    }
    if (void* entry = ::dlsym(handle, files::module_entry)) {
      return reinterpret_cast<files::ModuleEntry*>(entry)();
    }
    why = message({"module.other_version", "{file} is of another version"}, file.string());
  }
  return nullptr;
}

}  // namespace

void files::observe_loading(void (*observer)(bool begins)) {
  loading_observer = observer;
}

FileError file_changed(const fs::path& path) {
  return FileError(message({"file.changed",
                            "{file}: the file was replaced or written to while its pictures were "
                            "read; start again when it is complete"},
                           files::shown(path)));
}

void check_version(const fs::path& path, const std::optional<FileVersion>& before) {
  if (before && version_of(path) != before) throw file_changed(path);
}

files::FileModule& files::loaded_module() {
  static Message why;
  static files::FileModule* const module = load_module(why);
  if (module == nullptr) {
    throw FileError(message({"module.not_loaded",
                             "no picture can be opened or written: the file module cannot be "
                             "loaded ({reason}); install Sfumato again"},
                            why));
  }
  return *module;
}

namespace {

class TargetPicture final : public OutputPicture {
 public:
  TargetPicture(const fs::path& path, const WriteOptions& options, InputPicture* origin,
                const PictureFormat& format)
      : target_(path, options) {
    writer_ = files::loaded_module().create({target_.path(), target_.descriptor(),
                                             target_.temporary_now(), format_of(path), options,
                                             origin, format});
    format_ = writer_->format();
    warnings_ = writer_->warnings();
    working_bytes_ = encoding_bytes(*format_of(path), format_);
  }

  const PictureFormat& format() const override { return format_; }
  const fs::path& path() const override { return target_.path(); }
  const std::vector<Message>& warnings() const override { return warnings_; }
  std::size_t working_bytes() const override { return working_bytes_; }

  void write(const HostView& pixels) override {
    if (!writer_) throw std::logic_error("the picture is finished");
    writer_->write(pixels);
    target_.begin_to_flush();
  }

  void commit() override {
    if (!writer_) throw std::logic_error("the picture is finished");
    writer_->finish();
    warnings_ = writer_->warnings();
    writer_.reset();
    target_.commit();
  }

 private:
  files::Target target_;
  std::size_t working_bytes_ = 0;
  std::unique_ptr<files::FileWriter> writer_;  // destroyed first: it writes to target_
  PictureFormat format_;
  std::vector<Message> warnings_;
};

}  // namespace

fs::path decoder::find_decoder() {
  for (const fs::path& folder : part_folders()) {
    const fs::path program = folder / "sfumato-decode";
    if (::access(program.c_str(), X_OK) == 0) return program;
  }
  return {};
}

namespace {

std::unique_ptr<InputPicture> open_file(const fs::path& path, const ReadOptions& options) {
  FileWatch watch(path);
  std::unique_ptr<InputPicture> picture;
  if (options.contained) picture = decoder::open_contained(path, options);
  if (!picture) picture = files::loaded_module().open(path, options);
  check_room_to_decode(*picture);
  if (const Message fault = decoder::take_containment_fault(); !fault.empty()) picture->warn(fault);
  picture->watch(std::move(watch));
  return picture;
}

}  // namespace

std::jthread prepare_files(const ReadOptions& options) {
  if (options.contained) decoder::prepare();
#ifdef SFUMATO_SANITIZED
  return {};  // at a quick end, LeakSanitizer fails in threads that the module has just started
#endif
  return std::jthread([] {
    try {
      files::loaded_module();
    } catch (const FileError&) {
      // the first picture says so
    }
  });
}

std::unique_ptr<InputPicture> open_picture(const fs::path& path, const ReadOptions& options) {
  check_input(path);
  if (options.frame > 0) {
    const std::shared_ptr<Movies> movies =
        options.movies
            ? options.movies
            : std::make_shared<Movies>(MoviePrograms{options.cancelled, options.contained});
    return movies->open(path, options);
  }
  const bool pixels = is_pixel_file(path), shared = options.page > 0 && options.movies;
  if (shared && !pixels && options.of == nullptr && options.channels.empty()) {
    ReadOptions each = options;
    each.movies = nullptr;  // it keeps this function
    return options.movies->animations().open(path, options.page, [path, each](int page) {
      ReadOptions one = each;
      one.page = page;
      return open_file(path, one);
    });
  }
  auto picture = pixels ? open_pixel_file(path, options) : open_file(path, options);
  if (options.of == nullptr) return picture;
  return files::align_role(std::move(picture), *options.of, options.role);
}

PictureFormat resized_format(const InputPicture& origin, const WriteOptions& options) {
  constexpr int first_lying = 5;  // of EXIF's orientations
  PictureFormat format = origin.format();
  if (!options.resizing) return format;
  Resizing wanted = *options.resizing;
  if (origin.info().orientation >= first_lying) std::swap(wanted.most.width, wanted.most.height);
  const PictureSize size = wanted.of({format.width, format.height});
  if (std::uint64_t{1} * size.width * size.height > options.max_pixels) {
    throw FileError(message({"file.resized_too_large",
                             "{file}: in the new size the picture would have {width}x{height} "
                             "pixels, more than the limit of {limit}; choose a smaller one, or "
                             "raise the limit (--max-pixels)"},
                            files::shown(origin.info().path), size.width, size.height,
                            options.max_pixels));
  }
  format.width = size.width;
  format.height = size.height;
  return format;
}

int count_pages(const fs::path& path, ReadOptions options) {
  options.page = 1;
  try {
    return open_picture(path, options)->info().pages;
  } catch (const FileError&) {
    // Others are read if the first one of an icon is not.
    options.page = 0;
    if (files::lower_extension(path) != "ico") throw;
    return open_picture(path, options)->info().pages;
  }
}

std::unique_ptr<OutputPicture> create_picture(const fs::path& path, const WriteOptions& options,
                                              InputPicture& origin) {
  WriteOptions complete = options;
  if (complete.input_path.empty()) complete.input_path = origin.info().path;
  const PictureFormat format = resized_format(origin, options);
  return std::make_unique<TargetPicture>(path, complete, &origin, format);
}

std::unique_ptr<OutputPicture> create_picture(const fs::path& path, const WriteOptions& options,
                                              const PictureFormat& format) {
  return std::make_unique<TargetPicture>(path, options, nullptr, format);
}

int width_of_text(const std::string& text, const TextStyle& style) {
  return files::loaded_module().width_of_text(text, style);
}

void draw_text(HeldPicture& picture, int x, int y, const std::string& text,
               const TextStyle& style) {
  files::loaded_module().draw_text(picture, x, y, text, style);
}

std::string file_library_versions() {
  return files::loaded_module().versions();
}

namespace {

struct KnownProfile {
  std::vector<unsigned char> profile, plain;
  std::optional<Coding> coding;
};

// Pictures of one camera have the same profile.
KnownProfile known_profile(const std::vector<unsigned char>& profile, const fs::path& path) {
  constexpr std::size_t most = 8, longest = std::size_t{7} << 20;  // of what a packet holds
  if (profile.empty() || profile.size() > longest) return {};
  static std::mutex mutex;
  static std::deque<KnownProfile> kept;
  {
    const std::lock_guard lock(mutex);
    for (const KnownProfile& one : kept) {
      if (one.profile == profile) return one;
    }
  }
  std::optional<ProfileNumbers> numbers = decoder::contained_numbers(profile, path);
  if (!numbers) numbers = files::loaded_module().numbers_of(profile);
  KnownProfile found{profile, profile_of_numbers(*numbers), numbers->coding};
  const std::lock_guard lock(mutex);
  kept.push_front(found);
  if (kept.size() > most) kept.pop_back();
  return found;
}

}  // namespace

std::optional<Coding> coding_of_icc(const std::vector<unsigned char>& profile,
                                    const fs::path& path) {
  return known_profile(profile, path).coding;
}

std::vector<unsigned char> plain_profile(const std::vector<unsigned char>& profile,
                                         const fs::path& path) {
  return known_profile(profile, path).plain;
}

namespace {

constexpr char imaginary_role[] = "imaginary";

// In the picture's own file, the imaginary part of a spectrum is a layer, or the second page.
void find_imaginary_part(const InputPicture& picture, const ImageRef& reference,
                         ReadOptions& reading) {
  std::error_code none;
  if (!reference.channels.empty() || !fs::equivalent(reference.path, picture.info().path, none)) {
    return;
  }
  const auto& layers = picture.info().layers;
  if (std::find(layers.begin(), layers.end(), imaginary_role) != layers.end()) {
    reading.channels = imaginary_role;
    return;
  }
  ReadOptions counting = reading;
  counting.of = nullptr;
  reading.page = 2;
  if (picture.info().file_format == "tiff" && count_pages(reference.path, counting) >= 2) return;
  throw FileError(message({"role.no_imaginary_part",
                           "{file}: the file has no imaginary part, neither as a layer nor as a "
                           "second page; name another file (--imaginary FILE)"},
                          files::shown(picture.info().path)));
}

}  // namespace

RoleResolver role_files(const InputPicture& picture, const ReadOptions& options,
                        std::function<void(const Message&)> warn) {
  const auto said = std::make_shared<std::set<std::string>>();  // roles may be opened repeatedly
  return
      [&picture, options, warn = std::move(warn), said](
          int, const std::string& role, const ImageRef& reference) -> std::shared_ptr<PixelSource> {
        if (!reference.bound()) return nullptr;
        ReadOptions reading = options;
        reading.role = role;
        reading.channels = reference.channels;
        reading.of = is_aligned(role) ? &picture : nullptr;
        if (role == imaginary_role) find_imaginary_part(picture, reference, reading);
        std::shared_ptr<InputPicture> opened = open_picture(reference.path, reading);
        for (const Message& warning : opened->info().warnings) {
          if (said->insert(in_english(warning)).second) warn(warning);
        }
        return opened;
      };
}

HeldPicture blank_picture(const PictureFormat& format) {
  const std::size_t pixels =
      static_cast<std::size_t>(format.width) * static_cast<std::size_t>(format.height);
  return {format, std::vector<char>(pixels * format.pixel_bytes())};
}

HeldPicture read_all(PixelSource& source) {
  const PictureFormat& format = source.format();
  const std::size_t row = static_cast<std::size_t>(format.width) * format.pixel_bytes(),
                    all = row * static_cast<std::size_t>(format.height);
  check_room(source, all);
  HeldPicture held{format, {}};
  // In strips, since some sources keep every region they are asked for. Memory is reserved when the
  // first strip is there: a file that is only a header costs nothing.
  constexpr int rows = 64;
  for (int y = 0; y < format.height; y += rows) {
    const Rect strip{0, y, format.width, std::min(format.height, y + rows)};
    const std::size_t at = row * static_cast<std::size_t>(y),
                      end = row * static_cast<std::size_t>(strip.y1);
    if (y > 0) held.bytes.reserve(all);
    held.bytes.resize(end);
    source.read(strip, held.bytes.data() + at, static_cast<std::ptrdiff_t>(row));
  }
  return held;
}

}  // namespace sfumato
