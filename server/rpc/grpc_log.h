#pragma once

namespace terrane::rpc {

/// gRPC's and protobuf's own log lines go into the server's log: one format, one level. Of
/// connections whose TLS never came to be, which any stranger can make by the thousand, a line a
/// minute. To be called before gRPC is used; may be called again.
void take_over_grpc_log();

}  // namespace terrane::rpc
