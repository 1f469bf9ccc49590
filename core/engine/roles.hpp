// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The additional pictures (mask, normal, depth, guide, kernel) that a recipe's steps take.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/pixels.hpp"
#include "engine/plan.hpp"
#include "params/recipe.hpp"

namespace sfumato {

/// Finds the picture for a role (mask, normal, depth...) of a step.
using RoleResolver = std::function<std::shared_ptr<PixelSource>(int step, const std::string& role,
                                                                const ImageRef& reference)>;

/// The picture of a role.
struct OpenedRole {
  std::shared_ptr<PixelSource> source;
  bool aligned = true;  ///< laid over the input
};

/// The opened roles of one render, by step and parameter.
struct Roles {
  std::map<std::pair<int, std::string>, OpenedRole> opened;
  KernelFormats kernels;          ///< of roles that are not aligned, by step
  std::vector<Message> warnings;  ///< about the opened roles, one sentence each

  PixelSource* find(int step, const std::string& name) const;
  /// Calls keep_all() on every role whose regions will not come from top to bottom.
  void keep_all() const;
};

/// Whether roles of this name are laid over the input, for callers that do not know the filter: one
/// name means the same in every filter.
bool is_aligned(std::string_view role);

/// Opens the roles of the enabled steps through `resolve` (may be empty). Afterwards the values of
/// `recipe` are complete, and every opened role is bound in them. Throws EngineError if a role is
/// missing, differs from the picture in size, lies beside it, or has too few channels for normals.
Roles open_roles(Recipe& recipe, const PictureFormat& picture, const RoleResolver& resolve);

/// One sentence for each role without pixels in some part of `needed`, a region of the picture.
std::vector<Message> gaps_in(const Roles& roles, const PictureFormat& picture, const Rect& needed);

}  // namespace sfumato
