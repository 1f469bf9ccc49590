// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "batch/stages.hpp"

#include <algorithm>
#include <utility>

#include "batch/picture_memory.hpp"
#include "image/rows.hpp"
#include "io/target.hpp"

namespace sfumato {
namespace {

// A frame has no file's ways to be kept to, but its colours.
PictureFormat output_of_frame(const InputPicture& frame, const WriteOptions& write) {
  PictureFormat format = frame.format();
  if (write.bits) format.type = *write.bits;
  if (!is_integer(format.type)) format.coding = Coding::linear();
  return format;
}

// Rows y to y + `rows` of a picture that is held.
HostView band_of(const HostView& whole, int y, int rows) {
  HostView band = whole;
  band.data = band.row(y);
  band.region = {0, y, whole.region.x1, std::min(whole.region.y1, y + rows)};
  return band;
}

}  // namespace

void Stages::stop_if_cancelled() const {
  if (queue_.cancelled()) throw Cancelled();
}

void Stages::look_at(Work& work) const {
  const auto& source = work.item->source;
  if (!source.movie) work.opening = opening_bytes(source.path);
}

WriteOptions Stages::write_options(const BatchItem& item) const {
  WriteOptions write = options_.write;
  write.overwrite = item.replaces;
  write.input_path = item.source.path;
  write.in_color = write.in_color || makes_colour(recipe_);
  write.durable = write.durable || report_.is_kept();
  write.cancelled = [this] { return queue_.cancelled(); };
  return write;
}

std::size_t Stages::open(Work& work) {
  const BatchItem& item = *work.item;
  report_.enter(item, ItemStage::reading);
  report_.begin(item);
  if (!item.source.fault.empty()) throw FileError(item.source.fault);
  ReadOptions read = options_.read;
  if (item.source.movie) read.frame = item.source.frame.value_or(1);
  read.movies = movies_;
  work.input = open_picture(item.source.path, read);
  const WriteOptions write = write_options(item);
  files::make_folder(item.target.parent_path());
  work.output = item.source.movie
                    ? create_picture(item.target, write, output_of_frame(*work.input, write))
                    : create_picture(item.target, write, *work.input);
  if (report_.is_kept()) report_.made(item, files::temporary_in_work(item.target));
  for (const Message& warning : work.input->warnings()) work.warn(warning);
  for (const Message& warning : work.output->warnings()) work.warn(warning);
  const PictureFormat& format = work.input->format();
  work.result.megapixels = 1e-6 * format.width * format.height;
  const std::size_t held = work.input->working_bytes();
  plan_memory(work, held);
  return held;
}

// What the picture will take in all; in strips where that is too much.
void Stages::plan_memory(Work& work, std::size_t held) const {
  const PictureFormat &from = work.input->format(), &to = work.output->format();
  const Recipe recipe = with_roles(recipe_, work.item->roles);
  const std::size_t in_work = held + work.output->working_bytes() +
                              bytes_of_roles(recipe, *work.input, options_.read) +
                              (cpu_ ? bytes_in_one_piece(recipe, from, to, *cpu_) : 0);
  work.bytes = bytes_of(from) + bytes_of(to) + in_work;
  work.streamed = work.bytes > queue_.limit();
  if (work.streamed) work.bytes = std::max(held, queue_.limit());
}

void Stages::read(Work& work) {
  if (work.streamed) return;
  const PictureFormat& format = work.input->format();
  work.before = {format, queue_.memory_of(bytes_of(format))};
  constexpr int rows = 64;  // a source that is read once keeps what was asked for in one piece
  for (int y = 0; y < format.height; y += rows) {
    stop_if_cancelled();
    const HostView strip = band_of(work.before.view(), y, rows);
    work.input->read(strip.region, strip.data, strip.row_stride);
  }
}

void Stages::filter(Session& session, Work& work) {
  report_.enter(*work.item, ItemStage::filtering);
  RenderOptions options;
  options.dither = options_.write.dither;
  options.roles =
      role_files(*work.input, options_.read, [&](const Message& warning) { work.warn(warning); });
  options.progress = [&](double part) {
    report_.progress(*work.item, part);
    return !queue_.cancelled();
  };
  const Recipe recipe = with_roles(recipe_, work.item->roles);
  RenderReport report;
  if (work.streamed) {
    report = session.render(recipe, *work.input, *work.output, options);
  } else {
    const PictureFormat& format = work.output->format();
    work.after = {format, queue_.memory_of(bytes_of(format))};
    MemorySource source = work.before.source();
    MemorySink sink(work.after.format, work.after.view());
    report = session.render(recipe, source, sink, options);
    queue_.keep_memory(std::move(work.before.bytes));
    queue_.release(work, bytes_of(work.before.format));
    work.before = {};
  }
  work.result.device = report.device;
  for (const Message& warning : report.warnings) work.warn(warning);
}

void Stages::write(Work& work) {
  report_.enter(*work.item, ItemStage::writing);
  if (!work.streamed) {
    constexpr int rows = 256;  // what is given up is given up soon
    for (int y = 0; y < work.after.format.height; y += rows) {
      stop_if_cancelled();
      work.output->write(band_of(work.after.view(), y, rows));
    }
  }
  work.output->commit();
}

}  // namespace sfumato
