#include "addresses.h"

#include <arpa/inet.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <vector>

#include "terrane/result_macros.h"

namespace terrane::client {
namespace {

constexpr std::size_t kMaxAddresses = 64;

/// A numeric address; gRPC's names for lists are ipv4:A,B and ipv6:[A],[B].
struct Numeric {
  bool is_v6 = false;
  std::string host;
  std::string port;
};

bool is_port(std::string_view text) {
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  return error == std::errc() && end == text.data() + text.size() && port > 0;
}

bool is_numeric(int family, const std::string& host) {
  in6_addr address{};  // large enough for both
  return inet_pton(family, host.c_str(), &address) == 1;
}

std::optional<Numeric> parse(std::string_view text) {
  const auto colon = text.rfind(':');
  if (colon == std::string_view::npos || !is_port(text.substr(colon + 1))) return std::nullopt;
  std::string_view host = text.substr(0, colon);
  const bool is_v6 = host.starts_with('[') && host.ends_with(']');
  if (is_v6) host = host.substr(1, host.size() - 2);
  Numeric parsed{is_v6, std::string(host), std::string(text.substr(colon + 1))};
  if (!is_numeric(is_v6 ? AF_INET6 : AF_INET, parsed.host)) return std::nullopt;
  return parsed;
}

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

Result<std::vector<Numeric>> parse_list(std::string_view list) {
  std::vector<Numeric> parsed;
  for (std::size_t start = 0; start <= list.size();) {
    const std::size_t comma = std::min(list.find(',', start), list.size());
    const std::string_view part = trimmed(list.substr(start, comma - start));
    const auto numeric = parse(part);
    if (!numeric) {
      return fail(ErrorCode::kInvalidArgument,
                  "address '" + std::string(part) +
                      "': a list takes numeric addresses with ports, like "
                      "10.0.0.1:4150,[fd00::2]:4150; for names use one that stands for all of "
                      "them");
    }
    parsed.push_back(*numeric);
    start = comma + 1;
  }
  if (parsed.size() > kMaxAddresses) {
    return fail(ErrorCode::kInvalidArgument, "address: a list of " + std::to_string(parsed.size()) +
                                                 "; at most " + std::to_string(kMaxAddresses));
  }
  return parsed;
}

}  // namespace

Result<std::string> grpc_target(std::string_view address) {
  if (address.find(',') == std::string_view::npos || address.starts_with("unix:")) {
    if (address.find(':') != std::string_view::npos && address.back() != ':')
      return std::string(address);
    return fail(ErrorCode::kInvalidArgument, "address '" + std::string(address) +
                                                 "': write host:port, like 127.0.0.1:4150, or "
                                                 "several numeric ones with commas");
  }
  TERRANE_ASSIGN_OR_RETURN(const auto list, parse_list(address));
  bool any_v6 = false;
  for (const Numeric& each : list) any_v6 = any_v6 || each.is_v6;
  std::string target = any_v6 ? "ipv6:" : "ipv4:";
  for (const Numeric& each : list) {
    if (target.back() != ':') target += ',';
    if (!any_v6) {
      target.append(each.host);
    } else {  // one list is of one family: IPv4 as a part of IPv6 (RFC 4291)
      target.append(each.is_v6 ? "[" : "[::ffff:").append(each.host).append("]");
    }
    target.append(":").append(each.port);
  }
  return target;
}

}  // namespace terrane::client
