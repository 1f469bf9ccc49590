// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The Sfumato dialog in the plug-in's own process.
#include <unistd.h>

#include <QApplication>
#include <QDir>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <thread>

#include "../gegl/buffers.hpp"
#include "dialog/application.hpp"
#include "dialog/host_dialogs.hpp"
#include "dialog/language.hpp"
#include "gimp/pixels.hpp"
#include "gimp/run.hpp"
#include "gimp/temporary_folder.hpp"
#include "io/pixel_file.hpp"

namespace sfumato::gimp {
namespace {

struct LayerPixels {
  PixelFile header;
  HeldPicture pixels;
};

LayerPixels held(Item drawable) {
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
      throw FileError(message(
          {"layer.unknown", "There is no layer called \"{layer}\" to take pixels from."}, name));
    }
    const std::filesystem::path path =
        folder_.filePath(QStringLiteral("layer-%1").arg(item->second)).toStdString();
    if (!std::filesystem::exists(path)) {
      const LayerPixels layer = held(item->second);
      write_pixel_file(path, layer.header, layer.pixels.view());
    }
    return path;
  }

 private:
  const QTemporaryDir& folder_;
  std::vector<std::string> names_;
  std::map<std::string, Item> items_;
};

// Also removes the folder when libgimp ends the process, as it does once GIMP is gone. The dialog's
// threads are still at work then, and destroying anything else might wait for them forever.
struct FolderCleanup {
  std::unique_ptr<QTemporaryDir> folder;
  ~FolderCleanup() {
    if (!folder) return;
    folder.reset();
    ::_exit(EXIT_SUCCESS);
  }
};

// Ends this process soon after GIMP, whatever is still running or waiting.
void end_with(pid_t gimp, const QString& folder) {
  std::thread([gimp, folder] {
    while (::getppid() == gimp) std::this_thread::sleep_for(std::chrono::milliseconds(200));
    std::this_thread::sleep_for(std::chrono::seconds(3));  // usually the process has ended by then
    QDir(folder).removeRecursively();
    ::_exit(EXIT_SUCCESS);
  }).detach();
}

}  // namespace

PixelFile header_of(Item drawable, const PictureFormat& format) {
  const Point at = offsets_of(drawable), canvas = canvas_of(drawable);
  PixelFile out;
  out.format = format;
  out.x = at.x;
  out.y = at.y;
  out.canvas_width = canvas.x;
  out.canvas_height = canvas.y;
  return out;
}

bool run_dialog(const Procedure& procedure, Item drawable, Recipe& recipe) {
  if (!hosts::find_screen()) {
    throw HostError(message({"dialog.no_screen", "There is no screen to show the window on."}));
  }
  static char name[] = "sfumato";
  static char* words[] = {name, nullptr};
  static int count = 1;
  const QApplication application(count, words);
  hosts::set_up_application(is_dark());
  static FolderCleanup cleanup;
  std::unique_ptr<QTemporaryDir>& folder = cleanup.folder;
  folder = make_temporary_folder();
  const auto clean = qScopeGuard([&] { folder.reset(); });
  end_with(::getppid(), folder->path());
  LayerPixels layer = held(drawable);
  auto picture = std::make_shared<gui::OpenedPicture>();
  picture->path = folder->filePath(QStringLiteral("picture")).toStdString();
  write_empty_pixel_file(picture->path, layer.header);
  picture->pixels = std::move(layer.pixels);
  picture->title = gimp::name_of(drawable);
  picture->icc_profile = profile_of(drawable);
  gui::make_profile_plain(*picture);
  ImageLayers layers(drawable, *folder);
  hosts::Question question;
  question.picture = picture;
  question.category = procedure.category;
  if (procedure.filter != nullptr) question.filter = procedure.filter->info().id;
  if (const std::string text = remembered(procedure.name); !text.empty()) {
    hosts::begin_with(question, text);
  }
  question.session = hosts::chosen_session();
  question.layers = &layers;
  question.host_window = window();
  question.host_is_there = [gimp = ::getppid()] { return ::getppid() == gimp; };
  std::optional<Recipe> answer = hosts::ask_for_recipe(question);
  if (!answer) return false;
  recipe = std::move(*answer);
  return true;
}

}  // namespace sfumato::gimp
