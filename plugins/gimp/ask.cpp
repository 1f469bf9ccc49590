// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Our dialog in the plug-in's own process.
#include <QApplication>
#include <QTemporaryDir>
#include <algorithm>
#include <map>
#include <memory>

#include "../gegl/buffers.hpp"
#include "dialog/application.hpp"
#include "dialog/filter_dialog.hpp"
#include "gimp/pixels.hpp"
#include "gimp/run.hpp"
#include "io/handover.hpp"

namespace sfumato::gimp {
namespace {

struct Held {
  Handover header;
  HeldPicture pixels;
};

Handover header_of(Item drawable, const PictureFormat& format) {
  const Point at = offsets_of(drawable), canvas = canvas_of(drawable);
  Handover out;
  out.format = format;
  out.x = at.x;
  out.y = at.y;
  out.canvas_width = canvas.x;
  out.canvas_height = canvas.y;
  return out;
}

Held held(Item drawable) {
  GeglBuffer* buffer = buffer_of(drawable);
  const Numbers numbers = numbers_of(buffer);
  gegl::BufferSource source(buffer, numbers.babl, numbers.format, gegl::Origin{});
  g_object_unref(buffer);
  return {header_of(drawable, numbers.format), read_all(source)};
}

// The image's other layers, as files for the preview.
class ImageLayers final : public gui::HostLayers {
 public:
  ImageLayers(Item drawable, const QTemporaryDir& folder) : folder_(folder) {
    for (const Item layer : layers_beside(drawable)) {
      const std::string name = gimp::name_of(layer);
      if (layer == drawable || !items_.emplace(name, layer).second) continue;
      names_.push_back(name);
    }
  }
  const std::vector<std::string>& names() const override { return names_; }
  std::filesystem::path file_of(const std::string& name) override {
    const auto item = items_.find(name);
    if (item == items_.end()) {
      throw FileError("there is no layer called \"" + name + "\" to take pixels from");
    }
    const std::filesystem::path path =
        folder_.filePath(QStringLiteral("layer-%1").arg(item->second)).toStdString();
    if (!std::filesystem::exists(path)) {
      const Held layer = held(item->second);
      write_handover(path, layer.header, layer.pixels.view());
    }
    return path;
  }

 private:
  const QTemporaryDir& folder_;
  std::vector<std::string> names_;
  std::map<std::string, Item> items_;
};

}  // namespace

bool ask(const Procedure& procedure, Item drawable, Recipe& recipe) {
  static char name[] = "sfumato";
  static char* words[] = {name, nullptr};
  static int count = 1;
  const QApplication application(count, words);
  hosts::set_up_application(is_dark());
  const QTemporaryDir folder;
  if (!folder.isValid()) throw FileError("no temporary folder can be made");
  Held layer = held(drawable);
  auto picture = std::make_shared<gui::OpenedPicture>();
  picture->path = folder.filePath(QStringLiteral("picture")).toStdString();
  write_empty_handover(picture->path, layer.header);
  picture->pixels = std::move(layer.pixels);
  picture->title = gimp::name_of(drawable);
  const auto icc = profile_of(drawable);
  picture->icc_profile =
      QByteArray(reinterpret_cast<const char*>(icc.data()), static_cast<qsizetype>(icc.size()));
  ImageLayers layers(drawable, folder);
  gui::FilterChoice choice;
  choice.category = procedure.category;
  if (procedure.filter != nullptr) choice.filter = procedure.filter->info().id;
  if (const std::string text = remembered(procedure.name); !text.empty()) {
    const Recipe last = parse_recipe(text, Registry::get());
    choice.first = last.steps.at(0).filter;
    choice.values = last.steps[0].values;
  }
  gui::FilterDialog dialog(picture, choice, hosts::chosen_session(), &layers);
  hosts::put_before(dialog, window());
  if (dialog.exec() != QDialog::Accepted) return false;
  recipe = dialog.recipe();
  return true;
}

}  // namespace sfumato::gimp
