// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// One class_init for all filters, with the filter as class data; the worker computes the pixels.
#include "operation.hpp"

#include "gegl.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "buffers.hpp"
#include "filters/registry.hpp"
#include "host/worker_renderer.hpp"
#include "language.hpp"
#include "layout.hpp"
#include "numbers.hpp"
#include "properties.hpp"

namespace sfumato::gegl {
namespace {

/// The data of an operation class; lives as long as the process.
struct OperationKind {
  const Filter* filter = nullptr;
  std::vector<const Parameter*> shown;  ///< property i + 1
  std::vector<std::string> roles;       ///< pad "aux", "aux2"... in this order
};

/// The state of an operation besides GEGL's own.
struct State {
  explicit State(Values v) : values(std::move(v)) {}
  Values values;
  std::set<std::string> said;  ///< messages shown to the user, each once
  std::mutex saying;
};

struct Instance {
  // GeglOperation or GeglOperationComposer, which have the same layout.
  GeglOperation parent;
  State* state;
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

// Shows a message in GIMP; GLib warnings go to the terminal only.
void say(gpointer op, const Message& sentence) noexcept {
  try {
    State& state = *instance_of(op).state;
    {
      const std::lock_guard lock(state.saying);
      if (!state.said.insert(in_english(sentence)).second) return;
    }
    const char* filter = word(kind_of(op).filter->info().label, TextKind::filter);
    g_message("Sfumato, %s: %s", filter, said(sentence).c_str());
  } catch (...) {
    // without memory there is no way to report it
  }
}

// To be called in a catch block.
void report_current_exception(gpointer op) noexcept {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    say(op, message({"host.no_memory", "There is not enough memory."}));
  } catch (const std::exception& error) {
    say(op, message_in(error));
  } catch (...) {
    say(op, message({"host.unknown_error", "An unknown error."}));
  }
}

// No exception leaves the operation.
template <typename Body>
auto guarded(gpointer op, decltype(std::declval<Body>()()) otherwise, Body body) noexcept {
  try {
    return body();
  } catch (...) {
    report_current_exception(op);
    return otherwise;
  }
}

// Nesting depth of requests on this thread. While a host receives progress, or computes the pixels
// being read, it may call in again for another node; the renderer in use is busy then.
thread_local int depth = 0;

class NestingGuard {
 public:
  NestingGuard() { ++depth; }
  ~NestingGuard() { --depth; }
  NestingGuard(const NestingGuard&) = delete;
  NestingGuard& operator=(const NestingGuard&) = delete;
};

// One renderer for all operations of a host, plus one per nesting level.
Renderer& renderer() {
  static std::mutex mutex;
  static std::vector<std::unique_ptr<Renderer>> all;
  const std::lock_guard lock(mutex);
  const auto index = static_cast<std::size_t>(depth);
  while (all.size() <= index) {
    RendererOptions options;
    options.log = [](const Message& sentence) { g_message("Sfumato: %s", said(sentence).c_str()); };
    all.push_back(hosts::make_worker_renderer(std::move(options)));
  }
  return *all[index];
}

Layout layout_of(GeglOperation* op, const GeglRectangle& roi) {
  return gegl::layout_of(op, *kind_of(op).filter, instance_of(op).state->values, roi);
}

Recipe recipe_for(GeglOperation* op) {
  return recipe_of(kind_of(op).filter->info(), instance_of(op).state->values);
}

// The part of the input that a region needs according to `who`, in GEGL's coordinates.
GeglRectangle required_region(Renderer& who, GeglOperation* op, const Layout& layout,
                              const GeglRectangle& roi) {
  const Rect region = rect_of(roi, layout.origin).intersected(layout.format.rect());
  if (region.empty()) return {0, 0, 0, 0};
  const NestingGuard deeper;
  return rectangle_of(who.required_region(recipe_for(op), layout.format, region), layout.origin);
}

// An error here will be reported when the region is processed.
GeglRectangle needed_of(Renderer& who, GeglOperation* op, const Layout& layout,
                        const GeglRectangle& roi) noexcept {
  try {
    return required_region(who, op, layout, roi);
  } catch (...) {
    return layout.bounds();
  }
}

// Plans without a device: approximately what a device needs.
Renderer& planner() {
  static const std::unique_ptr<Renderer> renderer = make_reference_renderer();
  return *renderer;
}

// A window is not the whole picture, which some filters require.
bool reaches_too_far(const GeglRectangle& needed, const Layout& layout) {
  return layout.is_window() &&
         (is_too_large(needed) || (layout.cut_x && needed.width >= layout.format.width) ||
          (layout.cut_y && needed.height >= layout.format.height));
}

// While the worker opens its device, the whole picture, which is always enough: upstream nodes can
// work meanwhile.
GeglRectangle needed(GeglOperation* op, const Layout& layout, const GeglRectangle& roi) noexcept {
  if (renderer().is_opening() && !layout.is_window()) return layout.bounds();
  const GeglRectangle n = needed_of(renderer(), op, layout, roi);
  return reaches_too_far(n, layout) ? roi : n;
}

void prepare(GeglOperation* op) {
  guarded(op, false, [op] {
    const Layout numbers = chosen_numbers(op, *kind_of(op).filter, instance_of(op).state->values);
    gegl_operation_set_format(op, "input", numbers.babl);
    gegl_operation_set_format(op, "output", numbers.result_babl);
    if (gegl_operation_get_source_format(op, "input") != nullptr) renderer().prepare();
    return true;
  });
}

GeglRectangle get_bounding_box(GeglOperation* op) {
  const GeglRectangle* box = gegl_operation_source_get_bounding_box(op, "input");
  return box != nullptr ? *box : GeglRectangle{0, 0, 0, 0};
}

// For a role that is not aligned, the whole extent if it is finite.
GeglRectangle extent_of(GeglOperation* op, const char* pad) {
  const GeglRectangle* box = gegl_operation_source_get_bounding_box(op, pad);
  return box != nullptr && !is_too_large(*box) ? *box : GeglRectangle{0, 0, 0, 0};
}

GeglRectangle get_required_for_output(GeglOperation* op, const gchar* pad,
                                      const GeglRectangle* roi) {
  return guarded(op, *roi, [&] {
    const OperationKind& kind = kind_of(op);
    const FilterInfo& info = kind.filter->info();
    for (std::size_t i = 0; i < kind.roles.size(); ++i) {
      if (pad_name(i) == pad && !info.is_aligned(kind.roles[i])) return extent_of(op, pad);
    }
    const Layout layout = layout_of(op, *roi);
    return layout.empty ? *roi : needed(op, layout, *roi);
  });
}

// Changes spread as far as filters reach, and slightly further where grids are anchored.
GeglRectangle get_invalidated_by_change(GeglOperation* op, const gchar* pad,
                                        const GeglRectangle* roi) {
  const GeglRectangle all = get_bounding_box(op);
  return guarded(op, all, [&] {
    const Layout layout = layout_of(op, *roi);
    if (layout.empty) return *roi;
    const OperationKind& kind = kind_of(op);
    const FilterInfo& info = kind.filter->info();
    for (std::size_t i = 0; i < kind.roles.size(); ++i) {
      if (pad_name(i) == pad && !info.is_aligned(kind.roles[i])) return all;
    }
    const Rect changed = rect_of(*roi, layout.origin);
    if (layout.is_window() && !layout.format.rect().contains(changed)) return all;
    const GeglRectangle n = needed(op, layout, *roi);
    if (is_whole(n, layout)) return n;
    constexpr int slack = 16;
    const int reach_x = std::max(roi->x - n.x, n.x + n.width - roi->x - roi->width) + slack;
    const int reach_y = std::max(roi->y - n.y, n.y + n.height - roi->y - roi->height) + slack;
    const GeglRectangle grown{roi->x - reach_x, roi->y - reach_y, roi->width + 2 * reach_x,
                              roi->height + 2 * reach_y};
    GeglRectangle out;
    gegl_rectangle_intersect(&out, &grown, &all);
    return out;
  });
}

// Whole cells, since many small requests would recompute their surroundings again and again.
GeglRectangle get_cached_region(GeglOperation* op, const GeglRectangle* roi) {
  return guarded(op, *roi, [&] {
    const Layout layout = layout_of(op, *roi);
    if (layout.empty || layout.is_window()) return *roi;
    const GeglRectangle n =
        renderer().is_opening() ? needed_of(planner(), op, layout, *roi) : needed(op, layout, *roi);
    if (is_whole(n, layout)) return n;
    const int reach = std::max({roi->x - n.x, n.x + n.width - roi->x - roi->width, roi->y - n.y,
                                n.y + n.height - roi->y - roi->height, 0});
    return cells_around(*roi, layout, reach);
  });
}

void check_reach(GeglOperation* op, const Layout& layout, const GeglRectangle& roi) {
  if (!layout.is_window()) return;
  if (!layout.format.rect().contains(rect_of(roi, layout.origin)) ||
      reaches_too_far(required_region(renderer(), op, layout, roi), layout)) {
    throw EngineError(message(
        {"gegl.large_picture",
         "The filter needs the whole picture, which has no end or is too large: crop it first."}));
  }
}

// The picture of a role; null if the user has set none.
std::shared_ptr<PixelSource> open_role(GeglOperation* op, GeglOperationContext* context,
                                       const Layout& layout, const std::string& name) {
  const OperationKind& kind = kind_of(op);
  const auto role = std::find(kind.roles.begin(), kind.roles.end(), name);
  if (role == kind.roles.end()) return nullptr;
  const std::string pad = pad_name(static_cast<std::size_t>(role - kind.roles.begin()));
  const GeglRectangle* box = gegl_operation_source_get_bounding_box(op, pad.c_str());
  if (box == nullptr || gegl_rectangle_is_empty(box) != 0) return nullptr;
  if (!kind.filter->info().is_aligned(name) && is_too_large(*box)) throw_too_large(name);
  // Without pixels in the required part, which differs from a missing role.
  GObject* aux = gegl_operation_context_get_object(context, pad.c_str());
  GeglBuffer* buffer = aux != nullptr ? GEGL_BUFFER(aux) : nullptr;
  const Babl* own = buffer != nullptr ? gegl_buffer_get_format(buffer)
                                      : gegl_operation_get_source_format(op, pad.c_str());
  if (own == nullptr) own = babl_format("RGB float");
  return role_source({buffer, own, *box}, layout.origin, layout.format, kind.filter->info(), name);
}

void render(GeglOperation* op, GeglOperationContext* context, GeglBuffer* input, GeglBuffer* output,
            const GeglRectangle& roi) {
  const Layout layout = layout_of(op, roi);
  if (layout.empty) {
    gegl_buffer_copy(input, &roi, GEGL_ABYSS_NONE, output, &roi);
    return;
  }
  check_reach(op, layout, roi);
  BufferSource source(input, layout.babl, layout.format, layout.origin, layout.format.rect());
  BufferSink sink(output, layout.result_babl, layout.result, layout.origin,
                  layout.encoded ? NegativeCoding::mirrored : NegativeCoding::as_babl);
  RenderOptions options;
  options.region = rect_of(roi, layout.origin).intersected(layout.format.rect());
  if (options.region.empty()) return;
  options.roles = [&](int, const std::string& name, const ImageRef&) {
    return open_role(op, context, layout, name);
  };
  Renderer& worker = renderer();
  const NestingGuard deeper;
  // Progress is reported only when not already inside another node's progress, to bound the
  // nesting.
  if (depth == 1) {
    options.progress = [op](double part) {
      gegl_operation_progress(op, part, const_cast<char*>(""));
      return true;
    };
  }
  const RenderReport report = worker.render(recipe_for(op), source, sink, options);
  for (const Message& warning : report.warnings) say(op, warning);
}

gboolean process(GeglOperation* op, GeglOperationContext* context, const gchar* pad,
                 const GeglRectangle* roi, gint) {
  if (std::strcmp(pad, "output") != 0) return FALSE;
  GeglBuffer* output = gegl_operation_context_get_target(context, "output");
  GObject* input = gegl_operation_context_get_object(context, "input");
  if (input == nullptr || output == nullptr) return FALSE;
  const bool done = guarded(op, false, [&] {
    render(op, context, GEGL_BUFFER(input), output, *roi);
    return true;
  });
  if (!done) gegl_buffer_copy(GEGL_BUFFER(input), roi, GEGL_ABYSS_NONE, output, roi);
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
    add_pad(op, pad_name(i).c_str(), word(p.label), word(p.help), GEGL_PARAM_PAD_INPUT);
  }
}

void set_property(GObject* object, guint id, const GValue* value, GParamSpec*) {
  const Parameter& p = *kind_of(object).shown[id - 1];
  guarded(object, false, [&] {
    instance_of(object).state->values.set(p.name, from_gvalue(p, *value));
    return true;
  });
}

void get_property(GObject* object, guint id, GValue* value, GParamSpec*) {
  const Parameter& p = *kind_of(object).shown[id - 1];
  guarded(object, false, [&] {
    to_gvalue(p, instance_of(object).state->values.at(p.name), *value);
    return true;
  });
}

void finalize(GObject* object) {
  delete std::exchange(instance_of(object).state, nullptr);
  auto* parent =
      static_cast<GObjectClass*>(g_type_class_peek(g_type_parent(G_OBJECT_TYPE(object))));
  parent->finalize(object);
}

void instance_init(GTypeInstance* object, gpointer) {
  const auto found = kinds().find(G_TYPE_FROM_INSTANCE(object));
  const FilterInfo& info = found->second->filter->info();
  reinterpret_cast<Instance*>(object)->state = new State(Values(defaults(info.parameters)));
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
  operation->threaded = FALSE;  // the worker uses all processors; regions come one after another
  operation->want_in_place = FALSE;
  const std::string name = "sfumato:" + info.id;
  const std::string menu = std::string("<Image>/Filters/Sfumato/") + word(info.category);
  const char* label = word(info.label, TextKind::filter);
  // No "license": hosts ignore operations under licences that they do not know.
  gegl_operation_class_set_keys(operation, "name", name.c_str(), "title", label, "categories",
                                category_of(info).c_str(), "description", word(info.summary),
                                "gimp:menu-path", menu.c_str(), "gimp:menu-label", label, nullptr);
}

}  // namespace

void register_operations(GTypeModule* module) {
  for (const RegisteredFilter& entry : Registry::get().all()) {
    const FilterInfo& info = entry.filter->info();
    const std::string name = "SfumatoOperation_" + info.id;
    if (g_type_from_name(name.c_str()) != 0 &&
        kinds().find(g_type_from_name(name.c_str())) == kinds().end()) {
      continue;  // another copy of this module registered it
    }
    auto* kind = new OperationKind;
    kind->filter = entry.filter.get();
    kind->shown = shown_parameters(info);
    for (const RoleInfo& role : info.roles) kind->roles.push_back(role.parameter);
    // Hosts offer a picture for a single pad named "aux" only to composers.
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
