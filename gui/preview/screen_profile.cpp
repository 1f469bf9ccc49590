// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Reads _ICC_PROFILE and _ICC_PROFILE_n of the root window, per "ICC Profiles In X Specification
// 0.4".
#include "preview/screen_profile.hpp"

#include <QGuiApplication>
#include <QScreen>
#include <QWidget>

#ifdef SFUMATO_HAVE_XCB
#include <xcb/xcb.h>

#include <cstdlib>
#include <memory>
#endif

namespace sfumato::gui {

#if defined(SFUMATO_HAVE_XCB) && QT_CONFIG(xcb)
namespace {

struct Free {
  void operator()(void* reply) const { std::free(reply); }
};

xcb_atom_t atom_of(xcb_connection_t* x, const QByteArray& name) {
  const auto cookie =
      xcb_intern_atom(x, 1, static_cast<std::uint16_t>(name.size()), name.constData());
  const std::unique_ptr<xcb_intern_atom_reply_t, Free> reply(
      xcb_intern_atom_reply(x, cookie, nullptr));
  return reply ? reply->atom : static_cast<xcb_atom_t>(XCB_ATOM_NONE);
}

QByteArray property(xcb_connection_t* x, xcb_window_t window, const QByteArray& name) {
  constexpr std::uint32_t most = 4 << 20;  // in 32-bit words
  const xcb_atom_t atom = atom_of(x, name);
  if (atom == XCB_ATOM_NONE) return {};
  const auto cookie = xcb_get_property(x, 0, window, atom, XCB_ATOM_CARDINAL, 0, most);
  const std::unique_ptr<xcb_get_property_reply_t, Free> reply(
      xcb_get_property_reply(x, cookie, nullptr));
  if (!reply || reply->format != 8 || reply->bytes_after > 0) return {};
  return {static_cast<const char*>(xcb_get_property_value(reply.get())),
          xcb_get_property_value_length(reply.get())};
}

}  // namespace

QByteArray screen_profile_of(const QWidget* widget) {
  const auto* native = qGuiApp->nativeInterface<QNativeInterface::QX11Application>();
  if (native == nullptr || native->connection() == nullptr) return {};
  xcb_connection_t* x = native->connection();
  const xcb_window_t root = xcb_setup_roots_iterator(xcb_get_setup(x)).data->root;
  const qsizetype screen = widget != nullptr ? qGuiApp->screens().indexOf(widget->screen()) : 0;
  const QByteArray name = "_ICC_PROFILE";
  return property(x, root, screen > 0 ? name + '_' + QByteArray::number(screen) : name);
}
#else
QByteArray screen_profile_of(const QWidget*) {
  return {};
}
#endif

}  // namespace sfumato::gui
