#pragma once

#include <openssl/types.h>

#include <boost/asio/ip/tcp.hpp>
#include <string>
#include <vector>

/// Who is at the other end of a connection, in the words that gRPC has for it.
namespace terrane::http {

/// "ipv4:127.0.0.1:50000" or "ipv6:[::1]:50000".
[[nodiscard]] std::string peer_text(const boost::asio::ip::tcp::endpoint& peer);

/// Whether the other end of a connection has closed it, though what it sent before may not have
/// been read yet.
[[nodiscard]] bool has_left(int descriptor);

/// Whom a certificate is for: its names, then its common name.
[[nodiscard]] std::vector<std::string> subjects_of(const X509& certificate);

}  // namespace terrane::http
