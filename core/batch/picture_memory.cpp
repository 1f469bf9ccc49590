// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Formats are recognised by their content, as when they are read.
#include "batch/picture_memory.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "device/ordinary_stream.hpp"
#include "filters/registry.hpp"
#include "image/processors.hpp"
#include "io/jpeg_head.hpp"

namespace sfumato {
namespace {

using namespace std::string_view_literals;

// Formats that are decoded row by row or in strips, and not when they are opened. TIFF is not among
// them, because raw files begin in the same way.
constexpr std::array in_strips = {"\x89PNG"sv, "\x76\x2f\x31\x01"sv,
                                  "P1"sv,      "P2"sv,
                                  "P3"sv,      "P4"sv,
                                  "P5"sv,      "P6"sv,
                                  "PF"sv,      "Pf"sv,
                                  "#?"sv,      "BM"sv,
                                  "SDPX"sv,    "XPDS"sv};

constexpr double margin = 1.25;  // files of one kind compress differently

}  // namespace

std::size_t bytes_in_one_piece(const Recipe& recipe, const PictureFormat& from,
                               const PictureFormat& to, const Target& target) {
  const Plan plan = make_plan(recipe, from, to, target);
  return plan.whole ? static_cast<std::size_t>(plan.tile_bytes(from.width, from.height)) : 0;
}

namespace {

// 0 for a role picture that cannot be opened: rendering reports why.
std::size_t bytes_of_role(const RoleResolver& resolve, int step, const std::string& name,
                          const ImageRef& reference) try {
  const std::shared_ptr<PixelSource> role = resolve(step, name, reference);
  if (!role) return 0;
  const auto* file = dynamic_cast<const InputPicture*>(role.get());
  return role->format().bytes() + (file != nullptr ? file->info().working_bytes : 0);
} catch (const std::exception&) {
  return 0;
}

}  // namespace

std::size_t bytes_of_roles(const Recipe& recipe, const InputPicture& picture,
                           const ReadOptions& options) {
  const RoleResolver resolve = role_files(picture, options, [](const Message&) {});
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < recipe.steps.size(); ++i) {
    const Step& step = recipe.steps[i];
    const RegisteredFilter* filter = Registry::get().find(step.filter);
    if (filter == nullptr || !step.enabled) continue;
    for (const Parameter& p : filter->filter->info().parameters) {
      const Value* bound = p.kind == Kind::image ? step.values.find(p.name) : nullptr;
      if (bound == nullptr) continue;
      bytes += bytes_of_role(resolve, static_cast<int>(i), p.name, std::get<ImageRef>(*bound));
    }
  }
  return bytes;
}

namespace {

// Rows that OpenEXR packs together, by the compression's number in the file.
constexpr std::array rows_of_compression = {1, 1, 1, 16, 32, 16, 32, 32, 32, 256};
constexpr std::array<std::string_view, 10> compressions = {"none",  "rle", "zips", "zip",  "piz",
                                                           "pxr24", "b44", "b44a", "dwaa", "dwab"};
constexpr int usual_rows = 32;

// From the header's list of attributes: name, type, size, value.
int packed_rows(const std::filesystem::path& file) {
  OrdinaryStream stream(file);
  stream.ignore(8);
  std::string name, type;
  constexpr int most_attributes = 200;
  for (int i = 0; i < most_attributes && std::getline(stream, name, '\0') && !name.empty(); ++i) {
    std::array<unsigned char, 4> size{};
    std::getline(stream, type, '\0');
    if (!stream.read(reinterpret_cast<char*>(size.data()), size.size())) break;
    if (name == "compression") {
      const auto number = static_cast<std::size_t>(stream.get());
      return number < rows_of_compression.size() ? rows_of_compression[number] : usual_rows;
    }
    stream.ignore(std::streamsize{size[0]} | size[1] << 8 | size[2] << 16 | size[3] << 24);
  }
  return usual_rows;
}

int packed_rows(const FileJob& job, bool from_exr) {
  const auto named = std::find(compressions.begin(), compressions.end(), job.write.compression);
  if (named != compressions.end()) {
    return rows_of_compression[static_cast<std::size_t>(named - compressions.begin())];
  }
  return from_exr ? packed_rows(job.input) : usual_rows;
}

}  // namespace

std::size_t bytes_in_thin_strips(const FileJob& job, const InputPicture& picture,
                                 const PictureFormat& to, const Target& target) {
  const PictureFormat& from = picture.format();
  const PictureInfo& info = picture.info();
  const FormatInfo* output = format_of(job.output);
  const bool from_exr = info.file_format == "openexr";
  const bool to_exr = output != nullptr && output->id == "openexr";
  const auto width = static_cast<std::size_t>(from.width);
  const bool others = info.all_channels.size() > static_cast<std::size_t>(from.channels);
  const std::size_t all =
      others ? width * info.all_channels.size() * sizeof(float) : from.row_bytes();
  // Each of OpenEXR's threads works on two blocks, each once packed and once not.
  const std::size_t blocks = 4 * compute_threads();
  const auto exr = [&](int rows) {
    return rows == 1 ? 0 : blocks * static_cast<std::size_t>(std::min(rows, from.height)) * all;
  };

  const int chunk_rows = std::min(from.height, from_exr ? 32 : 8);
  const std::size_t chunk =
      std::max(info.chunk_bytes, static_cast<std::size_t>(chunk_rows) * from.row_bytes());
  constexpr std::size_t two_chunks_and_one_native = 3;
  std::size_t bytes = two_chunks_and_one_native * chunk + chunk;
  if (from_exr) bytes += exr(packed_rows(job.input)) * (others && to_exr ? 2 : 1);
  if (to_exr) bytes += exr(packed_rows(job, from_exr));
  if (others && to_exr) bytes += 3 * all;
  const Plan plan = make_plan(job.recipe, from, to, target);
  constexpr int rows_of_tile = 16;
  return bytes + static_cast<std::size_t>(bytes_across(plan, from.width, rows_of_tile));
}

std::optional<std::size_t> opening_bytes(const std::filesystem::path& path) {
  if (const auto jpeg = files::jpeg_head(path)) return jpeg->coefficient_bytes();
  std::array<char, 4> begin{};
  OrdinaryStream file(path);
  file.read(begin.data(), begin.size());
  const std::string_view head(begin.data(), static_cast<std::size_t>(file.gcount()));
  const auto fits = [head](std::string_view magic) { return head.starts_with(magic); };
  if (head.empty() || std::any_of(in_strips.begin(), in_strips.end(), fits)) return 0;
  const std::string extension = path.extension().string();
  const bool tiff = fits("II"sv) || fits("MM"sv);
  if (tiff && (extension == ".tif" || extension == ".tiff")) return 0;
  return std::nullopt;
}

std::optional<std::size_t> OpeningCosts::expected(const std::string& kind,
                                                  std::uintmax_t size) const {
  const auto found = ratios_.find(kind);
  if (found == ratios_.end()) return std::nullopt;
  return static_cast<std::size_t>(margin * found->second * static_cast<double>(size));
}

void OpeningCosts::add_measurement(const std::string& kind, std::uintmax_t size,
                                   std::size_t bytes) {
  double& ratio = ratios_[kind];
  if (size > 0) ratio = std::max(ratio, static_cast<double>(bytes) / static_cast<double>(size));
}

}  // namespace sfumato
