// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// One class_init for all filters, given the filter as class data; pixels by the worker.
#include "operation.hpp"

#include "gegl.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "buffers.hpp"
#include "filters/registry.hpp"
#include "host/client.hpp"
#include "numbers.hpp"
#include "properties.hpp"

namespace sfumato::gegl {
namespace {

/// What an operation class stands for; lives as long as the process.
struct OperationKind {
  const Filter* filter = nullptr;
  std::vector<const Parameter*> shown;  ///< property i + 1
  std::vector<std::string> roles;       ///< pad "aux", "aux2"... in this order
};

struct Instance {
  // GeglOperation or GeglOperationComposer, which are alike.
  GeglOperation parent;
  Values* values;
};

std::map<GType, const OperationKind*>& kinds() {
  static std::map<GType, const OperationKind*> all;
  return all;
}

const OperationKind& kind_of(gpointer object) {
  for (GType type = G_OBJECT_TYPE(object); type != 0; type = g_type_parent(type)) {
    const auto found = kinds().find(type);
    if (found != kinds().end()) return *found->second;
  }
  g_error("an operation of no filter");
}

Instance& instance_of(gpointer object) {
  return *static_cast<Instance*>(object);
}

std::string pad_name(std::size_t role) {
  return role == 0 ? "aux" : "aux" + std::to_string(role + 1);
}

hosts::Client& client() {
  static hosts::Client shared([] {
    hosts::ClientOptions options;
    options.message = [](const std::string& sentence) {
      g_message("Sfumato: %s", sentence.c_str());
    };
    return options;
  }());
  return shared;
}

// The cells of a picture that have a pixel of `roi` in common: halves of halves as GEGL's own
// processor makes them, so that its regions lie within one each and nothing is computed twice.
GeglRectangle cells_around(const GeglRectangle& roi, const GeglRectangle& all, double most_area) {
  GeglRectangle common;
  if (gegl_rectangle_intersect(&common, &roi, &all) == 0) return {0, 0, 0, 0};
  if (static_cast<double>(all.width) * all.height <= most_area) return all;
  GeglRectangle first = all, second = all, out;
  if (all.width > all.height) {
    first.width = all.width / 2;
    second.x += first.width;
    second.width -= first.width;
  } else {
    first.height = all.height / 2;
    second.y += first.height;
    second.height -= first.height;
  }
  const GeglRectangle a = cells_around(roi, first, most_area),
                      b = cells_around(roi, second, most_area);
  gegl_rectangle_bounding_box(&out, &a, &b);
  return out;
}

// The area of a cell for filters that reach so far: what is computed at once, so that the reach
// does not cost too much.
double cell_area(int reach) {
  const int even = (reach + 63) / 64 * 64;  // grids make it a little more here and there
  const double side = std::clamp(12 * even, 1024, 8192);
  return side * side;
}

// The picture of an operation: where it lies, the numbers it is handed over in, and those of the
// result, which has alpha where the picture has.
struct Layout {
  Origin origin;
  PictureFormat format, result;
  const Babl *babl = nullptr, *result_babl = nullptr;
  bool endless = false;  ///< no picture at all, but a plane

  GeglRectangle bounds() const { return rectangle_of(format.rect(), origin); }
};

// Floats as the filter works on them.
const char* encoding(bool linear, AlphaKind alpha) {
  switch (alpha) {
    case AlphaKind::none:
      return linear ? "RGB float" : "R'G'B' float";
    case AlphaKind::straight:
      return linear ? "RGBA float" : "R'G'B'A float";
    case AlphaKind::premultiplied:
      break;
  }
  return linear ? "RaGaBaA float" : "R'aG'aB'aA float";
}

// Sets all but where the picture lies. Integers and halves go as they are stored, which is less to
// hand over than floats and leaves filters that ask for codes the codes.
void choose_numbers(GeglOperation* op, Layout& out) {
  const Filter& filter = *kind_of(op).filter;
  const Light light = light_of(*instance_of(op).values);
  const Babl* own = gegl_operation_get_source_format(op, "input");
  const Babl* space = gegl_operation_get_source_space(op, "input");
  const auto stored = own != nullptr ? stored_format(own) : std::nullopt;
  const bool as_stored = stored && stored->type != SampleType::f32;
  const bool linear = light == Light::linear ||
                      (light == Light::stored && as_stored && stored->coding == Coding::linear());
  PictureFormat& r = out.result;
  const bool has_alpha = own == nullptr || babl_format_has_alpha(own) != 0;
  r.channels = has_alpha ? 4 : 3;
  r.type = SampleType::f32;
  r.alpha = !has_alpha                                        ? AlphaKind::none
            : filter.info().alpha == AlphaWish::premultiplied ? AlphaKind::premultiplied
                                                              : AlphaKind::straight;
  r.coding = linear      ? Coding::linear()
             : as_stored ? coding_of(space).value_or(Coding::srgb())
                         : Coding::srgb();
  out.result_babl = babl_format_with_space(encoding(linear, r.alpha), space);
  out.format = as_stored ? *stored : r;
  out.babl = as_stored ? own : out.result_babl;
}

Layout layout_of(GeglOperation* op) {
  Layout out;
  choose_numbers(op, out);
  const GeglRectangle* box = gegl_operation_source_get_bounding_box(op, "input");
  constexpr int most = 1 << 24;
  out.endless = box == nullptr || gegl_rectangle_is_infinite_plane(box) || box->width <= 0 ||
                box->height <= 0 || box->width > most || box->height > most;
  if (!out.endless) {
    out.origin = {box->x, box->y};
    out.format.width = out.result.width = box->width;
    out.format.height = out.result.height = box->height;
  }
  return out;
}

Recipe recipe_for(GeglOperation* op) {
  return recipe_of(kind_of(op).filter->info(), *instance_of(op).values);
}

// What of the input a region needs, in GEGL's coordinates. A fault here shows when it is processed.
GeglRectangle needed(GeglOperation* op, const Layout& layout, const GeglRectangle& roi) noexcept {
  try {
    const Rect region = rect_of(roi, layout.origin).intersected(layout.format.rect());
    if (region.empty()) return {0, 0, 0, 0};
    return rectangle_of(client().required_region(recipe_for(op), layout.format, region),
                        layout.origin);
  } catch (...) {
    return layout.bounds();
  }
}

bool is_whole(const GeglRectangle& r, const Layout& layout) {
  const GeglRectangle all = layout.bounds();
  return gegl_rectangle_equal(&r, &all);
}

void prepare(GeglOperation* op) {
  Layout numbers;
  choose_numbers(op, numbers);
  gegl_operation_set_format(op, "input", numbers.babl);
  gegl_operation_set_format(op, "output", numbers.result_babl);
}

GeglRectangle get_bounding_box(GeglOperation* op) {
  const GeglRectangle* box = gegl_operation_source_get_bounding_box(op, "input");
  return box != nullptr ? *box : GeglRectangle{0, 0, 0, 0};
}

GeglRectangle get_required_for_output(GeglOperation* op, const gchar* pad,
                                      const GeglRectangle* roi) {
  const Layout layout = layout_of(op);
  if (layout.endless) return *roi;
  const OperationKind& kind = kind_of(op);
  for (std::size_t i = 0; i < kind.roles.size(); ++i) {
    if (pad_name(i) != pad || !stands_alone(kind.roles[i])) continue;
    const GeglRectangle* box = gegl_operation_source_get_bounding_box(op, pad);
    return box != nullptr ? *box : GeglRectangle{0, 0, 0, 0};
  }
  return needed(op, layout, *roi);
}

// As far as results reach back, inputs reach forth; a little more, where grids are anchored.
GeglRectangle get_invalidated_by_change(GeglOperation* op, const gchar* pad,
                                        const GeglRectangle* roi) {
  const Layout layout = layout_of(op);
  if (layout.endless) return *roi;
  const OperationKind& kind = kind_of(op);
  for (std::size_t i = 0; i < kind.roles.size(); ++i) {
    if (pad_name(i) == pad && stands_alone(kind.roles[i])) return layout.bounds();
  }
  const GeglRectangle n = needed(op, layout, *roi);
  if (is_whole(n, layout)) return n;
  constexpr int slack = 16;
  const int reach_x = std::max(roi->x - n.x, n.x + n.width - roi->x - roi->width) + slack;
  const int reach_y = std::max(roi->y - n.y, n.y + n.height - roi->y - roi->height) + slack;
  const GeglRectangle grown{roi->x - reach_x, roi->y - reach_y, roi->width + 2 * reach_x,
                            roi->height + 2 * reach_y};
  const GeglRectangle all = layout.bounds();
  GeglRectangle out;
  gegl_rectangle_intersect(&out, &grown, &all);
  return out;
}

// Whole cells: many small requests would compute their surroundings again and again.
GeglRectangle get_cached_region(GeglOperation* op, const GeglRectangle* roi) {
  const Layout layout = layout_of(op);
  if (layout.endless) return *roi;
  const GeglRectangle n = needed(op, layout, *roi);
  if (is_whole(n, layout)) return n;
  const int reach = std::max({roi->x - n.x, n.x + n.width - roi->x - roi->width, roi->y - n.y,
                              n.y + n.height - roi->y - roi->height, 0});
  return cells_around(*roi, layout.bounds(), cell_area(reach));
}

void render(GeglOperation* op, GeglOperationContext* context, GeglBuffer* input, GeglBuffer* output,
            const GeglRectangle& roi) {
  const Layout layout = layout_of(op);
  const OperationKind& kind = kind_of(op);
  BufferSource source(input, layout.babl, layout.format, layout.origin);
  BufferSink sink(output, layout.result_babl, layout.result, layout.origin);
  RenderOptions options;
  options.region = rect_of(roi, layout.origin).intersected(layout.format.rect());
  if (options.region.empty()) return;
  options.roles = [&](int, const std::string& name,
                      const ImageRef&) -> std::shared_ptr<PixelSource> {
    for (std::size_t i = 0; i < kind.roles.size(); ++i) {
      if (kind.roles[i] != name) continue;
      GObject* aux = gegl_operation_context_get_object(context, pad_name(i).c_str());
      if (aux == nullptr) return nullptr;
      return role_source(GEGL_BUFFER(aux), layout.origin, layout.format, stands_alone(name));
    }
    return nullptr;
  };
  options.progress = [op](double part) {
    gegl_operation_progress(op, part, const_cast<char*>(""));
    return true;
  };
  client().render(recipe_for(op), source, sink, options);
}

gboolean process(GeglOperation* op, GeglOperationContext* context, const gchar* pad,
                 const GeglRectangle* roi, gint) {
  if (std::strcmp(pad, "output") != 0) return FALSE;
  GeglBuffer* output = gegl_operation_context_get_target(context, "output");
  GObject* input = gegl_operation_context_get_object(context, "input");
  if (input == nullptr || output == nullptr) return FALSE;
  try {
    if (layout_of(op).endless) {
      gegl_buffer_copy(GEGL_BUFFER(input), roi, GEGL_ABYSS_NONE, output, roi);
    } else {
      render(op, context, GEGL_BUFFER(input), output, *roi);
    }
  } catch (const std::exception& error) {
    g_warning("Sfumato, %s: %s", kind_of(op).filter->info().id.c_str(), error.what());
    gegl_buffer_copy(GEGL_BUFFER(input), roi, GEGL_ABYSS_NONE, output, roi);
  }
  return TRUE;
}

void add_pad(GeglOperation* op, const char* name, const char* nick, const char* blurb,
             GeglPadType direction) {
  const auto flags = static_cast<GParamFlags>(G_PARAM_READWRITE | static_cast<int>(direction));
  GParamSpec* spec = g_param_spec_object(name, nick, blurb, GEGL_TYPE_BUFFER, flags);
  gegl_operation_create_pad(op, spec);
  g_param_spec_sink(spec);
}

void attach(GeglOperation* op) {
  const OperationKind& kind = kind_of(op);
  add_pad(op, "output", "Output", "Output pad, for the result", GEGL_PARAM_PAD_OUTPUT);
  add_pad(op, "input", "Input", "Input pad, for the picture", GEGL_PARAM_PAD_INPUT);
  for (std::size_t i = 0; i < kind.roles.size(); ++i) {
    const Parameter& p = kind.filter->info().parameters.at(kind.roles[i]);
    add_pad(op, pad_name(i).c_str(), p.label.c_str(), p.help.c_str(), GEGL_PARAM_PAD_INPUT);
  }
}

void set_property(GObject* object, guint id, const GValue* value, GParamSpec*) {
  const Parameter& p = *kind_of(object).shown[id - 1];
  try {
    instance_of(object).values->set(p.name, from_gvalue(p, *value));
  } catch (const std::exception& error) {
    g_warning("Sfumato, %s: %s", kind_of(object).filter->info().id.c_str(), error.what());
  }
}

void get_property(GObject* object, guint id, GValue* value, GParamSpec*) {
  const Parameter& p = *kind_of(object).shown[id - 1];
  to_gvalue(p, instance_of(object).values->at(p.name), *value);
}

void finalize(GObject* object) {
  delete std::exchange(instance_of(object).values, nullptr);
  auto* parent =
      static_cast<GObjectClass*>(g_type_class_peek(g_type_parent(G_OBJECT_TYPE(object))));
  parent->finalize(object);
}

void instance_init(GTypeInstance* object, gpointer) {
  const auto found = kinds().find(G_TYPE_FROM_INSTANCE(object));
  const FilterInfo& info = found->second->filter->info();
  reinterpret_cast<Instance*>(object)->values = new Values(defaults(info.parameters));
}

// GIMP sorts operations by these; "Edge-preserving" becomes "edge-preserving".
std::string category_of(const FilterInfo& info) {
  std::string name = info.category;
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return name;
}

void class_init(gpointer klass, gpointer data) {
  const auto& kind = *static_cast<const OperationKind*>(data);
  const FilterInfo& info = kind.filter->info();
  auto* object = G_OBJECT_CLASS(klass);
  object->set_property = set_property;
  object->get_property = get_property;
  object->finalize = finalize;
  for (std::size_t i = 0; i < kind.shown.size(); ++i) {
    g_object_class_install_property(object, static_cast<guint>(i + 1),
                                    property_of(info.id, *kind.shown[i]));
  }
  auto* operation = GEGL_OPERATION_CLASS(klass);
  operation->attach = attach;
  operation->prepare = prepare;
  operation->get_bounding_box = get_bounding_box;
  operation->get_required_for_output = get_required_for_output;
  operation->get_invalidated_by_change = get_invalidated_by_change;
  operation->get_cached_region = get_cached_region;
  operation->process = process;
  operation->opencl_support = FALSE;
  operation->threaded = FALSE;  // the worker has the processors; regions come one after another
  operation->want_in_place = FALSE;
  const std::string name = "sfumato:" + info.id, menu = "<Image>/Filters/Sfumato/" + info.category;
  // No "license": hosts leave out operations under licences that they do not know.
  gegl_operation_class_set_keys(operation, "name", name.c_str(), "title", info.label.c_str(),
                                "categories", category_of(info).c_str(), "description",
                                info.summary.c_str(), "gimp:menu-path", menu.c_str(),
                                "gimp:menu-label", info.label.c_str(), nullptr);
}

}  // namespace

void register_operations(GTypeModule* module) {
  for (const RegisteredFilter& entry : Registry::get().all()) {
    const FilterInfo& info = entry.filter->info();
    const std::string name = "SfumatoOperation_" + info.id;
    if (g_type_from_name(name.c_str()) != 0 &&
        kinds().find(g_type_from_name(name.c_str())) == kinds().end()) {
      continue;  // another copy of this module has it
    }
    auto* kind = new OperationKind;
    kind->filter = entry.filter.get();
    kind->shown = shown_parameters(info);
    for (const RoleWish& role : info.roles) kind->roles.push_back(role.parameter);
    // Hosts offer a picture for one pad called "aux" to composers alone.
    const bool composer = kind->roles.size() == 1;
    const GTypeInfo type{static_cast<guint16>(composer ? sizeof(GeglOperationComposerClass)
                                                       : sizeof(GeglOperationClass)),
                         nullptr,
                         nullptr,
                         class_init,
                         nullptr,
                         kind,
                         sizeof(Instance),
                         0,
                         instance_init,
                         nullptr};
    const GType id = gegl_module_register_type(
        module, composer ? GEGL_TYPE_OPERATION_COMPOSER : GEGL_TYPE_OPERATION, name.c_str(), &type,
        static_cast<GTypeFlags>(0));
    kinds().emplace(id, kind);
  }
}

}  // namespace sfumato::gegl
