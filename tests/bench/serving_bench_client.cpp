#include "bench/serving_bench_client.h"

#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>

#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <latch>
#include <stdexcept>

namespace terrane::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kEdge = static_cast<std::int64_t>(kSquareEdge);
constexpr auto kPatience = std::chrono::seconds(60);  // of any one call
constexpr const char* kStreamMethod = "/terrane.v1.WorldService/GetChunks";
constexpr const char* kUnaryMethod = "/terrane.v1.WorldService/GetChunk";

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// A connection that no other channel of this process shares.
std::shared_ptr<grpc::Channel> connect(const std::string& address) {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  const std::string ca = file_of("TERRANE_TLS_CA");
  auto channel = grpc::CreateCustomChannel(
      address, ca.empty() ? grpc::InsecureChannelCredentials() : grpc::SslCredentials({ca, "", ""}),
      arguments);
  if (!channel->WaitForConnected(std::chrono::system_clock::now() + kPatience)) {
    throw std::runtime_error("can't connect to " + address);
  }
  return channel;
}

template <typename Message>
grpc::ByteBuffer to_buffer(const Message& message) {
  const grpc::Slice slice(message.SerializeAsString());
  return {&slice, 1};
}

void expect_ok(const grpc::Status& status) {
  if (!status.ok()) throw std::runtime_error("a call failed: " + status.error_message());
}

/// One call of a stream: counts what comes, or hands it to `see`.
class StreamCall final : public grpc::ClientBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer> {
 public:
  using See = std::function<void(const grpc::ByteBuffer&)>;
  using Done = std::function<void(const grpc::Status&)>;

  StreamCall(grpc::GenericStub& stub, const grpc::ByteBuffer& request, Throughput& total,
             const See& see, Done done)
      : request_(request), total_(total), see_(see), done_(std::move(done)) {
    context_.set_deadline(std::chrono::system_clock::now() + kPatience);
    stub.PrepareBidiStreamingCall(&context_, kStreamMethod, grpc::StubOptions(), this);
    StartWriteLast(&request_, grpc::WriteOptions());
    StartRead(&message_);
    StartCall();
  }

 private:
  void OnReadDone(bool ok) override {
    if (!ok) return;
    ++total_.messages;
    total_.bytes += message_.Length();
    if (see_) see_(message_);
    StartRead(&message_);
  }
  void OnDone(const grpc::Status& status) override {
    ++total_.calls;
    const Done done = std::move(done_);
    delete this;
    done(status);
  }

  grpc::ClientContext context_;
  const grpc::ByteBuffer request_;
  Throughput& total_;
  const See& see_;
  Done done_;
  grpc::ByteBuffer message_;
};

/// One connection that sends its request again and again.
struct StreamLoop {
  grpc::GenericStub stub;
  grpc::ByteBuffer request;
  Clock::time_point end;
  std::latch& left;
  StreamCall::See see = {};
  Throughput total = {};
  grpc::Status status = {};

  void start() {
    new StreamCall(stub, request, total, see, [this](const grpc::Status& ended) {
      status = ended;
      if (ended.ok() && Clock::now() < end) return start();
      left.count_down();
    });
  }
};

/// One of several GetChunks in flight on a connection.
struct UnaryLoop {
  grpc::GenericStub& stub;
  const std::vector<grpc::ByteBuffer>& requests;
  std::size_t next;
  Clock::time_point end;
  std::latch& left;
  std::vector<double> latencies_us = {};
  grpc::Status status = {};
  std::unique_ptr<grpc::ClientContext> context = {};
  grpc::ByteBuffer response = {};
  Clock::time_point started = {};

  void start() {
    context = std::make_unique<grpc::ClientContext>();
    context->set_deadline(std::chrono::system_clock::now() + kPatience);
    started = Clock::now();
    stub.UnaryCall(context.get(), kUnaryMethod, grpc::StubOptions(),
                   &requests[next++ % requests.size()], &response,
                   [this](const grpc::Status& ended) {
                     latencies_us.push_back(seconds_since(started) * 1e6);
                     status = ended;
                     if (ended.ok() && Clock::now() < end) return start();
                     left.count_down();
                   });
  }
};

v1::WorldRef world_ref(const std::string& world, std::uint64_t seed) {
  v1::WorldRef ref;
  ref.set_name(world);
  ref.set_seed(seed);
  return ref;
}

}  // namespace

std::string file_of(const char* variable) {
  const char* const path = std::getenv(variable);
  std::ifstream file(path == nullptr ? "" : path);
  return {std::istreambuf_iterator<char>(file), {}};
}

v1::GetChunksRequest square_request(const std::string& world, std::uint64_t seed,
                                    std::size_t index) {
  v1::GetChunksRequest request;
  *request.mutable_world() = world_ref(world, seed);
  const auto first = static_cast<std::int64_t>(index) * kEdge;
  request.mutable_rectangle()->mutable_first()->set_x(first);
  request.mutable_rectangle()->mutable_first()->set_y(0);
  request.mutable_rectangle()->mutable_last()->set_x(first + kEdge - 1);
  request.mutable_rectangle()->mutable_last()->set_y(kEdge - 1);
  return request;
}

v1::GetChunkRequest chunk_request(const std::string& world, std::uint64_t seed, std::size_t index) {
  v1::GetChunkRequest request;
  *request.mutable_world() = world_ref(world, seed);
  const auto square = static_cast<std::int64_t>(index / kChunksPerCall);
  const auto within = static_cast<std::int64_t>(index % kChunksPerCall);
  request.mutable_coord()->set_x(square * kEdge + within % kEdge);
  request.mutable_coord()->set_y(within / kEdge);
  return request;
}

Throughput stream(const std::string& address, const std::vector<v1::GetChunksRequest>& requests,
                  std::chrono::duration<double> time) {
  std::latch left(static_cast<std::ptrdiff_t>(requests.size()));
  std::vector<std::unique_ptr<StreamLoop>> loops;
  for (const auto& request : requests) {
    loops.push_back(
        std::make_unique<StreamLoop>(StreamLoop{.stub = grpc::GenericStub(connect(address)),
                                                .request = to_buffer(request),
                                                .end = {},
                                                .left = left}));
  }
  const auto start = Clock::now();
  for (const auto& loop : loops) {
    loop->end = start + std::chrono::duration_cast<Clock::duration>(time);
    loop->start();
  }
  left.wait();
  Throughput total{.seconds = seconds_since(start)};
  for (const auto& loop : loops) {
    expect_ok(loop->status);
    total.calls += loop->total.calls;
    total.messages += loop->total.messages;
    total.bytes += loop->total.bytes;
  }
  return total;
}

std::vector<std::string> collect(const std::string& address, const v1::GetChunksRequest& request) {
  std::vector<std::string> messages;
  std::latch left(1);
  StreamLoop loop{.stub = grpc::GenericStub(connect(address)),
                  .request = to_buffer(request),
                  .end = Clock::now(),
                  .left = left};
  loop.see = [&messages](const grpc::ByteBuffer& message) {
    std::vector<grpc::Slice> slices;
    if (!message.Dump(&slices).ok()) return;
    std::string& bytes = messages.emplace_back();
    for (const grpc::Slice& slice : slices)
      bytes.append(reinterpret_cast<const char*>(slice.begin()), slice.size());
  };
  loop.start();
  left.wait();
  expect_ok(loop.status);
  return messages;
}

std::vector<double> unary_latencies(const std::string& address,
                                    const std::vector<v1::GetChunkRequest>& requests,
                                    std::size_t in_flight, std::chrono::duration<double> time) {
  std::vector<grpc::ByteBuffer> buffers;
  for (const auto& request : requests) buffers.push_back(to_buffer(request));
  grpc::GenericStub stub(connect(address));
  std::latch left(static_cast<std::ptrdiff_t>(in_flight));
  std::vector<std::unique_ptr<UnaryLoop>> loops;
  const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(time);
  for (std::size_t i = 0; i < in_flight; ++i) {
    loops.push_back(std::make_unique<UnaryLoop>(
        UnaryLoop{.stub = stub, .requests = buffers, .next = i * 37, .end = end, .left = left}));
  }
  for (const auto& loop : loops) loop->start();
  left.wait();
  std::vector<double> latencies_us;
  for (const auto& loop : loops) {
    expect_ok(loop->status);
    latencies_us.insert(latencies_us.end(), loop->latencies_us.begin(), loop->latencies_us.end());
  }
  return latencies_us;
}

IdleClient::IdleClient(const std::string& address)
    : stub_(v1::WorldService::NewStub(connect(address))) {}

double IdleClient::ask(const v1::GetChunkRequest& request) {
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + kPatience);
  v1::GetChunkResponse response;
  const auto start = Clock::now();
  const grpc::Status status = stub_->GetChunk(&context, request, &response);
  const double seconds = seconds_since(start);
  expect_ok(status);
  return seconds * 1e6;
}

}  // namespace terrane::bench
