#pragma once

#include <functional>

#include "access/live_access.h"
#include "config/config.h"
#include "net/certificates.h"
#include "store/chunk_store.h"
#include "worlds/live_catalog.h"
#include "worlds/world_reloader.h"

/// Files that the server looks after while it runs, and what follows from them.
namespace terrane {

/// Tells the cache which worlds there are: chunks of others make room first.
/// @param cache  null: there is none
void offer_worlds(store::ChunkStore* cache, const worlds::LiveCatalog& worlds);

/// Whether there are files to look after.
[[nodiscard]] bool watches_files(const config::Config& config);

/// What looks after them, kLooksPerSecond, and reads all of them again when told; empty: there are
/// none. Whoever designs a world waits to see it, the others are looked at once a second.
/// @param cache, certificates, access  null: there is none; all outlive it
[[nodiscard]] std::function<void(bool all)> watcher_of(const config::Config& config,
                                                       worlds::WorldReloader& worlds,
                                                       store::ChunkStore* cache,
                                                       net::LiveCertificates* certificates,
                                                       access::LiveAccess* access);

}  // namespace terrane
