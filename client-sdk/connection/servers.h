#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "byte_stream.h"
#include "server_url.h"
#include "terrane/result.h"

namespace terrane::connection {

/// Asked before each connection, on its thread; an empty token is none.
using TokenSource = std::function<Result<std::string>()>;

/// Where the servers are, and who asks them.
struct Servers {
  std::vector<ServerUrl> urls;  // at least one
  std::unique_ptr<Tls> tls;     // where one of them needs it
  TokenSource token;            // empty: nothing is shown
  std::chrono::milliseconds patience{10'000};

  [[nodiscard]] std::shared_ptr<ByteStream> stream(asio::io_context& context,
                                                   const ServerUrl& url) const {
    return url.has_tls ? tls->stream(context, url.host) : clear_stream(context);
  }
  [[nodiscard]] Result<std::string> get_token() const { return token ? token() : ""; }
};

/// @param urls  with commas between
/// @param insecure_token  whether it may be sent in the clear, beyond this machine
/// Errors: kInvalidArgument names what is wrong.
[[nodiscard]] Result<Servers> check_servers(std::string_view urls, const std::string& ca_file,
                                            TokenSource token, bool insecure_token,
                                            std::chrono::milliseconds patience);

/// Errors: kInvalidArgument for a text that no header can hold, which is not in the message.
[[nodiscard]] Result<void> check_token(std::string_view token);

}  // namespace terrane::connection
