#include <sys/wait.h>

#include <cstdlib>

#include "e2e/running_server.h"

/// Health and reflection, spoken in bytes: their messages are a field or two.
namespace terrane::e2e {
namespace {

const std::string kServing = "\x08\x01";     // HealthCheckResponse{status: SERVING}
const std::string kNotServing = "\x08\x02";  // HealthCheckResponse{status: NOT_SERVING}
/// HealthCheckRequest{service: "terrane.v1.WorldService"}
const std::string kOfTheService = "\x0a\x17terrane.v1.WorldService";

/// A stream of any method, driven step by step; each step blocks.
class Stream {
 public:
  Stream(grpc::GenericStub& stub, const std::string& method) : context_(bounded()) {
    call_ = stub.PrepareCall(context_.get(), method, &queue_);
    call_->StartCall(this);
    EXPECT_TRUE(step());
  }
  ~Stream() {
    context_->TryCancel();
    grpc::Status status;
    call_->Finish(&status, this);
    step();
    queue_.Shutdown();
    while (step()) continue;
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  void write_last(const std::string& message) {
    call_->WriteLast(to_buffer(message), grpc::WriteOptions(), this);
    EXPECT_TRUE(step());
  }

  std::string read() {
    grpc::ByteBuffer buffer;
    call_->Read(&buffer, this);
    return step() ? to_string(buffer) : "(the stream has ended)";
  }

 private:
  bool step() {
    void* tag = nullptr;
    bool ok = false;
    return queue_.Next(&tag, &ok) && ok;
  }

  std::unique_ptr<grpc::ClientContext> context_;
  grpc::CompletionQueue queue_;
  std::unique_ptr<grpc::GenericClientAsyncReaderWriter> call_;
};

TEST(standard_services, health_says_serving) {
  const TempDirectory data;
  RunningServer server(data);
  std::string response;
  ASSERT_TRUE(server.client.call("/grpc.health.v1.Health/Check", "", response).ok());
  EXPECT_EQ(response, kServing);
  response.clear();
  ASSERT_TRUE(server.client.call("/grpc.health.v1.Health/Check", kOfTheService, response).ok());
  EXPECT_EQ(response, kServing);
  EXPECT_EQ(server.client
                .call("/grpc.health.v1.Health/Check",
                      "\x0a\x06"
                      "castle",
                      response)
                .error_code(),
            grpc::NOT_FOUND);
  server.stop_cleanly();
}

TEST(standard_services, the_programs_own_health_check_says_whether_a_server_serves) {
  const TempDirectory data;
  RunningServer server(data);
  std::string check = TERRANED_PATH " --check-health --listen ";
  check += server.process.address();
  check += " 2>/dev/null";
  EXPECT_EQ(WEXITSTATUS(std::system(check.c_str())), 0);
  server.stop_cleanly();
  EXPECT_EQ(WEXITSTATUS(std::system(check.c_str())), 1);
}

TEST(standard_services, whoever_watches_health_is_told_of_the_drain_and_does_not_hold_it_up) {
  const TempDirectory data;
  RunningServer server(data);
  {
    Stream watch(server.client.generic(), "/grpc.health.v1.Health/Watch");
    Stream watch_service(server.client.generic(), "/grpc.health.v1.Health/Watch");
    watch.write_last("");
    watch_service.write_last(kOfTheService);
    EXPECT_EQ(watch.read(), kServing);
    EXPECT_EQ(watch_service.read(), kServing);
    server.process.terminate();
    EXPECT_EQ(watch.read(), kNotServing);
    EXPECT_EQ(watch_service.read(), kNotServing);
    server.expect_clean_end();
  }
}

TEST(standard_services, reflection_lists_the_service) {
  const TempDirectory data;
  RunningServer server(data);
  {
    Stream reflection(server.client.generic(),
                      "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo");
    reflection.write_last(
        std::string("\x3a\x00", 2));  // ServerReflectionRequest{list_services: ""}
    EXPECT_NE(reflection.read().find("terrane.v1.WorldService"), std::string::npos);
  }
  server.stop_cleanly();
}

}  // namespace
}  // namespace terrane::e2e
