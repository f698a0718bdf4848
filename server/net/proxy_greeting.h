#pragma once

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <functional>

#include "net/proxy_header.h"
#include "terrane/result.h"

namespace terrane::net {

/// Reads the PROXY header at the beginning of a connection, and not a byte more.
/// @param descriptor  of the connection, non-blocking; closed where the header does not come, or
///   with `io`
/// @param done  called once, on io's thread, with the descriptor, which it owns from then on, or -1
///   and what is wrong
/// May throw std::bad_alloc; then the descriptor is the caller's.
void read_proxy_header(boost::asio::io_context& io, int descriptor,
                       std::chrono::milliseconds timeout,
                       std::function<void(int descriptor, Result<ProxyHeader>)> done);

}  // namespace terrane::net
