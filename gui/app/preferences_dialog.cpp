// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Rows of the preferences, and the report for "About".
#include "app/preferences_dialog.hpp"

#include <QComboBox>
#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPushButton>
#include <QSpinBox>
#include <QSysInfo>
#include <QVBoxLayout>
#include <algorithm>

#include "device/cache_limit.hpp"
#include "device/device.hpp"
#include "device/program_cache.hpp"
#include "document/background.hpp"
#include "io/io.hpp"
#include "params/keyboard.hpp"

namespace sfumato::gui {
namespace {

constexpr int least_cache = 64, most_cache = 1 << 16, megabyte = 20;  // MB, MB, as a shift
constexpr int least_memory = 64;  // MB; less holds no tile of a wide picture

struct CacheState {
  std::uint64_t used = 0, limit = 0;
};

}  // namespace

PreferencesDialog::PreferencesDialog(const Settings& now, QWidget* parent)
    : QDialog(parent),
      given_(now),
      device_(new QComboBox(this)),
      theme_(new QComboBox(this)),
      language_(new QComboBox(this)),
      memory_(new QSpinBox(this)),
      limit_(new QSpinBox(this)),
      cache_(new QLabel(tr("…"), this)),
      note_(new QLabel(this)),
      clear_(new QPushButton(tr("&Clear"), this)),
      profile_(new QLineEdit(now.screen_profile, this)) {
  setWindowTitle(tr("Preferences"));
  auto* form = new QFormLayout(this);
  add_device_rows(*form);
  add_look_rows(*form);
  note_->setText(tr("A change of language takes effect at the next start."));
  note_->setForegroundRole(QPalette::PlaceholderText);
  form->addRow(note_);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  form->addRow(buttons);
  tab_along(*form);
  look_for_devices();
  measure_cache();
}

void PreferencesDialog::add_device_rows(QFormLayout& form) {
  device_->addItem(tr("Automatic: the fastest"), QString());
  device_->addItem(tr("None: compute on the processor, slowly"), QStringLiteral("reference"));
  if (device_->findData(given_.device) < 0) device_->addItem(given_.device, given_.device);
  device_->setCurrentIndex(device_->findData(given_.device));
  memory_->setRange(0, 1 << 20);
  memory_->setSingleStep(256);
  memory_->setSuffix(tr(" MB"));
  memory_->setSpecialValueText(tr("Automatic"));
  memory_->setValue(given_.memory_mb);
  clear_->setAutoDefault(false);
  clear_->setToolTip(tr("Programs are compiled again when they are next used"));
  connect(clear_, &QPushButton::clicked, this, &PreferencesDialog::clear_cache);
  limit_->setRange(least_cache, most_cache);
  limit_->setSingleStep(least_cache);
  limit_->setSuffix(tr(" MB"));
  limit_->setToolTip(tr("The least recently used programs are removed first"));
  limit_->setAccessibleName(tr("Disk space for compiled programs"));
  limit_->setEnabled(false);  // until the value is known
  auto* cache = new QHBoxLayout;
  cache->addWidget(cache_);
  cache->addWidget(limit_);
  cache->addStretch();
  cache->addWidget(clear_);
  form.addRow(tr("&Device"), device_);
  form.addRow(tr("Device &memory"), memory_);
  form.addRow(tr("Compiled pro&grams"), cache);
  qobject_cast<QLabel*>(form.labelForField(cache))->setBuddy(limit_);
}

void PreferencesDialog::add_look_rows(QFormLayout& form) {
  theme_->addItem(tr("As the desktop"));
  theme_->addItem(tr("Light"));
  theme_->addItem(tr("Dark"));
  theme_->setCurrentIndex(static_cast<int>(given_.theme));
  language_->addItem(tr("As the desktop"), QString());
  language_->addItem(QStringLiteral("English"), QStringLiteral("en"));
  language_->addItem(QStringLiteral("Deutsch"), QStringLiteral("de"));
  language_->setCurrentIndex(std::max(0, language_->findData(given_.language)));
  auto* browse = new QPushButton(tr("&Browse…"), this);
  browse->setAutoDefault(false);
  connect(browse, &QPushButton::clicked, this, [this] {
    const QString path =
        QFileDialog::getOpenFileName(this, tr("The screen's colour profile"), profile_->text(),
                                     tr("ICC profiles (*.icc *.icm)"));
    if (!path.isEmpty()) profile_->setText(path);
  });
  profile_->setPlaceholderText(tr("As the screen reports, else sRGB"));
  profile_->setClearButtonEnabled(true);
  profile_->setMinimumWidth(260);
  profile_->setAccessibleName(tr("Screen profile"));
  auto* profile = new QHBoxLayout;
  profile->addWidget(profile_, 1);
  profile->addWidget(browse);
  form.addRow(tr("Screen &profile"), profile);
  qobject_cast<QLabel*>(form.labelForField(profile))->setBuddy(profile_);
  form.addRow(tr("&Theme"), theme_);
  form.addRow(tr("&Language"), language_);
}

Settings PreferencesDialog::settings() const {
  Settings s = given_;
  s.device = device_->currentData().toString();
  s.memory_mb = memory_->value() == 0 ? 0 : std::max(memory_->value(), least_memory);
  s.theme = static_cast<Theme>(theme_->currentIndex());
  s.language = language_->currentData().toString();
  s.screen_profile = profile_->text();
  return s;
}

void PreferencesDialog::look_for_devices() {
  in_background(
      this,
      [] {
        QStringList names;
        set_opencl_aside(false);  // drivers were tried when the program started
        for (const DeviceInfo& d : list_devices()) names << QString::fromStdString(d.title());
        return names;
      },
      [this](const QStringList& names) {
        for (const QString& name : names) {
          if (device_->findData(name) < 0) device_->insertItem(device_->count() - 1, name, name);
        }
        if (--awaited_ == 0) Q_EMIT looked();
      });
}

void PreferencesDialog::measure_cache() {
  in_background(
      this,
      [] {
        const auto folder = default_cache_folder();
        return CacheState{cached_program_bytes(folder), cache_limit(folder)};
      },
      [this](const CacheState& state) {
        cache_->setText(tr("%1 of at most")
                            .arg(QLocale().formattedDataSize(static_cast<qint64>(state.used), 0,
                                                             QLocale::DataSizeTraditionalFormat)));
        clear_->setEnabled(state.used > 0);
        if (!limit_->isEnabled()) {  // keeps a value set by the user meanwhile
          limit_->setValue(
              static_cast<int>(std::min<std::uint64_t>(state.limit >> megabyte, most_cache)));
          kept_limit_ = limit_->value();
          limit_->setEnabled(true);
        }
        if (--awaited_ == 0) Q_EMIT looked();
      });
}

void PreferencesDialog::clear_cache() {
  clear_->setEnabled(false);
  in_background(
      this, [] { trim_cached_programs(default_cache_folder(), 0); }, [this] { measure_cache(); });
}

void PreferencesDialog::accept() {
  if (limit_->isEnabled() && limit_->value() != kept_limit_) {
    const auto limit = static_cast<std::uint64_t>(limit_->value()) << megabyte;
    const auto keep = [limit] {
      const auto folder = default_cache_folder();
      set_cache_limit(folder, limit);
      trim_cached_programs(folder, limit);
    };
    in_background(QCoreApplication::instance(), keep, [] {});  // the dialog does not wait
  }
  QDialog::accept();
}

QString system_report() {
  QStringList lines;
  lines << QStringLiteral("Sfumato %1").arg(QCoreApplication::applicationVersion())
        << QStringLiteral("Qt %1, %2, %3")
               .arg(QLatin1String(qVersion()), QSysInfo::prettyProductName(),
                    QSysInfo::currentCpuArchitecture());
  try {
    lines << QString::fromStdString(file_library_versions());
  } catch (const std::exception& error) {
    lines << QString::fromUtf8(error.what());
  }
  const std::vector<DeviceInfo> devices = list_devices();
  for (const DeviceInfo& d : devices) {
    lines << QStringLiteral("%1 | %2 | %3 | driver %4")
                 .arg(QString::fromStdString(d.name), QString::fromStdString(d.platform),
                      QString::fromStdString(d.version), QString::fromStdString(d.driver));
  }
  if (devices.empty()) lines << QStringLiteral("no device");
  return lines.join(QLatin1Char('\n'));
}

}  // namespace sfumato::gui
