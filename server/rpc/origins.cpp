#include "rpc/origins.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <string_view>
#include <utility>

#include "access/live_access.h"
#include "rpc/checks/access_check.h"
#include "rpc/checks/refused_field.h"
#include "rpc/status.h"
#include "terrane/result_macros.h"

namespace terrane::rpc {
namespace {

/// The first value of a header; empty where there is none.
std::string_view header(const grpc::CallbackServerContext& context, const char* name) {
  const auto found = context.client_metadata().find(name);
  if (found == context.client_metadata().end()) return {};
  return {found->second.data(), found->second.size()};
}

/// Administrators have to know what there is, too.
bool tells_of_worlds(Method method) {
  return method == Method::kListWorlds || method == Method::kGetWorld;
}

access::Credentials credentials_of(const grpc::CallbackServerContext& context) {
  access::Credentials shown{.authorization = header(context, "authorization")};
  const auto connection = context.auth_context();
  shown.has_certificate = connection->IsPeerAuthenticated();
  if (!shown.has_certificate || !shown.authorization.empty()) return shown;
  for (const char* const property : {"x509_subject_alternative_name", "x509_common_name"}) {
    for (const grpc::string_ref& value : connection->FindPropertyValues(property))
      shown.subjects.emplace_back(value.data(), value.size());
  }
  return shown;
}

}  // namespace

schedule::Source Origins::source_of(const grpc::CallbackServerContext& context) const {
  const std::string peer = context.peer();
  if (!backend_.clients.trusts_proxies()) return backend_.clients.source_of(peer);
  std::optional<AddressBytes> proxied;
  if (const auto proxy = backend_.proxied ? endpoint_of(peer) : std::nullopt;
      proxy && backend_.clients.is_trusted(proxy->address)) {
    proxied = backend_.proxied->find(*proxy);
    if (!proxied) return backend_.clients.source_of(peer);  // nobody is believed
  }
  return backend_.clients.source_of(peer, header(context, "x-forwarded-for"), proxied);
}

/// And is let in for that, showing nothing else. Not what a proxy says of somebody, nor a proxy
/// that is silent about it.
bool Origins::is_from_this_machine(const grpc::CallbackServerContext& context) const {
  if (!backend_.admin_from_loopback || !header(context, "authorization").empty()) return false;
  if (context.auth_context()->IsPeerAuthenticated()) return false;
  for (const char* const of_proxies : {"x-forwarded-for", "forwarded", "via", "x-real-ip"}) {
    if (!header(context, of_proxies).empty()) return false;
  }
  const auto peer = endpoint_of(context.peer());
  return peer && net::is_loopback(peer->address) && !backend_.clients.is_trusted(peer->address) &&
         !backend_.proxied;
}

Result<void> Origins::check_headers(const grpc::CallbackServerContext& context,
                                    std::size_t max_bytes) {
  constexpr std::size_t kEach = 32;  // as HTTP/2 counts them (RFC 9113, 6.5.2)
  std::size_t bytes = 0;
  for (const auto& [name, value] : context.client_metadata())
    bytes += kEach + name.size() + value.size();
  if (bytes <= max_bytes) return {};
  if (header(context, "authorization").size() > max_bytes / 2)
    return tl::unexpected(access::too_long_token());
  return refuse_field({.reason = ErrorReason::kMessageTooLarge,
                       .field = "metadata",
                       .value = fmt::format("{} bytes", bytes),
                       .limit = fmt::format("{} bytes", max_bytes)},
                      "send fewer or shorter headers (Limits.max_metadata_bytes)");
}

Origin Origins::by_address(const grpc::CallbackServerContext& context) const {
  const schedule::Source address = source_of(context);
  return {.source = address, .address = address};
}

Result<Origin> Origins::identify(Method method, const grpc::CallbackServerContext& context,
                                 Origin origin) const {
  if (method == Method::kHealthCheck || method == Method::kHealthWatch) return origin;
  if (backend_.asks_certificates && !context.auth_context()->IsPeerAuthenticated())
    return tl::unexpected(certificate_missing());
  if (!backend_.access && !is_administration(method)) return origin;
  if (is_administration(method) && is_from_this_machine(context)) return origin;
  if (!backend_.access) return tl::unexpected(check_may_administer(nullptr).error());
  TERRANE_ASSIGN_OR_RETURN(
      origin.caller,
      backend_.access->identify(credentials_of(context), std::chrono::system_clock::now()));
  if (is_administration(method)) {
    TERRANE_RETURN_IF_ERROR(check_may_administer(origin.caller.get()));
  } else if (origin.caller && !(origin.caller->grants.is_admin && tells_of_worlds(method))) {
    TERRANE_RETURN_IF_ERROR(check_may_read(*origin.caller));
  }
  if (!origin.caller) return origin;
  origin.source.client = origin.caller->client;
  const std::uint32_t weight = origin.caller->grants.weight;
  if (weight > 0) origin.source.weight = weight;
  origin.address.weight = std::max(origin.address.weight, weight);
  return origin;
}

}  // namespace terrane::rpc
