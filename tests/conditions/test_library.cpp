// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The library in someone else's program, with a driver that would end it.
#include <sfumato/sfumato.h>

#include <QTemporaryDir>
#include <QTest>
#include <csignal>
#include <string>
#include <vector>

#include "conditions/vendors.hpp"

class TestLibrary : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;

  // Warnings of a session's first render.
  std::string said_by_a_render(const char* device = nullptr) {
    std::string said;
    const std::string cache = folder_.filePath("cache").toStdString();
    sfm_session_options options{};
    options.struct_size = sizeof options;
    options.device = device;
    options.cache_folder = cache.c_str();
    options.user = &said;
    options.log = [](const char* line, void* to) { *static_cast<std::string*>(to) += line; };
    sfm_session* session = nullptr;
    sfm_recipe* recipe = nullptr;
    if (sfm_session_create(&options, &session) != SFM_OK) return sfm_last_error();
    std::vector<unsigned char> pixels(64 * 48 * 3, 100);
    sfm_image image{};
    image.struct_size = sizeof image;
    image.data = pixels.data();
    image.row_stride = 64 * 3;
    image.picture_width = 64;
    image.picture_height = 48;
    image.region = {0, 0, 64, 48};
    image.channels = 3;
    image.sample = SFM_U8;
    image.alpha = SFM_ALPHA_NONE;
    image.curve = SFM_SRGB;
    const bool done = sfm_recipe_create("gaussian", &recipe) == SFM_OK &&
                      sfm_render(session, recipe, &image, &image, nullptr) == SFM_OK;
    if (!done) said = sfm_last_error();
    sfm_recipe_destroy(recipe);
    sfm_session_destroy(session);
    return said;
  }

 private Q_SLOTS:
  void a_driver_that_would_end_the_program_is_not_loaded() {
    for (const char* misdeed : {"aborts", "exits", "crashes"}) {
      const QString vendors = folder_.filePath(misdeed);
      copy_good_drivers(vendors);
      QVERIFY(write_icd(vendors + "/bad.icd", bad_driver(misdeed)));
      qputenv("OCL_ICD_VENDORS", vendors.toLocal8Bit());
      for (const char* device : {static_cast<const char*>(nullptr), "auto", "cpu"}) {
        const std::string said = said_by_a_render(device);
        QVERIFY2(said.find("the driver bad.icd would end this program (it ") != std::string::npos,
                 said.c_str());
      }
      QCOMPARE(said_by_a_render("reference"), std::string());
    }
  }

  void a_host_that_waits_for_no_child_is_as_safe() {
    std::signal(SIGCHLD, SIG_IGN);
    const QString vendors = folder_.filePath("ignored");
    copy_good_drivers(vendors);
    QVERIFY(write_icd(vendors + "/bad.icd", bad_driver("aborts")));
    qputenv("OCL_ICD_VENDORS", vendors.toLocal8Bit());
    const std::string said = said_by_a_render();
    std::signal(SIGCHLD, SIG_DFL);
    QVERIFY2(said.find("the driver bad.icd would end this program (it ") != std::string::npos,
             said.c_str());
  }

  // Last, since drivers are loaded only once.
  void good_ones_are() {
    qunsetenv("OCL_ICD_VENDORS");
    QCOMPARE(said_by_a_render(), std::string());
  }
};

QTEST_GUILESS_MAIN(TestLibrary)
#include "test_library.moc"
