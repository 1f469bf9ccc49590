// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "text/system_reason.hpp"

#include <cerrno>
#include <optional>

namespace sfumato {
namespace {

// A name does not lead to a file, or may not.
std::optional<Message> reason_of_name(int error) {
  switch (error) {
    case ENOENT:
      return message({"system.no_file", "No such file or directory"});
    case EACCES:
      return message({"system.denied", "Permission denied"});
    case EPERM:
      return message({"system.not_permitted", "Operation not permitted"});
    case EEXIST:
      return message({"system.exists", "File exists"});
    case EISDIR:
      return message({"system.is_folder", "Is a directory"});
    case ENOTDIR:
      return message({"system.not_a_folder", "Not a directory"});
    case ELOOP:
      return message({"system.too_many_links", "Too many levels of symbolic links"});
    case ENAMETOOLONG:
      return message({"system.name_too_long", "File name too long"});
    case ETXTBSY:
      return message({"system.text_busy", "Text file busy"});
    case EROFS:
      return message({"system.read_only", "Read-only file system"});
    case ENXIO:
    case ENODEV:
      return message({"system.no_device", "No such device"});
    default:
      return std::nullopt;
  }
}

// Something has run out, or does not answer.
std::optional<Message> reason_of_resource(int error) {
  switch (error) {
    case ENOSPC:
      return message({"system.no_space", "No space left on device"});
    case EDQUOT:
      return message({"system.quota", "Disk quota exceeded"});
    case EFBIG:
      return message({"system.too_large", "File too large"});
    case EIO:
      return message({"system.input_output", "Input/output error"});
    case EMFILE:
      return message({"system.too_many_open", "Too many open files"});
    case ENFILE:
      return message({"system.too_many_open_in_all", "Too many open files in system"});
    case ENOMEM:
      return message({"system.no_memory", "Cannot allocate memory"});
    case EBUSY:
      return message({"system.busy", "Device or resource busy"});
    case EAGAIN:
      return message({"system.not_now", "Resource temporarily unavailable"});
    case EINTR:
      return message({"system.interrupted", "Interrupted system call"});
    case ESTALE:
      return message({"system.stale", "Stale file handle"});
    case ETIMEDOUT:
      return message({"system.timed_out", "Connection timed out"});
    default:
      return std::nullopt;
  }
}

}  // namespace

Message system_reason(int error) {
  if (auto reason = reason_of_name(error)) return *std::move(reason);
  if (auto reason = reason_of_resource(error)) return *std::move(reason);
  return foreign_message(std::generic_category().message(error));
}

Message system_reason(const std::error_code& error) {
  return error.category() == std::generic_category() || error.category() == std::system_category()
             ? system_reason(error.value())
             : foreign_message(error.message());
}

}  // namespace sfumato
