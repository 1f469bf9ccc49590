// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Objects of kernels as packaging/native_kernels.py writes them.
#pragma once

#include <QByteArray>
#include <cstdint>
#include <cstring>

namespace sfumato::testing {

/// A shared object with its length and sum, by which is_whole() of device/built_in.hpp knows it.
inline QByteArray whole_object(QByteArray content) {
  content.append(QByteArray((8 - content.size() % 8) % 8, '\0'));
  std::uint64_t sum = 0xcbf29ce484222325;
  for (qsizetype i = 0; i < content.size(); i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, content.constData() + i, 8);
    sum = (sum ^ word) * 0x100000001b3;
  }
  const auto bytes = static_cast<std::uint64_t>(content.size());
  content.append("sfumato1");
  content.append(reinterpret_cast<const char*>(&bytes), 8);
  content.append(reinterpret_cast<const char*>(&sum), 8);
  return content;
}

}  // namespace sfumato::testing
