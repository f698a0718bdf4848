#include "http/visitor.h"

#include <chrono>

#include "access/live_access.h"
#include "rpc/checks/access_check.h"
#include "terrane/result_macros.h"

namespace terrane::http {

Result<rpc::Origin> identify(const rpc::Backend& backend, const Request& request) {
  const schedule::Source address = backend.clients.source_of(request.peer, request.forwarded_for);
  rpc::Origin visitor{.source = address, .address = address};
  if (!backend.access) return visitor;
  const access::Credentials shown{.authorization = request.authorization,
                                  .has_certificate = request.has_certificate,
                                  .subjects = request.subjects};
  TERRANE_ASSIGN_OR_RETURN(visitor.caller,
                           backend.access->identify(shown, std::chrono::system_clock::now()));
  if (!visitor.caller) return visitor;
  TERRANE_RETURN_IF_ERROR(rpc::check_may_read(*visitor.caller));
  visitor.source.client = visitor.caller->client;
  if (visitor.caller->grants.weight > 0) visitor.source.weight = visitor.caller->grants.weight;
  return visitor;
}

}  // namespace terrane::http
