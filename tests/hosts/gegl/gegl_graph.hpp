// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// GEGL graphs for tests: pictures, one of our operations, and its messages to the user.
#pragma once

#include "../../../plugins/gegl/gegl.hpp"
//
#include <unistd.h>

#include <QDir>
#include <QFile>
#include <QObject>
#include <QStringList>
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "support/registry_walk.hpp"

namespace sfumato::testing {

// The origin of the test's layers.
constexpr int left = -13, top = 27;

inline const Babl* babl_of(const PictureFormat& f) {
  if (f.type == SampleType::u8) return babl_format("R'G'B'A u8");
  if (f.type == SampleType::u16) return babl_format("R'G'B'A u16");
  if (f.coding == Coding::srgb()) return babl_format("R'G'B'A float");
  return babl_format(f.channels == 4 ? "RGBA float" : f.channels == 3 ? "RGB float" : "Y float");
}

inline GeglBuffer* buffer_of(Image& image, int x = left, int y = top) {
  const PictureFormat& f = image.format;
  const Babl* name = babl_of(f);
  const GeglRectangle extent{x, y, f.width, f.height};
  GeglBuffer* buffer = gegl_buffer_new(&extent, name);
  gegl_buffer_set(buffer, &extent, 0, name, image.view().data,
                  static_cast<int>(image.view().row_stride));
  return buffer;
}

// A graph of its own: sources, an operation before it, the operation.
class Graph {
 public:
  explicit Graph(const std::string& id) : root_(gegl_node_new()) {
    op_ = gegl_node_new_child(root_, "operation", ("sfumato:" + id).c_str(), nullptr);
  }
  ~Graph() {
    g_object_unref(root_);
    for (GeglBuffer* buffer : buffers_) g_object_unref(buffer);
  }

  GeglNode* op() const { return op_; }
  GeglNode* add(const char* operation) {
    return gegl_node_new_child(root_, "operation", operation, nullptr);
  }
  GeglNode* source(Image& image, int x = left, int y = top) {
    buffers_.push_back(buffer_of(image, x, y));
    return gegl_node_new_child(root_, "operation", "gegl:buffer-source", "buffer", buffers_.back(),
                               nullptr);
  }
  void connect(Image& image, const char* pad = "input") { connect(source(image), pad); }
  void connect(GeglNode* from, const char* pad = "input") {
#if GEGL_MICRO_VERSION > 42
    gegl_node_connect(from, "output", op_, pad);
#else  // its name until then
    gegl_node_connect_to(from, "output", op_, pad);
#endif
  }
  // Through an operation that computes, so that the surroundings of a region must really be
  // requested.
  void connect_computed(Image& image, const char* pad = "input") {
    GeglNode* exposure = add("gegl:exposure");
    gegl_node_set(exposure, "exposure", 1.0, nullptr);
    gegl_node_link(source(image), exposure);
    connect(exposure, pad);
  }

  // The cell that the operation computes at once for a pixel. It must have been asked for pixels
  // before.
  Rect cell_of(int x, int y) const {
    const GeglRectangle pixel{left + x, top + y, 1, 1},
        cell = gegl_operation_get_cached_region(gegl_node_get_gegl_operation(op_), &pixel);
    const int x0 = cell.x - left, y0 = cell.y - top;
    return {x0, y0, x0 + cell.width, y0 + cell.height};
  }

  Image result(const PictureFormat& format, const Rect& region) {
    Image out(format);
    const GeglRectangle roi{left + region.x0, top + region.y0, region.width(), region.height()};
    char* first = out.bytes.data() + region.y0 * out.view().row_stride +
                  static_cast<std::size_t>(region.x0) * format.pixel_bytes();
    gegl_node_blit(op_, 1.0, &roi, babl_of(format), first, static_cast<int>(out.view().row_stride),
                   GEGL_BLIT_DEFAULT);
    return out;
  }

 private:
  GeglNode *root_, *op_;
  std::vector<GeglBuffer*> buffers_;
};

// As in the module: parameters must not use a node's own property names.
inline std::string property_of(const FilterInfo& info, const Parameter& p) {
  std::string name = p.name;
  std::replace(name.begin(), name.end(), '_', '-');
  return name == "operation" ? info.id + "-operation" : name;
}

inline std::string pad_of(const FilterInfo& info, const std::string& role) {
  std::size_t i = 0;
  while (info.roles[i].parameter != role) ++i;
  return i == 0 ? "aux" : "aux" + std::to_string(i + 1);
}

// Sets the values that differ from the defaults.
inline void set_values(GeglNode* op, const FilterInfo& info, const Values& values) {
  for (const Parameter& p : info.parameters) {
    if (p.kind == Kind::image || values.at(p.name) == p.default_value) continue;
    const Value& v = values.at(p.name);
    const std::string property = property_of(info, p);
    const char* name = property.c_str();
    switch (p.kind) {
      case Kind::real:
        gegl_node_set(op, name, std::get<double>(v), nullptr);
        break;
      case Kind::integer:
        gegl_node_set(op, name, static_cast<int>(std::get<std::int64_t>(v)), nullptr);
        break;
      case Kind::boolean:
        gegl_node_set(op, name, std::get<bool>(v) ? TRUE : FALSE, nullptr);
        break;
      case Kind::choice: {
        int index = 0;
        while (p.choices[static_cast<std::size_t>(index)].id != std::get<Choice>(v).id) ++index;
        gegl_node_set(op, name, index, nullptr);
        break;
      }
      default:
        gegl_node_set(op, name, print(p, v).c_str(), nullptr);
    }
  }
}

inline double difference_in(Image& a, Image& b, const Rect& region) {
  double most = 0;
  for (int y = region.y0; y < region.y1; ++y) {
    for (int x = region.x0; x < region.x1; ++x) {
      // The colour of a fully transparent pixel does not matter.
      if (a.get(x, y, 3) == 0 && b.get(x, y, 3) == 0) continue;
      for (int c = 0; c < 4; ++c) {
        const double d = std::abs(static_cast<double>(a.get(x, y, c) - b.get(x, y, c)));
        most = std::isnan(d) ? 1e9 : std::max(most, d);
      }
    }
  }
  return most;
}

inline Image times_alpha(Image image) {
  for (int y = 0; y < image.format.height; ++y) {
    for (int x = 0; x < image.format.width; ++x) {
      for (int c = 0; c < 3; ++c) image.set(x, y, c, image.get(x, y, c) * image.get(x, y, 3));
    }
  }
  return image;
}

/// Compares operations with a session of its own.
class GeglTest : public QObject {
 protected:
  Image by_session(const Recipe& recipe, Image& input, const PictureFormat& output) {
    return run(session_, recipe, input, output,
               with_roles(input.format.width, input.format.height));
  }

  Session session_;
};

// The workers of this process: one for all operations, and more if a host calls in again during a
// request.
inline std::vector<int> worker_processes() {
  std::vector<int> out;
  for (const QString& name : QDir(QStringLiteral("/proc")).entryList(QDir::Dirs)) {
    QFile status(QStringLiteral("/proc/%1/status").arg(name));
    if (name.toInt() == 0 || !status.open(QFile::ReadOnly)) continue;
    const QByteArray text = status.readAll();
    if (text.contains("Name:\tsfumato-worker") &&
        text.contains("PPid:\t" + QByteArray::number(::getpid()) + "\n")) {
      out.push_back(name.toInt());
    }
  }
  return out;
}

// Captures messages to the user.
class Listening {
 public:
  Listening() : before_(g_log_set_default_handler(keep, this)) {}
  ~Listening() { g_log_set_default_handler(before_, nullptr); }
  Listening(const Listening&) = delete;
  Listening& operator=(const Listening&) = delete;

  QStringList said;  ///< messages, which GIMP shows
  QString all() const { return said.join(QLatin1Char('\n')); }

 private:
  static void keep(const gchar*, GLogLevelFlags level, const gchar* text, gpointer self) {
    if ((level & G_LOG_LEVEL_MESSAGE) == 0) return;
    static_cast<Listening*>(self)->said << QString::fromUtf8(text);
  }
  GLogFunc before_;
};

}  // namespace sfumato::testing
