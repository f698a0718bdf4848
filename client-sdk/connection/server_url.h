#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "terrane/result.h"

namespace terrane::connection {

/// Where a server's HTTP port is.
struct ServerUrl {
  bool has_tls = false;
  std::string host;  // a name or an address; of IPv6 without its brackets
  std::string port;
  std::string path;  // "" or "/some/where", before what the server offers

  /// host, with brackets where it needs them, and the port where it is not the usual one: the field
  /// Host.
  [[nodiscard]] std::string authority() const;
  [[nodiscard]] std::string text() const;
};

/// Reads "ws://host:port/path", several with commas between. http:// and https:// mean the same.
/// Errors: kInvalidArgument says which and why.
[[nodiscard]] Result<std::vector<ServerUrl>> parse_urls(std::string_view text);

}  // namespace terrane::connection
