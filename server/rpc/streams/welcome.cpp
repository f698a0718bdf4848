#include "rpc/streams/welcome.h"

#include "codec/container.h"
#include "explore/send_window.h"
#include "explore/tile_blocks.h"
#include "terrane/explore_limits.h"

namespace terrane::rpc {
namespace {

std::uint32_t milliseconds(std::chrono::milliseconds time) {
  return static_cast<std::uint32_t>(time.count());
}

}  // namespace

v1::Welcome make_welcome(const worldgen::World& world, const ExplorePace& pace,
                         std::size_t max_request_bytes) {
  v1::Welcome welcome;
  welcome.set_fingerprint(world.fingerprint);
  welcome.set_chunk_size(static_cast<std::uint32_t>(world.chunk_size));
  welcome.set_format(codec::kFormatVersion);
  welcome.set_heartbeat_ms(milliseconds(pace.heartbeat));
  welcome.add_formats(codec::kFormatVersion);
  welcome.set_max_request_bytes(static_cast<std::uint32_t>(max_request_bytes));
  welcome.set_max_tiles_per_message(static_cast<std::uint32_t>(explore::kMaxTilesInMessage));
  welcome.set_max_block_edge(explore::kMaxBlockEdge);
  welcome.set_max_view_distance(kMaxViewDistance);
  welcome.set_max_velocity(kMaxVelocity);
  welcome.set_max_window_bytes(explore::SendWindow::kMaxBytes);
  welcome.set_hello_deadline_ms(milliseconds(pace.slow_client));
  welcome.set_ack_deadline_ms(milliseconds(pace.slow_client));
  welcome.set_write_deadline_ms(milliseconds(pace.slow_client));
  welcome.set_min_move_interval_ms(milliseconds(pace.min_move_interval));
  return welcome;
}

}  // namespace terrane::rpc
