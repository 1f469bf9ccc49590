// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "gimp/words.hpp"

#include "dialog/language.hpp"

namespace sfumato::gimp {

Words words_of(const Procedure& procedure) {
  if (procedure.filter != nullptr) {
    return {hosts::filter_text(procedure.label), hosts::model_text(procedure.blurb)};
  }
  const bool one_category = !procedure.category.empty();
  return {one_category ? hosts::model_text(procedure.category) + "..." : procedure.label,
          hosts::user_text(procedure.said)};
}

}  // namespace sfumato::gimp
