// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "text/system_reason.hpp"

#include <cerrno>

namespace sfumato {

Message system_reason(int error) {
  switch (error) {
    case ENOENT:
      return message({"system.no_file", "No such file or directory"});
    case EACCES:
      return message({"system.denied", "Permission denied"});
    case EPERM:
      return message({"system.not_permitted", "Operation not permitted"});
    case ENOSPC:
      return message({"system.no_space", "No space left on device"});
    case EDQUOT:
      return message({"system.quota", "Disk quota exceeded"});
    case EFBIG:
      return message({"system.too_large", "File too large"});
    case ENAMETOOLONG:
      return message({"system.name_too_long", "File name too long"});
    case EROFS:
      return message({"system.read_only", "Read-only file system"});
    case EIO:
      return message({"system.input_output", "Input/output error"});
    case EMFILE:
      return message({"system.too_many_open", "Too many open files"});
    default:
      return foreign_message(std::generic_category().message(error));
  }
}

Message system_reason(const std::error_code& error) {
  return error.category() == std::generic_category() || error.category() == std::system_category()
             ? system_reason(error.value())
             : foreign_message(error.message());
}

}  // namespace sfumato
