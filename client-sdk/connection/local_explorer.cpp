// Explorers of C++ whose land is made in this process.
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "core_explorer.h"
#include "local_viewer.h"
#include "status_code.h"
#include "terrane/local.h"
#include "terrane/result_macros.h"
#include "world_handle.h"

namespace terrane {

namespace connection {

Result<std::unique_ptr<terrane_world, CloseWorld>> open_world(const LocalLand& land,
                                                              const ExploreOptions& options) {
  if (land.threads < 1 || land.threads > kMaxLandThreads) {
    return fail(ErrorCode::kInvalidArgument, "threads: " + std::to_string(land.threads) +
                                                 " to make land; from 1 to " +
                                                 std::to_string(kMaxLandThreads));
  }
  terrane_error error{};
  error.struct_size = sizeof error;
  terrane_world* opened = nullptr;
  const auto& file = land.world_file;
  // not even of an empty file may it be NULL
  const void* bytes = file.empty() ? "" : static_cast<const void*>(file.data());
  const auto code = terrane_world_open(TERRANE_ABI_VERSION, bytes, file.size(), &opened, &error);
  if (code != TERRANE_OK)
    return fail(client::to_code(code), std::string("world_file: ") + error.message);
  std::unique_ptr<terrane_world, CloseWorld> world(opened);
  TERRANE_RETURN_IF_ERROR(core::check(options, *world->generated));
  return world;
}

}  // namespace connection

Result<Explorer> local_explorer(const LocalLand& land, ExploreOptions options) {
  options.world.name = "local";
  TERRANE_ASSIGN_OR_RETURN(const auto world, connection::open_world(land, options));
  return connection::make_explorer(
      std::make_unique<terrane_explorer>(std::in_place_type<core::LocalViewer>, world->generated,
                                         std::move(options), connection::now),
      land.threads, std::nullopt);
}

}  // namespace terrane
