#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "terrane/chunk.h"
#include "terrane/chunk_stream.h"
#include "terrane/coord.h"
#include "terrane/explorer.h"
#include "terrane/locate.h"
#include "terrane/pending_samples.h"
#include "terrane/result.h"
#include "terrane/token.h"
#include "terrane/world.h"

namespace terrane {

/// Which of several servers is asked.
enum class Balancing : std::uint8_t {
  /// The first that can be reached, in the order of the list, or of the nearest for a name; the
  /// next when that is lost. One connection.
  kFirst,
  /// Each in turn, of those that can be reached and that call themselves healthy
  /// (grpc.health.v1). A connection to each.
  kRoundRobin,
};

/// Encryption, and who is who. Files are PEM and are read by Client::connect(): whoever outlives a
/// certificate of its own makes another Client.
struct TlsOptions {
  std::string ca_file = {};  // who is trusted to vouch for servers; empty: whom the system trusts
  // of this client, for servers that ask (mutual TLS); with its key, or neither
  std::string certificate_file = {};
  std::string key_file = {};
  /// Whom the server's certificate must be for; empty: the host of the address, which must be one
  /// name or number for that.
  std::string server_name = {};
};

struct ClientOptions {
  /// host:port, [IPv6]:port, or unix:/path. Several servers: a list of numeric addresses,
  /// "10.0.0.1:4150,10.0.0.2:4150", 64 at most, or a name that stands for several (A and AAAA
  /// records). They must offer the same worlds.
  std::string address = "127.0.0.1:4150";
  Balancing balancing = Balancing::kFirst;
  std::optional<TlsOptions> tls = {};  // none: in the clear
  /// Where it comes from what shows the server who this client is; empty: nothing is shown. Asked
  /// by the call that needs one, which waits for it (of an Explorer a thread of the library): a
  /// minute before the last one ends, and once a server has refused it.
  TokenProvider token = {};
  /// Send it in the clear, beyond this machine: where something else encrypts.
  bool insecure_token = false;
  // for each call as a whole, repeated attempts included
  std::chrono::milliseconds deadline{30000};
  /// Attempts at a call that find the server unavailable; 1 never tries again. Waits that an
  /// overloaded server asks for do not count: only the deadline ends those. A ChunkStream counts
  /// none, unless this is 1: it goes on until its deadline.
  int max_attempts = 5;
  std::string user_agent = {};  // your program's name, sent before the SDK's own
};

/// A connection to a Terrane server. Attempts that are safe to repeat are repeated, with growing
/// pauses, within the deadline. Threads: any number at a time on one Client. Every method but
/// connect(), chunks(), explore() and sample_async() blocks, at most until the deadline, on a clock
/// that nobody sets.
///
/// fork(): a Client, and what it made, work in the process that made it alone. In a child every
/// call returns kFailedPrecondition at once, and destructors leave behind what belongs to the
/// parent; connect() refuses there, too, once the parent has made any Client. Fork before that, or
/// have the child run a program of its own (exec).
///
/// Errors of every call: kUnavailable when the server cannot be reached, kDeadlineExceeded,
/// kResourceExhausted when it stays overloaded, kDataLoss when it answers something else than was
/// asked or bytes that do not decode; kUnauthenticated when it does not know this client and
/// kPermissionDenied when it does not let it, neither of which is tried again. Errors of calls that
/// name a world: kNotFound when the server has no such world, kFailedPrecondition when the pinned
/// fingerprint is not the one it generates. An error that the server sent has a reason too, and
/// where there are such the field of the request, its value and the limit.
class Client {
 public:
  /// Checks the options and prepares a connection; the network is first used by the first call, so
  /// that a server that is not there shows up there. Blocks: no. Errors: kInvalidArgument names the
  /// option; kFailedPrecondition in a child of a process that made a Client before fork().
  [[nodiscard]] static Result<Client> connect(ClientOptions options);

  /// The worlds on offer, sorted by name.
  [[nodiscard]] Result<std::vector<World>> worlds() const;

  /// The realms that this client may see, sorted by name.
  [[nodiscard]] Result<std::vector<Realm>> realms() const;

  [[nodiscard]] Result<World> world(std::string_view name) const;

  /// All that decides what is generated of a world, as flat, versioned bytes (COMPILED_WORLD.md):
  /// what a generator takes, and what the fingerprint is taken over.
  [[nodiscard]] Result<std::vector<std::byte>> compiled_world(std::string_view name) const;

  /// What a game makes the land of a world from by itself, as bytes for a file or for
  /// terrane_world_open() (terrane/terrane.h): the compiled world with its names and places.
  [[nodiscard]] Result<std::vector<std::byte>> world_file(std::string_view name) const;

  [[nodiscard]] Result<Limits> limits() const;

  /// One chunk with the layers of `layers`. Errors: kOutOfRange names the coordinate or lod outside
  /// of the world, kInvalidArgument an empty mask or a layer that the world does not have, at all
  /// or at this level of detail (layers_at() leaves those out).
  [[nodiscard]] Result<Chunk> chunk(const WorldRef& world, ChunkCoord coord, Lod lod = 0,
                                    LayerMask layers = kAllLayers) const;

  /// Starts streaming chunks; see ChunkStream::next for errors. Blocks: no.
  [[nodiscard]] ChunkStream chunks(ChunksRequest request) const;

  /// The terrain around a moving viewer. A game server holds one of these for each of its players,
  /// all on this connection. Errors: kInvalidArgument names the option. What the server has to say
  /// comes by Explorer::poll. Blocks: no.
  [[nodiscard]] Result<Explorer> explore(ExploreOptions options) const;

  /// The layers at arbitrary blocks, in the order of `points`: exactly what the lod-0 chunks hold
  /// there. More points than the server takes at once go in several requests, all within one
  /// deadline.
  [[nodiscard]] Result<std::vector<PointSample>> sample(const WorldRef& world,
                                                        std::span<const BlockPos> points) const;

  /// The same without waiting: the answer comes by PendingSamples::poll, and so do errors. Blocks:
  /// no.
  [[nodiscard]] PendingSamples sample_async(WorldRef world, std::vector<BlockPos> points) const;

  /// The nearest place of a biome or structure; nullopt when there is none within the radius. The
  /// same answer every time.
  /// @param progress  called now and then, on this thread, before this returns; may be empty
  /// @param stop      ends the search at once when triggered, on whatever thread Errors:
  ///   kInvalidArgument names a biome or structure that the world does not have, and those it has,
  ///   or a radius past the limit; kOutOfRange, kCancelled after `stop`.
  [[nodiscard]] Result<std::optional<Located>> locate(const LocateRequest& request,
                                                      const LocateProgress& progress = {},
                                                      const std::stop_token& stop = {}) const;

  /// A structure with all its rooms, by its anchor.
  /// Errors: kNotFound when no structure has this anchor, kOutOfRange.
  [[nodiscard]] Result<StructurePlan> structure(const WorldRef& world, BlockPos anchor) const;

  Client(Client&&) noexcept;
  Client& operator=(Client&&) noexcept;
  ~Client();

  class Impl;

 private:
  explicit Client(std::shared_ptr<const Impl> impl);
  std::shared_ptr<const Impl> impl_;
};

/// Version of the SDK, "0.1.0".
[[nodiscard]] std::string_view client_version();

}  // namespace terrane
