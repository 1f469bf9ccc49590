// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// GIMP's console runs every filter's procedure: the session's pixels, in every precision, on layers
// that lie anywhere, through selections; and images that stay as they were where nothing comes of
// it.
#include <unistd.h>

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>
#include <csignal>
#include <random>
#include <set>

#include "io/handover.hpp"
#include "params/text.hpp"
#include "support/registry_rows.hpp"
#include "support/registry_walk.hpp"

using namespace sfumato;
using namespace sfumato::testing;

namespace {

// A text for Script-Fu.
QString quoted(const QString& text) {
  QString out = text;
  out.replace(QLatin1Char('\\'), QStringLiteral("\\\\"));
  out.replace(QLatin1Char('"'), QStringLiteral("\\\""));
  return QLatin1Char('"') + out + QLatin1Char('"');
}

// Script-Fu's colours have 8 bits and no opacity.
Value as_script_has_it(const Parameter& p, const Value& value) {
  if (p.kind != Kind::color) return value;
  const auto& color = std::get<Color>(value);
  const auto eight = [](double v) { return std::round(std::clamp(v, 0.0, 1.0) * 255) / 255; };
  return Color{eight(color.r), eight(color.g), eight(color.b), 1};
}

QString argument(const Parameter& p, const Value& value) {
  switch (p.kind) {
    case Kind::real:
      return QString::fromStdString(print_number(std::get<double>(value)));
    case Kind::integer:
      return QString::number(std::get<std::int64_t>(value));
    case Kind::boolean:
      return std::get<bool>(value) ? QStringLiteral("1") : QStringLiteral("0");
    case Kind::color: {
      const auto& c = std::get<Color>(value);
      return QStringLiteral("'(%1 %2 %3)")
          .arg(std::lround(c.r * 255))
          .arg(std::lround(c.g * 255))
          .arg(std::lround(c.b * 255));
    }
    default:
      return quoted(QString::fromStdString(print(p, value)));
  }
}

// An operation's choices are words with dashes.
QString argument_of_operation(const Parameter& p, const Value& value) {
  QString out = argument(p, value);
  return p.kind == Kind::choice ? out.replace(QLatin1Char('_'), QLatin1Char('-')) : out;
}

// Where the two versions of GIMP are not alike.
constexpr bool is_3 = SFUMATO_GIMP_3;
const QString drawables = is_3 ? QStringLiteral("(vector layer)") : QStringLiteral("layer");
const QString new_group = is_3 ? QStringLiteral("(car (gimp-group-layer-new image \"group\"))")
                               : QStringLiteral("(car (gimp-layer-group-new image))");

QString procedure_of(const FilterInfo& info) {
  QString name = QString::fromStdString(info.id);
  return QStringLiteral("plug-in-sfumato-") + name.replace(QLatin1Char('_'), QLatin1Char('-'));
}

Handover header_of(const PictureFormat& format, int x = 0, int y = 0) {
  Handover out;
  out.format = format;
  out.x = x;
  out.y = y;
  out.canvas_width = 100;
  out.canvas_height = 80;
  return out;
}

Image image_of(const QString& path) {
  const auto file = open_handover(path.toStdString(), {});
  Image out(file->format());
  file->read(out.format.rect(), out.bytes.data(), out.view().row_stride);
  return out;
}

// Steps of the stored numbers for integers, else the numbers.
double distance(Image& a, Image& b, const Rect& region) {
  const PictureFormat& f = a.format;
  const double step = f.type == SampleType::u8 ? 255 : f.type == SampleType::u16 ? 65535 : 1;
  double most = 0;
  for (int y = region.y0; y < region.y1; ++y) {
    for (int x = region.x0; x < region.x1; ++x) {
      const bool clear =
          f.has_alpha() && a.get(x, y, f.channels - 1) == 0 && b.get(x, y, f.channels - 1) == 0;
      for (int c = 0; c < f.channels && !clear; ++c) {
        const double d = std::abs(static_cast<double>(a.get(x, y, c)) - b.get(x, y, c)) * step;
        most = std::isnan(d) ? 1e9 : std::max(most, d);
      }
    }
  }
  return most;
}

// Where little is seen of a colour, rounding is much of it.
double seen_distance(Image& got, Image& want) {
  double most = 0;
  for (int y = 0; y < want.format.height; ++y) {
    for (int x = 0; x < want.format.width; ++x) {
      const float alpha = want.get(x, y, 3);
      for (int c = 0; c < 4; ++c) {
        const double d = std::abs(static_cast<double>(got.get(x, y, c)) - want.get(x, y, c)) *
                         (c < 3 ? alpha : 1);
        most = std::isnan(d) ? 1e9 : std::max(most, d);
      }
    }
  }
  return most;
}

bool thoroughly() {
  return qEnvironmentVariableIsSet("SFUMATO_TEST_ALL");
}

// All processes below one, by name.
std::vector<int> children_of(qint64 parent, const QByteArray& name) {
  std::vector<int> out;
  if (parent <= 0) return out;  // of one that has ended: all processes descend from 0
  for (const QString& entry : QDir(QStringLiteral("/proc")).entryList(QDir::Dirs)) {
    QFile status(QStringLiteral("/proc/%1/status").arg(entry));
    if (entry.toInt() == 0 || !status.open(QFile::ReadOnly)) continue;
    const QByteArray text = status.readAll();
    if (!text.contains("PPid:\t" + QByteArray::number(parent) + "\n")) continue;
    if (text.startsWith("Name:\t" + name + "\n")) out.push_back(entry.toInt());
    for (const int below : children_of(entry.toLongLong(), name)) out.push_back(below);
  }
  return out;
}

}  // namespace

class TestGimp : public QObject {
  Q_OBJECT

 private:
  QTemporaryDir folder_;
  Session session_;
  QByteArray said_;

  QString path(const QString& name) const { return folder_.filePath(name); }

  void write(const QString& name, Image& image, int x = 0, int y = 0) {
    write_handover(path(name).toStdString(), header_of(image.format, x, y), image.view());
  }

  // (load ...) gives a new image and its layer as `image` and `layer`.
  static QString load(const QString& file) {
    return QStringLiteral(
               "(let* ((loaded (plug-in-sfumato-test-load %1 0)) (image (car loaded)) "
               "(layer (cadr loaded)) (failed FALSE)) ")
        .arg(quoted(file));
  }
  QString dump(const QString& name) const {
    return QStringLiteral(" (plug-in-sfumato-test-dump layer %1) ").arg(quoted(path(name)));
  }
  static QString end() { return QStringLiteral(" (gimp-image-delete image))\n"); }

  static QString call(const FilterInfo& info, const Values& values,
                      const std::map<std::string, QString>& roles = {}) {
    QString out =
        QStringLiteral("(%1 RUN-NONINTERACTIVE image %2").arg(procedure_of(info), drawables);
    for (const Parameter& p : info.parameters) {
      if (p.kind == Kind::image) {
        const auto role = roles.find(p.name);
        out += QLatin1Char(' ') + (role == roles.end() ? QStringLiteral("-1") : role->second);
      } else {
        out += QLatin1Char(' ') + argument(p, values.at(p.name));
      }
    }
    return out + QLatin1Char(')');
  }
  static QString call(const Recipe& recipe) {
    return call(Registry::get().at(recipe.steps[0].filter).filter->info(), recipe.steps[0].values);
  }

  std::unique_ptr<QProcess> start(const QString& script) {
    QFile file(path(QStringLiteral("script.scm")));
    if (!file.open(QFile::WriteOnly)) return nullptr;
    file.write(script.toUtf8());
    file.close();
    auto process = std::make_unique<QProcess>();
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("HOME"), path(QStringLiteral("home")));
    environment.insert(is_3 ? QStringLiteral("GIMP3_DIRECTORY") : QStringLiteral("GIMP2_DIRECTORY"),
                       path(QStringLiteral("gimp")));
    environment.insert(QStringLiteral("XDG_CACHE_HOME"), path(QStringLiteral("cache")));
    environment.remove(QStringLiteral("DISPLAY"));
    process->setProcessEnvironment(environment);
    process->setProcessChannelMode(QProcess::MergedChannels);
    QStringList words{QStringLiteral("--no-interface"), QStringLiteral("--no-data"),
                      QStringLiteral("--no-fonts")};
    if (is_3) words << QStringLiteral("--batch-interpreter=plug-in-script-fu-eval");
    words << QStringLiteral("-b") << QStringLiteral("(load %1)").arg(quoted(file.fileName()));
    words << (is_3 ? QStringList{QStringLiteral("--quit")}
                   : QStringList{QStringLiteral("-b"), QStringLiteral("(gimp-quit 1)")});
    process->start(QStringLiteral(SFUMATO_GIMP_CONSOLE), words);
    return process;
  }

  void run_script(const QString& script) {
    const auto process = start(script);
    QVERIFY(process != nullptr && process->waitForFinished(600000));
    said_ = process->readAll();
    QVERIFY2(process->exitStatus() == QProcess::NormalExit, said_.constData());
  }

  Image by_session(const Recipe& recipe, Image& input, const RenderOptions& options = {}) {
    return sfumato::testing::run(session_, recipe, input, input.format, options);
  }

 private slots:
  void initTestCase() {
    QVERIFY(QDir(folder_.path()).mkpath(QStringLiteral("home")));
    const QDir plug_ins(path(QStringLiteral("gimp/plug-ins")));
    QVERIFY(plug_ins.mkpath(QStringLiteral(".")));
    for (const char* file : {SFUMATO_PLUG_IN, SFUMATO_TEST_PLUG_IN}) {
      const QFileInfo info(QString::fromUtf8(file));
      QVERIFY(plug_ins.mkpath(info.fileName()));
      QVERIFY(QFile::link(info.filePath(),
                          plug_ins.filePath(info.fileName() + QLatin1Char('/') + info.fileName())));
    }
  }

  void every_filter_gives_the_sessions_pixels() {
    // Light, so that roles are numbers as they stand.
    const PictureFormat format = linear_format(61, 47, 4);
    Image input = scene(format);
    write(QStringLiteral("input"), input);
    QString script;
    struct Wanted {
      const Filter* filter;
      Recipe recipe;
    };
    std::vector<Wanted> wanted;
    std::set<std::string> written;
    for (const RegisteredFilter& entry : Registry::get().all()) {
      const FilterInfo& info = entry.filter->info();
      Values values = busy_values(*entry.filter);
      for (const Parameter& p : info.parameters) {
        values.set(p.name, as_script_has_it(p, values.at(p.name)));
      }
      script += load(path(QStringLiteral("input")));
      std::map<std::string, QString> roles;
      for (const RoleWish& role : info.roles) {
        const QString file = QStringLiteral("role_") + QString::fromStdString(role.parameter);
        const auto source = role_source(role.parameter, format.width, format.height);
        if (source == nullptr) continue;
        if (written.insert(role.parameter).second) write(file, source->image);
        roles[role.parameter] =
            QStringLiteral("(cadr (plug-in-sfumato-test-load %1 image))").arg(quoted(path(file)));
      }
      script += call(info, values, roles) + dump(QString::fromStdString(info.id)) + end();
      wanted.push_back({entry.filter.get(), recipe_of(info, values)});
    }
    run_script(script);
    for (const Wanted& one : wanted) {
      const QString id = QString::fromStdString(one.filter->info().id);
      QVERIFY2(QFile::exists(path(id)), qPrintable(id + QLatin1Char('\n') + said_));
      Image got = image_of(path(id));
      Image want = by_session(one.recipe, input, with_roles(format.width, format.height));
      const double most = seen_distance(got, want);
      QVERIFY2(most < 1e-4, qPrintable(id + QStringLiteral(": %1").arg(most)));
    }
  }

  // GIMP 3 keeps GEGL's operations beside the pixels, in its own files too.
  void filters_that_change_nothing_survive_saving() {
    if (!is_3) QSKIP("GIMP 2.10 applies operations at once");
    // Numbers as the operation takes them: data go where they stand.
    PictureFormat format = linear_format(61, 47, 4);
    Image light = scene(format);
    format.coding = Coding::srgb();
    Image display = scene(format);
    write(QStringLiteral("light.in"), light);
    write(QStringLiteral("display.in"), display);
    QString script;
    std::vector<std::pair<QString, Recipe>> wanted;
    QString wrong;
    for (const RegisteredFilter& entry : Registry::get().all()) {
      const FilterInfo& info = entry.filter->info();
      if (!info.roles.empty()) continue;
      Values values = busy_values(*entry.filter);
      QString given;
      for (const Parameter& p : info.parameters) {
        if (p.kind == Kind::image) continue;
        values.set(p.name, as_script_has_it(p, values.at(p.name)));
        // A node's own word is not for parameters.
        QString name =
            QString::fromStdString(p.name == "operation" ? info.id + "-operation" : p.name);
        given += QStringLiteral(" \"%1\" %2")
                     .arg(name.replace(QLatin1Char('_'), QLatin1Char('-')),
                          argument_of_operation(p, values.at(p.name)));
      }
      const QString id = QString::fromStdString(info.id), file = path(id + QStringLiteral(".xcf"));
      const bool linear = light_of(values) == Light::linear;
      script += load(path(linear ? QStringLiteral("light.in") : QStringLiteral("display.in"))) +
                QStringLiteral(
                    "(gimp-drawable-append-new-filter layer \"sfumato:%1\" \"%1\" "
                    "LAYER-MODE-REPLACE 1.0%2)")
                    .arg(id, given) +
                dump(QStringLiteral("under_") + id) +
                QStringLiteral("(gimp-file-save RUN-NONINTERACTIVE image %1)").arg(quoted(file)) +
                end() +
                QStringLiteral(
                    "(let* ((image (car (gimp-file-load RUN-NONINTERACTIVE %1))) "
                    "(layer (vector-ref (car (gimp-image-get-layers image)) 0)))"
                    "(gimp-drawable-merge-filters layer)")
                    .arg(quoted(file)) +
                dump(QStringLiteral("merged_") + id) + end();
      wanted.emplace_back(id, recipe_of(info, values));
    }
    run_script(script);
    for (const auto& [id, recipe] : wanted) {
      QVERIFY2(QFile::exists(path(QStringLiteral("merged_") + id)),
               qPrintable(id + QLatin1Char('\n') + said_));
      Image& input = light_of(recipe.steps[0].values) == Light::linear ? light : display;
      QVERIFY(image_of(path(QStringLiteral("under_") + id)).bytes == input.bytes);
      Image got = image_of(path(QStringLiteral("merged_") + id)), want = by_session(recipe, input);
      const double most = seen_distance(got, want);
      if (!(most < 1e-4)) wrong += QStringLiteral("%1: %2 ").arg(id).arg(most);
    }
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
  }

  // Layers of another size than the image, beyond its sides, in every precision.
  void precisions_and_offsets() {
    QString script;
    struct Wanted {
      QString name;
      Recipe recipe;
      Image input;
    };
    std::vector<Wanted> wanted;
    const Recipe gaussian = one_step("gaussian", {{"sigma", "2.5"}});
    for (const SampleType type :
         {SampleType::u8, SampleType::u16, SampleType::f16, SampleType::f32}) {
      for (const bool linear : {false, true}) {
        for (const int channels : {1, 2, 3, 4}) {
          // Not all of them: each value of each is there.
          const bool ends = type == SampleType::u8 || type == SampleType::f32;
          if (channels != 4 && (linear || !ends)) continue;
          const AlphaKind alpha = channels % 2 == 0 ? AlphaKind::straight : AlphaKind::none;
          const PictureFormat format{53,   41,    channels,
                                     type, alpha, linear ? Coding::linear() : Coding::srgb()};
          const QString name = QStringLiteral("f%1%2%3")
                                   .arg(static_cast<int>(type))
                                   .arg(linear ? QStringLiteral("l") : QStringLiteral("p"))
                                   .arg(channels);
          Image input = scene(format);
          write(name + QStringLiteral(".in"), input, -7, 19);
          script += load(path(name + QStringLiteral(".in"))) + call(gaussian) + dump(name) + end();
          wanted.push_back({name, gaussian, input});
        }
      }
    }
    run_script(script);
    for (Wanted& one : wanted) {
      QVERIFY2(QFile::exists(path(one.name)), said_.constData());
      Image got = image_of(path(one.name));
      QVERIFY(got.format.type == one.input.format.type);
      QVERIFY(got.format.coding == one.input.format.coding);
      QCOMPARE(got.format.channels, one.input.format.channels);
      Image want = by_session(one.recipe, one.input);
      const double far = distance(got, want, want.format.rect());
      const SampleType type = got.format.type;
      const double allowed = is_integer(type) ? 1.01 : type == SampleType::f16 ? 2e-3 : 1e-4;
      QVERIFY2(far <= allowed, qPrintable(one.name + QStringLiteral(": %1").arg(far)));
    }
  }

  void selections_are_respected() {
    Image input = scene({90, 70, 3, SampleType::u8, AlphaKind::none, Coding::srgb()});
    write(QStringLiteral("whole.in"), input);
    const Recipe recipe = one_step("gaussian", {{"sigma", "6"}});
    const QString select =
        QStringLiteral("(gimp-image-select-rectangle image CHANNEL-OP-REPLACE 20 15 40 30)");
    run_script(load(path(QStringLiteral("whole.in"))) + select + call(recipe) +
               dump(QStringLiteral("hard")) + end() + load(path(QStringLiteral("whole.in"))) +
               select + QStringLiteral("(gimp-selection-feather image 12)") + call(recipe) +
               dump(QStringLiteral("soft")) + end());
    QVERIFY2(QFile::exists(path(QStringLiteral("soft"))), said_.constData());
    Image hard = image_of(path(QStringLiteral("hard"))),
          soft = image_of(path(QStringLiteral("soft"))), filtered = by_session(recipe, input);
    const Rect inside{20, 15, 60, 45};
    QVERIFY(distance(hard, filtered, inside) <= 1.01);
    for (const Rect& beside : {Rect{0, 0, 90, 15}, Rect{0, 45, 90, 70}, Rect{0, 0, 20, 70}}) {
      QCOMPARE(distance(hard, input, beside), 0.0);
    }
    // Feathered: between the two everywhere, and really between them at the edge.
    int mixed = 0;
    for (int y = 0; y < 70; ++y) {
      for (int x = 0; x < 90; ++x) {
        const float a = input.get(x, y, 0), b = filtered.get(x, y, 0), v = soft.get(x, y, 0);
        QVERIFY(v >= std::min(a, b) - 1.5f / 255 && v <= std::max(a, b) + 1.5f / 255);
        mixed += std::abs(v - a) > 3.0f / 255 && std::abs(v - b) > 3.0f / 255 ? 1 : 0;
      }
    }
    QVERIFY(mixed > 50);
    QCOMPARE(distance(soft, input, {0, 0, 5, 70}), 0.0);
  }

  // What cannot be filtered stays as it was, and the script is told.
  void refusals() {
    Image input = scene({40, 30, 3, SampleType::u8, AlphaKind::none, Coding::srgb()});
    write(QStringLiteral("refused.in"), input);
    const Recipe recipe = one_step("gaussian", {{"sigma", "2"}});
    const QString caught = QStringLiteral(" (catch (set! failed TRUE) %1) ").arg(call(recipe));
    const auto noted = [&](const QString& name) {
      return QStringLiteral(" (if (= failed TRUE) (plug-in-sfumato-test-dump layer %1)) ")
          .arg(quoted(path(name)));
    };
    const QString begin = load(path(QStringLiteral("refused.in")));
    run_script(
        begin + QStringLiteral("(gimp-item-set-lock-content layer TRUE)") + caught +
        noted(QStringLiteral("locked")) + end() + begin +
        QStringLiteral("(gimp-image-select-rectangle image CHANNEL-OP-REPLACE 70 60 10 10)") +
        caught + noted(QStringLiteral("beside")) + end() + begin +
        QStringLiteral("(let* ((picture layer)) (set! layer %1) "
                       "(gimp-image-insert-layer image layer 0 0)")
            .arg(new_group) +
        caught + QStringLiteral("(set! layer picture)") + noted(QStringLiteral("group")) +
        QStringLiteral(")") + end() + begin +
        QStringLiteral(" (catch (set! failed TRUE) "
                       "(plug-in-sfumato-gaussian RUN-NONINTERACTIVE image %1 -1))")
            .arg(drawables) +
        noted(QStringLiteral("arguments")) + end() + begin +
        QStringLiteral("(gimp-image-convert-indexed image CONVERT-DITHER-NONE "
                       "CONVERT-PALETTE-GENERATE 255 FALSE FALSE \"\")") +
        caught +
        QStringLiteral("(if (= failed TRUE) (begin (gimp-image-convert-rgb image) "
                       "(plug-in-sfumato-test-dump layer %1)))")
            .arg(quoted(path(QStringLiteral("indexed")))) +
        end());
    for (const char* name : {"locked", "beside", "group", "arguments"}) {
      QVERIFY2(QFile::exists(path(QLatin1String(name))), said_.constData());
      Image left = image_of(path(QLatin1String(name)));
      QVERIFY(left.bytes == input.bytes);
    }
    QVERIFY(QFile::exists(path(QStringLiteral("indexed"))));
  }

  void one_pixel() {
    Image input = scene({1, 1, 4, SampleType::u8, AlphaKind::straight, Coding::srgb()});
    input.set(0, 0, 3, 1);
    write(QStringLiteral("one.in"), input);
    const Recipe recipe = one_step("median", {{"radius", "3"}});
    run_script(load(path(QStringLiteral("one.in"))) + call(recipe) + dump(QStringLiteral("one")) +
               end());
    QVERIFY2(QFile::exists(path(QStringLiteral("one"))), said_.constData());
    QVERIFY(image_of(path(QStringLiteral("one"))).bytes == input.bytes);
  }

  // Numbers that the engine has no type for go as floats, and come back in their own precision.
  void wide_precisions() {
    Image input = scene({37, 29, 4, SampleType::f32, AlphaKind::straight, Coding::linear()});
    write(QStringLiteral("wide.in"), input);
    const Recipe recipe = one_step("gaussian", {{"sigma", "2"}});
    QString script;
    const QStringList precisions{QStringLiteral("PRECISION-U32-LINEAR"),
                                 QStringLiteral("PRECISION-DOUBLE-LINEAR")};
    for (const QString& precision : precisions) {
      script += load(path(QStringLiteral("wide.in"))) +
                QStringLiteral("(gimp-image-convert-precision image %1)").arg(precision) +
                call(recipe) +
                QStringLiteral("(if (= (car (gimp-image-get-precision image)) %1) %2)")
                    .arg(precision, dump(precision)) +
                end();
    }
    run_script(script);
    for (const QString& precision : precisions) {
      QVERIFY2(QFile::exists(path(precision)), said_.constData());
      Image got = image_of(path(precision)), want = by_session(recipe, input);
      if (precision.contains(QLatin1String("U32"))) {
        for (int y = 0; y < 29; ++y) {
          for (int x = 0; x < 37; ++x) {
            for (int c = 0; c < 4; ++c) want.set(x, y, c, std::clamp(want.get(x, y, c), 0.f, 1.f));
          }
        }
      }
      const double far = distance(got, want, want.format.rect());
      QVERIFY2(far < 1e-4, qPrintable(precision + QStringLiteral(": %1").arg(far)));
    }
  }

  // A mask is filtered, and the layer stays as it was.
  void layer_masks() {
    Image input = scene({50, 40, 3, SampleType::u8, AlphaKind::none, Coding::srgb()});
    write(QStringLiteral("masked.in"), input, 3, 5);
    const Recipe recipe = one_step("gaussian", {{"sigma", "2"}});
    run_script(
        load(path(QStringLiteral("masked.in"))) +
        QStringLiteral("(let* ((picture layer) (mask (car (gimp-layer-create-mask layer "
                       "ADD-MASK-COPY)))) (gimp-layer-add-mask layer mask) (set! layer mask)") +
        dump(QStringLiteral("mask")) + call(recipe) + dump(QStringLiteral("mask_filtered")) +
        QStringLiteral("(set! layer picture)") + dump(QStringLiteral("masked")) +
        QStringLiteral(")") + end());
    QVERIFY2(QFile::exists(path(QStringLiteral("masked"))), said_.constData());
    QVERIFY(image_of(path(QStringLiteral("masked"))).bytes == input.bytes);
    Image mask = image_of(path(QStringLiteral("mask"))),
          got = image_of(path(QStringLiteral("mask_filtered")));
    QCOMPARE(got.format.channels, 1);
    Image want = by_session(recipe, mask);
    QVERIFY(distance(got, want, got.format.rect()) <= 1.01);
    QVERIFY(distance(got, mask, got.format.rect()) > 3);
  }

  // "Repeat": what was given last, whatever is given now.
  void last_values() {
    Image input = scene({50, 40, 3, SampleType::u8, AlphaKind::none, Coding::srgb()});
    write(QStringLiteral("last.in"), input);
    const Recipe recipe = one_step("gaussian", {{"sigma", "5"}});
    QString again = call(one_step("gaussian", {{"sigma", "1"}}));
    again.replace(QLatin1String("RUN-NONINTERACTIVE"), QLatin1String("RUN-WITH-LAST-VALS"));
    const QString begin = load(path(QStringLiteral("last.in")));
    run_script(begin + call(recipe) + end() + begin + again + dump(QStringLiteral("last")) + end());
    QVERIFY2(QFile::exists(path(QStringLiteral("last"))), said_.constData());
    Image got = image_of(path(QStringLiteral("last"))), want = by_session(recipe, input);
    QVERIFY(distance(got, want, got.format.rect()) <= 1.01);
  }

  // The worker, then the plug-in itself, killed at any moment: the filtered pixels come all the
  // same, or the layer stays as it was.
  void killed() {
    Image input = scene({120, 90, 3, SampleType::u8, AlphaKind::none, Coding::srgb()});
    write(QStringLiteral("killed.in"), input);
    const Recipe recipe = one_step("bilateral", {{"sigma", "4"}});
    const int times = thoroughly() ? 100 : 4;
    std::mt19937 random(7);
    for (const QByteArray& victim : {QByteArray("sfumato-worker"), QByteArray("sfumato")}) {
      QString script;
      for (int i = 0; i < times; ++i) {
        script += load(path(QStringLiteral("killed.in"))) +
                  QStringLiteral(" (catch (set! failed TRUE) %1) ").arg(call(recipe)) +
                  dump(QStringLiteral("killed%1").arg(i)) + end();
      }
      const auto gimp = start(script);
      QVERIFY(gimp != nullptr && gimp->waitForStarted());
      int kills = 0;
      while (gimp->state() != QProcess::NotRunning) {
        // The first one as soon as it is there, so that one is met on any machine.
        gimp->waitForFinished(kills == 0 ? 2 : static_cast<int>(100 + random() % 500));
        for (const int id : children_of(gimp->processId(), victim)) {
          kills += ::kill(id, SIGKILL) == 0 ? 1 : 0;
        }
      }
      QCOMPARE(gimp->exitStatus(), QProcess::NormalExit);
      QVERIFY(kills > 0);
      Image filtered = by_session(recipe, input);
      for (int i = 0; i < times; ++i) {
        const QString name = path(QStringLiteral("killed%1").arg(i));
        QVERIFY2(QFile::exists(name), gimp->readAll().constData());
        Image left = image_of(name);
        const Rect all = input.format.rect();
        const bool same = distance(left, input, all) == 0,
                   done = distance(left, filtered, all) <= 1.01;
        QVERIFY(done || (same && victim == "sfumato"));
        QFile::remove(name);
      }
    }
  }
};

QTEST_GUILESS_MAIN(TestGimp)
#include "test_gimp.moc"
