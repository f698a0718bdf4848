#pragma once

#include <grpcpp/security/server_credentials.h>

#include <memory>

#include "net/certificates.h"

namespace terrane::rpc {

/// For a port that encrypts; each connection begins with the certificates of that time. A client is
/// asked for one where `certificates` says so, and is let in without: its calls are refused, with a
/// reason. One that nobody vouches for ends the connection.
[[nodiscard]] std::shared_ptr<grpc::ServerCredentials> tls_credentials(
    std::shared_ptr<const net::LiveCertificates> certificates);

}  // namespace terrane::rpc
