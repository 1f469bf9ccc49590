// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The C++ interface: owning handles and exceptions on top of sfumato.h, header-only.
#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "sfumato/sfumato.h"

namespace sfumato::host {

/// A call failed; what() is one sentence for the user.
class Error : public std::runtime_error {
 public:
  Error(sfm_status status, const std::string& sentence, std::string id = {})
      : std::runtime_error(sentence), status_(status), id_(std::move(id)) {}
  sfm_status status() const noexcept { return status_; }
  /// As returned by sfm_message_id().
  const std::string& id() const noexcept { return id_; }

 private:
  sfm_status status_;
  std::string id_;
};

/// Throws Error with this thread's last error unless the status is SFM_OK.
inline void check(sfm_status status) {
  if (status == SFM_OK) return;
  const sfm_message* message = sfm_last_error_message();
  throw Error(status, sfm_last_error(), message != nullptr ? sfm_message_id(message) : "");
}

/// The ids of all filters.
inline std::vector<std::string> filters() {
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < sfm_filter_count(); ++i) ids.emplace_back(sfm_filter_id(i));
  return ids;
}

/// Describes a whole picture of width x height pixels (each 1 to 2^24) with 1 to 4 interleaved
/// channels, in memory without gaps between rows: `data` must outlive every use. Alpha is straight
/// where there is any; integers are on sRGB's curve, floats linear. Change fields for anything
/// else.
inline sfm_image image(void* data, int width, int height, int channels, sfm_sample sample) {
  static constexpr int bytes[] = {1, 2, 2, 4};
  sfm_image out{};
  out.struct_size = sizeof out;
  out.data = data;
  out.row_stride = static_cast<std::ptrdiff_t>(width) * channels * bytes[sample];
  out.picture_width = width;
  out.picture_height = height;
  out.region = {0, 0, width, height};
  out.channels = channels;
  out.sample = sample;
  out.alpha = channels == 2 || channels == 4 ? SFM_ALPHA_STRAIGHT : SFM_ALPHA_NONE;
  out.curve = sample == SFM_U8 || sample == SFM_U16 ? SFM_SRGB : SFM_LINEAR;
  return out;
}

/// Owns an sfm_recipe: filters in order, with their values. Movable, not copyable.
class Recipe {
 public:
  /// One filter at its defaults. Throws Error if it is unknown.
  static Recipe of(const std::string& filter) {
    sfm_recipe* made = nullptr;
    check(sfm_recipe_create(filter.c_str(), &made));
    return Recipe(made);
  }
  /// From JSON; role files are relative to `folder`. Throws Error.
  static Recipe parse(const std::string& json, const std::string& folder = {}) {
    sfm_recipe* made = nullptr;
    check(sfm_recipe_parse(json.c_str(), folder.empty() ? nullptr : folder.c_str(), &made));
    return Recipe(made);
  }
  /// Sets a parameter of a step (counted from 0) as on the command line. Throws Error for an
  /// unknown name and for a value outside the parameter's range.
  Recipe& set(const std::string& name, const std::string& value, std::size_t step = 0) & {
    check(sfm_recipe_set(handle_.get(), step, name.c_str(), value.c_str()));
    return *this;
  }
  Recipe set(const std::string& name, const std::string& value, std::size_t step = 0) && {
    return std::move(this->set(name, value, step));
  }
  /// The recipe as JSON. Throws Error.
  std::string json() const {
    const char* text = sfm_recipe_json(handle_.get());
    if (text == nullptr) throw Error(SFM_INVALID_RECIPE, sfm_last_error());
    return text;
  }
  /// For functions of sfumato.h; stays owned by this object.
  sfm_recipe* get() const { return handle_.get(); }

 private:
  explicit Recipe(sfm_recipe* made) : handle_(made, &sfm_recipe_destroy) {}
  std::unique_ptr<sfm_recipe, void (*)(sfm_recipe*)> handle_;
};

/// Owns an sfm_session: a device, opened at the first render, with its compiled programs. Renders
/// of one session run one after another; sessions on different threads are independent.
class Session {
 public:
  /// `device` as in sfm_session_options; empty: automatic. Throws Error.
  explicit Session(const std::string& device = {}) {
    sfm_session_options options{};
    options.struct_size = sizeof options;
    options.device = device.empty() ? nullptr : device.c_str();
    sfm_session* made = nullptr;
    check(sfm_session_create(&options, &made));
    handle_.reset(made);
  }

  /// Gets the part done, 0 to 1, several times a second on the rendering thread; false cancels.
  using Progress = std::function<bool(double part)>;

  /// Computes output.region, in pixels of the picture. `input` must hold at least
  /// required_region() of it and may share memory with `output`. Throws Error, with SFM_CANCELLED
  /// if `progress` returned false. An exception from the progress function cancels and is rethrown
  /// here.
  void render(const Recipe& recipe, const sfm_image& input, const sfm_image& output,
              const Progress& progress = {}, const std::vector<sfm_role>& roles = {}) {
    struct Call {
      const Progress& progress;
      std::exception_ptr thrown;
    } call{progress, nullptr};
    sfm_render_options options{};
    options.struct_size = sizeof options;
    options.user = &call;
    options.roles = roles.data();
    options.role_count = roles.size();
    if (progress) {
      options.progress = [](double part, void* user) -> int {
        auto& c = *static_cast<Call*>(user);
        try {
          return c.progress(part) ? 1 : 0;
        } catch (...) {
          c.thrown = std::current_exception();
          return 0;
        }
      };
    }
    const sfm_status status = sfm_render(handle_.get(), recipe.get(), &input, &output, &options);
    if (call.thrown) std::rethrow_exception(call.thrown);
    check(status);
  }

  /// The part of the input that `region` of the output needs, in pixels of the picture that `like`
  /// describes (its data is not accessed). Throws Error.
  sfm_rect required_region(const Recipe& recipe, const sfm_image& like, sfm_rect region) {
    sfm_rect required{};
    check(sfm_required_region(handle_.get(), recipe.get(), &like, region, &required));
    return required;
  }

 private:
  std::unique_ptr<sfm_session, void (*)(sfm_session*)> handle_{nullptr, &sfm_session_destroy};
};

}  // namespace sfumato::host
