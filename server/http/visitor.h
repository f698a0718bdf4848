#pragma once

#include "http/page.h"
#include "rpc/backend.h"
#include "rpc/origins.h"
#include "terrane/result.h"

namespace terrane::http {

/// Finds out who makes a request, by what their connection and the request show, as for calls of
/// gRPC. May throw std::bad_alloc. Errors: kUnauthenticated, kPermissionDenied.
[[nodiscard]] Result<rpc::Origin> identify(const rpc::Backend& backend, const Request& request);

}  // namespace terrane::http
