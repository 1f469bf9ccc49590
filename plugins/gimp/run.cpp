// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The recipe of a call, then its pixels by the worker.
#include "gimp/run.hpp"

#include <algorithm>
#include <memory>
#include <new>

#include "../gegl/buffers.hpp"
#include "gimp/pixels.hpp"
#include "host/client.hpp"
#include "image/rows.hpp"
#include "io/io.hpp"
#include "params/layer_reference.hpp"

namespace sfumato::gimp {
namespace {

using gegl::Origin;

struct Unref {
  void operator()(GeglBuffer* buffer) const { g_object_unref(buffer); }
};
using BufferPtr = std::unique_ptr<GeglBuffer, Unref>;

// Thrown where the user ended it.
class NotWanted {};

Recipe last_recipe(const Procedure& procedure) {
  const std::string text = remembered(procedure.name);
  if (!text.empty()) return parse_recipe(text, Registry::get());
  if (procedure.filter != nullptr) return recipe_of(procedure.filter->info());
  throw RecipeError("no filter has been applied yet that could be repeated");
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
  if (!ask(*call.procedure, call.drawable, recipe)) throw NotWanted();
  return recipe;
}

Item layer_called(const std::string& name, Item drawable) {
  for (const Item layer : layers_beside(drawable)) {
    if (name_of(layer) == name) return layer;
  }
  throw RecipeError("there is no layer called \"" + name + "\" to take pixels from");
}

// Layers by their ids or names, files by the io library.
RoleResolver roles_of(const Call& call, const PictureFormat& picture) {
  return [&call, &picture](int, const std::string& name,
                           const ImageRef& image) -> std::shared_ptr<PixelSource> {
    const auto given = call.roles.find(name);
    Item item = given != call.roles.end() ? given->second : 0;
    if (const auto layer = layer_of(image)) item = layer_called(*layer, call.drawable);
    if (item > 0) {
      const Point here = offsets_of(call.drawable), there = offsets_of(item);
      const BufferPtr buffer(buffer_of(item));
      return gegl::role_source(buffer.get(), Origin{here.x - there.x, here.y - there.y}, picture,
                               stands_alone(name));
    }
    if (!image.bound()) return nullptr;
    ReadOptions options;
    options.role = name;
    options.channels = image.channels;
    return open_picture(image.path, options);
  };
}

std::string labels_of(const Recipe& recipe) {
  return Registry::get().at(recipe.steps.at(0).filter).filter->info().label;
}

std::string render(const Call& call, const Recipe& recipe, const Rect& region) {
  std::string said;
  const auto say = [&](const std::string& sentence) {
    if (said.find(sentence) == std::string::npos) said += (said.empty() ? "" : "\n") + sentence;
  };
  begin_progress(labels_of(recipe));
  hosts::ClientOptions client;
  client.message = say;
  RenderOptions options;
  options.region = region;
  double told = -1;
  options.progress = [&](double part) {
    if (part - told >= 0.005) tell_progress(told = part);
    return true;
  };
  const BufferPtr from(buffer_of(call.drawable)), to(result_of(call.drawable));
  const Numbers numbers = numbers_of(from.get());
  options.roles = roles_of(call, numbers.format);
  gegl::BufferSource source(from.get(), numbers.babl, numbers.format, Origin{});
  gegl::BufferSink sink(to.get(), numbers.babl, numbers.format, Origin{});
  const RenderReport report = hosts::Client(client).render(recipe, source, sink, options);
  for (const std::string& warning : report.warnings) say(warning);
  gegl_buffer_flush(to.get());
  return said;
}

// What the same menu entry and the filter's own procedure begin with the next time.
void keep(const Call& call, const Recipe& recipe) {
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

Outcome run(const Call& call) noexcept {
  using Kind = Outcome::Kind;
  try {
    if (std::string why = objection_to(call.drawable); !why.empty()) return {Kind::failed, why};
    Rect region;
    if (!selected(call.drawable, region)) {
      return {Kind::failed,
              "The selection holds nothing of the layer: there is nothing to filter."};
    }
    const Recipe recipe = recipe_of_call(call);
    const std::string said = render(call, recipe, region);
    take_result(call.drawable, region);
    keep(call, recipe);
    return {Kind::done, said};
  } catch (const NotWanted&) {
    return {Kind::cancelled, {}};
  } catch (const Cancelled&) {
    return {Kind::cancelled, {}};
  } catch (const std::bad_alloc&) {
    return {Kind::failed, "There is not enough memory."};
  } catch (const std::exception& error) {
    return {Kind::failed, error.what()};
  } catch (...) {
    return {Kind::failed, "An unknown error."};
  }
}

}  // namespace sfumato::gimp
