// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Device, memory, cache, appearance and language.
#pragma once

#include <QDialog>

#include "app/settings.hpp"

class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace sfumato::gui {

/// Shows settings and returns them changed. Devices and the cache are examined off the GUI thread.
class PreferencesDialog : public QDialog {
  Q_OBJECT

 public:
  explicit PreferencesDialog(const Settings& now, QWidget* parent = nullptr);

  Settings settings() const;

  /// The cache's limit is shared with other programs, so it is saved here.
  void accept() override;

 Q_SIGNALS:
  /// The list of devices and the size of the cache are known.
  void looked();

 private:
  void add_device_rows(QFormLayout& form);
  void add_look_rows(QFormLayout& form);
  void look_for_devices();
  void measure_cache();
  void clear_cache();

  Settings given_;
  QComboBox *device_, *theme_, *language_;
  QSpinBox *memory_, *limit_;
  QLabel *cache_, *note_;
  QPushButton* clear_;
  QLineEdit* profile_;
  int awaited_ = 2;
  int kept_limit_ = 0;  // MB
};

/// The machine's description for a bug report: program, Qt, libraries, devices and drivers. Queries
/// devices: not on the GUI thread.
QString system_report();

}  // namespace sfumato::gui
