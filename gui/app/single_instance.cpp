// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Messages are a QStringList in QDataStream's format, answered by one byte.
#include "app/single_instance.hpp"

#include <unistd.h>

#include <QDataStream>
#include <QLocalSocket>
#include <QTimer>
#include <memory>

namespace sfumato::gui {
namespace {

constexpr int patience = 1500;               // ms, in case the first process is busy
constexpr qint64 longest = qint64{1} << 20;  // bytes per message
constexpr auto version = QDataStream::Qt_6_0;

}  // namespace

QString SingleInstance::default_name() {
  QString display = qEnvironmentVariable("WAYLAND_DISPLAY", qEnvironmentVariable("DISPLAY"));
  for (QChar& c : display) {
    if (!c.isLetterOrNumber()) c = QLatin1Char('-');
  }
  return QStringLiteral("sfumato-editor-%1-%2").arg(::getuid()).arg(display);
}

SingleInstance::SingleInstance(const QString& name, QObject* parent)
    : QObject(parent), name_(name) {
  server_.setSocketOptions(QLocalServer::UserAccessOption);
  connect(&server_, &QLocalServer::newConnection, this, &SingleInstance::take);
}

bool SingleInstance::hand_over(const QStringList& words) const {
  QLocalSocket socket;
  socket.connectToServer(name_);
  if (!socket.waitForConnected(patience)) return false;
  QByteArray message;
  QDataStream out(&message, QIODevice::WriteOnly);
  out.setVersion(version);
  out << words;
  socket.write(message);
  return socket.waitForBytesWritten(patience) && socket.waitForReadyRead(patience) &&
         socket.readAll() == "1";
}

bool SingleInstance::listen() {
  if (server_.listen(name_)) return true;
  // A socket left by a crashed process, on which nobody answers.
  if (server_.serverError() != QAbstractSocket::AddressInUseError) return false;
  QLocalServer::removeServer(name_);
  return server_.listen(name_);
}

void SingleInstance::take() {
  while (QLocalSocket* socket = server_.nextPendingConnection()) {
    connect(socket, &QLocalSocket::disconnected, socket, &QObject::deleteLater);
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
