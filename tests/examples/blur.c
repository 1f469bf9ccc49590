/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Sfumato authors
 * The C interface in thirty lines: blurs a small gray picture in memory and prints it. */
#include <stdint.h>
#include <stdio.h>

#include <sfumato/sfumato.h>

enum { WIDTH = 9, HEIGHT = 5 };

int main(void) {
  uint8_t before[HEIGHT][WIDTH] = {{0}}, after[HEIGHT][WIDTH];
  before[2][4] = 255; /* one white pixel */
  sfm_image input = {
      sizeof input, before,         WIDTH,      WIDTH, HEIGHT, {0, 0, WIDTH, HEIGHT}, 1,
      SFM_U8,       SFM_ALPHA_NONE, SFM_LINEAR, 1.0f};
  sfm_image output = input;
  output.data = after;
  sfm_session* session = NULL;
  sfm_recipe* recipe = NULL;
  if (sfm_session_create(NULL, &session) != SFM_OK ||
      sfm_recipe_create("gaussian", &recipe) != SFM_OK ||
      sfm_recipe_set(recipe, 0, "sigma", "1.0") != SFM_OK ||
      sfm_render(session, recipe, &input, &output, NULL) != SFM_OK) {
    fprintf(stderr, "%s\n", sfm_last_error());
    return 1;
  }
  for (int y = 0; y < HEIGHT; ++y) {
    for (int x = 0; x < WIDTH; ++x) printf("%4d", after[y][x]);
    printf("\n");
  }
  sfm_recipe_destroy(recipe);
  sfm_session_destroy(session);
  return after[2][4] == 41 ? 0 : 2; /* 255 times the centre weight, 0.1592 */
}
