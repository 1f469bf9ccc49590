// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// One call over the session bus, without waiting for the reply.
#include "batch/notification.hpp"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCall>
#include <QGuiApplication>
#include <QVariantMap>

namespace sfumato::gui {

void notify_desktop(const QString& title, const QString& text) {
  const QString service = QStringLiteral("org.freedesktop.Notifications");
  QDBusMessage call = QDBusMessage::createMethodCall(
      service, QStringLiteral("/org/freedesktop/Notifications"), service, QStringLiteral("Notify"));
  QVariantMap hints;
  hints[QStringLiteral("desktop-entry")] = QGuiApplication::desktopFileName();
  // Application, replaced notification, icon, title, text, actions, hints, milliseconds.
  call << QGuiApplication::applicationDisplayName() << 0U << QStringLiteral("sfumato-editor")
       << title << text.toHtmlEscaped() << QStringList() << hints << -1;
  QDBusConnection bus = QDBusConnection::sessionBus();
  if (bus.isConnected()) bus.asyncCall(call);
}

}  // namespace sfumato::gui
