#include "cli/session.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <utility>

#include "cli/terminal/text.h"
#include "terrane/result_macros.h"

namespace terrane::cli {
namespace {

Result<World> find_world(const Client& client, const std::string& name) {
  TERRANE_ASSIGN_OR_RETURN(auto worlds, client.worlds());
  if (worlds.empty())
    return fail(ErrorCode::kNotFound,
                "the server offers no world: start it with at least one world file");
  if (name.empty()) return usual_world(worlds);
  std::string names;
  for (World& world : worlds) {
    if (world.name == name) return std::move(world);
    names += (names.empty() ? "" : ", ") + world.name;
  }
  return fail(ErrorCode::kNotFound, "no world '" + name + "' on this server; it offers: " + names);
}

Result<std::string> world_of_realm(const Client& client, const std::string& name) {
  TERRANE_ASSIGN_OR_RETURN(const auto realms, client.realms());
  std::string names;
  for (const Realm& realm : realms) {
    if (realm.name == name) return realm.world;
    names += (names.empty() ? "; it offers: " : ", ") + realm.name;
  }
  return fail(ErrorCode::kNotFound, "no realm '" + name + "' on this server" + names);
}

bool uses_tls(const GlobalOptions& globals) {
  const TlsOptions& tls = globals.tls_options;
  return globals.tls || !tls.ca_file.empty() || !tls.certificate_file.empty() ||
         !tls.key_file.empty() || !tls.server_name.empty();
}

/// What the file holds, without the blanks around it.
Result<Token> read_token(const std::string& path) {
  std::ifstream file(path);
  std::string text;
  if (!(file >> text))
    return fail(ErrorCode::kInvalidArgument, "--token-file '" + path + "' holds no token");
  return Token{std::move(text)};
}

TokenProvider token_provider(const GlobalOptions& globals) {
  if (!globals.token_file.empty()) return [path = globals.token_file] { return read_token(path); };
  if (globals.token.empty()) return {};
  return [text = globals.token]() -> Result<Token> { return Token{text}; };
}

std::string advice_when_unreachable(const Error& error, const GlobalOptions& globals) {
  const auto says = [&](const char* words) {
    return error.message.find(words) != std::string::npos;
  };
  const std::string why = "\n  (" + error.message + ")";
  if (says("certificate verify failed")) {
    return globals.server +
           " shows a certificate that nobody trusted here vouches for, or that has expired: say "
           "who "
           "vouches for it with --tls-ca FILE" +
           why;
  }
  if (says("is not in peer certificate")) {
    return "the certificate of " + globals.server +
           " is for somebody else: say for whom with --tls-server-name NAME" + why;
  }
  return "cannot reach " + globals.server +
         ": is terraned running? Start it with deploy/run, or name another server with --server "
         "HOST:PORT" +
         (uses_tls(globals) ? "" : "; one that takes encrypted calls alone wants --tls") + why;
}

}  // namespace

ClientOptions client_options(const GlobalOptions& globals) {
  return {.address = globals.server,
          .tls = uses_tls(globals) ? std::optional(globals.tls_options) : std::nullopt,
          .token = token_provider(globals),
          .insecure_token = globals.insecure_token,
          .deadline = std::chrono::milliseconds(std::llround(globals.timeout_s * 1000)),
          .user_agent = "terrane-cli"};
}

Result<Client> connect(const GlobalOptions& globals) {
  return Client::connect(client_options(globals));
}

Result<Session> Session::open(const GlobalOptions& globals) {
  TERRANE_ASSIGN_OR_RETURN(auto client, connect(globals));
  std::string name = globals.world;
  if (!globals.realm.empty()) {
    TERRANE_ASSIGN_OR_RETURN(name, world_of_realm(client, globals.realm));
  }
  TERRANE_ASSIGN_OR_RETURN(auto world, find_world(client, name));
  WorldRef ref{world.name, globals.seed, world.fingerprint, globals.realm};
  return Session{std::move(client), std::move(world), std::move(ref)};
}

std::string Session::biome_name(std::uint32_t id) const {
  const auto at = std::find_if(world.biomes.begin(), world.biomes.end(),
                               [id](const BiomeInfo& biome) { return biome.id == id; });
  return at == world.biomes.end() ? std::string("biome ").append(std::to_string(id)) : at->name;
}

std::string Session::placement_name(std::uint32_t id) const {
  return id < world.placement_kinds.size() ? world.placement_kinds[id].name
                                           : std::string("placement ").append(std::to_string(id));
}

std::string Session::structure_name(std::uint32_t id) const {
  return id < world.structure_kinds.size() ? world.structure_kinds[id].name
                                           : std::string("structure ").append(std::to_string(id));
}

std::string variant_text(const WorldRef& ref) {
  return ref.realm.empty() ? "seed " + std::to_string(ref.seed) : "realm " + ref.realm;
}

std::string variant_json(const WorldRef& ref) {
  return ref.realm.empty() ? "\"seed\":\"" + std::to_string(ref.seed) + '"'
                           : "\"realm\":" + json_string(ref.realm);
}

bool Session::has(Layer layer) const { return has_layer(world, layer); }

bool has_layer(const World& world, Layer layer) {
  return std::any_of(world.layers.begin(), world.layers.end(),
                     [layer](const LayerInfo& info) { return info.layer == layer; });
}

const World& usual_world(const std::vector<World>& worlds) {
  for (const char* name : {"continents", "classic"}) {
    const auto at = std::find_if(worlds.begin(), worlds.end(),
                                 [name](const World& world) { return world.name == name; });
    if (at != worlds.end()) return *at;
  }
  return worlds.front();
}

std::string advice(const Error& error, const GlobalOptions& globals) {
  switch (error.code) {
    case ErrorCode::kUnavailable: return advice_when_unreachable(error, globals);
    case ErrorCode::kUnauthenticated:
      return error.message +
             "\n  (TERRANE_TOKEN, --token-file FILE, or --tls-cert FILE and --tls-key FILE say who "
             "this client is)";
    case ErrorCode::kDeadlineExceeded:
      return "no answer in time; allow more with --timeout SECONDS\n  (" + error.message + ")";
    case ErrorCode::kResourceExhausted:
      return "the server is overloaded; try again later, or allow more time with --timeout "
             "SECONDS\n  (" +
             error.message + ")";
    case ErrorCode::kFailedPrecondition:
      if (error.reason != ErrorReason::kWorldChanged) return error.message;
      return "the world changed on the server while this ran; run the command again\n  (" +
             error.message + ")";
    default: return error.message;
  }
}

}  // namespace terrane::cli
