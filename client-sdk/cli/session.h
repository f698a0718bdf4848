#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "terrane/client.h"

namespace terrane::cli {

/// What every subcommand takes.
struct GlobalOptions {
  std::string server = "127.0.0.1:4150";
  bool tls = false;  // or any of these, by which it is meant
  TlsOptions tls_options;
  std::string token;       // as the environment has it: no flag, which others on the machine see
  std::string token_file;  // read for each new token; empty: none
  bool insecure_token = false;
  std::string world;  // empty: the server's usual one
  std::uint64_t seed = 1;
  std::string realm;      // empty: none, world and seed count
  double timeout_s = 60;  // for each call
};

/// A connection and the world to ask about. Threads: one at a time.
struct Session {
  Client client;
  World world;
  WorldRef ref;  // pinned to the world's fingerprint: all calls of one command see one world

  /// Errors: those of Client::world; an unknown name comes back with the names on offer.
  [[nodiscard]] static Result<Session> open(const GlobalOptions& globals);

  /// Whether the world's chunks hold a layer.
  [[nodiscard]] bool has(Layer layer) const;

  /// The biome's name; a number for ids that the table lacks.
  [[nodiscard]] std::string biome_name(std::uint32_t id) const;
  [[nodiscard]] std::string placement_name(std::uint32_t id) const;
  [[nodiscard]] std::string structure_name(std::uint32_t id) const;
};

/// How to connect, for a Client or an Admin.
[[nodiscard]] ClientOptions client_options(const GlobalOptions& globals);

/// Errors: those of Client::connect.
[[nodiscard]] Result<Client> connect(const GlobalOptions& globals);

/// "seed 7" or "realm survival", for people; and for programs, a member of an object.
[[nodiscard]] std::string variant_text(const WorldRef& ref);
[[nodiscard]] std::string variant_json(const WorldRef& ref);

/// Whether a world's chunks hold a layer.
[[nodiscard]] bool has_layer(const World& world, Layer layer);

/// The world meant when none is named: "continents" if offered, else "classic", else the first.
/// `worlds` is not empty.
[[nodiscard]] const World& usual_world(const std::vector<World>& worlds);

/// What to print for an error, with what to do about it.
[[nodiscard]] std::string advice(const Error& error, const GlobalOptions& globals);

}  // namespace terrane::cli
