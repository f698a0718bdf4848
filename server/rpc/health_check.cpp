#include "rpc/health_check.h"

#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>
#include <grpcpp/security/tls_certificate_verifier.h>
#include <grpcpp/security/tls_credentials_options.h>

#include <string_view>

namespace terrane::rpc {

namespace {

/// HealthCheckResponse{status: SERVING} on the wire: Debian has the service's code but not its
/// stubs.
constexpr std::string_view kAnswerServing = "\x08\x01";

std::string reachable(const std::string& address) {
  const auto colon = address.rfind(':');
  const std::string host = address.substr(0, colon);
  if (host == "0.0.0.0" || host == "*") return "127.0.0.1" + address.substr(colon);
  if (host == "[::]") return "[::1]" + address.substr(colon);
  return address;
}

/// Takes any certificate: it may be for any name.
std::shared_ptr<grpc::ChannelCredentials> unverified_tls() {
  grpc::experimental::TlsChannelCredentialsOptions options;
  options.set_verify_server_certs(false);
  options.set_check_call_host(false);
  options.set_certificate_verifier(std::make_shared<grpc::experimental::NoOpCertificateVerifier>());
  return grpc::experimental::TlsCredentials(options);
}

Result<void> ask(const std::string& target,
                 const std::shared_ptr<grpc::ChannelCredentials>& credentials,
                 std::chrono::system_clock::time_point deadline) {
  grpc::GenericStub stub(grpc::CreateChannel(target, credentials));
  grpc::ClientContext context;
  context.set_deadline(deadline);
  grpc::CompletionQueue queue;
  const grpc::Slice empty;
  const grpc::ByteBuffer request(&empty, 1);  // HealthCheckRequest{}: of the whole server
  const auto call =
      stub.PrepareUnaryCall(&context, "/grpc.health.v1.Health/Check", request, &queue);
  call->StartCall();
  grpc::ByteBuffer response;
  grpc::Status status;
  call->Finish(&response, &status, nullptr);
  void* tag = nullptr;
  bool ok = false;
  queue.Next(&tag, &ok);
  if (!status.ok())
    return fail(ErrorCode::kUnavailable, target + " gave no answer: " + status.error_message());
  grpc::Slice bytes;
  if (!response.DumpToSingleSlice(&bytes).ok() ||
      std::string_view(reinterpret_cast<const char*>(bytes.begin()), bytes.size()) !=
          kAnswerServing) {
    return fail(ErrorCode::kUnavailable, target + " is not serving: starting or draining");
  }
  return {};
}

}  // namespace

Result<void> check_health(const std::string& address, std::chrono::milliseconds timeout) {
  const std::string target = reachable(address);
  const auto deadline = std::chrono::system_clock::now() + timeout;
  const auto health = ask(target, grpc::InsecureChannelCredentials(), deadline);
  if (health || !ask(target, unverified_tls(), deadline)) return health;
  return {};
}

}  // namespace terrane::rpc
