// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// GIMP 3: a class of plug-in, procedures with named arguments, items as objects.
#include <algorithm>
#include <limits>

#include "dialog/language.hpp"
#include "gimp/drawables.hpp"
#include "gimp/run.hpp"
#include "gimp/words.hpp"
#include "params/errors.hpp"
#include "params/text.hpp"

struct SfumatoPlugIn {
  GimpPlugIn parent;
};
struct SfumatoPlugInClass {
  GimpPlugInClass parent;
};

GType sfumato_plug_in_get_type();

namespace sfumato::gimp {
namespace {

double finite(double bound) {
  constexpr double most = std::numeric_limits<double>::max();
  return std::clamp(bound, -most, most);
}

int whole(double bound) {
  return static_cast<int>(std::clamp(bound, -2147483648.0, 2147483647.0));
}

GeglColor* color_of(const Color& color) {
  GeglColor* out = gegl_color_new(nullptr);
  const double numbers[] = {color.r, color.g, color.b, color.a};
  gegl_color_set_pixel(out, babl_format("R'G'B'A double"), numbers);
  return out;
}

void add_argument(GimpProcedure* procedure, const Parameter& p) {
  const std::string name = argument_name(p), help = argument_help(p);
  const char *id = name.c_str(), *label = p.label.c_str(), *blurb = help.c_str();
  constexpr auto flags = G_PARAM_READWRITE;
  switch (p.kind) {
    case Kind::real:
      gimp_procedure_add_double_argument(procedure, id, label, blurb, finite(p.valid.min),
                                         finite(p.valid.max), std::get<double>(p.default_value),
                                         flags);
      return;
    case Kind::integer:
      gimp_procedure_add_int_argument(
          procedure, id, label, blurb, whole(p.valid.min), whole(p.valid.max),
          whole(static_cast<double>(std::get<std::int64_t>(p.default_value))), flags);
      return;
    case Kind::boolean:
      gimp_procedure_add_boolean_argument(procedure, id, label, blurb,
                                          std::get<bool>(p.default_value), flags);
      return;
    case Kind::choice: {
      GimpChoice* choice = gimp_choice_new();
      int number = 0;
      for (const ChoiceOption& option : p.choices) {
        gimp_choice_add(choice, option.id.c_str(), number++, option.label.c_str(),
                        option.help.c_str());
      }
      gimp_procedure_add_choice_argument(procedure, id, label, blurb, choice,
                                         std::get<Choice>(p.default_value).id.c_str(), flags);
      return;
    }
    case Kind::color: {
      GeglColor* color = color_of(std::get<Color>(p.default_value));
      gimp_procedure_add_color_argument(procedure, id, label, blurb, TRUE, color, flags);
      g_object_unref(color);
      return;
    }
    case Kind::image:
      gimp_procedure_add_drawable_argument(procedure, id, label, blurb, TRUE, flags);
      return;
    default:
      gimp_procedure_add_string_argument(procedure, id, label, blurb,
                                         print(p, p.default_value).c_str(), flags);
  }
}

Value value_of(GimpProcedureConfig* config, const Parameter& p) {
  const std::string name = argument_name(p);
  auto* object = G_OBJECT(config);
  switch (p.kind) {
    case Kind::real: {
      gdouble value = 0;
      g_object_get(object, name.c_str(), &value, nullptr);
      return value;
    }
    case Kind::integer: {
      gint value = 0;
      g_object_get(object, name.c_str(), &value, nullptr);
      return static_cast<std::int64_t>(value);
    }
    case Kind::boolean: {
      gboolean value = FALSE;
      g_object_get(object, name.c_str(), &value, nullptr);
      return value != FALSE;
    }
    case Kind::color: {
      GeglColor* value = nullptr;
      g_object_get(object, name.c_str(), &value, nullptr);
      if (value == nullptr) return p.default_value;
      double numbers[4];
      gegl_color_get_pixel(value, babl_format("R'G'B'A double"), numbers);
      g_object_unref(value);
      return Color{numbers[0], numbers[1], numbers[2], numbers[3]};
    }
    default: {
      gchar* value = nullptr;
      g_object_get(object, name.c_str(), &value, nullptr);
      const std::string text = value != nullptr ? value : "";
      g_free(value);
      return value != nullptr ? parse(p, text) : p.default_value;
    }
  }
}

void read_arguments(Call& call, GimpProcedureConfig* config) {
  for (const Parameter& p : call.procedure->filter->info().parameters) {
    if (p.kind != Kind::image) {
      call.values.set(p.name, value_of(config, p));
      continue;
    }
    GimpDrawable* role = nullptr;
    g_object_get(G_OBJECT(config), argument_name(p).c_str(), &role, nullptr);
    if (role == nullptr) continue;
    call.roles[p.name] = gimp_item_get_id(GIMP_ITEM(role));
    g_object_unref(role);
  }
}

Outcome called(GimpProcedure* procedure, GimpRunMode mode, GimpDrawable** drawables,
               GimpProcedureConfig* config) {
  Call call;
  call.procedure = find_procedure(gimp_procedure_get_name(procedure));
  if (call.procedure == nullptr || drawables == nullptr || drawables[0] == nullptr) {
    return {Outcome::Kind::failed, {no_layer()}};
  }
  if (drawables[1] != nullptr) {
    return {Outcome::Kind::failed,
            {message({"layer.several", "Choose one layer: several are selected."})}};
  }
  call.drawable = gimp_item_get_id(GIMP_ITEM(drawables[0]));
  call.mode = mode == GIMP_RUN_INTERACTIVE      ? Mode::ask
              : mode == GIMP_RUN_WITH_LAST_VALS ? Mode::last
                                                : Mode::given;
  try {
    if (call.mode == Mode::given && call.procedure->filter != nullptr) {
      read_arguments(call, config);
    }
  } catch (const std::exception& error) {
    return {Outcome::Kind::failed, {message_in(error)}};
  }
  return run(call);
}

GimpValueArray* procedure_run(GimpProcedure* procedure, GimpRunMode mode, GimpImage*,
                              GimpDrawable** drawables, GimpProcedureConfig* config, gpointer) {
  gegl_init(nullptr, nullptr);
  const Outcome outcome = called(procedure, mode, drawables, config);
  const std::string said = words_of(outcome);
  switch (outcome.kind) {
    case Outcome::Kind::cancelled:
      return gimp_procedure_new_return_values(procedure, GIMP_PDB_CANCEL, nullptr);
    case Outcome::Kind::failed:
      return gimp_procedure_new_return_values(
          procedure, GIMP_PDB_EXECUTION_ERROR,
          g_error_new_literal(GIMP_PLUG_IN_ERROR, 0, said.c_str()));
    case Outcome::Kind::done:
      break;
  }
  if (!said.empty()) gimp_message(said.c_str());
  if (mode != GIMP_RUN_NONINTERACTIVE) gimp_displays_flush();
  return gimp_procedure_new_return_values(procedure, GIMP_PDB_SUCCESS, nullptr);
}

GList* query_procedures(GimpPlugIn*) {
  GList* names = nullptr;
  for (const Procedure& procedure : procedures()) {
    names = g_list_append(names, g_strdup(procedure.name.c_str()));
  }
  return names;
}

GimpProcedure* create_procedure(GimpPlugIn* plug_in, const gchar* name) {
  const Procedure* ours = find_procedure(name);
  if (ours == nullptr) return nullptr;
  GimpProcedure* procedure = gimp_image_procedure_new(plug_in, name, GIMP_PDB_PROC_TYPE_PLUGIN,
                                                      procedure_run, nullptr, nullptr);
  gimp_procedure_set_image_types(procedure, "RGB*, GRAY*");
  gimp_procedure_set_sensitivity_mask(procedure, GIMP_PROCEDURE_SENSITIVE_DRAWABLE);
  // Set again, since GIMP's language may have changed.
  const hosts::Language language;
  const Words words = words_of(*ours);
  gimp_procedure_set_menu_label(procedure, words.label.c_str());
  if (!ours->menu.empty()) gimp_procedure_add_menu_path(procedure, ours->menu.c_str());
  gimp_procedure_set_documentation(procedure, words.blurb.c_str(), ours->help.c_str(), name);
  gimp_procedure_set_attribution(procedure, "The Sfumato authors", "The Sfumato authors", "2026");
  if (ours->filter != nullptr) {
    for (const Parameter& p : ours->filter->info().parameters) add_argument(procedure, p);
  }
  return procedure;
}

gboolean no_translation(GimpPlugIn*, const gchar*, gchar**, gchar**) {
  return FALSE;
}

// The item, or null if it is gone even though libgimp still has an object for it.
GimpItem* item_of(Item item) {
  return gimp_item_id_is_valid(item) ? gimp_item_get_by_id(item) : nullptr;
}

// A mask is locked together with its layer.
GimpItem* layer_of_mask(GimpItem* item) {
  return gimp_item_is_layer_mask(item) ? GIMP_ITEM(gimp_layer_from_mask(GIMP_LAYER_MASK(item)))
                                       : nullptr;
}

bool is_locked(GimpItem* item) {
  GimpItem* layer = layer_of_mask(item);
  return gimp_item_get_lock_content(item) ||
         (layer != nullptr && gimp_item_get_lock_content(layer));
}

bool is_in_locked_group(GimpItem* item) {
  if (GimpItem* layer = layer_of_mask(item)) item = layer;
  while ((item = gimp_item_get_parent(item)) != nullptr) {
    if (gimp_item_get_lock_content(item)) return true;
  }
  return false;
}

// Adds layers in order from the top, descending into groups.
void add_layers(GimpItem** items, std::vector<Item>& to) {
  for (; items != nullptr && *items != nullptr; ++items) {
    if (!gimp_item_is_group(*items)) {
      to.push_back(gimp_item_get_id(*items));
      continue;
    }
    GimpItem** children = gimp_item_get_children(*items);
    add_layers(children, to);
    g_free(children);
  }
}

}  // namespace

GimpDrawable* drawable_of(Item item) {
  GimpItem* there = item_of(item);
  if (there == nullptr || !gimp_item_is_drawable(there)) {
    throw HostError(no_layer());
  }
  return GIMP_DRAWABLE(there);
}

GimpImage* image_of(Item item) {
  return gimp_item_get_image(GIMP_ITEM(drawable_of(item)));
}

Message objection_to(Item drawable) {
  GimpItem* item = item_of(drawable);
  if (item == nullptr || !gimp_item_is_drawable(item)) return no_layer();
  return objection_to({.is_group = gimp_item_is_group(item) != FALSE,
                       .is_locked = is_locked(item),
                       .is_in_locked_group = is_in_locked_group(item),
                       .is_indexed = gimp_drawable_is_indexed(GIMP_DRAWABLE(item)) != FALSE});
}

Point offsets_of(Item drawable) {
  Point out;
  gimp_drawable_get_offsets(drawable_of(drawable), &out.x, &out.y);
  return out;
}

Point canvas_of(Item drawable) {
  GimpImage* image = image_of(drawable);
  return {gimp_image_get_width(image), gimp_image_get_height(image)};
}

std::string name_of(Item item) {
  GimpItem* there = item_of(item);
  gchar* name = there != nullptr ? gimp_item_get_name(there) : nullptr;
  std::string out = name != nullptr ? name : "";
  g_free(name);
  return out;
}

std::vector<Item> layers_beside(Item drawable) {
  std::vector<Item> out;
  GimpLayer** layers = gimp_image_get_layers(image_of(drawable));
  add_layers(reinterpret_cast<GimpItem**>(layers), out);
  g_free(layers);
  std::erase(out, drawable);
  return out;
}

// GIMP's own parasites; these persist across sessions.
void remember(const std::string& key, const std::string& text) {
  GimpParasite* parasite = gimp_parasite_new(key.c_str(), GIMP_PARASITE_PERSISTENT,
                                             static_cast<guint32>(text.size()), text.data());
  gimp_attach_parasite(parasite);
  gimp_parasite_free(parasite);
}

std::string remembered(const std::string& key) {
  GimpParasite* parasite = gimp_get_parasite(key.c_str());
  if (parasite == nullptr) return {};
  guint32 size = 0;
  const auto* data = static_cast<const char*>(gimp_parasite_get_data(parasite, &size));
  std::string out(data, size);
  gimp_parasite_free(parasite);
  return out;
}

bool is_dark() {
  gchar* theme = gimp_gimprc_query("theme-color-scheme");
  const std::string name = theme != nullptr ? theme : "dark";  // GIMP's default
  g_free(theme);
  return name.find("light") == std::string::npos;
}

unsigned long long window() {
  GimpDisplay* display = gimp_default_display();
  GBytes* handle = display != nullptr ? gimp_display_get_window_handle(display) : nullptr;
  if (handle == nullptr) return 0;
  // On X11 this is the window's number; other desktops' handles have another size.
  gsize size = 0;
  const void* data = g_bytes_get_data(handle, &size);
  guint32 number = 0;
  if (size == sizeof number)
    std::copy_n(static_cast<const char*>(data), size, reinterpret_cast<char*>(&number));
  g_bytes_unref(handle);
  return number;
}

}  // namespace sfumato::gimp

G_DEFINE_TYPE(SfumatoPlugIn, sfumato_plug_in, GIMP_TYPE_PLUG_IN)

static void sfumato_plug_in_class_init(SfumatoPlugInClass* plug_in) {
  auto* base = GIMP_PLUG_IN_CLASS(plug_in);
  base->query_procedures = sfumato::gimp::query_procedures;
  base->create_procedure = sfumato::gimp::create_procedure;
  base->set_i18n = sfumato::gimp::no_translation;
}

static void sfumato_plug_in_init(SfumatoPlugIn*) {}

GIMP_MAIN(sfumato_plug_in_get_type())
