#pragma once

#include <grpcpp/security/credentials.h>

#include <memory>

#include "terrane/client.h"
#include "terrane/result.h"

namespace terrane::client {

/// How a channel is protected: in the clear, unless the options say otherwise. Blocks on files.
/// Errors: kInvalidArgument names the option and the file.
[[nodiscard]] Result<std::shared_ptr<grpc::ChannelCredentials>> channel_credentials(
    const ClientOptions& options);

}  // namespace terrane::client
