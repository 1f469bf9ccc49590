// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The pictures beside the picture (mask, normal, depth, guide, kernel) that a recipe's steps take.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/pixels.hpp"
#include "engine/plan.hpp"
#include "params/recipe.hpp"

namespace sfumato {

/// What a role (mask, normal, depth...) of a step is bound to.
using RoleResolver = std::function<std::shared_ptr<PixelSource>(int step, const std::string& role,
                                                                const ImageRef& reference)>;

/// The opened roles of one render, by step and parameter.
struct Roles {
  std::map<std::pair<int, std::string>, std::shared_ptr<PixelSource>> sources;
  KernelFormats kernels;          ///< of those that stand alone, by step
  std::vector<Message> warnings;  ///< what was made of them, one sentence each

  PixelSource* find(int step, const std::string& name) const;
  /// Told to every role whose regions will not come from top to bottom.
  void keep_all() const;
};

/// Opens the roles of the enabled steps by `resolve` (which may be empty). Afterwards the values of
/// `recipe` are complete, and every role that was opened is bound in them. Throws EngineError where
/// a role is missing, is of another size than the picture or beside it, or is no normals.
Roles open_roles(Recipe& recipe, const PictureFormat& picture, const RoleResolver& resolve);

/// One sentence for each role that has no pixels in a part of `needed`, a region of the picture.
std::vector<Message> gaps_in(const Roles& roles, const PictureFormat& picture, const Rect& needed);

}  // namespace sfumato
