// Explorers of C++ over WebSockets.
#include <exception>
#include <memory>
#include <string>
#include <utility>

#include "core_explorer.h"
#include "explore_checks.h"
#include "judged_viewer.h"
#include "servers.h"
#include "terrane/result_macros.h"
#include "terrane/web_socket.h"
#include "world_handle.h"

namespace terrane {
namespace connection {
namespace {

/// Whatever the provider throws is an error.
Result<std::string> ask(const TokenProvider& provider) {
  try {
    TERRANE_ASSIGN_OR_RETURN(auto given, provider());
    if (given.text.empty())
      return fail(ErrorCode::kUnauthenticated, "the token provider gave an empty token");
    TERRANE_RETURN_IF_ERROR(check_token(given.text));
    return std::move(given.text);
  } catch (const std::exception& failure) {
    return fail(ErrorCode::kUnauthenticated,
                std::string("the token provider threw: ") + failure.what());
  } catch (...) {
    return fail(ErrorCode::kUnauthenticated, "the token provider threw");
  }
}

Result<Servers> servers_of(const WebSocketOptions& given) {
  std::string urls;
  for (const std::string& url : given.urls) urls += (urls.empty() ? "" : ",") + url;
  TokenSource token;
  if (given.token) token = [provider = given.token] { return ask(provider); };
  return check_servers(urls, given.ca_file, std::move(token), given.insecure_token, given.patience);
}

}  // namespace
}  // namespace connection

Result<Explorer> connect_explorer(const WebSocketOptions& servers, ExploreOptions options) {
  TERRANE_RETURN_IF_ERROR(client::check(options));
  TERRANE_ASSIGN_OR_RETURN(auto checked, connection::servers_of(servers));
  return connection::make_explorer(
      std::make_unique<terrane_explorer>(std::in_place_type<core::StreamedViewer>,
                                         std::move(options)),
      0, std::move(checked));
}

Result<Explorer> connect_explorer(const WebSocketOptions& servers, const LocalLand& land,
                                  ExploreOptions options) {
  if (!options.decode) {
    return fail(ErrorCode::kInvalidArgument,
                "decode: false; land that a server judges comes as chunks, with_encoded with their "
                "bytes, too");
  }
  TERRANE_ASSIGN_OR_RETURN(auto checked, connection::servers_of(servers));
  TERRANE_ASSIGN_OR_RETURN(const auto world, connection::open_world(land, options));
  return connection::make_explorer(
      std::make_unique<terrane_explorer>(std::in_place_type<core::JudgedViewer>, world->generated,
                                         std::move(options), connection::now),
      land.threads, std::move(checked));
}

}  // namespace terrane
