// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Whatever a filter plans on a processor, the program for it came with Sfumato: plans of all kinds
// are run on a device that computes nothing and looks every kernel up. SFUMATO_PRINT=1 prints the
// definitions of all programs that are asked for, SFUMATO_PLANS=N tries N plans of each filter.
#include <QDir>
#include <QTest>
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <tuple>

#include "device/native_driver.hpp"
#include "device/passes.hpp"
#include "engine/session.hpp"
#include "filters/registry.hpp"
#include "params/errors.hpp"
#include "support/cases.hpp"
#include "support/registry_rows.hpp"
#include "support/registry_walk.hpp"

using namespace sfumato;
using namespace sfumato::testing;

namespace {

// Zeros, which take no memory until they are touched.
class Zeros final : public DeviceMemory {
 public:
  explicit Zeros(std::size_t bytes) : DeviceMemory(bytes), data_(std::calloc(bytes + 64, 1)) {
    if (data_ == nullptr) throw std::bad_alloc();
  }
  ~Zeros() override { std::free(data_); }
  Zeros(const Zeros&) = delete;
  Zeros& operator=(const Zeros&) = delete;

  void* data() const { return data_; }
  static void* of(const DeviceMemory& memory) { return dynamic_cast<const Zeros&>(memory).data(); }

 private:
  void* data_;
};

class FoundKernel final : public DeviceKernel {
 public:
  FoundKernel(const std::string& name, const sfumato_native_kernel* of)
      : DeviceKernel(name), found(of) {}
  const sfumato_native_kernel* found;
};

// What was asked for: source, definitions and kernel.
using Wanted = std::tuple<std::string, std::string, std::string>;
using Kernels = std::map<Wanted, std::unique_ptr<FoundKernel>>;

std::string sorted(const std::string& options) {
  std::istringstream words(options);
  std::set<std::string> found;
  for (std::string word; words >> word;) {
    if (word.starts_with("-D")) word.erase(0, 2);
    if (!word.empty()) found.insert(word);
  }
  std::string out;
  for (const std::string& word : found) out += (out.empty() ? "" : " ") + word;
  return out;
}

class LookingUp final : public Driver {
 public:
  LookingUp(const NativeKernels& kernels, Kernels& asked) : kernels_(kernels), asked_(asked) {}

  std::unique_ptr<DeviceMemory> allocate(std::size_t bytes) override {
    return std::make_unique<Zeros>(bytes);
  }
  std::unique_ptr<DeviceMemory> allocate_image(int, int) override { return nullptr; }
  DeviceKernel& kernel(const kernels::Source& source, const std::string& options,
                       const std::string& name) override {
    auto& slot = asked_[{source.name, sorted(options), name}];
    if (!slot) {
      slot = std::make_unique<FoundKernel>(name, kernels_.find(source.name, options, name));
    }
    return *slot;
  }
  void launch(DeviceKernel& kernel, std::span<const Argument> arguments,
              const WorkItems&) override {
    const sfumato_native_kernel* found = dynamic_cast<FoundKernel&>(kernel).found;
    if (found == nullptr) return;
    bool fits = found->count == arguments.size();
    for (std::size_t i = 0; fits && i < arguments.size(); ++i) {
      const sfumato_native_argument& wanted = found->arguments[i];
      fits = wanted.kind != sfumato_native_value || wanted.bytes == arguments[i].bytes;
    }
    if (!fits) throw DeviceError(CL_INVALID_KERNEL_ARGS, foreign_message(kernel.name()));
  }
  void transform(DeviceMemory&, const FourierJob&) override {}
  void write(DeviceMemory& to, const void* from, std::size_t bytes) override {
    std::memcpy(Zeros::of(to), from, bytes);
  }
  void read(const DeviceMemory& from, void* to, std::size_t bytes) override {
    std::memcpy(to, Zeros::of(from), bytes);
  }
  void* map(DeviceMemory& memory, std::size_t, Access) override { return Zeros::of(memory); }
  void unmap(DeviceMemory&, void*) override {}
  void finish() override {}

 private:
  const NativeKernels& kernels_;
  Kernels& asked_;
};

// Plans by chance, the same ones each time.
class Chance {
 public:
  explicit Chance(unsigned seed) : random_(seed) {}
  int below(int end) { return static_cast<int>(random_() % static_cast<unsigned>(end)); }
  bool one_in(int count) { return below(count) == 0; }
  double between(double low, double high) { return low + (high - low) * (below(10001) / 1e4); }
  template <typename T>
  const T& of(const std::vector<T>& all) {
    return all[static_cast<std::size_t>(below(static_cast<int>(all.size())))];
  }

 private:
  std::mt19937 random_;
};

Matrix matrix_by(Chance& chance, const Parameter& parameter) {
  const auto side = [&](int most) {
    const int any =
        chance.one_in(3) ? 3 + chance.below(chance.one_in(4) ? 300 : 60) : 1 + chance.below(9);
    const int length = std::min(most, any);
    return parameter.odd_only && length % 2 == 0 ? length - 1 : length;
  };
  Matrix matrix{side(parameter.max_rows), side(parameter.max_columns), {}};
  const int kind = chance.below(3);
  for (int y = 0; y < matrix.rows; ++y) {
    for (int x = 0; x < matrix.columns; ++x) {
      // Alike, a product, or of full rank.
      matrix.values.push_back(kind == 0   ? 1.0
                              : kind == 1 ? (1.0 + y) * (2.0 + x % 3)
                                          : chance.between(-2, 2));
    }
  }
  return matrix;
}

// Some of the filter's values, as likely at an end of their sliders as in between.
void vary(Chance& chance, const Filter& filter, Values& values) {
  for (const Parameter& p : filter.info().parameters) {
    if (chance.one_in(2)) {
      if (chance.one_in(2)) values.set(p.name, p.default_value);
      continue;
    }
    const double position = chance.one_in(2) ? chance.below(2) : chance.between(0, 1);
    const double in_slider = p.law == SliderLaw::linear ? position * position : position;
    if (p.kind == Kind::real) values.set(p.name, value_at(p, in_slider));
    if (p.kind == Kind::integer) {
      values.set(p.name, static_cast<std::int64_t>(value_at(p, in_slider)));
    }
    if (p.kind == Kind::boolean) values.set(p.name, chance.one_in(2));
    if (p.kind == Kind::choice) values.set(p.name, Choice(chance.of(p.choices).id));
    if (p.kind == Kind::matrix) values.set(p.name, matrix_by(chance, p));
  }
}

void bind_roles(Chance& chance, const Filter& filter, Values& values) {
  for (const RoleInfo& role : filter.info().roles) {
    if (role.required || chance.one_in(2)) values.set(role.parameter, ImageRef{"bound", ""});
  }
  if (chance.one_in(8)) values.set("mask", ImageRef{"bound", ""});
}

PictureFormat format_by(Chance& chance) {
  static const std::vector<std::pair<int, int>> sizes{{61, 37},     {61, 37},     {1, 1},
                                                      {700, 500},   {3000, 2000}, {6007, 4003},
                                                      {120, 20000}, {20000, 50}};
  static const std::vector<Coding> codings{Coding::srgb(), Coding::srgb(), Coding::linear(),
                                           Coding::power(2.2f)};
  PictureFormat format;
  std::tie(format.width, format.height) = chance.of(sizes);
  format.channels = 1 + chance.below(4);
  format.type = chance.one_in(2) ? SampleType::u8 : static_cast<SampleType>(chance.below(4));
  format.coding = chance.of(codings);
  // A fourth channel may also be none of alpha.
  format.alpha = format.channels % 2 != 0 || chance.one_in(4)
                     ? AlphaKind::none
                     : static_cast<AlphaKind>(1 + chance.below(2));
  return format;
}

std::shared_ptr<const Tuning> sizes_by(Chance& chance, const Filter& filter) {
  Tuning tuning;
  // Those of other filters matter where passes are shared.
  for (const RegisteredFilter& any : Registry::get().all()) {
    for (const Tunable& tunable : any.filter->info().tunables) {
      if (tunable.cpu == 0 || (any.filter.get() != &filter && !chance.one_in(4))) continue;
      if (chance.one_in(2)) continue;
      tuning.set(any.filter->info().id, tunable.name, chance.of(tunable.choices));
    }
  }
  return std::make_shared<const Tuning>(tuning);
}

// A survey of numbers by chance.
SurveyResults surveyed_by(Chance& chance, const Plan& plan) {
  SurveyResults results;
  const PlannedStep* step = plan.survey();
  if (step == nullptr || chance.one_in(4)) return results;
  Survey survey;
  survey.channels = step->picture.channels;
  survey.has_alpha = step->picture.has_alpha;
  const double spread = chance.of(std::vector<double>{0, 0.01, 0.3, 1});
  const auto samples = [&](int pixels) {
    std::vector<float> out(static_cast<std::size_t>(pixels * survey.channels));
    for (float& one : out) one = static_cast<float>(0.5 + chance.between(-spread, spread));
    return out;
  };
  survey.grid = samples(std::min(256, step->request->grid));
  for (const SurveyRequest::Windows& kind : step->request->windows) {
    const int side = 2 * kind.reach + 1;
    auto& windows = survey.windows.emplace_back();
    for (int i = 0; i < std::min(4, kind.count); ++i) windows.push_back(samples(side * side));
  }
  results[step->index] = step->filter().evaluate(step->values, step->picture, survey);
  return results;
}

BackendImagePtr role_image(Backend& on, const PictureFormat& picture, const RoleInfo& role) {
  PictureFormat format;
  format.width = role.aligned ? picture.width : 7;
  format.height = role.aligned ? picture.height : 5;
  format.channels = role.channels == 1 ? 1 : 3;
  format.type = SampleType::f32;
  const auto samples = on.take_samples(format.rect(), format, [](void*, std::ptrdiff_t) {});
  return on.load(samples, format, {format.coding, AlphaKind::none}, role.channels);
}

// Runs a plan of one step as a render does, over the whole picture.
void run(Backend& on, const Plan& plan) {
  const Rect all = plan.input.rect();
  const PlannedStep& step = plan.steps[0];
  const auto samples = on.take_samples(all, plan.input, [](void*, std::ptrdiff_t) {});
  BackendImagePtr image =
      plan.on_samples() ? samples : on.load(samples, plan.input, step.taken, plan.channels);
  BoundRoles roles;
  for (const RoleInfo& role : step.filter().info().roles) {
    if (std::get<ImageRef>(step.values.at(role.parameter)).bound()) {
      roles.emplace(role.parameter, role_image(on, plan.input, role));
    }
  }
  BackendImagePtr result = on.run(plan, step, image, Edge(all, step.border), all, roles);
  if (step.blends()) {
    RoleInfo mask;
    mask.channels = step.index % 2 == 0 ? 1 : 4;
    result = on.blend(image, result, step.masked ? role_image(on, plan.input, mask) : nullptr, 0.5f,
                      step.state.alpha);
  }
  const PixelState other{Coding::power(1.8f), step.state.alpha};
  if (!plan.on_samples()) on.convert(result, step.state, other);
  on.store(result, step.state, plan.output.rect(), plan.output, samples, plan.input, false,
           [](const HostView&) {});
}

int number_in(const char* variable, int otherwise) {
  const char* text = std::getenv(variable);
  return text != nullptr ? std::atoi(text) : otherwise;
}

}  // namespace

class TestPrograms : public QObject {
  Q_OBJECT

  std::unique_ptr<const NativeKernels> kernels_;
  Kernels asked_;

  std::unique_ptr<Backend> backend(std::shared_ptr<const Tuning> tuning, bool is_little) {
    DeviceInfo info = native_device(nullptr);
    if (is_little) info.local_memory = least_of_cpu_forms;
    info.open = [this](const DeviceInfo&) -> std::unique_ptr<Driver> {
      return std::make_unique<LookingUp>(*kernels_, asked_);
    };
    constexpr std::size_t much = std::size_t{1} << 40;
    return make_device_backend(info, target_of(info, Form::cpu, std::move(tuning)),
                               {much, 1e12, 1e12}, {}, {});
  }

  void try_plan(const Filter& filter, const Values& values, Chance& chance) {
    const auto on = backend(sizes_by(chance, filter), chance.one_in(4));
    const PictureFormat input = format_by(chance);
    PictureFormat output = input;
    if (chance.one_in(4)) output = format_by(chance);
    output.width = input.width;
    output.height = input.height;
    const Recipe recipe = recipe_of(filter.info(), values);
    Target target = on->target();
    target.in_tiles = chance.one_in(2);
    Plan plan = make_plan(recipe, input, output, target);
    if (plan.steps.empty()) return;
    if (const SurveyResults surveyed = surveyed_by(chance, plan); !surveyed.empty()) {
      plan = make_plan(recipe, input, output, target, {.surveyed = surveyed});
    }
    run(*on, plan);
  }

 private slots:
  void initTestCase() {
    const QDir folder(SFUMATO_OBJECTS);
    const QStringList objects = folder.entryList({"kernels-*.so"});
    QVERIFY(!objects.empty());
    kernels_ =
        std::make_unique<const NativeKernels>(folder.filePath(objects.front()).toStdString());
  }

  void every_program_is_there_data() { every_filter(); }
  void every_program_is_there() {
    const Filter& filter = fetched();
    Chance chance(1);
    std::vector<Values> cases = Cases(filter).kernels();
    const int plans = number_in("SFUMATO_PLANS", 400);
    for (int i = 0; i < plans; ++i) {
      Values values = cases[static_cast<std::size_t>(i) % cases.size()];
      if (i >= static_cast<int>(cases.size())) vary(chance, filter, values);
      bind_roles(chance, filter, values);
      try {
        filter.check(values);
        try_plan(filter, values, chance);
      } catch (const ParameterError&) {
        // These values do not go together.
      } catch (const std::exception& error) {
        QFAIL((text_of(filter.info(), values) + ": " + error.what()).c_str());
      }
    }
    const bool prints = qEnvironmentVariableIsSet("SFUMATO_PRINT");
    std::set<std::string> missing, all;
    for (const auto& [wanted, kernel] : asked_) {
      const auto& [source, definitions, name] = wanted;
      if (prints) all.insert(source + ": " + definitions + " (" + name + ")");
      if (kernel->found == nullptr) missing.insert(source + ": " + definitions + " (" + name + ")");
    }
    for (const std::string& one : all) std::printf("program %s\n", one.c_str());
    std::string text;
    for (const std::string& one : missing) text += "\n" + one;
    asked_.clear();
    QVERIFY2(missing.empty(), text.c_str());
  }
};

QTEST_GUILESS_MAIN(TestPrograms)
#include "test_programs.moc"
