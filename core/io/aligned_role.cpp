// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Turns role pictures by EXIF orientations, and shifts them by OpenEXR windows.
#include "io/aligned_role.hpp"

#include <cstring>
#include <utility>

#include "io/module.hpp"

namespace sfumato::files {
namespace {

struct Point {
  int x, y;
};

// Maps a picture as it is stored to the same picture upright: x and y change places, then the
// upright sides are mirrored (EXIF 2.3, tag 274).
struct Orientation {
  bool swap, mirror_x, mirror_y;

  explicit Orientation(int orientation)
      : swap(orientation >= 5),
        mirror_x(orientation == 2 || orientation == 3 || orientation == 6 || orientation == 7),
        mirror_y(orientation == 3 || orientation == 4 || orientation == 7 || orientation == 8) {}
};

// Maps pixels of a picture of one orientation to those of another, both as they are stored.
class OrientationMap {
 public:
  OrientationMap(int from, int to, int width, int height)
      : from_(from), to_(to), width_(width), height_(height) {}

  int width() const { return from_.swap != to_.swap ? height_ : width_; }
  int height() const { return from_.swap != to_.swap ? width_ : height_; }

  Point operator()(Point p) const {
    const int across = (from_.swap ? height_ : width_) - 1;  // of the upright picture
    const int down = (from_.swap ? width_ : height_) - 1;
    if (from_.swap) std::swap(p.x, p.y);
    if (from_.mirror_x != to_.mirror_x) p.x = across - p.x;
    if (from_.mirror_y != to_.mirror_y) p.y = down - p.y;
    if (to_.swap) std::swap(p.x, p.y);
    return p;
  }

  Rect operator()(const Rect& r) const {
    const Point a = (*this)(Point{r.x0, r.y0}), b = (*this)(Point{r.x1 - 1, r.y1 - 1});
    return {std::min(a.x, b.x), std::min(a.y, b.y), std::max(a.x, b.x) + 1, std::max(a.y, b.y) + 1};
  }

 private:
  Orientation from_, to_;
  int width_, height_;
};

Rect shifted(const Rect& r, int dx, int dy) {
  return {r.x0 + dx, r.y0 + dy, r.x1 + dx, r.y1 + dy};
}

bool same_size(const Rect& a, const Rect& b) {
  return a.width() == b.width() && a.height() == b.height();
}

// Where a picture's pixels are, and the frame that is shown.
struct Windows {
  Rect data, display;
};

// The position of the role's first pixel in the picture; nullopt if they cannot be aligned.
std::optional<Point> place(const Windows& role, const Windows& picture, bool same_coordinates) {
  const auto position = [&](int dx, int dy) {
    const Rect there = shifted(role.data, dx, dy);
    return Point{there.x0 - picture.data.x0, there.y0 - picture.data.y0};
  };
  if (same_coordinates && role.display == picture.display) return position(0, 0);
  if (same_size(role.data, picture.data)) return Point{0, 0};
  if (same_size(role.display, picture.display)) {
    return position(picture.display.x0 - role.display.x0, picture.display.y0 - role.display.y0);
  }
  return std::nullopt;
}

// Whether a role whose first pixel is at `at` overlaps the picture.
bool overlaps(const Windows& role, Point at, const Windows& picture) {
  const Rect there{at.x, at.y, at.x + role.data.width(), at.y + role.data.height()};
  const Rect whole{0, 0, picture.data.width(), picture.data.height()};
  return !there.intersected(whole).empty();
}

Message place_of(const Rect& r) {
  return message({"role.window", "{width} x {height} at ({x}, {y})"}, r.width(), r.height(), r.x0,
                 r.y0);
}

Message description(const InputPicture& p, bool windows) {
  const PictureFormat& f = p.format();
  if (!windows) {
    return message({"role.described", "{width} x {height} pixels, orientation {orientation}"},
                   f.width, f.height, p.info().orientation);
  }
  return message({"role.described_with_windows",
                  "{width} x {height} pixels, data window {data}, display window {display}, "
                  "orientation {orientation}"},
                 f.width, f.height, place_of(p.info().data_window),
                 place_of(p.info().display_window), p.info().orientation);
}

// Whether the format places the pixels anywhere in a frame.
bool has_windows(const InputPicture& picture) {
  return picture.info().file_format == "openexr" || picture.info().file_format == pixel_file_format;
}

class AlignedRole final : public InputPicture {
 public:
  AlignedRole(std::unique_ptr<InputPicture> role, const InputPicture& of, Point at, bool turned)
      : role_(std::move(role)), held_at_(at), turned_(turned) {
    format_ = role_->format();
    info_ = role_->info();
    info_.orientation = of.info().orientation;
    info_.data_window = of.info().data_window;
    info_.display_window = of.info().display_window;
    const OrientationMap turning = this->turning();
    held_ = {0, 0, turned ? turning.width() : format_.width,
             turned ? turning.height() : format_.height};
    format_.width = of.format().width;
    format_.height = of.format().height;
  }

  void keep_all() override {
    if (!turned_) role_->keep_all();
  }
  Rect covered() const override {
    return shifted(held_, held_at_.x, held_at_.y).intersected(format_.rect());
  }
  void warn(Message sentence) { info_.warnings.push_back(std::move(sentence)); }

  void read_rows(const Rect& region, void* to, std::ptrdiff_t row_stride) override {
    const std::size_t pixel = format_.pixel_bytes();
    const Rect there = region.intersected(covered());
    char* const first = static_cast<char*>(to);
    if (!(there == region)) clear_rows(region, pixel, to, row_stride);
    if (there.empty()) return;
    char* const into = first + (there.y0 - region.y0) * row_stride +
                       static_cast<std::size_t>(there.x0 - region.x0) * pixel;
    const Rect own = shifted(there, -held_at_.x, -held_at_.y);
    if (!turned_) return role_->read(own, into, row_stride);
    turn();
    const std::size_t row = static_cast<std::size_t>(held_.width()) * pixel;
    for (int y = own.y0; y < own.y1; ++y) {
      std::memcpy(into + (y - own.y0) * row_stride,
                  bytes_.data() + static_cast<std::size_t>(y) * row +
                      static_cast<std::size_t>(own.x0) * pixel,
                  static_cast<std::size_t>(own.width()) * pixel);
    }
  }

 private:
  OrientationMap turning() const {
    const PictureFormat& stored = role_->format();
    return {role_->info().orientation, info_.orientation, stored.width, stored.height};
  }

  // Rows become columns, so the whole role is read at once.
  void turn() {
    if (!bytes_.empty()) return;
    HeldPicture stored = read_all(*role_);
    const OrientationMap turning = this->turning();
    const auto pixel = static_cast<std::ptrdiff_t>(format_.pixel_bytes());
    const std::ptrdiff_t width = held_.width();
    std::vector<char> turned(stored.bytes.size());
    const HostView rows = stored.view();
    const auto place = [&](int x, int y) {
      const Point p = turning(Point{x, y});
      return (p.y * width + p.x) * pixel;
    };
    for (int y = 0; y < stored.format.height; ++y) {
      const char* from = static_cast<const char*>(rows.row(y));
      std::ptrdiff_t at = place(0, y);
      const std::ptrdiff_t step = place(1, y) - at;
      for (int x = 0; x < stored.format.width; ++x, at += step, from += pixel) {
        std::memcpy(turned.data() + at, from, static_cast<std::size_t>(pixel));
      }
    }
    bytes_ = std::move(turned);
  }

  std::unique_ptr<InputPicture> role_;
  Rect held_;      // the role's pixels, turned
  Point held_at_;  // position of the first one in the picture
  bool turned_;
  std::vector<char> bytes_;  // the role, turned; empty until it is read
};

}  // namespace

std::unique_ptr<InputPicture> align_role(std::unique_ptr<InputPicture> role, const InputPicture& of,
                                         const std::string& name) {
  const bool windows = has_windows(*role) || has_windows(of);
  const bool same_kind = has_windows(of) && role->info().file_format == of.info().file_format;
  const Windows picture{of.info().data_window, of.info().display_window};
  const Windows stored{role->info().data_window, role->info().display_window};
  const bool turned = role->info().orientation != of.info().orientation;
  if (turned) {
    const Rect& frame = stored.display;
    const OrientationMap turning(role->info().orientation, of.info().orientation, frame.width(),
                                 frame.height());
    const Windows upright{turning(shifted(stored.data, -frame.x0, -frame.y0)),
                          {0, 0, turning.width(), turning.height()}};
    if (const auto at = place(upright, picture, false); at && overlaps(upright, *at, picture)) {
      return std::make_unique<AlignedRole>(std::move(role), of, *at, true);
    }
  }
  const auto at = place(stored, picture, same_kind);
  if (!at || !overlaps(stored, *at, picture)) {
    const std::string what = name.empty() ? "role" : name;
    if (at) {
      throw FileError(message({"role.file_beside",
                               "{file}: the {role} ({size}) and {picture} ({wanted}) have no pixel "
                               "in common; give one that overlaps the picture"},
                              shown(role->info().path), what, description(*role, windows),
                              shown(of.info().path), description(of, windows)));
    }
    throw FileError(message({"role.file_size",
                             "{file}: the {role} ({size}) does not fit {picture} ({wanted}); give "
                             "one of the same size"},
                            shown(role->info().path), what, description(*role, windows),
                            shown(of.info().path), description(of, windows)));
  }
  const bool as_it_is = at->x == 0 && at->y == 0 && same_size(stored.data, picture.data);
  if (as_it_is && !turned) return role;
  auto aligned = std::make_unique<AlignedRole>(std::move(role), of, *at, false);
  if (turned) {
    // Such a role was made by a program that ignored the picture's orientation.
    aligned->warn(message({"role.as_stored",
                           "{file}: it fits the picture only as it is stored, and is not turned by "
                           "its orientation"},
                          shown(aligned->info().path)));
  }
  return aligned;
}

}  // namespace sfumato::files
