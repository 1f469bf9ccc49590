// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The C interface: checks arguments, and turns exceptions into statuses in one place.
#include "sfumato/sfumato.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "abi/drivers.hpp"
#include "engine/session.hpp"
#include "filters/describe.hpp"
#include "filters/registry.hpp"
#include "params/errors.hpp"
#include "params/recipe.hpp"

struct sfm_session {
  sfumato::Session session;
};

struct sfm_recipe {
  sfumato::Recipe recipe;
  std::string json;
};

// Holds every string that callers can query, for its own lifetime.
struct sfm_message {
  explicit sfm_message(sfumato::Message said) : message(std::move(said)) {
    for (const sfumato::Message::Named& one : message.values) {
      const sfumato::Message* sentence = one.value.sentence();
      values.push_back(sentence != nullptr ? sfumato::in_english(*sentence) : one.value.text());
      sentences.push_back(sentence != nullptr ? std::make_unique<sfm_message>(*sentence) : nullptr);
    }
  }

  sfumato::Message message;
  std::vector<std::string> values;
  std::vector<std::unique_ptr<sfm_message>> sentences;  // null for values that are texts
};

namespace {

using namespace sfumato;

thread_local std::string last_error;
thread_local std::unique_ptr<const sfm_message> last_message;
thread_local bool memory_ran_out = false;  // nothing was allocated to say so

/// A mistake of the caller rather than the user.
class ArgumentError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

template <typename Say>
sfm_status failed(sfm_status status, Say&& say) noexcept {
  try {
    last_message = std::make_unique<const sfm_message>(say());
    last_error = in_english(last_message->message);
    memory_ran_out = false;
  } catch (...) {
    last_message.reset();
    memory_ran_out = true;
  }
  return status;
}

// The one place where exceptions become statuses.
template <typename Body>
sfm_status guarded(Body&& body) noexcept {
  try {
    body();
    return SFM_OK;
  } catch (const Cancelled&) {
    return failed(SFM_CANCELLED, [] { return message({"engine.cancelled", "cancelled"}); });
  } catch (const ParameterError& e) {
    return failed(SFM_INVALID_RECIPE, [&] { return message_in(e); });
  } catch (const RecipeError& e) {
    return failed(SFM_INVALID_RECIPE, [&] { return message_in(e); });
  } catch (const ArgumentError& e) {
    return failed(SFM_INVALID_ARGUMENT, [&] { return message_in(e); });
  } catch (const std::bad_alloc&) {
    last_message.reset();
    memory_ran_out = true;
    return SFM_OUT_OF_MEMORY;
  } catch (const std::exception& e) {
    return failed(SFM_FAILED, [&] { return message_in(e); });
  } catch (...) {
    return failed(SFM_FAILED, [] { return message({"engine.unknown_error", "an unknown error"}); });
  }
}

void require(bool good, const char* sentence) {
  if (!good) throw ArgumentError(sentence);
}

Rect rect_of(const sfm_rect& r) {
  // In 64 bits, so that a hostile width cannot overflow.
  const auto end = [](std::int32_t start, std::int32_t size) {
    return static_cast<std::int64_t>(start) + size;
  };
  require(r.width >= 0 && r.height >= 0 && end(r.x, r.width) < (1 << 25) &&
              end(r.y, r.height) < (1 << 25) && r.x > -(1 << 25) && r.y > -(1 << 25),
          "a region's size is out of range");
  return {r.x, r.y, r.x + r.width, r.y + r.height};
}

PictureFormat format_of(const sfm_image& image) {
  require(image.struct_size >= sizeof(sfm_image), "struct_size of an image is too small");
  require(image.picture_width > 0 && image.picture_width <= (1 << 24) && image.picture_height > 0 &&
              image.picture_height <= (1 << 24),
          "a picture's width and height must be 1 to 16777216");
  require(image.channels >= 1 && image.channels <= 4, "an image has 1 to 4 channels");
  require(image.sample >= SFM_U8 && image.sample <= SFM_F32, "unknown sample type");
  require(image.alpha >= SFM_ALPHA_NONE && image.alpha <= SFM_ALPHA_PREMULTIPLIED,
          "unknown alpha kind");
  require(image.curve >= SFM_LINEAR && image.curve <= SFM_GAMMA, "unknown tone curve");
  require(image.curve != SFM_GAMMA || (image.gamma > 0.1f && image.gamma < 10.0f),
          "gamma must be between 0.1 and 10");
  require(image.alpha == SFM_ALPHA_NONE || image.channels == 2 || image.channels == 4,
          "only images of 2 or 4 channels have alpha");
  require(image.channels != 2 || image.alpha != SFM_ALPHA_NONE,
          "two channels are gray and alpha: say which kind of alpha");
  PictureFormat format;
  format.width = image.picture_width;
  format.height = image.picture_height;
  format.channels = image.channels;
  format.type = static_cast<SampleType>(image.sample);
  format.alpha = static_cast<AlphaKind>(image.alpha);
  format.coding = {static_cast<Coding::Curve>(image.curve),
                   image.curve == SFM_GAMMA ? image.gamma : 1.0f};
  return format;
}

// A role laid over the picture may reach beyond it or lie beside it.
HostView view_of(const sfm_image& image, const PictureFormat& format, bool anywhere = false) {
  const Rect region = rect_of(image.region);
  require(image.data != nullptr, "an image has no data");
  require(!region.empty() && (anywhere || format.rect().contains(region)),
          "an image's region must lie inside its picture and not be empty");
  const auto row =
      static_cast<std::ptrdiff_t>(static_cast<std::size_t>(region.width()) * format.pixel_bytes());
  require(region.height() == 1 || std::abs(image.row_stride) >= row,
          "an image's row stride is shorter than its rows");
  return {image.data, image.row_stride, region};
}

// The range of addresses that a view may touch.
std::pair<std::uintptr_t, std::uintptr_t> extent_of(const HostView& view,
                                                    const PictureFormat& format) {
  const auto first = reinterpret_cast<std::uintptr_t>(view.row(view.region.y0));
  const auto last = reinterpret_cast<std::uintptr_t>(view.row(view.region.y1 - 1));
  const std::size_t row = static_cast<std::size_t>(view.region.width()) * format.pixel_bytes();
  return {std::min(first, last), std::max(first, last) + row};
}

// What to do about pixels that the caller's memory does not hold.
enum class Missing { refused, zero };

// A source over the caller's memory that never reads beyond it. If the output shares that memory,
// the source works on a copy.
class HeldSource final : public PixelSource {
 public:
  HeldSource(const PictureFormat& format, const HostView& view, const HostView& output,
             const PictureFormat& output_format, Missing missing)
      : missing_(missing),
        copy_(copy_if_shared(format, view, output, output_format)),
        memory_(format, copy_.empty() ? view : packed(format, view.region)) {}
  HeldSource(const HeldSource&) = delete;
  HeldSource& operator=(const HeldSource&) = delete;

  const PictureFormat& format() const override { return memory_.format(); }
  Rect covered() const override {
    return missing_ == Missing::zero ? memory_.covered() : PixelSource::covered();
  }
  void read(const Rect& region, void* to, std::ptrdiff_t row_stride) override {
    require(missing_ == Missing::zero || region.intersected(memory_.covered()) == region,
            "the input does not hold the region that the output needs; ask "
            "sfm_required_region()");
    memory_.read(region, to, row_stride);
  }

 private:
  HostView packed(const PictureFormat& format, const Rect& region) {
    return {copy_.data(),
            static_cast<std::ptrdiff_t>(static_cast<std::size_t>(region.width()) *
                                        format.pixel_bytes()),
            region};
  }
  static std::vector<char> copy_if_shared(const PictureFormat& format, const HostView& view,
                                          const HostView& output,
                                          const PictureFormat& output_format) {
    const auto [first, last] = extent_of(view, format);
    const auto [to_first, to_last] = extent_of(output, output_format);
    std::vector<char> copy;
    if (first >= to_last || to_first >= last) return copy;
    const std::size_t row = static_cast<std::size_t>(view.region.width()) * format.pixel_bytes();
    copy.resize(row * static_cast<std::size_t>(view.region.height()));
    MemorySource(format, view).read(view.region, copy.data(), static_cast<std::ptrdiff_t>(row));
    return copy;
  }

  Missing missing_;
  std::vector<char> copy_;  // empty: not shared
  LaidSource memory_;
};

struct BoundRole {
  std::string name;
  int step = -1;
  std::shared_ptr<PixelSource> source;
};

// Whether a step of the recipe that the role refers to has an image parameter of this name.
bool has_role(const Recipe& recipe, const sfm_role& role) {
  for (std::size_t i = 0; i < recipe.steps.size(); ++i) {
    if (role.step >= 0 && static_cast<std::size_t>(role.step) != i) continue;
    const Parameter* p =
        Registry::get().at(recipe.steps[i].filter).filter->info().parameters.find(role.name);
    if (p != nullptr && p->kind == Kind::image) return true;
  }
  return false;
}

std::vector<BoundRole> roles_of(const sfm_render_options& options, const Recipe& recipe,
                                const HostView& output, const PictureFormat& output_format) {
  std::vector<BoundRole> roles;
  const auto* bytes = reinterpret_cast<const char*>(options.roles);
  for (std::size_t i = 0; i < options.role_count; ++i) {
    const auto& role = *reinterpret_cast<const sfm_role*>(bytes + i * options.roles[0].struct_size);
    require(
        role.struct_size >= sizeof(sfm_role) && role.struct_size == options.roles[0].struct_size,
        "struct_size of a role is too small");
    require(role.name != nullptr && role.image != nullptr, "a role has no name or no image");
    if (!has_role(recipe, role)) {
      throw ArgumentError("no such step of the recipe takes a picture named \"" +
                          std::string(role.name) + "\"");
    }
    const PictureFormat format = format_of(*role.image);
    const bool laid = is_aligned(role.name);
    roles.push_back(
        {role.name, role.step,
         std::make_shared<HeldSource>(format, view_of(*role.image, format, laid), output,
                                      output_format, laid ? Missing::zero : Missing::refused)});
  }
  return roles;
}

SessionOptions session_options_of(const sfm_session_options& options) {
  // The struct of version 1 ends before the messages.
  require(options.struct_size >= offsetof(sfm_session_options, message),
          "struct_size of the session's options is too small");
  SessionOptions chosen;
  if (options.device != nullptr) chosen.device = options.device;
  chosen.memory_limit = static_cast<std::size_t>(options.memory_limit);
  if (options.cache_folder != nullptr) chosen.cache_folder = options.cache_folder;
  const auto as_data =
      options.struct_size >= sizeof(sfm_session_options) ? options.message : nullptr;
  if (options.log != nullptr || as_data != nullptr) {
    chosen.log = [log = options.log, as_data, user = options.user](const Message& line) {
      if (log != nullptr) log(in_english(line).c_str(), user);
      if (as_data == nullptr) return;
      const sfm_message message(line);
      as_data(&message, user);
    };
  }
  return chosen;
}

RenderOptions render_options_of(const sfm_render_options& options, const Recipe& recipe,
                                const HostView& to, const PictureFormat& out) {
  require(options.struct_size >= sizeof(sfm_render_options),
          "struct_size of the render's options is too small");
  require(options.role_count == 0 || options.roles != nullptr, "roles are missing");
  RenderOptions chosen;
  chosen.dither = options.dither != 0;
  if (options.progress != nullptr) {
    chosen.progress = [call = options.progress, user = options.user](double part) {
      return call(part, user) != 0;
    };
  }
  chosen.roles = [roles = roles_of(options, recipe, to, out)](
                     int step, const std::string& name,
                     const ImageRef&) -> std::shared_ptr<PixelSource> {
    for (const BoundRole& role : roles) {
      if (name == role.name && (role.step < 0 || role.step == step)) return role.source;
    }
    return nullptr;
  };
  return chosen;
}

}  // namespace

const char* sfm_version(void) {
  return SFUMATO_VERSION;
}

const char* sfm_last_error(void) {
  return memory_ran_out ? "out of memory" : last_error.c_str();
}

const sfm_message* sfm_last_error_message(void) {
  return last_message.get();
}

const char* sfm_message_id(const sfm_message* message) {
  return message->message.id.c_str();
}

const char* sfm_message_text(const sfm_message* message) {
  return message->message.text.c_str();
}

size_t sfm_message_value_count(const sfm_message* message) {
  return message->values.size();
}

const char* sfm_message_value_name(const sfm_message* message, size_t index) {
  return index < message->values.size() ? message->message.values[index].name.c_str() : nullptr;
}

const char* sfm_message_value(const sfm_message* message, size_t index) {
  return index < message->values.size() ? message->values[index].c_str() : nullptr;
}

const sfm_message* sfm_message_value_message(const sfm_message* message, size_t index) {
  return index < message->values.size() ? message->sentences[index].get() : nullptr;
}

size_t sfm_filter_count(void) {
  return Registry::get().all().size();
}

const char* sfm_filter_id(size_t index) {
  const auto& all = Registry::get().all();
  return index < all.size() ? all[index].filter->info().id.c_str() : nullptr;
}

const char* sfm_filter_json(const char* id) {
  const char* found = nullptr;
  guarded([&] {
    static const std::vector<std::string> texts = [] {
      std::vector<std::string> out;
      for (const RegisteredFilter& f : Registry::get().all()) {
        out.push_back(describe(f.filter->info()).dump());
      }
      return out;
    }();
    require(id != nullptr, "no filter id was given");
    const RegisteredFilter& entry = Registry::get().at(id);
    found = texts[static_cast<std::size_t>(&entry - Registry::get().all().data())].c_str();
  });
  return found;
}

sfm_status sfm_session_create(const sfm_session_options* options, sfm_session** session) {
  return guarded([&] {
    require(session != nullptr, "no place for the session was given");
    *session = nullptr;
    SessionOptions chosen = options != nullptr ? session_options_of(*options) : SessionOptions();
    keep_from_bad_drivers(chosen);
    *session = new sfm_session{Session(std::move(chosen))};
  });
}

void sfm_session_destroy(sfm_session* session) {
  delete session;
}

sfm_status sfm_recipe_parse(const char* json, const char* folder, sfm_recipe** recipe) {
  return guarded([&] {
    require(json != nullptr && recipe != nullptr, "no recipe was given");
    *recipe = nullptr;
    *recipe =
        new sfm_recipe{parse_recipe(json, Registry::get(), folder != nullptr ? folder : ""), {}};
  });
}

sfm_status sfm_recipe_create(const char* filter, sfm_recipe** recipe) {
  return guarded([&] {
    require(filter != nullptr && recipe != nullptr, "no filter was given");
    *recipe = nullptr;
    *recipe = new sfm_recipe{recipe_of(Registry::get().at(filter).filter->info()), {}};
  });
}

sfm_status sfm_recipe_set(sfm_recipe* recipe, size_t step, const char* name, const char* value) {
  return guarded([&] {
    require(recipe != nullptr && name != nullptr && value != nullptr,
            "a recipe, a name and a value are needed");
    require(step < recipe->recipe.steps.size(), "the recipe has no such step");
    Step& s = recipe->recipe.steps[step];
    set_text(s.values, Registry::get().at(s.filter).filter->info().parameters, name, value);
  });
}

const char* sfm_recipe_json(sfm_recipe* recipe) {
  const sfm_status status = guarded([&] {
    require(recipe != nullptr, "no recipe was given");
    recipe->json = print_recipe(recipe->recipe, Registry::get());
  });
  return status == SFM_OK ? recipe->json.c_str() : nullptr;
}

void sfm_recipe_destroy(sfm_recipe* recipe) {
  delete recipe;
}

sfm_status sfm_render(sfm_session* session, const sfm_recipe* recipe, const sfm_image* input,
                      const sfm_image* output, const sfm_render_options* options) {
  return guarded([&] {
    require(session != nullptr && recipe != nullptr && input != nullptr && output != nullptr,
            "a session, a recipe, an input and an output are needed");
    const PictureFormat in = format_of(*input), out = format_of(*output);
    require(in.width == out.width && in.height == out.height,
            "input and output must be of the same picture size");
    const HostView to = view_of(*output, out);
    HeldSource source(in, view_of(*input, in), to, out, Missing::refused);
    MemorySink sink(out, to);
    RenderOptions chosen;
    if (options != nullptr) chosen = render_options_of(*options, recipe->recipe, to, out);
    chosen.region = to.region;
    session->session.render(recipe->recipe, source, sink, chosen);
  });
}

sfm_status sfm_required_region(sfm_session* session, const sfm_recipe* recipe,
                               const sfm_image* like, sfm_rect region, sfm_rect* required) {
  return guarded([&] {
    require(session != nullptr && recipe != nullptr && like != nullptr && required != nullptr,
            "a session, a recipe, an image and a place for the region are needed");
    const Rect needed =
        session->session.required_region(recipe->recipe, format_of(*like), rect_of(region));
    *required = {needed.x0, needed.y0, needed.width(), needed.height()};
  });
}
