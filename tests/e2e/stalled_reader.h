#pragma once

#include <memory>
#include <string>

#include "e2e/client.h"

namespace terrane::e2e {

/// A client that asks for more than fits on its way, and reads nothing.
class StalledReader {
 public:
  explicit StalledReader(const std::string& address)
      : client_(address, small_window()),
        context_(bounded()),
        reader_(client_.stub().GetChunks(context_.get(), rectangle_request({0, 0}, {31, 31}))) {
    reader_->WaitForInitialMetadata();  // comes with the first batch: the stream is on its way
  }
  ~StalledReader() {
    context_->TryCancel();
    reader_->Finish();
  }
  StalledReader(const StalledReader&) = delete;
  StalledReader& operator=(const StalledReader&) = delete;

 private:
  /// Left to itself gRPC reads megabytes ahead.
  static grpc::ChannelArguments small_window() {
    grpc::ChannelArguments arguments;
    arguments.SetInt(GRPC_ARG_HTTP2_BDP_PROBE, 0);
    arguments.SetInt(GRPC_ARG_HTTP2_STREAM_LOOKAHEAD_BYTES, 64 << 10);
    return arguments;
  }

  Client client_;
  std::unique_ptr<grpc::ClientContext> context_;
  std::unique_ptr<grpc::ClientReader<v1::GetChunksResponse>> reader_;
};

}  // namespace terrane::e2e
