#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "rpc/admin/admin_service.h"
#include "rpc/backend.h"
#include "rpc/byte_service.h"
#include "rpc/call.h"
#include "rpc/call_metrics.h"
#include "rpc/call_tracker.h"
#include "rpc/grpc_call.h"
#include "rpc/hang_ups.h"
#include "rpc/health_service.h"
#include "rpc/limits.h"
#include "rpc/memory_accounts.h"
#include "rpc/origins.h"
#include "rpc/pace.h"
#include "rpc/received_bytes.h"
#include "rpc/request_reads.h"
#include "rpc/server_call.h"
#include "rpc/streams/explore_stream.h"

namespace terrane::rpc {

/// terrane.v1.WorldService, terrane.v1.AdminService, and grpc.health.v1.Health beside them. Runs on
/// gRPC's threads, where it checks requests and nothing more: no disk, no generation, no waiting.
class WorldService {
 public:
  /// @param calls  counts all calls that take time; once closed, such calls get UNAVAILABLE
  /// @param send_away  called when a client hangs up on too many calls, or has most of the memory
  ///   where that ends; may be after this has ended
  WorldService(Backend backend, Limits limits, StreamPace pace, const ExplorePace& explore_pace,
               CallTracker& calls, const MemoryWatch::SendAway& send_away);

  /// What a server is built with; lives as long as this.
  [[nodiscard]] std::array<grpc::Service*, 3> services() {
    return {&world_, &admin_methods_, &health_methods_};
  }

  /// Serves a call that comes otherwise than over gRPC, and whose caller is known. Threads: any.
  void take_in(const std::shared_ptr<Call>& call);

  /// Something of another port that is no call: it begins when it is its client's turn among the
  /// calls, and is charged to it. As Turn::take().
  void in_turn(const schedule::Source& source, std::function<void()> then);

  /// Does what a client's turn has come for. What takes this thread more than a call costs, the
  /// client's next calls wait for.
  void do_charged(const schedule::Source& source, const std::function<void()>& work);

  /// A client has had so much of a thread besides: no part of what calls cost.
  void charge(const schedule::Source& source, std::chrono::nanoseconds cost);

  /// A client has connected to a port, and is charged what that costs.
  /// @return whether no other connection should be taken of it for a moment: RequestReads
  [[nodiscard]] bool charge_connection(const net::AddressBytes& address,
                                       std::chrono::nanoseconds cost);

  /// What such a call is made with, and then taken in.
  [[nodiscard]] CallRecord record(Method method) const { return CallRecord(metrics_, method); }
  [[nodiscard]] const std::shared_ptr<HangUps>& hang_ups() const { return hang_ups_; }

  /// A call that is refused whatever it asks.
  void note_in_vain(const grpc::CallbackServerContext& context) noexcept;

  /// From now on the server is not healthy, though it serves.
  void announce_end() { health_.shut_down(); }
  [[nodiscard]] bool health_asked_within(std::chrono::milliseconds time) {
    return health_.asked_within(time);
  }

  /// The server is about to stop: it is not healthy any more, and has all calls begin that wait.
  void close() {
    health_.shut_down();
    reads_.let_all_begin();
    received_.stop();
    admin_.stop();
  }

  /// Ends all Explore streams, now and from now on, with GoAway.
  void send_viewers_away();

  /// "terrane.v1.WorldService"
  [[nodiscard]] static const std::string& full_name();

 private:
  ByteReactor* begin(Method method, grpc::CallbackServerContext& context);
  ByteReactor* take_in(Method method, grpc::CallbackServerContext& context,
                       const CallRecord& record);
  void read_and_serve(Method method, Call& call);
  [[nodiscard]] RequestReads::Work work() const;
  [[nodiscard]] std::chrono::nanoseconds charge_received(const net::AddressBytes& address,
                                                         std::chrono::nanoseconds cost, bool waits);
  bool hold(const net::ProxiedClients::Endpoint& peer, bool held) noexcept;
  /// What a call may hold until its end. Errors: kResourceExhausted.
  [[nodiscard]] Result<MemoryAccounts::Hold> take_memory(std::uint64_t client, std::size_t bytes);
  /// Errors: kUnavailable.
  [[nodiscard]] Result<IncomingCall> let_in(Call& call);

  /// Whether the caller may see the request's world; its realm becomes the world that it stands
  /// for. Errors: those of rpc::resolve.
  template <typename Request>
  Result<void> resolve(const Call& call, Request& request) const;

  // Each checks a request, and answers it or has the call served. Errors: what the call is to end
  // with. They throw std::bad_alloc before anything is answered or served.
  Result<void> serve(Method method, Call& call, const grpc::ByteBuffer& request);
  Result<void> list_worlds(Call& call);
  Result<void> get_world(Call& call, const grpc::ByteBuffer& request);
  Result<void> get_chunk(Call& call, const grpc::ByteBuffer& request);
  Result<void> get_chunks(Call& call, const grpc::ByteBuffer& request);
  Result<void> sample_points(Call& call, const grpc::ByteBuffer& request);
  Result<void> locate(Call& call, const grpc::ByteBuffer& request);
  Result<void> get_structure(Call& call, const grpc::ByteBuffer& request);
  Result<void> explore(Call& call);
  Result<void> administer(Method method, Call& call, const grpc::ByteBuffer& request);

  const Backend backend_;
  const Origins origins_;
  const Limits limits_;
  const StreamPace pace_;
  CallTracker& calls_;
  const std::shared_ptr<const CallMetrics> metrics_;
  const std::shared_ptr<MemoryAccounts> call_memory_;  // of all calls but Explore
  // nanoseconds that do_charged() has charged: no part of what messages cost
  const std::shared_ptr<std::atomic<std::int64_t>> charged_;
  const std::shared_ptr<HangUps> hang_ups_;
  const std::shared_ptr<MessageCost> message_cost_;
  RequestReads reads_;
  ReceivedBytes received_;
  ExploreHub viewers_;
  HealthService health_;
  AdminService admin_;
  ByteService world_, admin_methods_, health_methods_;
  schedule::AlarmClock alarms_;  // last: what it calls is there until it has ended
};

}  // namespace terrane::rpc
