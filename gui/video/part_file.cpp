// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Uses the system's file locks, which end with their process.
#include "video/part_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <cerrno>
#include <stdexcept>

#include "device/files.hpp"
#include "document/paths.hpp"
#include "params/core_text.hpp"
#include "text/system_reason.hpp"
#include "video/video_writer.hpp"

namespace sfumato::gui {
namespace {

constexpr auto mark = ".sfumato-part.";

[[noreturn]] void fail_part(const QString& sentence) {
  throw std::runtime_error(sentence.toStdString());
}

QString words_of(int error) {
  return core_text(system_reason(error));
}

// Whether the name still refers to the open file.
bool is_at(int file, const QByteArray& path) {
  struct stat open {
  }, named{};
  return ::fstat(file, &open) == 0 && ::lstat(path.constData(), &named) == 0 &&
         open.st_dev == named.st_dev && open.st_ino == named.st_ino;
}

// A writer holds the lock of its file; if files cannot be locked, none is removed.
void remove_abandoned(const QDir& folder) {
  const QStringList names = folder.entryList({QStringLiteral(".*%1*").arg(QLatin1String(mark))},
                                             QDir::Files | QDir::Hidden | QDir::NoSymLinks);
  for (const QString& name : names) {
    const QByteArray path = QFile::encodeName(folder.filePath(name));
    const int file = ::open(path.constData(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) continue;
    if (::flock(file, LOCK_EX | LOCK_NB) == 0 && is_at(file, path)) ::unlink(path.constData());
    ::close(file);
  }
}

}  // namespace

PartFile::PartFile(const QString& target) : target_(target) {
  const QFileInfo file(target);
  remove_abandoned(file.dir());
  path_ = file.dir().filePath(u'.' + file.completeBaseName() + QLatin1String(mark) + file.suffix());
  const QByteArray path = QFile::encodeName(path_);
  // Another program may be removing the file, taking it for abandoned.
  for (int attempt = 0; attempt < 100; ++attempt) {
    lock_ = ::open(path.constData(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (lock_ < 0)
      fail_part(VideoWriter::tr("The movie cannot be written: %1").arg(words_of(errno)));
    const bool locked = ::flock(lock_, LOCK_EX | LOCK_NB) == 0;
    const bool taken = !locked && errno == EWOULDBLOCK;
    if (!taken && is_at(lock_, path)) return;
    ::close(lock_);
    lock_ = -1;
    if (taken) break;
  }
  fail_part(VideoWriter::tr("%1 is being written already.").arg(target_));
}

PartFile::~PartFile() {
  if (!path_.isEmpty()) QFile::remove(path_);
  if (lock_ >= 0) ::close(lock_);
}

void PartFile::commit(bool overwrite) {
  const int error = rename_file(native_path(path_), native_path(target_), overwrite);
  if (error == EEXIST && !overwrite) {
    fail_part(VideoWriter::tr("%1 is there already.").arg(target_));
  }
  if (error != 0) {
    fail_part(VideoWriter::tr("The movie cannot be written: %1").arg(words_of(error)));
  }
  path_.clear();
}

}  // namespace sfumato::gui
