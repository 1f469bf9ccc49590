// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Finds out which of Qt's platforms has a screen, which Qt itself would find out too late.
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <QCoreApplication>
#include <QDir>
#include <QLibraryInfo>
#include <cstring>

#include "dialog/application.hpp"

#ifdef SFUMATO_HAVE_XCB
#include <xcb/xcb.h>
#endif

namespace sfumato::hosts {
namespace {

bool has_plugin(const QString& platform) {
  QStringList folders{qEnvironmentVariable("QT_QPA_PLATFORM_PLUGIN_PATH"),
                      QLibraryInfo::path(QLibraryInfo::PluginsPath) + QLatin1String("/platforms")};
  for (const QString& path : qEnvironmentVariable("QT_PLUGIN_PATH").split(QLatin1Char(':'))) {
    folders << path + QLatin1String("/platforms");
  }
  for (const QString& folder : folders) {
    const QStringList names{QStringLiteral("libq%1.so").arg(platform),
                            QStringLiteral("libq%1-*.so").arg(platform)};
    if (!folder.isEmpty() && !QDir(folder).entryList(names, QDir::Files).isEmpty()) return true;
  }
  return false;
}

bool x_answers() {
  if (qEnvironmentVariableIsEmpty("DISPLAY")) return false;
#ifdef SFUMATO_HAVE_XCB
  xcb_connection_t* x = xcb_connect(nullptr, nullptr);
  const bool answers = xcb_connection_has_error(x) == 0;
  xcb_disconnect(x);
  return answers;
#else
  return true;
#endif
}

bool wayland_answers() {
  const QByteArray name = qgetenv("WAYLAND_DISPLAY");
  if (name.isEmpty()) return false;
  const QByteArray path = name.startsWith('/') ? name : qgetenv("XDG_RUNTIME_DIR") + '/' + name;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= static_cast<qsizetype>(sizeof address.sun_path)) return false;
  std::memcpy(address.sun_path, path.constData(), static_cast<std::size_t>(path.size()));
  const int line = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (line < 0) return false;
  const bool answers =
      ::connect(line, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  ::close(line);
  return answers;
}

// `request` is a platform's name, with its options after a colon. Platforms that draw to a screen
// without a window system, such as eglfs, are not usable beside a host.
bool is_usable(const QString& request) {
  const QString name = request.section(QLatin1Char(':'), 0, 0);
  if (name == QLatin1String("xcb")) return has_plugin(name) && x_answers();
  if (name.startsWith(QLatin1String("wayland"))) {
    return has_plugin(QStringLiteral("wayland")) && wayland_answers();
  }
  return (name == QLatin1String("offscreen") || name == QLatin1String("minimal") ||
          name == QLatin1String("vnc")) &&
         has_plugin(name);
}

}  // namespace

bool find_screen() {
  const QString requested = qEnvironmentVariable("QT_QPA_PLATFORM");
  // Without a request, Qt tries X in any case, and hosts use it, too.
  if (requested.isEmpty() && is_usable(QStringLiteral("xcb"))) return true;
  QStringList platforms = requested.split(QLatin1Char(';'), Qt::SkipEmptyParts);
  platforms << QStringLiteral("xcb") << QStringLiteral("wayland");
  for (const QString& platform : platforms) {
    if (!is_usable(platform)) continue;
    qputenv("QT_QPA_PLATFORM", platform.toLocal8Bit());
    return true;
  }
  return false;
}

}  // namespace sfumato::hosts
