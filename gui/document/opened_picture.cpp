// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Opens pictures with the io library.
#include "document/opened_picture.hpp"

#include <QCoreApplication>
#include <QDir>
#include <QTemporaryFile>
#include <QThread>

#include "document/background.hpp"

namespace sfumato::gui {

void make_profile_plain(OpenedPicture& picture) try {
  picture.icc_profile = plain_profile(picture.icc_profile, picture.path);
} catch (const FileError& error) {
  picture.icc_profile.clear();
  picture.warnings.push_back(error.message());
}

namespace {

// The last reference may be dropped on the GUI thread, which should neither close a file nor free
// hundreds of megabytes.
void let_go(OpenedPicture* picture) {
  const QCoreApplication* app = QCoreApplication::instance();
  if (app == nullptr || QThread::currentThread() != app->thread()) {
    delete picture;
  } else {
    background_pool().start([picture] { delete picture; });
  }
}

std::shared_ptr<OpenedPicture> read_whole(const std::filesystem::path& path,
                                          const std::string& channels) {
  ReadOptions options;
  options.channels = channels;
  const std::optional<FileVersion> version = version_of(path);
  const std::unique_ptr<InputPicture> file = open_picture(path, options);
  std::shared_ptr<OpenedPicture> picture(new OpenedPicture, let_go);
  static_cast<PictureInfo&>(*picture) = file->info();
  make_profile_plain(*picture);
  picture->pixels = read_all(*file);
  picture->channels = channels;
  picture->version = version;
  picture->title = path.filename().string();
  return picture;
}

}  // namespace

PicturePtr open_whole(const std::filesystem::path& path, const std::string& channels) {
  return read_whole(path, channels);
}

PicturePtr open_channels(const OpenedPicture& picture, const std::string& channels) {
  std::shared_ptr<OpenedPicture> other = read_whole(picture.path, channels);
  other->title = picture.title;
  other->temporary = picture.temporary;
  return other;
}

PicturePtr open_bytes(const QByteArray& bytes, const QString& suffix, const QString& title) {
  auto file = std::make_shared<QTemporaryFile>(
      QDir::temp().filePath(QStringLiteral("sfumato-XXXXXX") + suffix));
  if (!file->open() || file->write(bytes) != bytes.size() || !file->flush()) {
    throw FileError(
        message({"clipboard.not_kept", "cannot keep the pasted picture in {folder}: {reason}"},
                QDir::tempPath().toStdString(), file->errorString().toStdString()));
  }
  std::shared_ptr<OpenedPicture> picture = read_whole(file->fileName().toStdString(), {});
  picture->title = title.toStdString();
  picture->temporary = std::move(file);
  return picture;
}

}  // namespace sfumato::gui
