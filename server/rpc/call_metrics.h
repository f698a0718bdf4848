#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>

#include "ops/metrics.h"

namespace terrane::rpc {

enum class Method : std::uint8_t { kListWorlds, kGetWorld, kGetChunk, kGetChunks, kSamplePoints, kLocate, kGetStructure };

inline constexpr std::size_t kMethods = 7;

/// What is counted of one method.
struct MethodMetrics {
  ops::Gauge open;
  ops::Histogram seconds;
  std::map<int, ops::Counter> ended;  // by gRPC's status code
};

/// What is counted of all of the service.
class CallMetrics {
 public:
  explicit CallMetrics(ops::Metrics& metrics);

  [[nodiscard]] const MethodMetrics& of(Method method) const { return methods_[static_cast<std::size_t>(method)]; }

  ops::Counter sent_chunks, sent_bytes;  // handed to gRPC; bytes as encoded
  ops::Gauge unsent_bytes;               // held by streams

 private:
  std::array<MethodMetrics, kMethods> methods_;
};

/// One call, from its arrival to end().
class CallRecord {
 public:
  explicit CallRecord(const MethodMetrics& metrics) : metrics_(metrics), start_(std::chrono::steady_clock::now()) {
    metrics_.open.add(1);
  }

  /// Call once, before the client can know that the call is over. `metrics` is not touched after that.
  void end(int code) const {
    metrics_.open.add(-1);
    metrics_.seconds.observe(std::chrono::steady_clock::now() - start_);
    if (const auto found = metrics_.ended.find(code); found != metrics_.ended.end()) found->second.add();
  }

 private:
  const MethodMetrics& metrics_;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace terrane::rpc
