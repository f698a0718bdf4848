#pragma once

#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/message.hpp>

#include "http/explore_door.h"
#include "http/page.h"
#include "http/session.h"
#include "http/stream.h"

namespace terrane::http {

using UpgradeRequest = boost::beast::http::request<boost::beast::http::empty_body>;

/// Turns a connection into a WebSocket, and hands it to the door; it lives until it ends.
/// @param asked    the request for that, which the door has let in
/// @param upgrade  the same, as it came
void open_web_socket(Stream stream, Port& port, const ExploreDoor& door, Request asked,
                     UpgradeRequest upgrade);

}  // namespace terrane::http
