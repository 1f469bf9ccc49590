// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// One recipe file per document, with a lock beside it that ends with the process.
#include "document/recovery.hpp"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QMutex>
#include <QSet>
#include <QStandardPaths>
#include <QThreadPool>
#include <QUuid>
#include <cerrno>
#include <nlohmann/json.hpp>

#include "device/files.hpp"
#include "document/document.hpp"
#include "filters/registry.hpp"
#include "params/core_text.hpp"
#include "text/system_reason.hpp"

namespace sfumato::gui {
namespace {

constexpr int delay = 700;  // ms after the last change

QString lock_of(const QString& file) {
  return file + QStringLiteral(".lock");
}

// Not offered again, but kept for a newer version or a person to read.
QString keep_as_bad_file(const QString& file) {
  QString bad = file + QStringLiteral(".bad");
  for (int i = 2; QFile::exists(bad); ++i) bad = QStringLiteral("%1.%2.bad").arg(file).arg(i);
  return QFile::rename(file, bad) ? bad : file;
}

// This process's files. A lock may name this process id and still belong to an earlier process.
class OwnFiles {
 public:
  void add(const QString& file) {
    const QMutexLocker lock(&mutex_);
    files_ << QFileInfo(file).absoluteFilePath();
  }
  bool has(const QString& file) {
    const QMutexLocker lock(&mutex_);
    return files_.contains(QFileInfo(file).absoluteFilePath());
  }

 private:
  QMutex mutex_;
  QSet<QString> files_;
};

OwnFiles& own_files() {
  static OwnFiles files;
  return files;
}

// Whether nobody uses the file, which is locked then.
bool is_left(QLockFile& lock, const QString& file) {
  lock.setStaleLockTime(0);
  if (lock.tryLock()) return true;
  qint64 process = 0;
  QString host, program;
  const bool ours = lock.getLockInfo(&process, &host, &program) &&
                    process == QCoreApplication::applicationPid() &&
                    host == QSysInfo::machineHostName();
  return ours && !own_files().has(file) && QFile::remove(lock_of(file)) && lock.tryLock();
}

// Writes are queued, the newest last.
QThreadPool& writer() {
  static QThreadPool pool;
  pool.setMaxThreadCount(1);
  return pool;
}

// Locks that killed editors left without a recipe.
void remove_left_locks(const QString& folder) {
  const QString suffix = lock_of(QString());
  for (const QString& name :
       QDir(folder).entryList({QStringLiteral("*.json") + suffix}, QDir::Files)) {
    const QString file = QDir(folder).absoluteFilePath(name.chopped(suffix.size()));
    if (QFile::exists(file)) continue;
    QLockFile lock(lock_of(file));
    is_left(lock, file);  // then the lock's file goes with it
  }
}

// False with the reason in errno.
bool keep_on_disk(const QString& file, QLockFile& lock, const std::string& text) {
  if (!write_file_atomically(file.toStdString(), text)) return false;
  // Missing if there was no room for it before; without it, others would take the file for left.
  if (lock.isLocked() || lock.tryLock()) return true;
  errno = lock.error() == QLockFile::PermissionError ? EACCES : ENOSPC;
  return false;
}

}  // namespace

QString Recovery::default_folder() {
  return QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation) +
         QStringLiteral("/recovery");
}

Recovery::Recovery(Document& document, const QString& folder, QObject* parent)
    : QObject(parent), document_(document) {
  file_ = QStringLiteral("%1/%2.json").arg(folder, QUuid::createUuid().toString(QUuid::Id128));
  own_files().add(file_);
  lock_ = std::make_shared<QLockFile>(lock_of(file_));
  lock_->setStaleLockTime(0);  // a lock is stale only if its process is gone
  writer().start([folder, lock = lock_] {
    QDir().mkpath(folder);
    lock->tryLock();
  });
  soon_.setSingleShot(true);
  soon_.setInterval(delay);
  connect(&soon_, &QTimer::timeout, this, [this] { write(); });
  const auto later = [this] { soon_.start(); };
  connect(&document_, &Document::recipe_changed, this, later);
  connect(&document_, &Document::picture_changed, this, later);
  connect(&document_.undo_stack(), &QUndoStack::cleanChanged, this, later);
}

Recovery::~Recovery() {
  soon_.stop();
  writer().start([file = file_, lock = std::move(lock_)] {
    QFile::remove(file);
    lock->unlock();
  });
  writer().waitForDone();
}

void Recovery::write(std::function<void(bool)> then) {
  // Outlives the queued writes.
  const auto tell = [this, then = std::move(then)](bool kept, const QString& fault = {}) {
    QMetaObject::invokeMethod(
        this,
        [this, then, kept, fault] {
          take_outcome(fault);
          if (then) then(kept);
        },
        Qt::QueuedConnection);
  };
  if (document_.size() == 0 || !document_.is_modified()) {
    writer().start([file = file_, tell] {
      QFile::remove(file);
      tell(true);
    });
    return;
  }
  Recipe recipe = document_.recipe();
  const PicturePtr& picture = document_.picture();
  if (picture && !picture->temporary) {
    // JSON holds valid text only: a path that is not valid text is left out.
    const std::string path = picture->path.string();
    if (QUtf8StringView(path).isValidUtf8()) recipe.extra.set_text("picture", path);
  }
  writer().start([file = file_, lock = lock_, recipe, tell] {
    std::string text;
    try {
      text = print_recipe(recipe, Registry::get());
    } catch (const std::exception&) {
      // A recipe that cannot be printed cannot be rendered either, as its window reports.
      return tell(false);
    }
    if (keep_on_disk(file, *lock, text)) return tell(true);
    const QString reason = core_text(system_reason(errno));
    tell(false, tr("Unsaved steps are not kept in case the editor ends unexpectedly: the folder %1 "
                   "cannot be written to (%2). Save the recipe.")
                    .arg(QFileInfo(file).path(), reason));
  });
}

void Recovery::take_outcome(const QString& fault) {
  const QString before = std::exchange(fault_, fault);
  if (before.isEmpty() != fault.isEmpty()) Q_EMIT kept_changed(fault);
}

void Recovery::write_then(std::function<void(bool)> then) {
  soon_.stop();
  write(std::move(then));
}

void Recovery::write_now() {
  soon_.stop();
  write();
  writer().waitForDone();
}

std::vector<RecoveredWork> Recovery::left_behind(const QString& folder, QStringList* unreadable) {
  std::vector<RecoveredWork> found;
  remove_left_locks(folder);
  for (const QFileInfo& entry :
       QDir(folder).entryInfoList({QStringLiteral("*.json")}, QDir::Files, QDir::Time)) {
    const QString file = entry.absoluteFilePath();
    QLockFile lock(lock_of(file));
    if (!is_left(lock, file)) continue;  // its editor is running
    std::string text;
    if (!read_file(file.toStdString(), text)) {
      if (unreadable != nullptr) *unreadable << file;
      continue;
    }
    try {
      const Recipe recipe = parse_recipe(text, Registry::get());
      found.push_back({file,
                       QString::fromStdString(recipe.extra.text("picture").value_or(std::string())),
                       static_cast<int>(recipe.steps.size())});
    } catch (const std::exception&) {
      const QString kept = keep_as_bad_file(file);
      if (unreadable != nullptr) *unreadable << kept;
    }
  }
  return found;
}

void Recovery::discard(const RecoveredWork& found) {
  QFile::remove(found.file);
  QFile::remove(lock_of(found.file));
}

}  // namespace sfumato::gui
