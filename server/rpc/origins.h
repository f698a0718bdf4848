#pragma once

#include <grpcpp/grpcpp.h>

#include <cstddef>
#include <memory>
#include <string>

#include "access/caller.h"
#include "rpc/backend.h"
#include "rpc/call_metrics.h"
#include "schedule/source.h"
#include "terrane/result.h"

namespace terrane::rpc {

/// Who makes a call.
struct Origin {
  schedule::Source source;   // who is charged: an identity, else the address
  schedule::Source address;  // where it comes from: whose connections these are
  std::shared_ptr<const access::Caller> caller = nullptr;  // null: nobody in particular
};

/// Finds out who makes calls, by what their connections and headers show. Thread-safe.
class Origins {
 public:
  /// @param backend  outlives this
  explicit Origins(const Backend& backend) : backend_(backend) {}

  /// Whether a call's headers are no more than may be. Errors: kInvalidArgument, kUnauthenticated
  /// where it is the token that is too long.
  [[nodiscard]] static Result<void> check_headers(const grpc::CallbackServerContext& context,
                                                  std::size_t max_bytes);

  /// Only the address.
  [[nodiscard]] Origin by_address(const grpc::CallbackServerContext& context) const;

  /// Who they are, where that is asked; of its health anybody may ask. May throw std::bad_alloc.
  /// Errors: kUnauthenticated, kPermissionDenied.
  [[nodiscard]] Result<Origin> identify(Method method, const grpc::CallbackServerContext& context,
                                        Origin origin) const;

  /// Grows when what identify() said before may be over; 0 where nobody is asked who they are.
  [[nodiscard]] std::uint64_t generation() const {
    return backend_.access ? backend_.access->generation() : 0;
  }

 private:
  [[nodiscard]] bool is_from_this_machine(const grpc::CallbackServerContext& context) const;
  [[nodiscard]] schedule::Source source_of(const grpc::CallbackServerContext& context) const;

  const Backend& backend_;
};

}  // namespace terrane::rpc
