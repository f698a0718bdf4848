#pragma once

#include <string>
#include <vector>

#include "admin/operations.h"
#include "rpc/admin/errands.h"
#include "rpc/backend.h"
#include "rpc/call.h"
#include "rpc/origins.h"
#include "rpc/server_call.h"
#include "terrane/v1/admin.pb.h"

namespace terrane::rpc {

/// terrane.v1.AdminService, for callers who have been found to be administrators.
class AdminService {
 public:
  /// @param backend, origins  outlive this; the first has operations
  AdminService(const Backend& backend, const Origins& origins)
      : backend_(backend), origins_(origins), errands_(kMostErrands) {}

  /// Checks a request, and answers it or has the call served. Errors: what the call is to end with.
  /// Throws std::bad_alloc before anything is answered or served.
  /// @param viewers  Explore streams that are open
  Result<void> serve(Method method, IncomingCall incoming, const grpc::ByteBuffer& request,
                     std::uint64_t viewers);

  /// Ends what takes long, now and from now on.
  void stop() { errands_.stop(); }

  /// "terrane.v1.AdminService"
  [[nodiscard]] static const std::string& full_name();

 private:
  static constexpr std::size_t kMostErrands = 8;

  [[nodiscard]] Result<std::vector<admin::Variant>> what_to_purge(
      const access::Caller* caller, v1::PurgeCacheRequest request) const;
  Result<void> stats(Call& call, std::uint64_t viewers);
  Result<void> survey(IncomingCall incoming);
  Result<void> purge(IncomingCall incoming, const grpc::ByteBuffer& request);
  Result<void> pregenerate(IncomingCall incoming, const grpc::ByteBuffer& request);
  Result<void> set_log_level(IncomingCall incoming, const grpc::ByteBuffer& request);

  const Backend& backend_;
  const Origins& origins_;
  Errands errands_;
};

}  // namespace terrane::rpc
