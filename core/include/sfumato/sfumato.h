/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Sfumato authors
 * The C interface of Sfumato: filters, recipes and pixels in memory, for hosts of any language.
 *
 * Every function that can fail returns an sfm_status; sfm_last_error() then gives one sentence for
 * the user. No function exits, aborts or throws. Objects of different sessions may be used from
 * different threads at once; one session's renders run one after another.
 *
 * What stays stable within versions 1.x: no function, constant or field is removed or changes its
 * meaning, and the library's name stays libsfumato.so.1. Structs grow at their end alone; they are
 * read as far as struct_size says, and what an older caller does not know has its default. Recipes
 * of format 1 are read by every version, and give the same pixels for the same version of a filter.
 */
#ifndef SFUMATO_SFUMATO_H
#define SFUMATO_SFUMATO_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define SFM_API __attribute__((visibility("default")))
#else
#define SFM_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** Grows when functions or fields are added. An incompatible change would change the library's name
 * and never happens within 1.x. */
#define SFM_ABI_VERSION 2

typedef enum sfm_status {
  SFM_OK = 0,
  SFM_INVALID_ARGUMENT = 1, /**< a null pointer, a bad size, or pixels that do not cover a region */
  SFM_INVALID_RECIPE = 2,   /**< an unknown filter or parameter, a value that is not allowed */
  SFM_CANCELLED = 3,        /**< the progress callback asked to stop */
  SFM_OUT_OF_MEMORY = 4,
  SFM_FAILED = 5 /**< anything else, as the sentence explains */
} sfm_status;

/** How one sample is stored; integers span 0..1. */
typedef enum sfm_sample { SFM_U8 = 0, SFM_U16 = 1, SFM_F16 = 2, SFM_F32 = 3 } sfm_sample;

/** Whether the last channel is opacity, and whether colour is premultiplied by it. */
typedef enum sfm_alpha {
  SFM_ALPHA_NONE = 0,
  SFM_ALPHA_STRAIGHT = 1,
  SFM_ALPHA_PREMULTIPLIED = 2
} sfm_alpha;

/** The tone curve of the colour profile; primaries never change and are not needed. */
typedef enum sfm_curve { SFM_LINEAR = 0, SFM_SRGB = 1, SFM_GAMMA = 2 } sfm_curve;

/** Pixels [x, x + width) by [y, y + height), in picture coordinates. */
typedef struct sfm_rect {
  int32_t x, y, width, height;
} sfm_rect;

/** Pixels in the caller's memory: a picture or a region of one. */
typedef struct sfm_image {
  size_t struct_size;   /**< sizeof(sfm_image): lets later versions add fields */
  void* data;           /**< the first sample of the region's top left pixel */
  ptrdiff_t row_stride; /**< bytes from one row to the row below; negative if rows run upwards */
  int32_t picture_width, picture_height; /**< of the whole picture, 1 to 2^24 */
  sfm_rect region;                       /**< the part that `data` holds, inside the picture */
  int32_t channels; /**< 1 gray, 2 gray and alpha, 3 RGB, 4 RGBA, interleaved */
  sfm_sample sample;
  sfm_alpha alpha;
  sfm_curve curve;
  float gamma; /**< decoding exponent, for SFM_GAMMA only */
} sfm_image;

/** A picture for an image role (mask, normal, depth, guide...), with the picture's size. Its region
 * is its position on the picture and may reach beyond it (a layer that was moved). Pixels that are
 * needed but not held are 0, and the session's log is notified; a role that does not overlap the
 * picture is refused. (A kernel has a size of its own.) Roles form an array with a stride of
 * struct_size bytes, the same for all. */
typedef struct sfm_role {
  size_t struct_size; /**< sizeof(sfm_role) */
  const char* name;
  int32_t step; /**< the recipe's step, from 0; -1: every step with this role */
  const sfm_image* image;
} sfm_role;

/** A sentence as data: an id, an English template, and values for its placeholders. */
typedef struct sfm_message sfm_message;

typedef struct sfm_session_options {
  size_t struct_size;
  const char* device;    /**< "auto", "gpu", "cpu", "reference", a number or part of a name; NULL:
                              the environment's SFUMATO_DEVICE, else auto */
  uint64_t memory_limit; /**< bytes of device memory; 0: chosen by the device */
  const char* cache_folder; /**< for compiled programs; NULL: the user's cache; "": none */
  void (*log)(const char* line, void* user); /**< warnings, on the rendering thread; may be NULL */
  void* user;
  /** Since SFM_ABI_VERSION 2: the same warnings as data, valid during the call; may be NULL. */
  void (*message)(const sfm_message* message, void* user);
} sfm_session_options;

typedef struct sfm_render_options {
  size_t struct_size;
  /** Called with 0..1 several times a second on the rendering thread; returns 0 to cancel. May be
   * NULL. */
  int (*progress)(double part, void* user);
  void* user;
  const sfm_role* roles;
  size_t role_count;
  int dither; /**< not 0: rounds integers by a fixed pattern instead of to nearest */
} sfm_render_options;

typedef struct sfm_session sfm_session;
typedef struct sfm_recipe sfm_recipe;

/** The library's version, such as "1.0.0". Lives as long as the library. */
SFM_API const char* sfm_version(void);

/** The error of this thread's last failed call: one sentence, valid until its next call. */
SFM_API const char* sfm_last_error(void);

/** The same as data, valid just as long; NULL before the first failed call and where memory ran
 * out. Since SFM_ABI_VERSION 2, like all message functions. */
SFM_API const sfm_message* sfm_last_error_message(void);

/** For example "file.missing"; stable across releases. "" for texts from elsewhere, such as a
 * driver's, and for mistakes of the caller. */
SFM_API const char* sfm_message_id(const sfm_message* message);
/** The template: "{file}: there is no such file; check the name"; {{ and }} stand for braces. */
SFM_API const char* sfm_message_text(const sfm_message* message);
/** All texts of a message live as long as the message itself. The values, in the order in which the
 * template first names them; NULL beyond the last. */
SFM_API size_t sfm_message_value_count(const sfm_message* message);
SFM_API const char* sfm_message_value_name(const sfm_message* message, size_t index);
/** A value that is itself a sentence is given in English; see sfm_message_value_message(). */
SFM_API const char* sfm_message_value(const sfm_message* message, size_t index);
/** The sentence that a value consists of; NULL if the value is a text. */
SFM_API const sfm_message* sfm_message_value_message(const sfm_message* message, size_t index);

/** The number of filters, and the id of each; NULL beyond the last. Ids live as long as the
 * library. */
SFM_API size_t sfm_filter_count(void);
SFM_API const char* sfm_filter_id(size_t index);

/** A filter and its parameters as JSON, as printed by `sfumato filters --json`; NULL for an unknown
 * id. Lives as long as the library. */
SFM_API const char* sfm_filter_json(const char* id);

/** Opens nothing yet: devices are opened at the first render. `options` may be NULL. Destroy the
 * session with sfm_session_destroy(), after its last call on any thread. */
SFM_API sfm_status sfm_session_create(const sfm_session_options* options, sfm_session** session);
SFM_API void sfm_session_destroy(sfm_session* session); /* NULL is allowed */

/** A recipe from its JSON text in UTF-8. Relative names of role files are resolved against
 * `folder`, or stay as they are if it is NULL. Destroy the recipe with sfm_recipe_destroy(). */
SFM_API sfm_status sfm_recipe_parse(const char* json, const char* folder, sfm_recipe** recipe);
/** A recipe with one filter at its defaults. */
SFM_API sfm_status sfm_recipe_create(const char* filter, sfm_recipe** recipe);
/** Sets a value of a step, from 0, as on the command line: sfm_recipe_set(r, 0, "sigma", "2.5").
 * Units and ranges are those of sfm_filter_json(); a value outside them is SFM_INVALID_RECIPE. */
SFM_API sfm_status sfm_recipe_set(sfm_recipe* recipe, size_t step, const char* name,
                                  const char* value);
/** The recipe as JSON; valid until the recipe's next call. NULL on failure. */
SFM_API const char* sfm_recipe_json(sfm_recipe* recipe);
SFM_API void sfm_recipe_destroy(sfm_recipe* recipe); /* NULL is allowed */

/** Computes output->region of the picture. `input` must hold the region given by
 * sfm_required_region(); both describe the same picture size. Output and input may share memory;
 * the input is then copied first. A role that no step of the recipe has is SFM_INVALID_ARGUMENT.
 * Role files named in the recipe are not opened: bind roles in `options`, which may be NULL. */
SFM_API sfm_status sfm_render(sfm_session* session, const sfm_recipe* recipe,
                              const sfm_image* input, const sfm_image* output,
                              const sfm_render_options* options);

/** The part of the input that `region` of the output depends on, whichever device computes it; of
 * width and height 0 if `region` lies outside the picture. `like` describes the picture; its data
 * is not accessed. */
SFM_API sfm_status sfm_required_region(sfm_session* session, const sfm_recipe* recipe,
                                       const sfm_image* like, sfm_rect region, sfm_rect* required);

#ifdef __cplusplus
}
#endif

#endif
