// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Finds out the recipe of a call, then has the worker filter its pixels.
#include "gimp/run.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <new>
#include <utility>

#include "../gegl/buffers.hpp"
#include "dialog/application.hpp"
#include "dialog/language.hpp"
#include "gimp/pixels.hpp"
#include "gimp/temporary_folder.hpp"
#include "host/worker_renderer.hpp"
#include "image/parallel_rows.hpp"
#include "io/io.hpp"
#include "io/pixel_file.hpp"
#include "params/layer_reference.hpp"

namespace sfumato::gimp {
namespace {

using gegl::Origin;

struct GObjectDeleter {
  void operator()(GeglBuffer* buffer) const { g_object_unref(buffer); }
};
using BufferPtr = std::unique_ptr<GeglBuffer, GObjectDeleter>;

// Thrown when the user cancels the dialog.
class DialogCancelled {};

Recipe last_recipe(const Procedure& procedure) {
  const std::string text = remembered(procedure.name);
  if (!text.empty()) return parse_recipe(text, Registry::get());
  if (procedure.filter != nullptr) return recipe_of(procedure.filter->info());
  throw RecipeError(message(
      {"gimp.no_last_filter", "No filter has been applied yet, so there is none to repeat."}));
}

Recipe recipe_of_call(const Call& call) {
  Recipe recipe;
  switch (call.mode) {
    case Mode::given:
      if (call.procedure->filter == nullptr) return last_recipe(*call.procedure);
      return sfumato::recipe_of(call.procedure->filter->info(), call.values);
    case Mode::last:
      return last_recipe(*call.procedure);
    case Mode::ask:
      break;
  }
  if (!run_dialog(*call.procedure, call.drawable, recipe)) throw DialogCancelled();
  return recipe;
}

Item layer_called(const std::string& name, Item drawable) {
  for (const Item layer : layers_beside(drawable)) {
    if (name_of(layer) == name) return layer;
  }
  throw RecipeError(message(
      {"layer.unknown", "There is no layer called \"{layer}\" to take pixels from."}, name));
}

// The drawable without its pixels, for aligning files with it.
std::unique_ptr<InputPicture> frame_of(Item drawable, const PictureFormat& format) {
  const std::unique_ptr<QTemporaryDir> folder = make_temporary_folder();
  const std::filesystem::path path = folder->filePath(QStringLiteral("picture")).toStdString();
  write_empty_pixel_file(path, header_of(drawable, format));
  return open_pixel_file(path, {});
}

// The user may do anything to the image while a filter is running, and GIMP ends plug-ins that read
// deleted layers.
void check_unchanged(Item drawable, const Numbers& numbers) {
  const BufferPtr buffer(buffer_of(drawable));
  const Numbers now = numbers_of(buffer.get());
  if (now.babl != numbers.babl || now.format.rect() != numbers.format.rect()) {
    throw HostError(
        message({"layer.changed", "The layer has changed meanwhile: please filter it again."}));
  }
}

class CheckedSource final : public PixelSource {
 public:
  CheckedSource(std::function<void()> check, std::shared_ptr<PixelSource> source)
      : check_(std::move(check)), source_(std::move(source)) {}
  const PictureFormat& format() const override { return source_->format(); }
  Rect covered() const override { return source_->covered(); }
  void read(const Rect& region, void* to, std::ptrdiff_t row_stride) override {
    check_();
    source_->read(region, to, row_stride);
  }
  void keep_all() override { source_->keep_all(); }

 private:
  std::function<void()> check_;
  std::shared_ptr<PixelSource> source_;
};

struct RoleFiles {
  std::unique_ptr<InputPicture> frame;
  RoleResolver open;
};

// Finds layers by their ids or names, and aligns files as the dialog's preview does.
RoleResolver roles_of(const Call& call, const Recipe& recipe, const PictureFormat& picture,
                      const std::function<void(const Message&)>& say) {
  return [&call, &recipe, &picture, say, files = std::make_shared<RoleFiles>()](
             int step, const std::string& name,
             const ImageRef& image) -> std::shared_ptr<PixelSource> {
    const auto given = call.roles.find(name);
    Item item = given != call.roles.end() ? given->second : 0;
    if (const auto layer = layer_of(image)) item = layer_called(*layer, call.drawable);
    if (item > 0) {
      const Point here = offsets_of(call.drawable), there = offsets_of(item);
      const BufferPtr buffer(buffer_of(item));
      const std::string& id = recipe.steps.at(static_cast<std::size_t>(step)).filter;
      return std::make_shared<CheckedSource>(
          [item, numbers = numbers_of(buffer.get())] { check_unchanged(item, numbers); },
          gegl::role_source(buffer.get(), Origin{here.x - there.x, here.y - there.y}, picture,
                            Registry::get().at(id).filter->info(), name));
    }
    if (!image.bound()) return nullptr;
    if (!files->frame) {
      files->frame = frame_of(call.drawable, picture);
      files->open = role_files(*files->frame, {}, say);
    }
    return files->open(step, name, image);
  };
}

class CheckedSink final : public PixelSink {
 public:
  template <typename... Rest>
  explicit CheckedSink(std::function<void()> check, Rest&&... rest)
      : check_(std::move(check)), sink_(std::forward<Rest>(rest)...) {}
  const PictureFormat& format() const override { return sink_.format(); }
  bool wants_bands() const override { return sink_.wants_bands(); }
  void write(const HostView& pixels) override {
    check_();
    sink_.write(pixels);
  }

 private:
  std::function<void()> check_;
  gegl::BufferSink sink_;
};

// Copies what lies around the filtered region: GIMP takes the part of the result that is selected
// by then, which may be more than was filtered.
void keep_around(const Rect& region, GeglBuffer* from, GeglBuffer* to) {
  const Rect all = gegl::rect_of(*gegl_buffer_get_extent(from));
  for (const Rect& part :
       {Rect{all.x0, all.y0, all.x1, region.y0}, Rect{all.x0, region.y1, all.x1, all.y1},
        Rect{all.x0, region.y0, region.x0, region.y1},
        Rect{region.x1, region.y0, all.x1, region.y1}}) {
    if (part.empty()) continue;
    const GeglRectangle r = gegl::rectangle_of(part);
    gegl_buffer_copy(from, &r, GEGL_ABYSS_NONE, to, &r);
  }
}

std::vector<Message> render(const Call& call, const Recipe& recipe, const Rect& region) {
  std::vector<Message> said;
  const auto say = [&](const Message& sentence) {
    if (std::find(said.begin(), said.end(), sentence) == said.end()) said.push_back(sentence);
  };
  RendererOptions chosen;
  {
    const hosts::Language language;  // the preferences are found by it, too
    begin_progress(hosts::name_of(recipe));
    chosen = hosts::chosen_session();
  }
  chosen.log = say;
  RenderOptions options;
  options.region = region;
  double told = -1;
  options.progress = [&](double part) {
    if (part - told >= 0.005) tell_progress(told = part);
    return true;
  };
  const BufferPtr from(buffer_of(call.drawable)), to(result_of(call.drawable));
  const Numbers numbers = numbers_of(from.get());
  if (numbers.has_other_curve) {
    say(message({"profile.unknown_curve_as_srgb",
                 "{file}: the colour profile's tone curve is of an unknown kind; the sRGB curve is "
                 "used for computing"},
                name_of(call.drawable)));
  }
  options.roles = roles_of(call, recipe, numbers.format, say);
  const auto check = [&] {
    if (const Message why = objection_to(call.drawable); !why.empty()) throw HostError(why);
    check_unchanged(call.drawable, numbers);
  };
  CheckedSource source(check, std::make_shared<gegl::BufferSource>(from.get(), numbers.babl,
                                                                   numbers.format, Origin{}));
  CheckedSink sink(check, to.get(), numbers.babl, numbers.format, Origin{});
  const RenderReport report =
      hosts::make_worker_renderer(chosen)->render(recipe, source, sink, options);
  for (const Message& warning : report.warnings) say(warning);
  check();
  keep_around(region, from.get(), to.get());
  gegl_buffer_flush(to.get());
  check();
  return said;
}

// Layers that a script gave by their ids go into the recipe by name, as in the dialog. Layers of
// other images, and those that share a name with one above them, cannot.
void name_roles(const Call& call, Recipe& recipe) {
  const std::vector<Item> layers = layers_beside(call.drawable);
  for (const auto& [role, item] : call.roles) {
    const std::string name = name_of(item);
    const auto first = std::find_if(layers.begin(), layers.end(),
                                    [&](Item layer) { return name_of(layer) == name; });
    if (first == layers.end() || *first != item) continue;
    for (Step& step : recipe.steps) step.values.set(role, layer_reference(name));
  }
}

// Keeps the recipe with which the same menu entry and the filter's own procedure begin next time.
void keep(const Call& call, Recipe recipe) {
  name_roles(call, recipe);
  const std::string text = print_recipe(recipe, Registry::get());
  remember(call.procedure->name, text);
  for (const Procedure& other : procedures()) {
    const bool any = other.name == procedures().front().name;
    const bool own = other.filter != nullptr && recipe.steps.size() == 1 &&
                     other.filter->info().id == recipe.steps[0].filter;
    if (own || (any && call.mode == Mode::ask)) remember(other.name, text);
  }
}

}  // namespace

namespace {

// The region to be filtered; throws HostError if there is none.
Rect region_of(const Call& call) {
  if (const Message why = objection_to(call.drawable); !why.empty()) throw HostError(why);
  Rect region;
  if (!selected(call.drawable, region)) {
    throw HostError(empty_selection());
  }
  return region;
}

Outcome outcome_of(const Call& call) noexcept {
  using Kind = Outcome::Kind;
  try {
    region_of(call);
    const Recipe recipe = recipe_of_call(call);
    // The user may have changed the image while the dialog was open.
    const Rect region = region_of(call);
    std::vector<Message> said = render(call, recipe, region);
    take_result(call.drawable, region);
    keep(call, recipe);
    return {Kind::done, std::move(said)};
  } catch (const DialogCancelled&) {
    return {Kind::cancelled, {}};
  } catch (const Cancelled&) {
    return {Kind::cancelled, {}};
  } catch (const std::bad_alloc&) {
    return {Kind::failed, {message({"host.no_memory", "There is not enough memory."})}};
  } catch (const std::exception& error) {
    return {Kind::failed, {message_in(error)}};
  } catch (...) {
    return {Kind::failed, {message({"host.unknown_error", "An unknown error."})}};
  }
}

}  // namespace

Outcome run(const Call& call) noexcept {
  return outcome_of(call);
}

std::string words_of(const Outcome& outcome) noexcept {
  try {
    if (outcome.messages.empty()) return {};
    const hosts::Language language;
    return hosts::user_text(outcome.messages);
  } catch (...) {
    return {};
  }
}

Message no_layer() {
  return message({"layer.none", "There is no layer to filter."});
}

Message not_taken() {
  return message({"layer.not_taken", "GIMP did not take the result."});
}

Message empty_selection() {
  return message(
      {"selection.empty", "The selection holds nothing of the layer: there is nothing to filter."});
}

}  // namespace sfumato::gimp
