// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "batch/stages.hpp"

#include <algorithm>
#include <utility>

#include "batch/devices.hpp"
#include "batch/picture_memory.hpp"
#include "engine/movie_frame.hpp"
#include "io/target.hpp"

namespace sfumato {
namespace {

constexpr std::size_t megabyte = std::size_t{1} << 20;

}  // namespace

void Stages::probe(Work& work) const {
  const auto& source = work.item->source;
  if (!source.movie) work.opening = opening_bytes(source.path);
}

FileJob Stages::job_of(Work& work) {
  const BatchItem& item = *work.item;
  FileJob job;
  job.input = item.source.path;
  job.output = item.target;
  job.recipe = with_roles(for_frame(recipe_, item.source.frame.value_or(0)), item.roles);
  job.read = options_.read;
  job.read.memory = options_.memory_limit;
  if (item.source.movie) job.read.frame = item.source.frame.value_or(1);
  if (item.source.paged) job.read.page = static_cast<int>(item.source.frame.value_or(1));
  job.read.movies = movies_;
  job.write = options_.write;
  job.write.overwrite = item.replaces;
  job.write.durable = job.write.durable || report_.is_kept();
  job.warn = [&work](const Message& warning) { work.warn(warning); };
  job.progress = [this, &item](double part) { report_.progress(item, part); };
  job.cancelled = [this] { return queue_.cancelled(); };
  return job;
}

std::size_t Stages::open(Work& work) {
  const BatchItem& item = *work.item;
  report_.enter(item, ItemStage::reading);
  report_.begin(item);
  if (!item.source.fault.empty()) throw FileError(item.source.fault);
  if (item.source.joined) return open_animation(work);
  FileRender& render = work.render.emplace(job_of(work));
  render.open_input();
  check_version(item.source.path, item.source.version);
  files::make_folder(item.target.parent_path());
  render.begin_output();
  if (report_.is_kept()) report_.made(item, files::temporary_in_work(item.target));
  const PictureFormat& format = render.input().format();
  work.result.megapixels = 1e-6 * format.width * format.height;
  const std::size_t held = render.input().info().working_bytes;
  plan_memory(work, held);
  return held;
}

// Its pictures are held one after the other.
std::size_t Stages::open_animation(Work& work) {
  const BatchItem& item = *work.item;
  AnimationRender& render = work.animation.emplace(job_of(work), item.source.movie);
  render.open_input();
  check_version(item.source.path, item.source.version);
  files::make_folder(item.target.parent_path());
  render.begin_output();
  if (report_.is_kept()) report_.made(item, files::temporary_in_work(item.target));
  const InputPicture& input = render.input();
  const PictureFormat &from = input.format(), &to = render.output().format();
  work.result.megapixels = 1e-6 * from.width * from.height * static_cast<double>(render.pictures());
  const std::size_t held = input.info().working_bytes;
  const Recipe& recipe = render.job().recipe;
  work.bytes = 2 * (from.bytes() + to.bytes() + held) + render.output().working_bytes() +
               bytes_of_roles(recipe, input, options_.read) +
               (cpu_ ? bytes_in_one_piece(recipe, from, to, *cpu_) : 0);
  work.streamed = work.bytes > queue_.limit();
  if (work.streamed) work.bytes = std::max(held, queue_.limit());
  if (options_.memory_limit != 0 && held > queue_.limit()) refuse_whole(input, held);
  return held;
}

// Computes what the picture takes in all; if that is too much, it is processed in strips.
void Stages::plan_memory(Work& work, std::size_t held) const {
  const InputPicture& input = work.render->input();
  const OutputPicture& output = work.render->output();
  const PictureFormat &from = input.format(), &to = output.format();
  const Recipe& recipe = work.render->job().recipe;
  const std::size_t in_work = held + output.working_bytes() +
                              bytes_of_roles(recipe, input, options_.read) +
                              (cpu_ ? bytes_in_one_piece(recipe, from, to, *cpu_) : 0);
  work.bytes = from.bytes() + to.bytes() + in_work;
  work.streamed = work.bytes > queue_.limit();
  if (!work.streamed) return;
  work.bytes = std::max(held, queue_.limit());
  if (options_.memory_limit == 0) return;
  const std::size_t strips =
      bytes_in_thin_strips(work.render->job(), input, to, cpu_.value_or(Target()));
  if (held + strips <= queue_.limit()) return;
  if (held > strips) refuse_whole(input, held + strips);
  throw FileError(message({"batch.too_wide",
                           "{file}: its rows of {width} pixels do not fit into the limit of "
                           "{limit} MB of main memory; they need about {needed} MB (--limit)"},
                          files::shown(input.info().path), from.width,
                          options_.memory_limit / megabyte, limit_for(held + strips)));
}

// In megabytes. A part of what is added goes into larger tiles.
std::size_t Stages::limit_for(std::size_t bytes) const {
  const std::size_t more = options_.memory_limit + (bytes - queue_.limit()) * 3 / 2;
  return std::max(more, limit_for_pictures(bytes)) / megabyte + 1;
}

// A format whose pictures are decoded as a whole.
void Stages::refuse_whole(const InputPicture& input, std::size_t bytes) const {
  const PictureFormat& f = input.format();
  throw FileError(message({"batch.too_large",
                           "{file}: its {width} x {height} pixels, which can only be decoded as a "
                           "whole, do not fit into the limit of {limit} MB of main memory; they "
                           "need about {needed} MB (--limit)"},
                          files::shown(input.info().path), f.width, f.height,
                          options_.memory_limit / megabyte, limit_for(bytes)));
}

void Stages::read(Work& work) {
  if (work.streamed || work.animation) return;
  FileRender& render = *work.render;
  render.hold_input(queue_.memory_of(render.input().format().bytes()));
}

void Stages::filter(Renderer& renderer, Work& work) {
  report_.enter(*work.item, ItemStage::filtering);
  if (work.animation) return take(work.animation->filter(renderer), work);
  FileRender& render = *work.render;
  const std::size_t result = work.streamed ? 0 : render.output().format().bytes();
  const RenderReport report = render.filter(renderer, queue_.memory_of(result));
  if (!work.streamed) {
    queue_.keep_memory(render.take_input_memory());
    queue_.release(work, render.input().format().bytes());
  }
  take(report, work);
}

void Stages::take(const RenderReport& report, Work& work) {
  work.result.device = report.device;
  for (const Message& warning : report.warnings) work.warn(warning);
}

void Stages::write(Work& work) {
  report_.enter(*work.item, ItemStage::writing);
  work.animation ? work.animation->commit() : work.render->commit();
}

}  // namespace sfumato
