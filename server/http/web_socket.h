#pragma once

#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/message.hpp>
#include <memory>

#include "http/explore_door.h"
#include "http/page.h"
#include "http/session.h"

namespace terrane::http {

using UpgradeRequest = boost::beast::http::request<boost::beast::http::empty_body>;

/// Turns a connection into a WebSocket, and hands it to the door; it lives until it ends.
/// @param asked    the request for that, which the door has let in
/// @param upgrade  the same, as it came
void open_web_socket(boost::beast::tcp_stream stream, Port& port, const ExploreDoor& door,
                     Request asked, UpgradeRequest upgrade);

/// The same, encrypted with that context.
void open_web_socket(boost::asio::ssl::stream<boost::beast::tcp_stream> stream,
                     std::shared_ptr<boost::asio::ssl::context> context, Port& port,
                     const ExploreDoor& door, Request asked, UpgradeRequest upgrade);

}  // namespace terrane::http
