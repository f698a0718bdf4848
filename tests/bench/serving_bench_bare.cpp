#include "bench/serving_bench_bare.h"

#include <grpcpp/grpcpp.h>
#include <unistd.h>

#include <iostream>
#include <memory>
#include <string>

#include "bench/serving_bench_client.h"
#include "terrane/v1/world_service.grpc.pb.h"

namespace terrane::bench {
namespace {

using Service = v1::WorldService::WithRawCallbackMethod_GetChunk<
    v1::WorldService::WithRawCallbackMethod_GetChunks<v1::WorldService::Service>>;

/// A message that clients can parse, of `bytes` bytes; of a few more where so few make none.
grpc::ByteBuffer message_of(std::size_t bytes) {
  v1::GetChunkResponse message;
  std::string& payload = *message.mutable_chunk()->mutable_encoded();
  payload.assign(bytes, 't');
  while (message.ByteSizeLong() > bytes && payload.size() > 1) payload.pop_back();
  const grpc::Slice slice(message.SerializeAsString());
  return {&slice, 1};
}

class BareStream final : public grpc::ServerWriteReactor<grpc::ByteBuffer> {
 public:
  explicit BareStream(const std::vector<grpc::ByteBuffer>& messages) : messages_(messages) {
    write();
  }

 private:
  void write() {
    if (next_ + 1 < messages_.size()) {
      StartWrite(&messages_[next_++]);
    } else {
      StartWriteAndFinish(&messages_[next_], grpc::WriteOptions(), grpc::Status::OK);
    }
  }
  void OnWriteDone(bool ok) override {
    if (ok) return write();
    Finish(grpc::Status::CANCELLED);
  }
  void OnDone() override { delete this; }

  const std::vector<grpc::ByteBuffer>& messages_;
  std::size_t next_ = 0;
};

class BareService final : public Service {
 public:
  BareService(const std::vector<std::vector<std::size_t>>& streams, std::size_t unary_bytes)
      : chunk_(message_of(unary_bytes)) {
    for (const auto& sizes : streams) {
      auto& messages = squares_.emplace_back();
      for (const std::size_t bytes : sizes) messages.push_back(message_of(bytes));
    }
  }

  grpc::ServerUnaryReactor* GetChunk(grpc::CallbackServerContext* context, const grpc::ByteBuffer*,
                                     grpc::ByteBuffer* response) override {
    *response = chunk_;
    auto* const reactor = context->DefaultReactor();
    reactor->Finish(grpc::Status::OK);
    return reactor;
  }

  /// Each square has bytes of its own: what many streams share would come from the processor's
  /// cache.
  grpc::ServerWriteReactor<grpc::ByteBuffer>* GetChunks(grpc::CallbackServerContext*,
                                                        const grpc::ByteBuffer* bytes) override {
    v1::GetChunksRequest request;
    grpc::ByteBuffer shared(*bytes);  // deserialising empties the buffer it is given
    (void)grpc::SerializationTraits<v1::GetChunksRequest>::Deserialize(&shared, &request);
    const auto square = static_cast<std::size_t>(request.rectangle().first().x()) / kSquareEdge;
    return new BareStream(squares_[square % squares_.size()]);
  }

 private:
  const grpc::ByteBuffer chunk_;
  std::vector<std::vector<grpc::ByteBuffer>> squares_;
};

std::shared_ptr<grpc::ServerCredentials> credentials() {
  const std::string chain = file_of("TERRANE_TLS_CERT");
  if (chain.empty()) return grpc::InsecureServerCredentials();
  grpc::SslServerCredentialsOptions options;
  options.pem_key_cert_pairs.push_back({file_of("TERRANE_TLS_KEY"), chain});
  return grpc::SslServerCredentials(options);
}

}  // namespace

int serve_bare(const std::vector<std::vector<std::size_t>>& streams, std::size_t unary_bytes) {
  BareService service(streams, unary_bytes);
  int port = 0;
  grpc::ServerBuilder builder;
  builder.AddListeningPort("127.0.0.1:0", credentials(), &port);
  builder.RegisterService(&service);
  const std::unique_ptr<grpc::Server> server = builder.BuildAndStart();
  if (!server) return 1;
  std::cout << "bare ready: grpc 127.0.0.1:" << port << ", streams: " << streams.size()
            << std::endl;
  server->Wait();
  return 0;
}

}  // namespace terrane::bench
