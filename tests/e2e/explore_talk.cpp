#include "e2e/explore_talk.h"

#include <google/protobuf/util/json_util.h>
#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/websocket/stream.hpp>
#include <utility>

#include "status/status_details.h"
#include "terrane/v1/error.pb.h"

namespace terrane::e2e {
namespace {

namespace asio = boost::asio;
namespace websocket = boost::beast::websocket;
using SystemError = boost::system::error_code;

class GrpcTalk final : public ExploreTalk {
 public:
  GrpcTalk(Client& client, std::chrono::seconds patience, const std::string& calls_for) {
    if (!calls_for.empty()) context_.AddMetadata("x-forwarded-for", calls_for);
    context_.set_deadline(std::chrono::system_clock::now() + patience);
    stream_ = client.stub().Explore(&context_);
  }
  bool write(const v1::ExploreRequest& request) override { return stream_->Write(request); }
  bool read(v1::ExploreResponse& response) override { return stream_->Read(&response); }
  void close() override { stream_->WritesDone(); }
  grpc::Status finish() override { return stream_->Finish(); }
  void cancel() override {
    context_.TryCancel();
    for (v1::ExploreResponse response; stream_->Read(&response);) continue;
    stream_->Finish();
  }

 private:
  grpc::ClientContext context_;
  std::unique_ptr<grpc::ClientReaderWriter<v1::ExploreRequest, v1::ExploreResponse>> stream_;
};

class WebSocketTalk final : public ExploreTalk {
 public:
  WebSocketTalk(const std::string& address, std::chrono::seconds patience) : patience_(patience) {
    const auto colon = address.rfind(':');
    const auto port = static_cast<std::uint16_t>(std::stoi(address.substr(colon + 1)));
    socket_.next_layer().connect({asio::ip::make_address(address.substr(0, colon)), port});
    socket_.next_layer().set_option(asio::ip::tcp::no_delay(true));
    socket_.handshake(address, "/v1/explore");
    socket_.binary(true);
  }

  bool write(const v1::ExploreRequest& request) override {
    const std::string bytes = request.SerializeAsString();
    return run([&](auto then) { socket_.async_write(asio::buffer(bytes), std::move(then)); });
  }

  bool read(v1::ExploreResponse& response) override {
    boost::beast::flat_buffer buffer;
    if (!run([&](auto then) { socket_.async_read(buffer, std::move(then)); })) return false;
    const std::string bytes(static_cast<const char*>(buffer.data().data()), buffer.size());
    if (socket_.got_binary()) return response.ParseFromString(bytes);
    v1::HttpError error;
    EXPECT_TRUE(google::protobuf::util::JsonStringToMessage(bytes, &error).ok()) << bytes;
    error_ = error;
    return read(response);
  }

  void close() override {
    if (!socket_.is_open()) return;
    run([&](auto then) {
      socket_.async_close(websocket::close_code::normal,
                          [then = std::move(then)](SystemError end) mutable { then(end, 0); });
    });
    is_closed_ = true;
  }

  grpc::Status finish() override {
    if (is_closed_) return grpc::Status::OK;  // nothing but this can be said of it
    const int code = socket_.reason().code;
    if (code == websocket::close_code::normal) return grpc::Status::OK;
    if (code < 4000) return {grpc::StatusCode::UNAVAILABLE, "cut off"};
    EXPECT_TRUE(error_) << "nothing says why";
    if (!error_) return {grpc::StatusCode::UNKNOWN, "nothing says why"};
    EXPECT_EQ(std::string(socket_.reason().reason.c_str()), error_->reason());
    EXPECT_NE(error_->status(), "OK");
    return {static_cast<grpc::StatusCode>(code - 4000), error_->message()};
  }

  void cancel() override {
    SystemError ignored;
    socket_.next_layer().close(ignored);
  }

 private:
  template <typename Begin>
  bool run(Begin begin) {
    SystemError ended = asio::error::timed_out;
    begin([&](SystemError error, std::size_t) { ended = error; });
    io_.restart();
    io_.run_for(patience_);
    if (ended == asio::error::timed_out) cancel();
    io_.run();
    return !ended;
  }

  const std::chrono::seconds patience_;
  asio::io_context io_;
  websocket::stream<asio::ip::tcp::socket> socket_{io_};
  std::optional<v1::HttpError> error_;
  bool is_closed_ = false;
};

}  // namespace

std::unique_ptr<ExploreTalk> talk_over_grpc(Client& client, std::chrono::seconds patience,
                                            const std::string& calls_for) {
  return std::make_unique<GrpcTalk>(client, patience, calls_for);
}

std::unique_ptr<ExploreTalk> talk_over_web_socket(const std::string& http_address,
                                                  std::chrono::seconds patience) {
  return std::make_unique<WebSocketTalk>(http_address, patience);
}

std::unique_ptr<ExploreTalk> talk_to(Client& client, std::chrono::seconds patience,
                                     const std::string& calls_for) {
  if (client.web_socket().empty()) return talk_over_grpc(client, patience, calls_for);
  return talk_over_web_socket(client.web_socket(), patience);
}

}  // namespace terrane::e2e
