#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>

#include "ops/metrics.h"
#include "rpc/refusals.h"

namespace terrane::rpc {

enum class Method : std::uint8_t {
  kListWorlds,
  kGetWorld,
  kGetChunk,
  kGetChunks,
  kSamplePoints,
  kLocate,
  kGetStructure,
  kExplore,
  kHealthCheck,
  kHealthWatch,
  kGetServerStats,
  kGetCacheStats,
  kPurgeCache,
  kPregenerate,
  kDrain,
  kSetLogLevel
};

inline constexpr std::size_t kMethods = 16;

/// Whether it is one of AdminService.
[[nodiscard]] constexpr bool is_administration(Method method) {
  return method >= Method::kGetServerStats;
}

/// "ListWorlds": as in the contract.
[[nodiscard]] const char* to_string(Method method);

/// What is counted of one method.
struct MethodMetrics {
  ops::Gauge open;
  ops::Histogram seconds;
  std::map<int, ops::Counter> ended;  // by gRPC's status code
};

/// Why an Explore stream was cut off.
enum class CutOff : std::uint8_t {
  kNoHello,     // said nothing
  kNoAck,       // acknowledged nothing
  kNoRead,      // took in nothing
  kMemory,      // held most, when there was no more for its client or for anybody
  kOutOfMemory  // the server had no memory to go on with it
};

inline constexpr std::size_t kCutOffs = 5;

/// "no_hello": the label of metrics.
[[nodiscard]] const char* to_string(CutOff reason);

/// What is counted of all of the service.
class CallMetrics {
 public:
  explicit CallMetrics(ops::Metrics& metrics);

  [[nodiscard]] const MethodMetrics& of(Method method) const {
    return methods_[static_cast<std::size_t>(method)];
  }

  /// Chunks are handed to gRPC, or to a WebSocket. @param bytes  as encoded
  void sent(std::uint32_t weight, std::size_t chunks, std::size_t bytes) const {
    const auto& to = sent_[static_cast<std::size_t>(whose(weight))];
    to.chunks.add(chunks);
    to.bytes.add(bytes);
  }

  ops::Gauge unsent_bytes;                 // held by streams
  ops::Histogram underfoot;                // waits of viewers for the chunk that they stand on
  ops::Counter dropped_chunks;             // made for viewers that had moved on
  ops::Counter judged_same, judged_other;  // chunks that clients have made themselves
  ops::Counter slow_clients_closed;        // viewers that said or read nothing for too long
  // streams that were cut off, by CutOff
  std::array<ops::Counter, kCutOffs> cut_off;
  ops::Histogram callback;   // processor time of gRPC's callbacks of Explore
  ops::Gauge stream_memory;  // bytes that Explore streams hold
  ops::Gauge waiting_calls;  // until their requests are read
  ops::Gauge held_connections;
  // calls refused for what all but Explore hold: of their client, or of all
  ops::Counter refused_for_client_memory, refused_for_call_memory;
  const std::unique_ptr<Refusals> refusals;

 private:
  struct Sent {
    ops::Counter chunks, bytes;
  };
  std::array<Sent, kWhose> sent_;
  std::array<MethodMetrics, kMethods> methods_;
};

/// One call, from its arrival to end(). Shares the metrics: a call may outlive the service by a
/// moment.
class CallRecord {
 public:
  CallRecord(std::shared_ptr<const CallMetrics> metrics, Method method)
      : metrics_(std::move(metrics)), method_(method), start_(std::chrono::steady_clock::now()) {
    metrics_->of(method_).open.add(1);
  }

  /// Call once, before the client can know that the call is over.
  void end(int code) const {
    const MethodMetrics& method = metrics_->of(method_);
    method.open.add(-1);
    method.seconds.observe(age());
    if (const auto found = method.ended.find(code); found != method.ended.end())
      found->second.add();
  }

  [[nodiscard]] const CallMetrics& metrics() const { return *metrics_; }
  [[nodiscard]] Method method() const { return method_; }
  [[nodiscard]] std::chrono::steady_clock::duration age() const {
    return std::chrono::steady_clock::now() - start_;
  }

 private:
  std::shared_ptr<const CallMetrics> metrics_;
  Method method_;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace terrane::rpc
