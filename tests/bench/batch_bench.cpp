// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// How well a batch overlaps its stages: decoding, filtering and encoding alone, each in one loop
// over the same pictures, compared with the batch itself; and the batch's peak memory. Usage:
// sfumato-batch-bench FOLDER [SIGMA]   (Gaussian; outputs go to a temporary folder)
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#include "batch/runner.hpp"
#include "filters/registry.hpp"
#include "params/text.hpp"

using namespace sfumato;
namespace fs = std::filesystem;

namespace {

// Processor time of all threads together.
double computed() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

// Elapsed time, and processor time, which is more reliable on a busy machine.
template <typename Body>
void measure(const char* what, double megapixels, Body&& body) {
  const double before = computed();
  const auto start = std::chrono::steady_clock::now();
  body();
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::printf("| %s | %.2f | %.0f | %.2f |\n", what, seconds, megapixels / seconds,
              computed() - before);
  std::fflush(stdout);
}

Recipe gaussian(const std::string& sigma) {
  const FilterInfo& info = Registry::get().at("gaussian").filter->info();
  Values values;
  set_text(values, info.parameters, "sigma", sigma);
  return recipe_of(info, values);
}

// A plan's pictures: decoded, filtered and encoded one after another, or by a batch.
class Work {
 public:
  Work(const BatchPlan& plan, const Recipe& recipe, const fs::path& folder)
      : plan_(plan), recipe_(recipe), folder_(folder) {}

  int count() const { return static_cast<int>(plan_.items.size()); }
  double megapixels() const { return megapixels_; }

  void decode() {
    megapixels_ = 0;
    for (const BatchItem& item : plan_.items) {
      last_ = read_all(*open_picture(item.source.path));
      megapixels_ += 1e-6 * last_.format.width * last_.format.height;
    }
  }
  void filter() {
    after_ = blank_picture(last_.format);
    for (int i = 0; i < count(); ++i) {
      MemorySource source = last_.source();
      MemorySink sink(after_.format, after_.view());
      session_.render(recipe_, source, sink);
    }
  }
  void encode() {
    fs::create_directories(folder_);
    WriteOptions write;
    write.overwrite = true;
    const BatchItem& item = plan_.items.back();
    for (int i = 0; i < count(); ++i) {
      const auto origin = open_picture(item.source.path);
      const auto picture = create_picture(folder_ / item.target.filename(), write, *origin);
      picture->write(after_.view());
      picture->commit();
    }
    fs::remove_all(folder_);
  }
  void batch() {
    BatchListener nobody;
    Journal journal(folder_, 1, 1);
    BatchRunner runner(plan_, recipe_, {}, &journal, nobody);
    if (runner.run().done != count()) throw std::runtime_error("not all pictures were made");
    fs::remove_all(folder_);
  }

 private:
  const BatchPlan& plan_;
  const Recipe& recipe_;
  fs::path folder_;
  Session session_;
  double megapixels_ = 0;
  HeldPicture last_, after_;
};

void measure_all(const char* inputs, const char* sigma, const fs::path& folder) {
  BatchRequest request;
  request.inputs.words = {inputs};
  request.recipe = gaussian(sigma);
  request.recipe_name = "gaussian";
  request.folder = folder;
  const BatchPlan plan = plan_batch(request);
  Work work(plan, request.recipe, folder);
  work.decode();  // reads the files into the system's cache
  std::printf("%d pictures\n\n| | s | MP/s | processors, s |\n|---|---|---|---|\n", work.count());
  measure("decoding alone", work.megapixels(), [&] { work.decode(); });
  work.filter();
  measure("filtering alone", work.megapixels(), [&] { work.filter(); });
  measure("encoding alone", work.megapixels(), [&] { work.encode(); });
  measure("the batch", work.megapixels(), [&] { work.batch(); });
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  std::printf("\nmost memory: %ld MB\n", usage.ru_maxrss >> 10);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fputs("usage: sfumato-batch-bench FOLDER [SIGMA]\n", stderr);
    return 2;
  }
  const fs::path out = fs::temp_directory_path() / ("sfumato-bench-" + std::to_string(::getpid()));
  try {
    measure_all(argv[1], argc > 2 ? argv[2] : "8", out);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "sfumato-batch-bench: %s\n", error.what());
    fs::remove_all(out);
    return 1;
  }
  return 0;
}
