#pragma once

#include <memory>

#include "access/caller.h"
#include "http/page.h"
#include "rpc/backend.h"
#include "schedule/source.h"
#include "terrane/result.h"

namespace terrane::http {

/// Who makes a request.
struct Visitor {
  schedule::Source source;  // who is charged: an identity, else the address
  std::shared_ptr<const access::Caller> caller = nullptr;  // null: nobody in particular
};

/// Finds out by what their connection and the request show, as for calls of gRPC. May throw
/// std::bad_alloc. Errors: kUnauthenticated, kPermissionDenied.
[[nodiscard]] Result<Visitor> identify(const rpc::Backend& backend, const Request& request);

}  // namespace terrane::http
