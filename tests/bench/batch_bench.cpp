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

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fputs("usage: sfumato-batch-bench FOLDER [SIGMA]\n", stderr);
    return 2;
  }
  const fs::path out = fs::temp_directory_path() / ("sfumato-bench-" + std::to_string(::getpid()));
  try {
    BatchRequest request;
    request.inputs.words = {argv[1]};
    request.recipe = gaussian(argc > 2 ? argv[2] : "8");
    request.recipe_name = "gaussian";
    request.folder = out;
    const BatchPlan plan = plan_batch(request);

    Session session;
    double megapixels = 0;
    HeldPicture last;
    const auto count = static_cast<int>(plan.items.size());
    const auto decode = [&] {
      megapixels = 0;
      for (const BatchItem& item : plan.items) {
        last = read_all(*open_picture(item.source.path));
        megapixels += 1e-6 * last.format.width * last.format.height;
      }
    };
    HeldPicture after;
    const auto filter = [&] {
      after = blank_picture(last.format);
      for (int i = 0; i < count; ++i) {
        MemorySource source = last.source();
        MemorySink sink(after.format, after.view());
        session.render(request.recipe, source, sink);
      }
    };
    const auto encode = [&] {
      fs::create_directories(out);
      WriteOptions write;
      write.overwrite = true;
      for (int i = 0; i < count; ++i) {
        const auto origin = open_picture(plan.items.back().source.path);
        const auto picture =
            create_picture(out / plan.items.back().target.filename(), write, *origin);
        picture->write(after.view());
        picture->commit();
      }
      fs::remove_all(out);
    };
    const auto batch = [&] {
      BatchListener nobody;
      Journal journal(out, 1, 1);
      BatchRunner runner(plan, request.recipe, {}, &journal, nobody);
      const BatchSummary summary = runner.run();
      if (summary.done != count) throw std::runtime_error("not all pictures were made");
      fs::remove_all(out);
    };
    decode();  // reads the files into the system's cache
    std::printf("%d pictures\n\n| | s | MP/s | processors, s |\n|---|---|---|---|\n", count);
    measure("decoding alone", megapixels, decode);
    filter();
    measure("filtering alone", megapixels, filter);
    measure("encoding alone", megapixels, encode);
    measure("the batch", megapixels, batch);
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    std::printf("\nmost memory: %ld MB\n", usage.ru_maxrss >> 10);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "sfumato-batch-bench: %s\n", error.what());
    fs::remove_all(out);
    return 1;
  }
  return 0;
}
