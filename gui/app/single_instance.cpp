// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Messages are a QStringList in QDataStream's format, answered by one byte.
#include "app/single_instance.hpp"

#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <QDataStream>
#include <QFile>
#include <QLocalSocket>
#include <QTimer>
#include <memory>

namespace sfumato::gui {
namespace {

constexpr int patience = 1500;               // ms, in case the first process is busy
constexpr qint64 longest = qint64{1} << 20;  // bytes per message
constexpr auto version = QDataStream::Qt_6_0;

// The user's own folder for sockets; empty if there is none that only this user may enter.
QString own_folder() {
  const QString folder = qEnvironmentVariable("XDG_RUNTIME_DIR");
  struct stat state {};
  if (!folder.startsWith(QLatin1Char('/')) ||
      ::lstat(QFile::encodeName(folder).constData(), &state) != 0) {
    return {};
  }
  const bool own = S_ISDIR(state.st_mode) && state.st_uid == ::geteuid() &&
                   (state.st_mode & (S_IRWXG | S_IRWXO)) == 0;
  return own ? folder : QString();
}

// Whether the process at the other end, when it connected or began to listen, was this user's.
bool is_ours(const QLocalSocket& socket) {
  ucred peer{};
  socklen_t size = sizeof peer;
  const auto descriptor = static_cast<int>(socket.socketDescriptor());
  return ::getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
         peer.uid == ::geteuid();
}

}  // namespace

QString SingleInstance::default_name() {
  QString display = qEnvironmentVariable("WAYLAND_DISPLAY", qEnvironmentVariable("DISPLAY"));
  for (QChar& c : display) {
    if (!c.isLetterOrNumber()) c = QLatin1Char('-');
  }
  return QStringLiteral("sfumato-editor-") + display;
}

SingleInstance::SingleInstance(const QString& name, QObject* parent) : QObject(parent) {
  const QString folder = own_folder();
  if (!folder.isEmpty()) path_ = folder + QLatin1Char('/') + name;
  server_.setSocketOptions(QLocalServer::UserAccessOption);
  connect(&server_, &QLocalServer::newConnection, this, &SingleInstance::take);
}

bool SingleInstance::forward_to_running(const QStringList& words) const {
  if (path_.isEmpty()) return false;
  QLocalSocket socket;
  socket.connectToServer(path_);
  if (!socket.waitForConnected(patience) || !is_ours(socket)) return false;
  QByteArray message;
  QDataStream out(&message, QIODevice::WriteOnly);
  out.setVersion(version);
  out << words;
  socket.write(message);
  return socket.waitForBytesWritten(patience) && socket.waitForReadyRead(patience) &&
         socket.readAll() == "1";
}

bool SingleInstance::listen() {
  if (path_.isEmpty()) return false;
  if (server_.listen(path_)) return true;
  // A socket left by a crashed process, on which nobody answers.
  if (server_.serverError() != QAbstractSocket::AddressInUseError) return false;
  QLocalServer::removeServer(path_);
  return server_.listen(path_);
}

void SingleInstance::take() {
  while (QLocalSocket* socket = server_.nextPendingConnection()) {
    connect(socket, &QLocalSocket::disconnected, socket, &QObject::deleteLater);
    if (!is_ours(*socket)) {
      socket->abort();
      socket->deleteLater();
      continue;
    }
    QTimer::singleShot(patience, socket, &QLocalSocket::abort);  // a client that sends nothing
    const auto received = std::make_shared<QByteArray>();
    const auto read = [this, socket, received] {
      *received += socket->readAll();
      if (received->size() > longest) return socket->abort();
      QDataStream in(*received);
      in.setVersion(version);
      in.startTransaction();
      QStringList files;
      in >> files;
      if (!in.commitTransaction()) return;  // incomplete so far
      received->clear();
      socket->write("1");
      socket->flush();
      Q_EMIT words_given(files);
    };
    connect(socket, &QLocalSocket::readyRead, this, read);
    if (socket->bytesAvailable() > 0) read();
  }
}

}  // namespace sfumato::gui
