#include "server_url.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "terrane/result_macros.h"

namespace terrane::connection {
namespace {

tl::unexpected<Error> wrong(std::string_view url, const std::string& why) {
  // what may be a secret stays out of it
  std::string shown(url.substr(0, std::min({url.find('?'), url.find('#'), std::size_t{200}})));
  if (const std::size_t at = shown.rfind('@'); at != std::string::npos) {
    const std::size_t slashes = shown.find("//");
    const std::size_t begin = slashes < at ? slashes + 2 : 0;
    shown.replace(begin, at - begin, "...");
  }
  return fail(ErrorCode::kInvalidArgument, "the URL '" + shown + "' " + why);
}

bool is_plain(char c) { return c > ' ' && c < '\x7f' && c != '?' && c != '#' && c != '@'; }

bool is_port(std::string_view text) {
  unsigned port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  return error == std::errc() && end == text.data() + text.size() && port > 0 && port < 65536;
}

Result<ServerUrl> parse(std::string_view whole) {
  ServerUrl url;
  std::string_view rest = whole;
  const auto after = [&rest](std::string_view scheme) {
    if (!rest.starts_with(scheme)) return false;
    rest.remove_prefix(scheme.size());
    return true;
  };
  url.has_tls = after("wss://") || after("https://");
  if (!url.has_tls && !after("ws://") && !after("http://"))
    return wrong(whole, "begins with neither ws:// nor wss://");
  if (!std::all_of(rest.begin(), rest.end(), is_plain))
    return wrong(whole, "holds '?', '#', '@', a space or what is not ASCII");
  const std::size_t slash = std::min(rest.find('/'), rest.size());
  url.path = rest.substr(slash);
  while (url.path.ends_with('/')) url.path.pop_back();
  std::string_view authority = rest.substr(0, slash);
  std::string_view port;
  if (authority.starts_with('[')) {
    const std::size_t end = authority.find(']');
    if (end == std::string_view::npos) return wrong(whole, "lacks a ']'");
    url.host = authority.substr(1, end - 1);
    port = authority.substr(end + 1);
  } else {
    const std::size_t colon = std::min(authority.find(':'), authority.size());
    url.host = authority.substr(0, colon);
    port = authority.substr(colon);
  }
  if (url.host.empty()) return wrong(whole, "names no host");
  url.port = url.has_tls ? "443" : "80";
  if (port.empty()) return url;
  if (!is_port(port.substr(1)) || port.front() != ':') {
    return wrong(whole, "has no port in '" + std::string(port) +
                            "': a number from 1 to 65535 after ':', and IPv6 in brackets");
  }
  url.port = port.substr(1);
  return url;
}

}  // namespace

std::string ServerUrl::authority() const {
  std::string text = host.find(':') == std::string::npos ? host : "[" + host + "]";
  if (port != (has_tls ? "443" : "80")) text += ":" + port;
  return text;
}

std::string ServerUrl::text() const { return (has_tls ? "wss://" : "ws://") + authority() + path; }

Result<std::vector<ServerUrl>> parse_urls(std::string_view text) {
  std::vector<ServerUrl> urls;
  for (;;) {
    const std::size_t comma = std::min(text.find(','), text.size());
    std::string_view one = text.substr(0, comma);
    while (one.starts_with(' ')) one.remove_prefix(1);
    while (one.ends_with(' ')) one.remove_suffix(1);
    TERRANE_ASSIGN_OR_RETURN(auto url, parse(one));
    urls.push_back(std::move(url));
    if (comma == text.size()) return urls;
    text.remove_prefix(comma + 1);
  }
}

}  // namespace terrane::connection
