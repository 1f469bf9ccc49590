// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A plug-in for tests: makes images from exchange files and back, without changing a value.
#include <libgimp/gimp.h>

#include <string>

#include "../../../plugins/gegl/buffers.hpp"
#include "gimp/pixels.hpp"
#include "io/pixel_file.hpp"

using namespace sfumato;

namespace {

constexpr char load_name[] = "plug-in-sfumato-test-load", dump_name[] = "plug-in-sfumato-test-dump";
constexpr char meanwhile_name[] = "plug-in-sfumato-test-meanwhile";

GimpPrecision precision_of(const PictureFormat& f) {
  const bool linear = f.coding == Coding::linear();
  switch (f.type) {
    case SampleType::u8:
      return linear ? GIMP_PRECISION_U8_LINEAR : GIMP_PRECISION_U8_GAMMA;
    case SampleType::u16:
      return linear ? GIMP_PRECISION_U16_LINEAR : GIMP_PRECISION_U16_GAMMA;
    case SampleType::f16:
      return linear ? GIMP_PRECISION_HALF_LINEAR : GIMP_PRECISION_HALF_GAMMA;
    case SampleType::f32:
      return linear ? GIMP_PRECISION_FLOAT_LINEAR : GIMP_PRECISION_FLOAT_GAMMA;
  }
  return GIMP_PRECISION_U8_GAMMA;
}

// A layer of a new image, or of an existing one, named after its file.
void load(const char* file, gint32& image, gint32& layer) {
  const PixelFile header = read_pixel_file(file);
  const auto picture = open_pixel_file(file, {});
  HeldPicture pixels = read_all(*picture);
  const PictureFormat& f = header.format;
  const bool gray = f.color_channels() == 1;
  if (image <= 0) {
    image = gimp_image_new_with_precision(header.canvas_width, header.canvas_height,
                                          gray ? GIMP_GRAY : GIMP_RGB, precision_of(f));
  }
  const GimpImageType type = gray ? (f.has_alpha() ? GIMP_GRAYA_IMAGE : GIMP_GRAY_IMAGE)
                                  : (f.has_alpha() ? GIMP_RGBA_IMAGE : GIMP_RGB_IMAGE);
  const std::string name = std::filesystem::path(file).stem().string();
  layer = gimp_layer_new(image, name.c_str(), f.width, f.height, type, 100, GIMP_LAYER_MODE_NORMAL);
  gimp_image_insert_layer(image, layer, 0, 0);
  gimp_layer_set_offsets(layer, header.x, header.y);
  GeglBuffer* buffer = gimp_drawable_get_buffer(layer);
  gimp::Numbers numbers = gimp::numbers_of(buffer);
  gegl::BufferSink(buffer, numbers.babl, numbers.format, {}).write(pixels.view());
  g_object_unref(buffer);
}

void dump(gint32 drawable, const char* file) {
  GeglBuffer* buffer = gimp_drawable_get_buffer(drawable);
  const gimp::Numbers numbers = gimp::numbers_of(buffer);
  PixelFile header;
  header.format = numbers.format;
  gegl::BufferSource source(buffer, numbers.babl, numbers.format, {});
  const HeldPicture pixels = read_all(source);
  write_pixel_file(file, header, pixels.view());
  g_object_unref(buffer);
}

// A user who works while a filter runs: once its file appears, does what the environment says and
// creates another file. GIMP starts it automatically.
void meanwhile() {
  gimp_extension_ack();
  const char *action = g_getenv("SFUMATO_TEST_ACTION"), *moment = g_getenv("SFUMATO_TEST_MOMENT");
  if (action == nullptr || moment == nullptr) return;
  while (!std::filesystem::exists(moment)) g_usleep(20000);
  gint count = 0;
  gint* images = gimp_image_list(&count);
  if (count == 0) return;
  gint* layers = gimp_image_get_layers(images[0], &count);
  const std::string what = action;
  if (what == "select all") gimp_selection_none(images[0]);
  if (what == "lock") gimp_item_set_lock_content(layers[0], TRUE);
  if (what == "delete" || what == "delete role") gimp_image_remove_layer(images[0], layers[0]);
  if (what == "resize") gimp_layer_resize(layers[0], 70, 60, 0, 0);
  g_file_set_contents((std::string(moment) + ".past").c_str(), "", 0, nullptr);
}

void query() {
  static GimpParamDef load_arguments[] = {
      {GIMP_PDB_STRING, const_cast<gchar*>("file"), const_cast<gchar*>("pixels")},
      {GIMP_PDB_INT32, const_cast<gchar*>("image"), const_cast<gchar*>("0: a new one")}};
  static GimpParamDef load_results[] = {
      {GIMP_PDB_INT32, const_cast<gchar*>("image"), const_cast<gchar*>("")},
      {GIMP_PDB_INT32, const_cast<gchar*>("layer"), const_cast<gchar*>("")}};
  static GimpParamDef dump_arguments[] = {
      {GIMP_PDB_DRAWABLE, const_cast<gchar*>("drawable"), const_cast<gchar*>("")},
      {GIMP_PDB_STRING, const_cast<gchar*>("file"), const_cast<gchar*>("")}};
  gimp_install_procedure(meanwhile_name, "", "", "", "", "", nullptr, nullptr, GIMP_EXTENSION, 0, 0,
                         nullptr, nullptr);
  gimp_install_procedure(load_name, "", "", "", "", "", nullptr, nullptr, GIMP_PLUGIN, 2, 2,
                         load_arguments, load_results);
  gimp_install_procedure(dump_name, "", "", "", "", "", nullptr, nullptr, GIMP_PLUGIN, 2, 0,
                         dump_arguments, nullptr);
}

void procedure_run(const gchar* name, gint, const GimpParam* given, gint* count,
                   GimpParam** results) {
  static GimpParam answer[3];
  if (std::string(name) == meanwhile_name) {
    answer[0].type = GIMP_PDB_STATUS;
    answer[0].data.d_status = GIMP_PDB_SUCCESS;
    *results = answer;
    *count = 1;
    meanwhile();
    return;
  }
  gimp_plugin_enable_precision();
  gegl_init(nullptr, nullptr);
  answer[0].type = GIMP_PDB_STATUS;
  answer[0].data.d_status = GIMP_PDB_SUCCESS;
  *results = answer;
  *count = 1;
  try {
    if (std::string(name) == dump_name) {
      dump(given[0].data.d_drawable, given[1].data.d_string);
      return;
    }
    gint32 image = given[1].data.d_int32, layer = 0;
    load(given[0].data.d_string, image, layer);
    answer[1].type = answer[2].type = GIMP_PDB_INT32;
    answer[1].data.d_int32 = image;
    answer[2].data.d_int32 = layer;
    *count = 3;
  } catch (const std::exception& error) {
    g_printerr("%s: %s\n", name, error.what());
    answer[0].data.d_status = GIMP_PDB_EXECUTION_ERROR;
  }
}

}  // namespace

const GimpPlugInInfo PLUG_IN_INFO = {nullptr, nullptr, query, procedure_run};

MAIN()
