#pragma once

#include <cstddef>
#include <vector>

#include "terrane/explorer.h"
#include "terrane/result.h"

namespace terrane {

inline constexpr int kMaxLandThreads = 64;

/// A world whose land is made in this process, and by how many threads.
struct LocalLand {
  /// As Client::world_file gives it, servers answer GET /v1/worlds/NAME/file, and `terrane worlds
  /// NAME --save FILE` writes it. Any bytes are safe.
  std::vector<std::byte> world_file = {};
  /// Threads of the library, which sleep while there is nothing to be made: from 1 to
  /// kMaxLandThreads. One makes some thousand chunks a second.
  int threads = 1;
};

/// An Explorer whose land is made here, without a server: the same chunks as every server's with
/// the world's fingerprint. Its state is kStreaming, and no chunk fails. Of `options.world` the
/// seed and the fingerprint count. Link with terrane::explorer, which may be beside
/// terrane::client.
/// Errors: kInvalidArgument names the option, its value and the limit, and tells of bytes that are
/// no world; kFailedPrecondition for a world that another version of the generator made, or whose
/// fingerprint is not `options.world`'s; kResourceExhausted when there is no thread to be had.
/// Blocks: while the world is read, up to some tenths of a second.
[[nodiscard]] Result<Explorer> local_explorer(const LocalLand& land, ExploreOptions options);

}  // namespace terrane
