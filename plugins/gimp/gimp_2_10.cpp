// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// GIMP 2.10: procedures with positional arguments, items as numbers.
#include <filesystem>

#include "gimp/drawables.hpp"
#include "gimp/run.hpp"
#include "params/errors.hpp"
#include "params/text.hpp"

namespace sfumato::gimp {
namespace {

constexpr char catalog[] = "sfumato-gimp";

const char* utf8(const std::string& text) {
  return text.c_str();
}

GimpPDBArgType type_of(Kind kind) {
  switch (kind) {
    case Kind::real:
      return GIMP_PDB_FLOAT;
    case Kind::integer:
    case Kind::boolean:
      return GIMP_PDB_INT32;
    case Kind::color:
      return GIMP_PDB_COLOR;
    case Kind::image:
      return GIMP_PDB_DRAWABLE;
    default:
      return GIMP_PDB_STRING;
  }
}

// GIMP keeps these pointers for as long as the program runs.
gchar* kept(const std::string& text) {
  return g_strdup(text.c_str());
}

void install(const Procedure& procedure) {
  std::vector<GimpParamDef> arguments{
      {GIMP_PDB_INT32, kept("run-mode"), kept("RUN-INTERACTIVE (0), RUN-NONINTERACTIVE (1)")},
      {GIMP_PDB_IMAGE, kept("image"), kept("The image")},
      {GIMP_PDB_DRAWABLE, kept("drawable"), kept("The layer, mask or channel to filter")}};
  if (procedure.filter != nullptr) {
    for (const Parameter& p : procedure.filter->info().parameters) {
      arguments.push_back({type_of(p.kind), kept(argument_name(p)), kept(argument_help(p))});
    }
  }
  gimp_install_procedure(utf8(procedure.name), utf8(procedure.blurb), utf8(procedure.help),
                         "The Sfumato authors", "The Sfumato authors", "2026",
                         utf8(procedure.label), "RGB*, GRAY*", GIMP_PLUGIN,
                         static_cast<gint>(arguments.size()), 0, arguments.data(), nullptr);
  if (!procedure.menu.empty())
    gimp_plugin_menu_register(utf8(procedure.name), utf8(procedure.menu));
}

// GIMP translates its menus itself, and its language may change between starts.
void register_translations() {
  std::error_code error;
  const auto program = std::filesystem::canonical("/proc/self/exe", error);
  if (!error) gimp_plugin_domain_register(catalog, (program.parent_path() / "locale").c_str());
}

void query() {
  register_translations();
  for (const Procedure& procedure : procedures()) install(procedure);
}

Value value_of(const Parameter& p, const GimpParamData& data) {
  switch (p.kind) {
    case Kind::real:
      return data.d_float;
    case Kind::integer:
      return static_cast<std::int64_t>(data.d_int32);
    case Kind::boolean:
      return data.d_int32 != 0;
    case Kind::color:
      return Color{data.d_color.r, data.d_color.g, data.d_color.b, data.d_color.a};
    default:
      return parse(p, data.d_string != nullptr ? data.d_string : "");
  }
}

void read_arguments(Call& call, const GimpParam* given, int count) {
  const FilterInfo& info = call.procedure->filter->info();
  int at = 3;
  for (const Parameter& p : info.parameters) {
    if (at >= count) {
      throw RecipeError(
          message({"gimp.few_arguments", "{parameter}: too few arguments were given"}, p.name));
    }
    const GimpParamData& data = given[at++].data;
    if (p.kind == Kind::image) {
      if (data.d_drawable > 0) call.roles[p.name] = data.d_drawable;
    } else {
      call.values.set(p.name, value_of(p, data));
    }
  }
}

Outcome called(const gchar* name, gint count, const GimpParam* given) {
  Call call;
  call.procedure = find_procedure(name);
  if (call.procedure == nullptr || count < 3) {
    return {Outcome::Kind::failed, {message({"gimp.no_procedure", "There is no such procedure."})}};
  }
  call.drawable = given[2].data.d_drawable;
  switch (given[0].data.d_int32) {
    case GIMP_RUN_INTERACTIVE:
      call.mode = Mode::ask;
      break;
    case GIMP_RUN_WITH_LAST_VALS:
      call.mode = Mode::last;
      break;
    default:
      call.mode = Mode::given;
  }
  try {
    if (call.mode == Mode::given && call.procedure->filter != nullptr) {
      read_arguments(call, given, count);
    }
  } catch (const std::exception& error) {
    return {Outcome::Kind::failed, {message_in(error)}};
  }
  return run(call);
}

void procedure_run(const gchar* name, gint count, const GimpParam* given, gint* results_count,
                   GimpParam** results) {
  static GimpParam answer[2];
  static std::string words;
  gimp_plugin_enable_precision();
  gegl_init(nullptr, nullptr);
  const Outcome outcome = called(name, count, given);
  words = words_of(outcome);
  answer[0].type = GIMP_PDB_STATUS;
  *results = answer;
  *results_count = 1;
  switch (outcome.kind) {
    case Outcome::Kind::done:
      answer[0].data.d_status = GIMP_PDB_SUCCESS;
      if (!words.empty()) gimp_message(words.c_str());
      if (given[0].data.d_int32 != GIMP_RUN_NONINTERACTIVE) gimp_displays_flush();
      break;
    case Outcome::Kind::cancelled:
      answer[0].data.d_status = GIMP_PDB_CANCEL;
      break;
    case Outcome::Kind::failed:
      answer[0].data.d_status = GIMP_PDB_EXECUTION_ERROR;
      answer[1].type = GIMP_PDB_STRING;
      answer[1].data.d_string = words.data();
      *results_count = 2;
  }
}

// Adds layers in order from the top, descending into groups.
void add_layers(const gint* items, int count, std::vector<Item>& to) {
  for (int i = 0; i < count; ++i) {
    if (!gimp_item_is_group(items[i])) {
      to.push_back(items[i]);
      continue;
    }
    gint inner = 0;
    gint* children = gimp_item_get_children(items[i], &inner);
    add_layers(children, inner, to);
    g_free(children);
  }
}

// A mask is locked together with its layer.
bool is_locked(Item item) {
  if (gimp_item_get_lock_content(item)) return true;
  return gimp_item_is_layer_mask(item) && gimp_item_get_lock_content(gimp_layer_from_mask(item));
}

bool is_in_locked_group(Item item) {
  if (gimp_item_is_layer_mask(item)) item = gimp_layer_from_mask(item);
  while ((item = gimp_item_get_parent(item)) > 0) {
    if (gimp_item_get_lock_content(item)) return true;
  }
  return false;
}

}  // namespace

gint32 drawable_of(Item drawable) {
  if (!gimp_item_is_valid(drawable)) throw HostError(no_layer());
  return drawable;
}

gint32 image_of(Item drawable) {
  return gimp_item_get_image(drawable_of(drawable));
}

Message objection_to(Item drawable) {
  if (!gimp_item_is_valid(drawable) || !gimp_item_is_drawable(drawable)) return no_layer();
  return objection_to({.is_group = gimp_item_is_group(drawable) != FALSE,
                       .is_locked = is_locked(drawable),
                       .is_in_locked_group = is_in_locked_group(drawable),
                       .is_indexed = gimp_drawable_is_indexed(drawable) != FALSE});
}

Point offsets_of(Item drawable) {
  Point out;
  gimp_drawable_offsets(drawable_of(drawable), &out.x, &out.y);
  return out;
}

Point canvas_of(Item drawable) {
  const gint image = image_of(drawable);
  return {gimp_image_width(image), gimp_image_height(image)};
}

std::string name_of(Item item) {
  gchar* name = gimp_item_get_name(item);
  std::string out = name != nullptr ? name : "";
  g_free(name);
  return out;
}

std::vector<Item> layers_beside(Item drawable) {
  std::vector<Item> out;
  gint count = 0;
  gint* layers = gimp_image_get_layers(image_of(drawable), &count);
  add_layers(layers, count, out);
  g_free(layers);
  std::erase(out, drawable);
  return out;
}

void remember(const std::string& key, const std::string& text) {
  gimp_set_data(key.c_str(), text.data(), static_cast<gint>(text.size()));
}

std::string remembered(const std::string& key) {
  std::string out(static_cast<std::size_t>(std::max(0, gimp_get_data_size(key.c_str()))), '\0');
  if (!out.empty() && !gimp_get_data(key.c_str(), out.data())) out.clear();
  return out;
}

bool is_dark() {
  gchar* theme = gimp_gimprc_query("theme");
  const std::string name = theme != nullptr ? theme : "Dark";  // GIMP's default
  g_free(theme);
  return name.find("Dark") != std::string::npos || name.find("Gray") != std::string::npos;
}

unsigned long long window() {
  const gint display = gimp_default_display();
  return display > 0 ? static_cast<unsigned long long>(gimp_display_get_window_handle(display)) : 0;
}

}  // namespace sfumato::gimp

const GimpPlugInInfo PLUG_IN_INFO = {nullptr, nullptr, sfumato::gimp::query,
                                     sfumato::gimp::procedure_run};

MAIN()
