#pragma once

#include <chrono>
#include <memory>
#include <optional>

#include "bell.h"
#include "explorer.h"
#include "explorer_impl.h"
#include "land_workers.h"
#include "link.h"
#include "servers.h"
#include "terrane/local.h"
#include "terrane/terrane.h"

namespace terrane::connection {

/// An Explorer of terrane_core, whose land a connection brings, threads make, or both.
class CoreExplorer final : public Explorer::Impl {
 public:
  /// @param threads  that make land; 0: none is made here
  /// @param servers  none: there is no connection
  /// Errors: throws std::system_error where there is no thread or descriptor to be had.
  CoreExplorer(std::unique_ptr<terrane_explorer> explorer, int threads,
               std::optional<Servers> servers);

  Result<void> move(const Pose& pose) override;
  [[nodiscard]] ExploreNews poll() override;
  bool wait(std::chrono::milliseconds timeout) override;
  [[nodiscard]] std::shared_ptr<const Chunk> chunk(const Tile& tile) const override;
  [[nodiscard]] ExploreStats stats() const override;
  [[nodiscard]] bool close() override;

 private:
  void stir();

  const std::unique_ptr<terrane_explorer> explorer_;
  Bell bell_;
  std::optional<LandWorkers> workers_;
  std::optional<Link> link_;
};

/// One of those as the game has it.
/// Errors: kResourceExhausted for what the constructor throws.
[[nodiscard]] Result<Explorer> make_explorer(std::unique_ptr<terrane_explorer> explorer,
                                             int threads, std::optional<Servers> servers);

/// The time of explorers whose land is made here.
[[nodiscard]] std::chrono::steady_clock::time_point now();

struct CloseWorld {
  void operator()(terrane_world* world) const { terrane_world_close(world); }
};

/// The world that land is to be made of. Errors: those of local_explorer() for what is wanted.
[[nodiscard]] Result<std::unique_ptr<terrane_world, CloseWorld>> open_world(
    const LocalLand& land, const ExploreOptions& options);

}  // namespace terrane::connection
