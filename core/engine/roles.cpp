// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Opens roles and rejects unsuitable pictures.
#include "engine/roles.hpp"

#include <algorithm>

#include "engine/errors.hpp"
#include "params/suggest.hpp"

namespace sfumato {
namespace {

std::string size_text(const PictureFormat& format) {
  return std::to_string(format.width) + " x " + std::to_string(format.height);
}

// Normals need three channels; a depth with several channels uses the first.
void check_channels(const RoleInfo& role_info, const PictureFormat& format,
                    std::vector<Message>& warnings) {
  const int colours = format.color_channels();
  if (role_info.is_signed && colours == 1) {
    throw EngineError(message({"role.normal_of_one",
                               "the {role} picture has 1 channel, but a normal has 3 (x, y, z); "
                               "give a picture that has them"},
                              role_info.parameter));
  }
  if (role_info.is_signed && colours < 3) {
    throw EngineError(message({"role.normal_of_few",
                               "the {role} picture has {count} channels, but a normal has 3 (x, y, "
                               "z); give a picture that has them"},
                              role_info.parameter, colours));
  }
  if (role_info.data && role_info.channels == 1 && colours > 1) {
    warnings.push_back(message(
        {"role.first_channel", "the {role} picture has {count} channels; the first one is taken"},
        role_info.parameter, colours));
  }
}

// A role laid over the picture must have its size and overlap it.
void check_place(const std::string& role, const PixelSource& source, const PictureFormat& picture) {
  const PictureFormat& format = source.format();
  if (format.width != picture.width || format.height != picture.height) {
    throw EngineError(message({"role.size",
                               "the {role} picture is {size} pixels, but the picture is {wanted}; "
                               "both must have the same size"},
                              role, size_text(format), size_text(picture)));
  }
  if (source.covered().intersected(picture.rect()).empty()) {
    throw EngineError(
        message({"role.beside",
                 "the {role} picture does not overlap the picture: they have no pixel "
                 "in common"},
                role));
  }
}

// A role without a picture was named, or is required.
void check_missing(const FilterInfo& info, const std::string& role, const ImageRef& reference) {
  const RoleInfo* role_info = info.role(role);
  if (!reference.bound() && (role_info == nullptr || !role_info->required)) return;
  throw ParameterError(ParameterError::Reason::not_allowed, role,
                       message({"role.missing", "{filter} needs a picture for its role {role}"},
                               named(info), in_quotes(role)),
                       info.id);
}

// Adds an open picture, if it suits the role of the step at `index`.
void add_role(Roles& roles, int index, const RoleInfo* role_info, const std::string& name,
              std::shared_ptr<PixelSource> opened, const PictureFormat& picture) {
  if (role_info != nullptr) check_channels(*role_info, opened->format(), roles.warnings);
  const bool aligned = role_info == nullptr || role_info->aligned;
  if (!aligned) {
    roles.kernels.emplace(index, opened->format());
    opened->keep_all();
  } else {
    check_place(name, *opened, picture);
  }
  if (role_info != nullptr && role_info->is_signed && is_integer(opened->format().type)) {
    opened = std::make_shared<SignedSource>(std::move(opened));
  }
  roles.opened.emplace(std::pair(index, name), OpenedRole{std::move(opened), aligned});
}

}  // namespace

PixelSource* Roles::find(int step, const std::string& name) const {
  const auto it = opened.find({step, name});
  return it == opened.end() ? nullptr : it->second.source.get();
}

void Roles::keep_all() const {
  for (const auto& [key, role] : opened) role.source->keep_all();
}

bool is_aligned(std::string_view role) {
  const auto& filters = Registry::get().all();
  return std::all_of(filters.begin(), filters.end(), [&](const RegisteredFilter& entry) {
    return entry.filter->info().is_aligned(role);
  });
}

Roles open_roles(Recipe& recipe, const PictureFormat& picture, const RoleResolver& resolve) {
  Roles roles;
  for (std::size_t i = 0; i < recipe.steps.size(); ++i) {
    Step& step = recipe.steps[i];
    if (!step.enabled) continue;
    const FilterInfo& info = Registry::get().at(step.filter).filter->info();
    step.values = complete(info.parameters, step.values);
    for (const Parameter& p : info.parameters) {
      if (p.kind != Kind::image) continue;
      const int index = static_cast<int>(i);
      const ImageRef reference = step.values.get<ImageRef>(p.name);
      auto opened = resolve ? resolve(index, p.name, reference) : nullptr;
      if (!opened) {
        check_missing(info, p.name, reference);
        continue;
      }
      if (!reference.bound()) step.values.set(p.name, ImageRef{"(bound by the host)", ""});
      add_role(roles, index, info.role(p.name), p.name, std::move(opened), picture);
    }
  }
  return roles;
}

std::vector<Message> gaps_in(const Roles& roles, const PictureFormat& picture, const Rect& needed) {
  std::vector<Message> sentences;
  for (const auto& [key, picture_of_role] : roles.opened) {
    const std::string& role = key.second;
    if (!picture_of_role.aligned) continue;
    const Rect there = picture_of_role.source->covered().intersected(picture.rect());
    if (there.contains(needed.intersected(picture.rect()))) continue;
    const std::string size = size_text(picture);
    if (role == "mask") {
      sentences.push_back(message({"role.mask_gap",
                                   "the {role} picture covers only {width} x {height} pixels, from "
                                   "({x}, {y}) on, of the {size} of the picture; elsewhere the "
                                   "picture stays as it is"},
                                  role, there.width(), there.height(), there.x0, there.y0, size));
    } else {
      sentences.push_back(message({"role.gap",
                                   "the {role} picture covers only {width} x {height} pixels, from "
                                   "({x}, {y}) on, of the {size} of the picture; elsewhere it "
                                   "counts as 0"},
                                  role, there.width(), there.height(), there.x0, there.y0, size));
    }
  }
  return sentences;
}

}  // namespace sfumato
