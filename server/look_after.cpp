#include "look_after.h"

#include <utility>
#include <vector>

#include "stop_signals.h"

namespace terrane {

void offer_worlds(store::ChunkStore* cache, const worlds::LiveCatalog& worlds) {
  if (cache == nullptr) return;
  std::vector<WorldFingerprint> fingerprints;
  for (const auto& [name, world] : *worlds.now()) fingerprints.push_back(world->fingerprint);
  cache->offer(std::move(fingerprints));
}

bool watches_files(const config::Config& config) {
  return !config.world_dir.empty() || !config.tls_cert.empty() || !config.token_keys.empty() ||
         !config.access_file.empty() || !config.realms.empty();
}

std::function<void(bool)> watcher_of(const config::Config& config, worlds::WorldReloader& worlds,
                                     store::ChunkStore* cache, net::LiveCertificates* certificates,
                                     access::LiveAccess* access) {
  using Read = worlds::WorldDirectory::Read;
  if (!watches_files(config)) return {};
  return [has_worlds = !config.world_dir.empty(), &worlds, cache, certificates, access,
          looks = 0](bool all) mutable {
    if (has_worlds) {
      worlds.look_again(all ? Read::kAll : Read::kChanged);
      offer_worlds(cache, worlds.live());
    }
    if (!all && ++looks % kLooksPerSecond != 0) return;
    if (certificates != nullptr) certificates->look();
    if (access != nullptr) access->look();
  };
}

}  // namespace terrane
