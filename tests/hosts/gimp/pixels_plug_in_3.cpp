// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The plug-in for tests in GIMP 3. Images and layers are passed as numbers, which scripts use
// anyway.
#include <libgimp/gimp.h>

#include <string>

#include "../../../plugins/gegl/buffers.hpp"
#include "gimp/pixels.hpp"
#include "io/pixel_file.hpp"

using namespace sfumato;

struct PixelsPlugIn {
  GimpPlugIn parent;
};
struct PixelsPlugInClass {
  GimpPlugInClass parent;
};

GType pixels_plug_in_get_type();

namespace {

constexpr char load_name[] = "plug-in-sfumato-test-load", dump_name[] = "plug-in-sfumato-test-dump";

GimpPrecision precision_of(const PictureFormat& f) {
  const bool linear = f.coding == Coding::linear();
  switch (f.type) {
    case SampleType::u8:
      return linear ? GIMP_PRECISION_U8_LINEAR : GIMP_PRECISION_U8_NON_LINEAR;
    case SampleType::u16:
      return linear ? GIMP_PRECISION_U16_LINEAR : GIMP_PRECISION_U16_NON_LINEAR;
    case SampleType::f16:
      return linear ? GIMP_PRECISION_HALF_LINEAR : GIMP_PRECISION_HALF_NON_LINEAR;
    case SampleType::f32:
      return linear ? GIMP_PRECISION_FLOAT_LINEAR : GIMP_PRECISION_FLOAT_NON_LINEAR;
  }
  return GIMP_PRECISION_U8_NON_LINEAR;
}

// A layer of a new image, or of an existing one, named after its file.
GimpLayer* load(const char* file, GimpImage*& image) {
  const PixelFile header = read_pixel_file(file);
  const auto picture = open_pixel_file(file, {});
  HeldPicture pixels = read_all(*picture);
  const PictureFormat& f = header.format;
  const bool gray = f.color_channels() == 1;
  if (image == nullptr) {
    image = gimp_image_new_with_precision(header.canvas_width, header.canvas_height,
                                          gray ? GIMP_GRAY : GIMP_RGB, precision_of(f));
  }
  const GimpImageType type = gray ? (f.has_alpha() ? GIMP_GRAYA_IMAGE : GIMP_GRAY_IMAGE)
                                  : (f.has_alpha() ? GIMP_RGBA_IMAGE : GIMP_RGB_IMAGE);
  const std::string name = std::filesystem::path(file).stem().string();
  GimpLayer* layer =
      gimp_layer_new(image, name.c_str(), f.width, f.height, type, 100, GIMP_LAYER_MODE_NORMAL);
  gimp_image_insert_layer(image, layer, nullptr, 0);
  gimp_layer_set_offsets(layer, header.x, header.y);
  GeglBuffer* buffer = gimp_drawable_get_buffer(GIMP_DRAWABLE(layer));
  gimp::Numbers numbers = gimp::numbers_of(buffer);
  gegl::BufferSink(buffer, numbers.babl, numbers.format, {}).write(pixels.view());
  g_object_unref(buffer);
  return layer;
}

void dump(GimpDrawable* drawable, const char* file) {
  GeglBuffer* buffer = gimp_drawable_get_buffer(drawable);
  const gimp::Numbers numbers = gimp::numbers_of(buffer);
  PixelFile header;
  header.format = numbers.format;
  gegl::BufferSource source(buffer, numbers.babl, numbers.format, {});
  const HeldPicture pixels = read_all(source);
  write_pixel_file(file, header, pixels.view());
  g_object_unref(buffer);
}

GimpValueArray* loaded(GimpProcedure* procedure, const char* file, int id) {
  GimpImage* image = id > 0 ? gimp_image_get_by_id(id) : nullptr;
  GimpLayer* layer = load(file, image);
  GimpValueArray* answer = gimp_procedure_new_return_values(procedure, GIMP_PDB_SUCCESS, nullptr);
  g_value_set_int(gimp_value_array_index(answer, 1), gimp_image_get_id(image));
  g_value_set_int(gimp_value_array_index(answer, 2), gimp_item_get_id(GIMP_ITEM(layer)));
  return answer;
}

GimpValueArray* procedure_run(GimpProcedure* procedure, GimpProcedureConfig* config, gpointer) {
  gegl_init(nullptr, nullptr);
  gchar* text = nullptr;
  gint id = 0;
  g_object_get(config, "file", &text, "item", &id, nullptr);
  const std::string file = text != nullptr ? text : "";
  g_free(text);
  try {
    if (std::string(gimp_procedure_get_name(procedure)) == load_name) {
      return loaded(procedure, file.c_str(), id);
    }
    dump(gimp_drawable_get_by_id(id), file.c_str());
    return gimp_procedure_new_return_values(procedure, GIMP_PDB_SUCCESS, nullptr);
  } catch (const std::exception& error) {
    return gimp_procedure_new_return_values(
        procedure, GIMP_PDB_EXECUTION_ERROR,
        g_error_new_literal(GIMP_PLUG_IN_ERROR, 0, error.what()));
  }
}

GList* query_procedures(GimpPlugIn*) {
  GList* names = g_list_append(nullptr, g_strdup(load_name));
  return g_list_append(names, g_strdup(dump_name));
}

GimpProcedure* create_procedure(GimpPlugIn* plug_in, const gchar* name) {
  GimpProcedure* procedure =
      gimp_procedure_new(plug_in, name, GIMP_PDB_PROC_TYPE_PLUGIN, procedure_run, nullptr, nullptr);
  const auto add_file = [procedure] {
    gimp_procedure_add_string_argument(procedure, "file", "File", "Pixels", "", G_PARAM_READWRITE);
  };
  const auto add_item = [procedure] {
    gimp_procedure_add_int_argument(procedure, "item", "Item", "0: a new image", -1, G_MAXINT, 0,
                                    G_PARAM_READWRITE);
  };
  if (std::string(name) == dump_name) {
    add_item();
    add_file();
    return procedure;
  }
  add_file();
  add_item();
  for (const char* result : {"image", "layer"}) {
    gimp_procedure_add_int_return_value(procedure, result, result, "Its number", 0, G_MAXINT, 0,
                                        G_PARAM_READWRITE);
  }
  return procedure;
}

gboolean no_translation(GimpPlugIn*, const gchar*, gchar**, gchar**) {
  return FALSE;
}

}  // namespace

G_DEFINE_TYPE(PixelsPlugIn, pixels_plug_in, GIMP_TYPE_PLUG_IN)

static void pixels_plug_in_class_init(PixelsPlugInClass* plug_in) {
  auto* base = GIMP_PLUG_IN_CLASS(plug_in);
  base->query_procedures = query_procedures;
  base->create_procedure = create_procedure;
  base->set_i18n = no_translation;
}

static void pixels_plug_in_init(PixelsPlugIn*) {}

GIMP_MAIN(pixels_plug_in_get_type())
