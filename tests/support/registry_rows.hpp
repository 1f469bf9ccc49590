// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// One QtTest data row per filter.
#pragma once

#include <QTest>

#include "filters/registry.hpp"
#include "support/not_empty.hpp"

namespace sfumato::testing {

inline void every_filter() {
  QTest::addColumn<QString>("id");
  for (const RegisteredFilter& f : not_empty(Registry::get().all(), "filters")) {
    const std::string& id = f.filter->info().id;
    QTest::newRow(id.c_str()) << QString::fromStdString(id);
  }
}

/// The filter of the current row.
inline const Filter& fetched() {
  QFETCH(QString, id);
  return *Registry::get().at(id.toStdString()).filter;
}

}  // namespace sfumato::testing
