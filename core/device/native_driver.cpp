// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "device/native_driver.hpp"

#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <map>
#include <new>
#include <sstream>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "device/fourier_lines.hpp"
#include "device/worker_pool.hpp"
#include "image/processors.hpp"

// Clang's memory sanitizer, where kernels are tried with it: it is told what they may read.
extern "C" {
__attribute__((weak)) void poison_shadow(const volatile void* from,
                                         std::size_t bytes) __asm__("__msan_poison");
__attribute__((weak)) void unpoison_shadow(const volatile void* from,
                                           std::size_t bytes) __asm__("__msan_unpoison");
}

namespace sfumato {
namespace {

constexpr std::size_t line = 64, huge_page = std::size_t{2} << 20;

// Filters at the copy limit are up to 1.4 times as fast where whole pictures lie in huge pages. For
// smaller blocks, finding them may take the kernel longer than they save.
bool takes_huge_pages(std::size_t bytes) {
  return bytes >= 16 * huge_page;
}
std::align_val_t alignment_of(std::size_t bytes) {
  return std::align_val_t(takes_huge_pages(bytes) ? huge_page : line);
}

void forget_content(const void* from, std::size_t bytes) {
  if (poison_shadow != nullptr) poison_shadow(from, bytes);
}
void know_content(const void* from, std::size_t bytes) {
  if (unpoison_shadow != nullptr) unpoison_shadow(from, bytes);
}
// The frames that kernels had below this one: whoever is called next has them, and is not compiled
// with the sanitizer.
void know_frames_below(const void* frame) {
  constexpr std::size_t reach = std::size_t{1} << 18;
  know_content(static_cast<const char*>(frame) - reach, reach);
}

// Exactly as large as asked for, so that sanitizers see every access beyond it.
class AlignedBytes {
 public:
  explicit AlignedBytes(std::size_t bytes)
      : bytes_(bytes),
        first_(static_cast<char*>(
            ::operator new(std::max<std::size_t>(1, bytes), alignment_of(bytes)))) {
    if (takes_huge_pages(bytes)) ::madvise(first_, bytes, MADV_HUGEPAGE);
    forget_content(first_, bytes);
  }
  ~AlignedBytes() {
    know_content(first_, bytes_);  // others will get the memory
    ::operator delete(first_, alignment_of(bytes_));
  }
  AlignedBytes(const AlignedBytes&) = delete;
  AlignedBytes& operator=(const AlignedBytes&) = delete;

  char* data() const { return first_; }
  std::size_t size() const { return bytes_; }

 private:
  std::size_t bytes_;
  char* first_;
};

class NativeMemory final : public DeviceMemory {
 public:
  explicit NativeMemory(std::size_t bytes) : DeviceMemory(bytes), held_(bytes) {}

  char* data() const { return held_.data(); }

  static char* of(const DeviceMemory& memory) {
    return dynamic_cast<const NativeMemory&>(memory).data();
  }

 private:
  AlignedBytes held_;
};

class NativeKernel final : public DeviceKernel {
 public:
  explicit NativeKernel(const sfumato_native_kernel& found)
      : DeviceKernel(found.name), found_(found) {}

  const sfumato_native_kernel& found() const { return found_; }

 private:
  const sfumato_native_kernel& found_;
};

// The local memory of the group that runs on this thread, one piece for each argument. Its content
// is undefined for each group.
char* local_memory(std::size_t number, std::size_t bytes) {
  thread_local std::vector<std::unique_ptr<AlignedBytes>> held;
  if (held.size() <= number) held.resize(number + 1);
  std::unique_ptr<AlignedBytes>& mine = held[number];
  if (!mine || mine->size() != bytes) mine = std::make_unique<AlignedBytes>(bytes);
  forget_content(mine->data(), bytes);
  return mine->data();
}

// The arguments of a launch as kernels take them.
class LaunchArguments {
 public:
  LaunchArguments(const sfumato_native_kernel& kernel, std::span<const Argument> arguments)
      : values_(bytes_of_values(arguments)) {
    check(kernel, arguments);
    std::size_t at = 0;
    for (const Argument& a : arguments) {
      if (a.kind == Argument::Kind::local) {
        locals_.emplace_back(addresses_.size(), a.bytes);
        addresses_.push_back(nullptr);
      } else if (a.kind == Argument::Kind::memory) {
        addresses_.push_back(a.memory != nullptr ? NativeMemory::of(*a.memory) : nullptr);
      } else {
        std::memcpy(values_.data() + at, a.value, a.bytes);
        know_content(values_.data() + at, a.bytes);
        addresses_.push_back(values_.data() + at);
        at += rounded(a.bytes);
      }
    }
  }

  bool has_locals() const { return !locals_.empty(); }
  /// For the thread that calls, with local memory of its own.
  std::vector<void*> addresses() const {
    std::vector<void*> out = addresses_;
    for (const auto& [number, bytes] : locals_) out[number] = local_memory(number, bytes);
    know_content(out.data(), out.size() * sizeof out[0]);
    return out;
  }

 private:
  static std::size_t rounded(std::size_t bytes) { return (bytes + line - 1) / line * line; }
  static std::size_t bytes_of_values(std::span<const Argument> arguments) {
    std::size_t bytes = 0;
    for (const Argument& a : arguments) {
      if (a.kind == Argument::Kind::value) bytes += rounded(a.bytes);
    }
    return bytes;
  }
  static int kind_of(const Argument& argument) {
    switch (argument.kind) {
      case Argument::Kind::memory:
        return sfumato_native_memory;
      case Argument::Kind::local:
        return sfumato_native_local;
      default:
        return sfumato_native_value;
    }
  }
  static void check(const sfumato_native_kernel& kernel, std::span<const Argument> arguments) {
    bool fits = arguments.size() == kernel.count;
    for (std::size_t i = 0; fits && i < arguments.size(); ++i) {
      const sfumato_native_argument& wanted = kernel.arguments[i];
      fits = kind_of(arguments[i]) == wanted.kind &&
             (wanted.kind != sfumato_native_value || arguments[i].bytes == wanted.bytes);
    }
    if (fits) return;
    throw DeviceError(CL_INVALID_KERNEL_ARGS,
                      message({"native.arguments", "{kernel}: the arguments do not fit the kernel"},
                              std::string(kernel.name)));
  }

  AlignedBytes values_;
  std::vector<void*> addresses_;
  std::vector<std::pair<std::size_t, std::size_t>> locals_;  // numbers of arguments, bytes
};

// What is added to the niceness of threads that compute beside an interface.
constexpr int polite = 5;
std::atomic<bool> yields{false};

// One pool for all sessions of the process. It is never destroyed: sessions may end after it would.
WorkerPool& workers() {
  static auto* pool = new WorkerPool(compute_threads(), yields ? polite : 0);
  return *pool;
}

class NativeDriver final : public Driver {
 public:
  explicit NativeDriver(std::shared_ptr<const NativeKernels> kernels)
      : kernels_(std::move(kernels)) {}

  std::unique_ptr<DeviceMemory> allocate(std::size_t bytes) override {
    try {
      return std::make_unique<NativeMemory>(bytes);
    } catch (const std::bad_alloc&) {
      throw DeviceError(
          CL_MEM_OBJECT_ALLOCATION_FAILURE,
          message({"native.no_memory", "{size} MB of main memory are not free"}, bytes >> 20));
    }
  }

  std::unique_ptr<DeviceMemory> allocate_image(int, int) override {
    throw DeviceError(CL_INVALID_OPERATION,
                      message({"native.no_images", "this device has no images"}));
  }

  DeviceKernel& kernel(const kernels::Source& source, const std::string& options,
                       const std::string& name) override {
    auto& slot = found_[{source.name, options, name}];
    if (slot) return *slot;
    const sfumato_native_kernel* found = kernels_->find(source.name, options, name);
    if (found == nullptr) {
      throw DeviceError(
          CL_INVALID_KERNEL_NAME,
          message({"native.no_kernel", "{source}: there is no kernel {kernel} with \"{options}\""},
                  std::string(source.name), name, options));
    }
    slot = std::make_unique<NativeKernel>(*found);
    return *slot;
  }

  void launch(DeviceKernel& kernel, std::span<const Argument> arguments,
              const WorkItems& items) override {
    const sfumato_native_kernel& made = dynamic_cast<NativeKernel&>(kernel).found();
    const LaunchArguments given(made, arguments);
    const std::size_t across = groups(items, 0), all = across * groups(items, 1);
    if (all == 0) return;
    // Local memory is for one group at a time. Others are taken together, so that threads meet
    // seldom and still end at about the same time.
    constexpr std::size_t parts_of_thread = 16;
    const std::size_t together =
        given.has_locals()
            ? 1
            : std::max<std::size_t>(1, all / (parts_of_thread * workers().threads()));
    try {
      workers().run((all + together - 1) / together, [&](std::size_t part) {
        run_groups(made, given, items, part * together, std::min(all, (part + 1) * together));
      });
    } catch (const std::bad_alloc&) {
      throw DeviceError(CL_MEM_OBJECT_ALLOCATION_FAILURE,
                        message({"native.no_local_memory",
                                 "main memory for a kernel's intermediate results is not free"}));
    }
  }

  void transform(DeviceMemory& pictures, const FourierJob& job) override {
    fourier_.transform(pictures, job);
  }

  void write(DeviceMemory& to, const void* from, std::size_t bytes) override {
    std::memcpy(NativeMemory::of(to), from, bytes);
    know_content(NativeMemory::of(to), bytes);
  }
  void read(const DeviceMemory& from, void* to, std::size_t bytes) override {
    std::memcpy(to, NativeMemory::of(from), bytes);
    know_content(to, bytes);  // rows' padding, too: the caller's memory will be used for others
  }
  void* map(DeviceMemory& memory, std::size_t bytes, Access) override {
    char* data = NativeMemory::of(memory);
    know_content(data, bytes);
    return data;
  }
  void unmap(DeviceMemory& memory, void* mapped) override { know_content(mapped, memory.bytes()); }
  void finish() override {}

 private:
  static std::size_t groups(const WorkItems& items, std::size_t axis) {
    return (items.end[axis] - items.begin[axis]) / items.local[axis];
  }

  // Groups are counted row by row.
  static void run_groups(const sfumato_native_kernel& kernel, const LaunchArguments& given,
                         const WorkItems& items, std::size_t group, std::size_t end) {
    const std::size_t across = groups(items, 0);
    const std::vector<void*> addresses = given.addresses();
    while (group < end) {
      const std::size_t x = group % across, y = group / across;
      const std::size_t count = std::min(across - x, end - group);
      const sfumato_native_items some = {
          {items.begin[0] + x * items.local[0], items.begin[1] + y * items.local[1]},
          {items.begin[0] + (x + count) * items.local[0],
           items.begin[1] + (y + 1) * items.local[1]},
          {items.local[0], items.local[1]}};
      kernel.run(addresses.data(), &some);
      group += count;
    }
    know_frames_below(__builtin_frame_address(0));
  }

  std::shared_ptr<const NativeKernels> kernels_;
  std::map<std::tuple<std::string, std::string, std::string>, std::unique_ptr<NativeKernel>> found_;
  LineTransforms fourier_{*this, workers().threads()};
};

// The definitions as the table has them: sorted, without -D.
std::string definitions_in(const std::string& options) {
  std::istringstream words(options);
  std::vector<std::string> found;
  for (std::string word; words >> word;) {
    if (word.starts_with("-D")) word.erase(0, 2);
    if (!word.empty()) found.push_back(std::move(word));
  }
  std::sort(found.begin(), found.end());
  std::string out;
  for (const std::string& one : found) out += (out.empty() ? "" : " ") + one;
  return out;
}

}  // namespace

NativeKernels::NativeKernels(const std::filesystem::path& object)
    : object_(::dlopen(object.c_str(), RTLD_NOW | RTLD_LOCAL)) {
  if (object_ == nullptr) {
    const char* why = ::dlerror();
    throw DeviceError(CL_INVALID_BINARY,
                      message({"native.not_loaded", "{file} could not be loaded: {reason}"},
                              object.string(), std::string(why != nullptr ? why : "?")));
  }
  table_ = static_cast<const sfumato_native_table*>(::dlsym(object_, "sfumato_native_kernels"));
  if (table_ != nullptr && table_->version == sfumato_native_version) return;
  ::dlclose(object_);
  throw DeviceError(CL_INVALID_BINARY,
                    message({"native.other_version", "{file} holds no kernels of this version"},
                            object.string()));
}

NativeKernels::~NativeKernels() {
  ::dlclose(object_);
}

const sfumato_native_kernel* NativeKernels::find(const std::string& source,
                                                 const std::string& options,
                                                 const std::string& name) const {
  const std::string definitions = definitions_in(options);
  using Key = std::tuple<std::string_view, std::string_view, std::string_view>;
  const Key wanted{source, definitions, name};
  const auto key_of = [](const sfumato_native_kernel& k) {
    return Key{k.source, k.options, k.name};
  };
  const auto* end = table_->kernels + table_->count;
  const auto* found =
      std::partition_point(table_->kernels, end, [&](const auto& k) { return key_of(k) < wanted; });
  return found != end && key_of(*found) == wanted ? found : nullptr;
}

namespace {

std::size_t memory_of_machine() {
  const long pages = ::sysconf(_SC_PHYS_PAGES), bytes = ::sysconf(_SC_PAGESIZE);
  return pages > 0 && bytes > 0 ? static_cast<std::size_t>(pages) * static_cast<std::size_t>(bytes)
                                : 0;
}

}  // namespace

DeviceInfo native_device(std::shared_ptr<const NativeKernels> kernels) {
  DeviceInfo info;
  info.name = "processor";
  info.vendor = info.platform = "Sfumato";
  info.version = info.driver = SFUMATO_VERSION;
  info.cpu = info.built_in = info.shares_memory = info.keeps_kernels = true;
  info.compute_units = compute_threads();
  info.global_memory = memory_of_machine();
  info.local_memory = std::size_t{1} << 20;
  info.max_group = 4096;
  info.open = [kernels = std::move(kernels)](const DeviceInfo&) -> std::unique_ptr<Driver> {
    return std::make_unique<NativeDriver>(kernels);
  };
  return info;
}

void yield_to_the_interface() {
  yields = true;
}

}  // namespace sfumato
