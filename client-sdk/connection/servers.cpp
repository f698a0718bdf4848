#include "servers.h"

#include <algorithm>
#include <boost/asio/ip/address.hpp>
#include <utility>

#include "terrane/result_macros.h"

namespace terrane::connection {
namespace {

constexpr std::chrono::hours kLongestPatience{24};
constexpr std::size_t kMaxToken = 7168;  // bytes, as token.h says

bool is_on_this_machine(const ServerUrl& url) {
  SystemError no_address;
  const auto address = asio::ip::make_address(url.host, no_address);
  return no_address ? url.host == "localhost" : address.is_loopback();
}

}  // namespace

Result<Servers> check_servers(std::string_view urls, const std::string& ca_file, TokenSource token,
                              bool insecure_token, std::chrono::milliseconds patience) {
  Servers servers;
  TERRANE_ASSIGN_OR_RETURN(servers.urls, parse_urls(urls));
  for (const ServerUrl& url : servers.urls) {
    if (token && !insecure_token && !url.has_tls && !is_on_this_machine(url)) {
      return fail(
          ErrorCode::kInvalidArgument,
          "a token would be sent to " + url.text() +
              " in the clear: use wss://, or set insecure_token if something else encrypts");
    }
    if (url.has_tls && !servers.tls) {
      TERRANE_ASSIGN_OR_RETURN(servers.tls, make_tls(ca_file));
    }
  }
  servers.token = std::move(token);
  if (patience.count() != 0) {
    servers.patience = std::clamp<std::chrono::milliseconds>(patience, std::chrono::milliseconds(1),
                                                             kLongestPatience);
  }
  return servers;
}

Result<void> check_token(std::string_view token) {
  if (token.size() <= kMaxToken &&
      std::all_of(token.begin(), token.end(), [](char c) { return c > ' ' && c < '\x7f'; }))
    return {};
  return fail(ErrorCode::kInvalidArgument,
              "the token has more than " + std::to_string(kMaxToken) +
                  " bytes, or a space, a control character or what is not ASCII");
}

}  // namespace terrane::connection
