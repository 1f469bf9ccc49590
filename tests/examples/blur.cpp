// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The C++ interface in thirty lines: a float picture, one region of it, progress, and an error.
#include <cstdio>
#include <vector>

#include <sfumato/sfumato.hpp>

int main() {
  namespace sfm = sfumato::host;
  try {
    const int width = 640, height = 480;
    std::vector<float> before(width * height * 4, 0.5f), after(before.size());
    const sfm_image input = sfm::image(before.data(), width, height, 4, SFM_F32);
    const sfm_image output = sfm::image(after.data(), width, height, 4, SFM_F32);

    sfm::Session session;
    sfm::Recipe recipe = sfm::Recipe::of("gaussian").set("sigma", "12");
    session.render(recipe, input, output, [](double part) {
      std::printf("\r%3.0f %%", part * 100);
      return true;  // false would cancel
    });
    const sfm_rect tile{0, 0, 64, 64};
    const sfm_rect needed = session.required_region(recipe, input, tile);
    std::printf("\na tile of 64 x 64 needs %d x %d\n%s\n", needed.width, needed.height,
                recipe.json().c_str());
    recipe.set("simga", "3");  // throws: there is no such parameter
  } catch (const sfm::Error& e) {
    std::printf("%s\n", e.what());
    return e.status() == SFM_INVALID_RECIPE ? 0 : 1;
  }
  return 1;
}
