// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The C interface as a host sees it: only sfumato.h and the shared library.
#include <dlfcn.h>

#include <QTest>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <vector>

#include "sfumato/sfumato.h"

namespace {

sfm_image image_of(void* data, int width, int height, int channels, sfm_sample sample) {
  static const int bytes[] = {1, 2, 2, 4};
  sfm_image image{};
  image.struct_size = sizeof image;
  image.data = data;
  image.row_stride = static_cast<std::ptrdiff_t>(width) * channels * bytes[sample];
  image.picture_width = width;
  image.picture_height = height;
  image.region = {0, 0, width, height};
  image.channels = channels;
  image.sample = sample;
  image.alpha = channels % 2 == 0 ? SFM_ALPHA_STRAIGHT : SFM_ALPHA_NONE;
  image.curve = SFM_LINEAR;
  return image;
}

struct Host {
  sfm_session* session = nullptr;
  sfm_recipe* recipe = nullptr;
  explicit Host(const char* filter, const char* device = "cpu") {
    sfm_session_options options{};
    options.struct_size = sizeof options;
    options.device = device;
    if (sfm_session_create(&options, &session) != SFM_OK) qFatal("%s", sfm_last_error());
    if (sfm_recipe_create(filter, &recipe) != SFM_OK) qFatal("%s", sfm_last_error());
  }
  ~Host() {
    sfm_recipe_destroy(recipe);
    sfm_session_destroy(session);
  }
};

}  // namespace

class TestAbi : public QObject {
  Q_OBJECT

 private slots:
  void filters_are_listed() {
    QVERIFY(sfm_filter_count() >= 4);
    QCOMPARE(sfm_filter_id(sfm_filter_count()), nullptr);
    bool seen = false;
    for (std::size_t i = 0; i < sfm_filter_count(); ++i) {
      const char* json = sfm_filter_json(sfm_filter_id(i));
      QVERIFY(json != nullptr && std::strstr(json, "\"parameters\"") != nullptr);
      seen = seen || std::strcmp(sfm_filter_id(i), "gaussian") == 0;
    }
    QVERIFY(seen);
    QCOMPARE(sfm_filter_json("gausian"), nullptr);
    QVERIFY(std::strstr(sfm_last_error(), "gaussian") != nullptr);
    QCOMPARE(sfm_filter_json(nullptr), nullptr);
    QVERIFY(std::strlen(sfm_version()) > 0);
  }

  void rows_may_run_upwards_and_be_padded() {
    Host host("gaussian");
    const int w = 21, h = 13, pad = 7;
    std::vector<float> plain(w * h), wide((w + pad) * h), a(w * h), b((w + pad) * h, -7.0f);
    for (int y = 0; y < h; ++y) {
      for (int x = 0; x < w; ++x) {
        const float v = static_cast<float>((x * 7 + y * 13) % 10) / 10;
        plain[static_cast<std::size_t>(y * w + x)] = v;
        wide[static_cast<std::size_t>((h - 1 - y) * (w + pad) + x)] = v;
      }
    }
    const sfm_image in = image_of(plain.data(), w, h, 1, SFM_F32);
    const sfm_image out = image_of(a.data(), w, h, 1, SFM_F32);
    QCOMPARE(sfm_render(host.session, host.recipe, &in, &out, nullptr), SFM_OK);
    sfm_image upwards_in = in, upwards_out = out;
    upwards_in.data = wide.data() + (h - 1) * (w + pad);
    upwards_out.data = b.data() + (h - 1) * (w + pad);
    upwards_in.row_stride = upwards_out.row_stride =
        -static_cast<std::ptrdiff_t>(sizeof(float)) * (w + pad);
    QCOMPARE(sfm_render(host.session, host.recipe, &upwards_in, &upwards_out, nullptr), SFM_OK);
    for (int y = 0; y < h; ++y) {
      for (int x = 0; x < w; ++x) {
        QCOMPARE(b[static_cast<std::size_t>((h - 1 - y) * (w + pad) + x)],
                 a[static_cast<std::size_t>(y * w + x)]);
      }
      for (int x = w; x < w + pad; ++x)
        QCOMPARE(b[static_cast<std::size_t>(y * (w + pad) + x)], -7.0f);
    }
  }

  void regions_join_to_the_whole() {
    Host host("gaussian");
    QCOMPARE(sfm_recipe_set(host.recipe, 0, "sigma", "3"), SFM_OK);
    const int w = 70, h = 50;
    std::vector<std::uint16_t> before(w * h * 4), whole(before.size()), joined(before.size());
    for (std::size_t i = 0; i < before.size(); ++i)
      before[i] = static_cast<std::uint16_t>(i * 2654435761u >> 16);
    const sfm_image in = image_of(before.data(), w, h, 4, SFM_U16);
    sfm_image out = image_of(whole.data(), w, h, 4, SFM_U16);
    QCOMPARE(sfm_render(host.session, host.recipe, &in, &out, nullptr), SFM_OK);
    for (int y = 0; y < h; y += 20) {
      for (int x = 0; x < w; x += 32) {
        const sfm_rect tile{x, y, std::min(32, w - x), std::min(20, h - y)};
        sfm_rect need{};
        QCOMPARE(sfm_required_region(host.session, host.recipe, &in, tile, &need), SFM_OK);
        sfm_image part = in;
        part.region = need;
        part.data = before.data() + (need.y * w + need.x) * 4;
        sfm_image to = out;
        to.region = tile;
        to.data = joined.data() + (tile.y * w + tile.x) * 4;
        QCOMPARE(sfm_render(host.session, host.recipe, &part, &to, nullptr), SFM_OK);
      }
    }
    QVERIFY(joined == whole);
  }

  void roles_are_bound_by_the_host() {
    Host host("geometry_blur");
    const int w = 32, h = 16;
    std::vector<float> picture(w * h * 3), out(picture.size()), depth(w * h);
    for (int i = 0; i < w * h; ++i) {
      const bool left = i % w < w / 2;
      depth[static_cast<std::size_t>(i)] = left ? 1.0f : 9.0f;
      for (int c = 0; c < 3; ++c) picture[static_cast<std::size_t>(i * 3 + c)] = left ? 0.0f : 1.0f;
    }
    const sfm_image in = image_of(picture.data(), w, h, 3, SFM_F32);
    const sfm_image to = image_of(out.data(), w, h, 3, SFM_F32);
    QCOMPARE(sfm_render(host.session, host.recipe, &in, &to, nullptr), SFM_INVALID_RECIPE);
    QVERIFY(std::strstr(sfm_last_error(), "depth") != nullptr);
    const sfm_image depths = image_of(depth.data(), w, h, 1, SFM_F32);
    sfm_role role{sizeof(sfm_role), "depth", -1, &depths};
    sfm_render_options options{};
    options.struct_size = sizeof options;
    options.roles = &role;
    options.role_count = 1;
    QCOMPARE(sfm_render(host.session, host.recipe, &in, &to, &options), SFM_OK);
    for (std::size_t i = 0; i < out.size(); ++i) QVERIFY(std::abs(out[i] - picture[i]) < 1e-6f);
    // An unknown role is a mistake, and must not be ignored.
    role.name = "dept";
    QCOMPARE(sfm_render(host.session, host.recipe, &in, &to, &options), SFM_INVALID_ARGUMENT);
    QVERIFY(std::strstr(sfm_last_error(), "dept") != nullptr);
    role.name = "depth";
    role.step = 3;
    QCOMPARE(sfm_render(host.session, host.recipe, &in, &to, &options), SFM_INVALID_ARGUMENT);
    role.step = 0;
    role.struct_size = 4;
    QCOMPARE(sfm_render(host.session, host.recipe, &in, &to, &options), SFM_INVALID_ARGUMENT);
  }

  // A layer that was moved: uncovered pixels are 0, and a layer that does not overlap the picture
  // is refused.
  void roles_may_reach_beyond_the_picture() {
    std::string logged;
    sfm_session_options chosen{};
    chosen.struct_size = sizeof chosen;
    chosen.device = "cpu";
    chosen.user = &logged;
    chosen.log = [](const char* line, void* user) { *static_cast<std::string*>(user) += line; };
    sfm_session* session = nullptr;
    QCOMPARE(sfm_session_create(&chosen, &session), SFM_OK);
    Host host("gaussian");
    const int w = 32, h = 16;
    std::vector<float> picture(w * h), out(w * h), mask(20 * 30, 1.0f);
    for (std::size_t i = 0; i < picture.size(); ++i) {
      picture[i] = static_cast<float>((i * 2654435761u) >> 8 & 0xffff) / 65535.0f;
    }
    const sfm_image in = image_of(picture.data(), w, h, 1, SFM_F32);
    const sfm_image to = image_of(out.data(), w, h, 1, SFM_F32);
    sfm_image moved = image_of(mask.data(), w, h, 1, SFM_F32);
    moved.region = {22, -4, 20, 30};
    moved.row_stride = 20 * sizeof(float);
    sfm_role role{sizeof(sfm_role), "mask", -1, &moved};
    sfm_render_options options{};
    options.struct_size = sizeof options;
    options.roles = &role;
    options.role_count = 1;
    QCOMPARE(sfm_render(session, host.recipe, &in, &to, &options), SFM_OK);
    for (std::size_t i = 0; i < out.size(); ++i) QCOMPARE(out[i] == picture[i], i % w < 22);
    QVERIFY2(
        logged.find("mask picture covers only 10 x 16 pixels, from (22, 0)") != std::string::npos,
        logged.c_str());
    moved.region = {w, 0, 20, 30};
    QCOMPARE(sfm_render(session, host.recipe, &in, &to, &options), SFM_FAILED);
    QVERIFY2(std::strstr(sfm_last_error(), "no pixel in common") != nullptr, sfm_last_error());
    sfm_session_destroy(session);
  }

  // Programs read ids and values, people read sentences.
  void what_is_said_is_data_too() {
    sfm_recipe* recipe = nullptr;
    const char* json =
        R"({"sfumato": 1, "steps": [{"filter": "gaussian", "values": {"sigma": -1}}]})";
    QCOMPARE(sfm_recipe_parse(json, nullptr, &recipe), SFM_INVALID_RECIPE);
    const sfm_message* error = sfm_last_error_message();
    QVERIFY(error != nullptr && *sfm_message_id(error) != '\0');
    QVERIFY(std::strchr(sfm_message_text(error), '{') != nullptr);
    const std::size_t count = sfm_message_value_count(error);
    QVERIFY(count > 0);
    bool sentence = false;
    for (std::size_t i = 0; i < count; ++i) {
      QVERIFY(sfm_message_value_name(error, i) != nullptr);
      QVERIFY(std::strstr(sfm_last_error(), sfm_message_value(error, i)) != nullptr);
      const sfm_message* within = sfm_message_value_message(error, i);
      sentence = sentence || (within != nullptr && *sfm_message_id(within) != '\0');
    }
    QVERIFY(sentence);
    QVERIFY(sfm_message_value(error, count) == nullptr);
    QVERIFY(sfm_message_value_name(error, count) == nullptr);
    QVERIFY(sfm_message_value_message(error, count) == nullptr);

    // A mistake of the caller has no message id.
    QCOMPARE(sfm_recipe_create(nullptr, &recipe), SFM_INVALID_ARGUMENT);
    QCOMPARE(sfm_message_id(sfm_last_error_message()), "");
  }

  void warnings_are_data_too() {
    std::string logged;
    sfm_session_options chosen{};
    chosen.struct_size = sizeof chosen;
    chosen.device = "reference";
    chosen.user = &logged;
    chosen.message = [](const sfm_message* message, void* user) {
      std::string& all = *static_cast<std::string*>(user);
      all += std::string(sfm_message_id(message)) + ' ' + sfm_message_value(message, 0) + '\n';
    };
    sfm_session* session = nullptr;
    QCOMPARE(sfm_session_create(&chosen, &session), SFM_OK);
    Host host("gaussian");
    std::vector<float> picture(32 * 16), out(32 * 16), mask(20 * 16, 1.0f);
    const sfm_image in = image_of(picture.data(), 32, 16, 1, SFM_F32);
    const sfm_image to = image_of(out.data(), 32, 16, 1, SFM_F32);
    sfm_image moved = image_of(mask.data(), 32, 16, 1, SFM_F32);
    moved.region = {12, 0, 20, 16};
    moved.row_stride = 20 * sizeof(float);
    sfm_role role{sizeof(sfm_role), "mask", -1, &moved};
    sfm_render_options options{};
    options.struct_size = sizeof options;
    options.roles = &role;
    options.role_count = 1;
    QCOMPARE(sfm_render(session, host.recipe, &in, &to, &options), SFM_OK);
    QCOMPARE(logged, std::string("role.mask_gap mask\n"));
    sfm_session_destroy(session);
    // A caller from before messages existed.
    chosen.struct_size = offsetof(sfm_session_options, message);
    logged.clear();
    QCOMPARE(sfm_session_create(&chosen, &session), SFM_OK);
    QCOMPARE(sfm_render(session, host.recipe, &in, &to, &options), SFM_OK);
    QVERIFY(logged.empty());
    sfm_session_destroy(session);
  }

  void output_may_lie_where_the_input_is() {
    sfm_session_options tight{};
    tight.struct_size = sizeof tight;
    tight.memory_limit = 20u << 20;  // many tiles
    tight.cache_folder = "";
    sfm_session* session = nullptr;
    QCOMPARE(sfm_session_create(&tight, &session), SFM_OK);
    Host host("gaussian");
    QCOMPARE(sfm_recipe_set(host.recipe, 0, "sigma", "9"), SFM_OK);
    const int w = 900, h = 1100;
    std::vector<float> picture(w * h * 4), apart(picture.size());
    for (std::size_t i = 0; i < picture.size(); ++i) {
      picture[i] = static_cast<float>((i * 2654435761u) >> 8 & 0xffff) / 65535.0f;
    }
    const sfm_image in = image_of(picture.data(), w, h, 4, SFM_F32);
    const sfm_image to = image_of(apart.data(), w, h, 4, SFM_F32);
    QCOMPARE(sfm_render(session, host.recipe, &in, &to, nullptr), SFM_OK);
    QCOMPARE(sfm_render(session, host.recipe, &in, &in, nullptr), SFM_OK);
    QVERIFY(picture == apart);
    sfm_session_destroy(session);
  }

  void regions_outside_the_picture_need_nothing() {
    Host host("gaussian");
    const sfm_image like = image_of(nullptr, 64, 48, 4, SFM_F32);
    sfm_rect needed{1, 1, 1, 1};
    for (const sfm_rect wanted : {sfm_rect{-100, -100, 10, 10}, {10, 10, 0, 0}, {64, 0, 5, 5}}) {
      QCOMPARE(sfm_required_region(host.session, host.recipe, &like, wanted, &needed), SFM_OK);
      QVERIFY(needed.width == 0 && needed.height == 0);
    }
    QCOMPARE(sfm_required_region(host.session, host.recipe, &like, {-5, -5, 10, 10}, &needed),
             SFM_OK);
    QVERIFY(needed.x == 0 && needed.y == 0 && needed.width > 5 && needed.width <= 64);
  }

  void progress_can_cancel() {
    Host host("gaussian");
    std::vector<float> pixels(64 * 64 * 4);
    const sfm_image in = image_of(pixels.data(), 64, 64, 4, SFM_F32);
    sfm_render_options options{};
    options.struct_size = sizeof options;
    int calls = 0;
    options.user = &calls;
    options.progress = [](double, void* user) -> int { return ++*static_cast<int*>(user) < 2; };
    QCOMPARE(sfm_render(host.session, host.recipe, &in, &in, &options), SFM_CANCELLED);
    QVERIFY(calls >= 2);
  }

  void mistakes_are_named() {
    Host host("gaussian");
    std::vector<float> pixels(8 * 8 * 4);
    const sfm_image good = image_of(pixels.data(), 8, 8, 4, SFM_F32);
    const auto refused = [&](auto&& change, const char* word) {
      sfm_image bad = good;
      change(bad);
      return sfm_render(host.session, host.recipe, &bad, &good, nullptr) == SFM_INVALID_ARGUMENT &&
             std::strstr(sfm_last_error(), word) != nullptr;
    };
    QVERIFY(refused([](sfm_image& i) { i.struct_size = 8; }, "struct_size"));
    QVERIFY(refused([](sfm_image& i) { i.data = nullptr; }, "data"));
    QVERIFY(refused([](sfm_image& i) { i.channels = 5; }, "channels"));
    QVERIFY(refused([](sfm_image& i) { i.row_stride = 3; }, "stride"));
    QVERIFY(refused([](sfm_image& i) { i.picture_width = -4; }, "width"));
    QVERIFY(refused([](sfm_image& i) { i.region = {4, 4, 8, 8}; }, "region"));
    QVERIFY(refused([](sfm_image& i) { i.region = {0, 0, 2147483647, 2147483647}; }, "region"));
    QVERIFY(refused([](sfm_image& i) { i.region = {0, 0, 2, 2}; }, "sfm_required_region"));
    QVERIFY(refused(
        [](sfm_image& i) {
          i.curve = SFM_GAMMA;
          i.gamma = NAN;
        },
        "gamma"));
    QCOMPARE(sfm_render(nullptr, host.recipe, &good, &good, nullptr), SFM_INVALID_ARGUMENT);
    QCOMPARE(sfm_recipe_set(host.recipe, 1, "sigma", "1"), SFM_INVALID_ARGUMENT);
    QCOMPARE(sfm_recipe_set(host.recipe, 0, "sigma", "nan"), SFM_INVALID_RECIPE);
    sfm_recipe* recipe = nullptr;
    QCOMPARE(sfm_recipe_parse("{", nullptr, &recipe), SFM_INVALID_RECIPE);
    QCOMPARE(recipe, nullptr);
    QCOMPARE(sfm_recipe_create("blurr", &recipe), SFM_INVALID_RECIPE);
  }

  void an_unknown_device_is_an_error_and_the_reference_a_device() {
    Host wrong("gaussian", "no such device");
    std::vector<float> pixels(8 * 8 * 4, 0.5f), out(pixels.size());
    const sfm_image in = image_of(pixels.data(), 8, 8, 4, SFM_F32),
                    to = image_of(out.data(), 8, 8, 4, SFM_F32);
    QCOMPARE(sfm_render(wrong.session, wrong.recipe, &in, &to, nullptr), SFM_FAILED);
    QVERIFY(std::strstr(sfm_last_error(), "no such device") != nullptr);
    Host reference("gaussian", "reference");
    QCOMPARE(sfm_render(reference.session, reference.recipe, &in, &to, nullptr), SFM_OK);
    QCOMPARE(out[100], 0.5f);
  }

  // Programs built with 1.0 rely on these layouts and functions.
  void promises_of_1_0_are_kept() {
    if (sizeof(void*) != 8) QSKIP("the layout of 64-bit systems is compared");
    QCOMPARE(offsetof(sfm_image, data), 8u);
    QCOMPARE(offsetof(sfm_image, row_stride), 16u);
    QCOMPARE(offsetof(sfm_image, picture_width), 24u);
    QCOMPARE(offsetof(sfm_image, region), 32u);
    QCOMPARE(offsetof(sfm_image, channels), 48u);
    QCOMPARE(offsetof(sfm_image, sample), 52u);
    QCOMPARE(offsetof(sfm_image, alpha), 56u);
    QCOMPARE(offsetof(sfm_image, curve), 60u);
    QCOMPARE(offsetof(sfm_image, gamma), 64u);
    QCOMPARE(offsetof(sfm_role, name), 8u);
    QCOMPARE(offsetof(sfm_role, step), 16u);
    QCOMPARE(offsetof(sfm_role, image), 24u);
    QCOMPARE(offsetof(sfm_session_options, device), 8u);
    QCOMPARE(offsetof(sfm_session_options, memory_limit), 16u);
    QCOMPARE(offsetof(sfm_session_options, cache_folder), 24u);
    QCOMPARE(offsetof(sfm_session_options, log), 32u);
    QCOMPARE(offsetof(sfm_session_options, user), 40u);
    QCOMPARE(offsetof(sfm_render_options, progress), 8u);
    QCOMPARE(offsetof(sfm_render_options, user), 16u);
    QCOMPARE(offsetof(sfm_render_options, roles), 24u);
    QCOMPARE(offsetof(sfm_render_options, role_count), 32u);
    QCOMPARE(offsetof(sfm_render_options, dither), 40u);
    // The values of struct_size from 1.0 must always be accepted.
    float pixel[4] = {0.5f, 0.5f, 0.5f, 1}, out[4] = {};
    sfm_image in = image_of(pixel, 1, 1, 4, SFM_F32), to = image_of(out, 1, 1, 4, SFM_F32);
    in.struct_size = to.struct_size = 72;
    sfm_session_options session_options{};
    session_options.struct_size = 48;
    session_options.device = "reference";
    sfm_render_options options{};
    options.struct_size = 48;
    sfm_session* session = nullptr;
    QCOMPARE(sfm_session_create(&session_options, &session), SFM_OK);
    const Host host("gaussian", "reference");
    QCOMPARE(sfm_render(session, host.recipe, &in, &to, &options), SFM_OK);
    sfm_session_destroy(session);
    for (const char* name :
         {"sfm_version", "sfm_last_error", "sfm_filter_count", "sfm_filter_id", "sfm_filter_json",
          "sfm_session_create", "sfm_session_destroy", "sfm_recipe_parse", "sfm_recipe_create",
          "sfm_recipe_set", "sfm_recipe_json", "sfm_recipe_destroy", "sfm_render",
          "sfm_required_region"}) {
      QVERIFY2(::dlsym(RTLD_DEFAULT, name) != nullptr, name);
    }
    Dl_info info{};
    QVERIFY(::dladdr(::dlsym(RTLD_DEFAULT, "sfm_version"), &info) != 0);
    QVERIFY2(std::strstr(info.dli_fname, "libsfumato.so.1") != nullptr, info.dli_fname);
  }

  void recipes_come_back_as_they_went() {
    Host host("gaussian");
    QCOMPARE(sfm_recipe_set(host.recipe, 0, "sigma", "4.25"), SFM_OK);
    const std::string text = sfm_recipe_json(host.recipe);
    sfm_recipe* again = nullptr;
    QCOMPARE(sfm_recipe_parse(text.c_str(), nullptr, &again), SFM_OK);
    QCOMPARE(std::string(sfm_recipe_json(again)), text);
    sfm_recipe_destroy(again);
    sfm_recipe_destroy(nullptr);
    sfm_session_destroy(nullptr);
  }
};

QTEST_GUILESS_MAIN(TestAbi)
#include "test_abi.moc"
