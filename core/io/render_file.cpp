// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "io/render_file.hpp"

#include <algorithm>
#include <utility>

#include "engine/movie_frame.hpp"
#include "engine/plan.hpp"
#include "io/module.hpp"
#include "io/resizing_sink.hpp"

namespace sfumato {
namespace {

constexpr const char* imaginary_part = "imaginary";

// A frame of a movie has colours to be kept, but no format, metadata or layers of a picture file.
PictureFormat output_of_frame(const InputPicture& frame, const WriteOptions& write) {
  PictureFormat format = resized_format(frame, write);
  if (write.bits) format.type = *write.bits;
  if (!is_integer(format.type)) format.coding = Coding::linear();
  return format;
}

// Writers copy the other channels of the input, row by row, into each strip that they get: of a
// very wide picture with many channels, strips must be thin.
int rows_at_once(const InputPicture& input, const OutputPicture& output) {
  constexpr std::size_t most = std::size_t{16} << 20;  // bytes
  constexpr std::size_t sample = sizeof(float);
  const std::size_t channels = std::max<std::size_t>(
      input.info().all_channels.size(), static_cast<std::size_t>(output.format().channels));
  const std::size_t row = sample * channels * static_cast<std::size_t>(output.format().width);
  const std::size_t rows = std::clamp<std::size_t>(most / std::max<std::size_t>(1, row), 1, 4096);
  return static_cast<int>(rows < 64 ? rows : rows / 64 * 64);
}

std::vector<char> sized(std::vector<char> memory, const PictureFormat& format) {
  memory.resize(format.bytes());
  return memory;
}

// The number of the step that the recipe begins with; that of all if none is enabled.
std::size_t first_step(const Recipe& recipe) {
  return static_cast<std::size_t>(std::find_if(recipe.steps.begin(), recipe.steps.end(),
                                               [](const Step& step) { return step.enabled; }) -
                                  recipe.steps.begin());
}

// The imaginary part of a spectrum that the recipe begins with; null: it begins otherwise.
const ImageRef* imaginary_of(const Recipe& recipe) {
  const std::size_t first = first_step(recipe);
  if (first == recipe.steps.size()) return nullptr;
  const Step& step = recipe.steps[first];
  if (Registry::get().at(step.filter).filter->info().role(imaginary_part) == nullptr) {
    return nullptr;
  }
  return &std::get<ImageRef>(step.values.at(imaginary_part));
}

// A spectrum's file holds its imaginary part, too, unless another one is named.
void take_own_parts(Recipe& recipe, const std::filesystem::path& input) {
  const ImageRef* part = imaginary_of(recipe);
  if (part == nullptr || part->bound()) return;
  recipe.steps[first_step(recipe)].values.set(imaginary_part, ImageRef{input.string(), {}});
}

// OpenEXR files keep their other layers.
bool keeps_imaginary_part(const FileJob& job, const InputPicture& input) {
  const auto& layers = input.info().layers;
  return imaginary_of(job.recipe) != nullptr && files::lower_extension(job.output) == "exr" &&
         std::find(layers.begin(), layers.end(), imaginary_part) != layers.end();
}

}  // namespace

WriteOptions output_options(const FileJob& job) {
  WriteOptions write = job.write;
  write.in_color = write.in_color || makes_colour(job.recipe);
  if (const auto layer = layer_of(job.recipe)) {
    write.layer = std::make_shared<FileLayer>(FileLayer{layer->name, {}});
    if (!write.bits) write.bits = SampleType::f32;
  }
  write.input_path = job.input;
  write.cancelled = job.cancelled;
  write.max_pixels = job.read.max_pixels;
  if (write.resizing) write.resizing->stored = works_on_stored(job.recipe);
  return write;
}

RenderOptions render_options(const FileJob& job, const InputPicture& input) {
  RenderOptions options;
  options.dither = job.write.dither;
  ReadOptions of_roles;  // channels and frames are only for the picture
  of_roles.max_pixels = job.read.max_pixels;
  of_roles.contained = job.read.contained;
  of_roles.cancelled = job.cancelled;
  options.roles = role_files(input, of_roles, [&job](const Message& warning) {
    if (job.warn) job.warn(warning);
  });
  options.progress = [&job](double part) {
    if (job.progress) job.progress(part);
    return !(job.cancelled && job.cancelled());
  };
  return options;
}

void check_files(const FileJob& job) {
  check_input(job.input);
  check_output(job.output, output_options(job));
}

FileRender::FileRender(FileJob job) : job_(std::move(job)) {
  take_own_parts(job_.recipe, job_.input);
}

void FileRender::stop_if_cancelled() const {
  if (job_.cancelled && job_.cancelled()) throw Cancelled();
}

void FileRender::pass_on(const std::vector<Message>& warnings) const {
  if (!job_.warn) return;
  for (const Message& warning : warnings) job_.warn(warning);
}

void FileRender::open_input() {
  ReadOptions read = job_.read;
  read.cancelled = job_.cancelled;
  input_ = open_picture(job_.input, read);
}

void FileRender::begin_output() {
  const WriteOptions write = output_options(job_);
  layer_ = layer_of(job_.recipe);
  held_layer_ = write.layer;
  const bool is_frame = job_.read.frame != 0;
  output_ = is_frame ? create_picture(job_.output, write, output_of_frame(*input_, write))
                     : create_picture(job_.output, write, *input_);
  pass_on(input_->info().warnings);
  pass_on(output_->warnings());
  if (layer_ && input_->format().has_alpha()) {
    pass_on({message({"spectrum.no_opacity",
                      "{file}: spectra hold no opacity: colours are weighted by it, and the "
                      "picture that comes back is opaque"},
                     files::shown(job_.output))});
  }
  if (keeps_imaginary_part(job_, *input_)) {
    pass_on({message({"spectrum.part_stays",
                      "{file}: the spectrum's layer {layer} stays in the file beside the picture"},
                     files::shown(job_.output), imaginary_part)});
  }
}

void FileRender::hold_input(std::vector<char> memory) {
  const PictureFormat& format = input_->format();
  before_ = {format, sized(std::move(memory), format)};
  constexpr int rows = 64;  // a sequential reader buffers each request as a whole
  by_strips(before_.view(), rows, [&](const HostView& strip) {
    stop_if_cancelled();
    input_->read(strip.region, strip.data, strip.row_stride);
  });
}

RenderReport FileRender::filter(Renderer& renderer, std::vector<char> memory) {
  try {
    return filter_input(renderer, std::move(memory));
  } catch (const FileError&) {
    input_->check_unchanged();  // which would be the reason
    throw;
  }
}

// The writer needs its rows beside those of the picture.
void FileRender::make_layer(Renderer& renderer, const RenderOptions& options) {
  HeldPicture& picture = held_layer_->picture;
  picture = blank_picture(output_->format());
  MemorySink sink(picture.format, picture.view());
  const auto resizing = resizing_to(sink, input_->format(), output_options(job_));
  PixelSink& to = resizing ? *resizing : sink;
  const Recipe recipe = for_frame(layer_->recipe, job_.read.frame);
  if (is_held()) {
    MemorySource source = before_.source();
    renderer.render(recipe, source, to, options);
  } else {
    input_->keep_all();
    renderer.render(recipe, *input_, to, options);
  }
}

RenderReport FileRender::filter_input(Renderer& renderer, std::vector<char> memory) {
  RenderOptions options = render_options(job_, *input_);
  options.streamed = !is_held();
  if (layer_) make_layer(renderer, options);
  const Recipe recipe = for_frame(job_.recipe, job_.read.frame);
  if (!is_held()) {
    WriteBehind behind(*output_, rows_at_once(*input_, *output_));
    const auto resizing = resizing_to(behind, input_->format(), output_options(job_));
    RenderReport report = renderer.render(recipe, *input_, resizing ? *resizing : behind, options);
    behind.finish();
    return report;
  }
  const PictureFormat& format = output_->format();
  after_ = {format, sized(std::move(memory), format)};
  MemorySource source = before_.source();
  MemorySink sink(after_.format, after_.view());
  const auto resizing = resizing_to(sink, input_->format(), output_options(job_));
  return renderer.render(recipe, source, resizing ? *resizing : sink, options);
}

void FileRender::commit() {
  if (is_held()) {
    constexpr int often = 256;  // between two checks for cancelling
    const int rows = std::min(often, rows_at_once(*input_, *output_));
    by_strips(after_.view(), rows, [&](const HostView& strip) {
      stop_if_cancelled();
      output_->write(strip);
    });
  }
  stop_if_cancelled();
  input_->check_unchanged();
  if (job_.before_commit) job_.before_commit();
  const std::size_t said = output_->warnings().size();
  output_->commit();
  const std::vector<Message>& warnings = output_->warnings();
  pass_on({warnings.begin() + static_cast<std::ptrdiff_t>(said), warnings.end()});
}

std::vector<char> FileRender::take_input_memory() {
  return std::move(std::exchange(before_, {}).bytes);
}

std::vector<char> FileRender::take_output_memory() {
  return std::move(std::exchange(after_, {}).bytes);
}

FileReport render_file(Renderer& renderer, FileJob job) {
  FileRender render(std::move(job));
  render.open_input();
  render.begin_output();
  FileReport report{render.input().format(), render.filter(renderer)};
  render.commit();
  return report;
}

}  // namespace sfumato
