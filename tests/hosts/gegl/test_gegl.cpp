// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The operations inside GEGL: the model's properties, the session's pixels, wherever a layer lies
// and whatever region is asked for, and a host that goes on when the worker does not.
#include "../../../plugins/gegl/gegl.hpp"
//
#include <unistd.h>

#include <QDir>
#include <QFile>
#include <QtTest>
#include <atomic>
#include <csignal>
#include <random>
#include <thread>

#include "support/registry_rows.hpp"
#include "support/registry_walk.hpp"

using namespace sfumato;
using namespace sfumato::testing;

namespace {

// Where the test's layers begin.
constexpr int left = -13, top = 27;

const Babl* babl_of(const PictureFormat& f) {
  if (f.coding == Coding::srgb()) return babl_format("R'G'B'A float");
  return babl_format(f.channels == 4 ? "RGBA float" : f.channels == 3 ? "RGB float" : "Y float");
}

GeglBuffer* buffer_of(Image& image, int x = left, int y = top) {
  const PictureFormat& f = image.format;
  const Babl* name = babl_of(f);
  const GeglRectangle extent{x, y, f.width, f.height};
  GeglBuffer* buffer = gegl_buffer_new(&extent, name);
  gegl_buffer_set(buffer, &extent, 0, name, image.view().data,
                  static_cast<int>(image.view().row_stride));
  return buffer;
}

// A graph of its own: sources, an operation before it, the operation.
class Graph {
 public:
  explicit Graph(const std::string& id) : root_(gegl_node_new()) {
    op_ = gegl_node_new_child(root_, "operation", ("sfumato:" + id).c_str(), nullptr);
  }
  ~Graph() {
    g_object_unref(root_);
    for (GeglBuffer* buffer : buffers_) g_object_unref(buffer);
  }

  GeglNode* op() const { return op_; }
  GeglNode* source(Image& image, int x = left, int y = top) {
    buffers_.push_back(buffer_of(image, x, y));
    return gegl_node_new_child(root_, "operation", "gegl:buffer-source", "buffer", buffers_.back(),
                               nullptr);
  }
  void connect(Image& image, const char* pad = "input") {
    gegl_node_connect_to(source(image), "output", op_, pad);
  }
  // Through an operation that computes: what lies around a region must really be asked for.
  void connect_computed(Image& image) {
    GeglNode* add =
        gegl_node_new_child(root_, "operation", "gegl:exposure", "exposure", 1.0, nullptr);
    gegl_node_link(source(image), add);
    gegl_node_link(add, op_);
  }

  Image result(const PictureFormat& format, const Rect& region) {
    Image out(format);
    const GeglRectangle roi{left + region.x0, top + region.y0, region.width(), region.height()};
    char* first = out.bytes.data() + region.y0 * out.view().row_stride +
                  static_cast<std::size_t>(region.x0) * format.pixel_bytes();
    gegl_node_blit(op_, 1.0, &roi, babl_of(format), first, static_cast<int>(out.view().row_stride),
                   GEGL_BLIT_DEFAULT);
    return out;
  }

 private:
  GeglNode *root_, *op_;
  std::vector<GeglBuffer*> buffers_;
};

// As the module calls it: a node's own words are not for parameters.
std::string property_of(const FilterInfo& info, const Parameter& p) {
  std::string name = p.name;
  std::replace(name.begin(), name.end(), '_', '-');
  return name == "operation" ? info.id + "-operation" : name;
}

// Sets what `values` has beside the defaults.
void set_values(GeglNode* op, const FilterInfo& info, const Values& values) {
  for (const Parameter& p : info.parameters) {
    if (p.kind == Kind::image || values.at(p.name) == p.default_value) continue;
    const Value& v = values.at(p.name);
    const std::string property = property_of(info, p);
    const char* name = property.c_str();
    switch (p.kind) {
      case Kind::real:
        gegl_node_set(op, name, std::get<double>(v), nullptr);
        break;
      case Kind::integer:
        gegl_node_set(op, name, static_cast<int>(std::get<std::int64_t>(v)), nullptr);
        break;
      case Kind::boolean:
        gegl_node_set(op, name, std::get<bool>(v) ? TRUE : FALSE, nullptr);
        break;
      case Kind::choice: {
        int index = 0;
        while (p.choices[static_cast<std::size_t>(index)].id != std::get<Choice>(v).id) ++index;
        gegl_node_set(op, name, index, nullptr);
        break;
      }
      default:
        gegl_node_set(op, name, print(p, v).c_str(), nullptr);
    }
  }
}

double difference_in(Image& a, Image& b, const Rect& region) {
  double most = 0;
  for (int y = region.y0; y < region.y1; ++y) {
    for (int x = region.x0; x < region.x1; ++x) {
      // The colour of what is not there is nobody's concern.
      if (a.get(x, y, 3) == 0 && b.get(x, y, 3) == 0) continue;
      for (int c = 0; c < 4; ++c) {
        const double d = std::abs(static_cast<double>(a.get(x, y, c) - b.get(x, y, c)));
        most = std::isnan(d) ? 1e9 : std::max(most, d);
      }
    }
  }
  return most;
}

int worker_process() {
  for (const QString& name : QDir(QStringLiteral("/proc")).entryList(QDir::Dirs)) {
    QFile status(QStringLiteral("/proc/%1/status").arg(name));
    if (name.toInt() == 0 || !status.open(QFile::ReadOnly)) continue;
    const QByteArray text = status.readAll();
    if (text.contains("Name:\tsfumato-worker") &&
        text.contains("PPid:\t" + QByteArray::number(::getpid()) + "\n")) {
      return name.toInt();
    }
  }
  return 0;
}

std::atomic<int> warnings = 0;

}  // namespace

class TestGegl : public QObject {
  Q_OBJECT

 private:
  Session session_;

  Image by_session(const Recipe& recipe, Image& input, const PictureFormat& output) {
    return run(session_, recipe, input, output,
               with_roles(input.format.width, input.format.height));
  }

 private slots:
  void initTestCase() {
    gegl_init(nullptr, nullptr);
    g_type_class_ref(GEGL_TYPE_NODE);  // for its properties' names
  }

  void every_filter_is_there_with_the_models_properties_data() { every_filter(); }
  void every_filter_is_there_with_the_models_properties() {
    const FilterInfo& info = fetched().info();
    const std::string name = "sfumato:" + info.id;
    QVERIFY(gegl_has_operation(name.c_str()));
    auto* node_class = static_cast<GObjectClass*>(g_type_class_peek(GEGL_TYPE_NODE));
    QVERIFY(node_class != nullptr);
    QCOMPARE(QString(gegl_operation_get_key(name.c_str(), "title")),
             QString::fromStdString(info.label));
    QVERIFY(QString(gegl_operation_get_key(name.c_str(), "gimp:menu-path"))
                .startsWith(QLatin1String("<Image>/Filters/Sfumato")));
    for (const Parameter& p : info.parameters) {
      const std::string property = property_of(info, p);
      GParamSpec* spec = gegl_operation_find_property(name.c_str(), property.c_str());
      QCOMPARE(spec != nullptr, p.kind != Kind::image);
      QVERIFY(g_object_class_find_property(node_class, property.c_str()) == nullptr);
      if (spec == nullptr) continue;
      QCOMPARE(QString(g_param_spec_get_blurb(spec)), QString::fromStdString(p.help));
      if (p.kind == Kind::real) {
        const auto* real = GEGL_PARAM_SPEC_DOUBLE(spec);
        QCOMPARE(real->ui_minimum, p.slider.min);
        QCOMPARE(real->ui_maximum, p.slider.max);
        QCOMPARE(real->parent_instance.minimum, std::max(p.valid.min, -1.7976931348623157e308));
        QCOMPARE(real->parent_instance.default_value, std::get<double>(p.default_value));
      } else if (p.kind == Kind::choice) {
        const auto* word = G_PARAM_SPEC_ENUM(spec);
        QCOMPARE(static_cast<std::size_t>(word->enum_class->n_values), p.choices.size());
      }
      if (p.unit == Unit::px) {
        QCOMPARE(QString(gegl_param_spec_get_property_key(spec, "unit")),
                 QStringLiteral("pixel-distance"));
      }
    }
  }

  void pixels_are_the_sessions_data() { every_filter(); }
  void pixels_are_the_sessions() {
    const Filter& filter = fetched();
    const FilterInfo& info = filter.info();
    const Values values = busy_values(filter);
    const Recipe recipe = one_step(info.id, values);
    // Numbers as the operation takes them: data go where they stand.
    PictureFormat format = rgba(83, 59);
    if (light_of(values) != Light::linear) format.coding = Coding::srgb();
    Image input = scene(format);
    Graph graph(info.id);
    graph.connect(input);
    std::vector<std::shared_ptr<OwnedSource>> roles;
    for (std::size_t i = 0; i < info.roles.size(); ++i) {
      roles.push_back(role_source(info.roles[i].parameter, 83, 59));
      graph.connect(roles.back()->image, (i == 0 ? "aux" : "aux" + std::to_string(i + 1)).c_str());
    }
    set_values(graph.op(), info, values);
    // Compared where small alphas do not enlarge what rounding makes of them.
    const bool data = filter.gives_data(values);
    PictureFormat output = format;
    if (!data) output.alpha = AlphaKind::premultiplied;
    Image want = by_session(recipe, input, output);
    const auto premultiplied = [data](Image image) {
      for (int y = 0; y < image.format.height; ++y) {
        for (int x = 0; x < image.format.width; ++x) {
          for (int c = 0; c < 3; ++c) {
            image.set(x, y, c, image.get(x, y, c) * (data ? 1 : image.get(x, y, 3)));
          }
        }
      }
      return image;
    };
    const Rect all = format.rect();
    Image got = premultiplied(graph.result(format, all));
    QVERIFY2(difference_in(got, want, all) < 1e-4,
             qPrintable(QString::number(difference_in(got, want, all))));
    // A region of another graph: nothing is left of the first.
    Graph part(info.id);
    part.connect(input);
    for (std::size_t i = 0; i < info.roles.size(); ++i) {
      part.connect(roles[i]->image, (i == 0 ? "aux" : "aux" + std::to_string(i + 1)).c_str());
    }
    set_values(part.op(), info, values);
    const Rect region{40, 11, 77, 31};
    Image some = premultiplied(part.result(format, region));
    QVERIFY2(difference_in(some, want, region) < 1e-4,
             qPrintable(QString::number(difference_in(some, want, region))));
  }

  // Integers go as they are stored; what has no alpha gets none.
  void stored_numbers_data() {
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<int>("channels");
    QTest::newRow("colour") << QByteArray("R'G'B' u8") << 3;
    QTest::newRow("colour, alpha, light") << QByteArray("RGBA u16") << 4;
    QTest::newRow("gray") << QByteArray("Y' u16") << 1;
    QTest::newRow("gray, alpha") << QByteArray("Y'A u8") << 2;
    QTest::newRow("halves") << QByteArray("RGB half") << 3;
  }
  void stored_numbers() {
    QFETCH(QByteArray, name);
    QFETCH(int, channels);
    PictureFormat format = rgba(83, 59);
    format.channels = channels;
    format.alpha = channels % 2 == 0 ? AlphaKind::straight : AlphaKind::none;
    format.type = name.endsWith("u8")    ? SampleType::u8
                  : name.endsWith("u16") ? SampleType::u16
                                         : SampleType::f16;
    format.coding = name.contains('\'') ? Coding::srgb() : Coding::linear();
    Image input = scene(format);
    const GeglRectangle extent{left, top, format.width, format.height};
    GeglBuffer* buffer = gegl_buffer_new(&extent, babl_format(name.constData()));
    gegl_buffer_set(buffer, &extent, 0, babl_format(name.constData()), input.view().data,
                    static_cast<int>(input.view().row_stride));
    for (const char* id : {"gaussian", "median"}) {
      GeglNode* root = gegl_node_new();
      GeglNode* source =
          gegl_node_new_child(root, "operation", "gegl:buffer-source", "buffer", buffer, nullptr);
      GeglNode* op =
          gegl_node_new_child(root, "operation", (std::string("sfumato:") + id).c_str(), nullptr);
      GeglBuffer* made = nullptr;
      GeglNode* sink =
          gegl_node_new_child(root, "operation", "gegl:buffer-sink", "buffer", &made, nullptr);
      gegl_node_link_many(source, op, sink, nullptr);
      gegl_node_process(sink);
      QVERIFY(made != nullptr);
      QCOMPARE(babl_format_has_alpha(gegl_buffer_get_format(made)) != 0, channels % 2 == 0);
      PictureFormat output = rgba(83, 59);
      Image got(output);
      gegl_buffer_get(made, &extent, 1.0, babl_format("RGBA float"), got.view().data,
                      static_cast<int>(got.view().row_stride), GEGL_ABYSS_NONE);
      Image want = by_session(one_step(id, {{"mix", "1"}}), input, output);
      const double far = difference_in(got, want, output.rect());
      QVERIFY2(far < 1e-4, qPrintable(QStringLiteral("%1: %2").arg(QLatin1String(id)).arg(far)));
      g_object_unref(made);
      g_object_unref(root);
    }
    g_object_unref(buffer);
  }

  void what_lies_around_a_region_is_asked_for_data() { every_filter(); }
  void what_lies_around_a_region_is_asked_for() {
    const Filter& filter = fetched();
    const FilterInfo& info = filter.info();
    if (!info.roles.empty()) return;
    PictureFormat format = rgba(150, 120);
    Image input = scene(format);
    Graph whole(info.id), part(info.id);
    for (Graph* graph : {&whole, &part}) {
      graph->connect_computed(input);
      set_values(graph->op(), info, busy_values(filter));
    }
    const Rect region{61, 47, 93, 70};
    Image want = whole.result(format, format.rect()), got = part.result(format, region);
    QVERIFY2(difference_in(got, want, region) < 1e-5,
             qPrintable(QString::number(difference_in(got, want, region))));
  }

  void nothing_that_goes_wrong_leaves_the_operation() {
    const auto before = g_log_set_default_handler(
        [](const gchar*, GLogLevelFlags, const gchar*, gpointer) { ++warnings; }, nullptr);
    PictureFormat format = rgba(30, 20);
    Image input = scene(format);
    Graph canny("canny");
    canny.connect(input);
    gegl_node_set(canny.op(), "low-threshold", 0.9, "high-threshold", 0.1, nullptr);
    warnings = 0;
    Image got = canny.result(format, format.rect());
    QVERIFY(warnings > 0);
    QVERIFY(difference_in(got, input, format.rect()) < 1e-6);
    Graph gradient("gradient_map");
    gradient.connect(input);
    warnings = 0;
    gegl_node_set(gradient.op(), "gradient", "nonsense", nullptr);
    gradient.result(format, format.rect());
    QVERIFY(warnings > 0);
    Graph kernel("fft_convolve");  // without its kernel
    kernel.connect(input);
    warnings = 0;
    got = kernel.result(format, format.rect());
    QVERIFY(warnings > 0);
    QVERIFY(difference_in(got, input, format.rect()) < 1e-6);
    Graph alone("gaussian");  // without an input
    alone.result(format, format.rect());
    g_log_set_default_handler(before, nullptr);
  }

  void a_picture_without_end_passes() {
    GeglNode* root = gegl_node_new();
    GeglNode* plane = gegl_node_new_child(root, "operation", "gegl:color", nullptr);
    GeglNode* op = gegl_node_new_child(root, "operation", "sfumato:gaussian", nullptr);
    gegl_node_link(plane, op);
    const GeglRectangle roi{0, 0, 10, 10};
    std::vector<float> pixels(400);
    gegl_node_blit(op, 1.0, &roi, babl_format("RGBA float"), pixels.data(), 160, GEGL_BLIT_DEFAULT);
    QVERIFY(std::abs(pixels[3] - 1) < 1e-6f);
    g_object_unref(root);
  }

  void the_worker_is_killed_at_random_moments() {
    const auto before = g_log_set_default_handler(
        [](const gchar*, GLogLevelFlags, const gchar*, gpointer) {}, nullptr);
    PictureFormat format = rgba(160, 120);
    Image input = scene(format);
    const Recipe recipe = one_step("gaussian", {{"sigma", "4"}});
    Image want = by_session(recipe, input, format);
    std::mt19937 random(11);
    for (int i = 0; i < 100; ++i) {
      Graph graph("gaussian");
      graph.connect(input);
      gegl_node_set(graph.op(), "sigma", 4.0, nullptr);
      std::thread killer([wait = random() % 30] {
        std::this_thread::sleep_for(std::chrono::milliseconds(wait));
        if (const int process = worker_process()) ::kill(process, SIGKILL);
      });
      Image got = graph.result(format, format.rect());
      killer.join();
      QVERIFY2(difference_in(got, want, format.rect()) < 1e-3,
               qPrintable(QString::number(difference_in(got, want, format.rect()))));
    }
    g_log_set_default_handler(before, nullptr);
  }
};

QTEST_GUILESS_MAIN(TestGegl)
#include "test_gegl.moc"
