#include <functional>

#include "codec/container.h"
#include "e2e/running_server.h"
#include "support/google_rpc_details.h"

/// What programs learn from a status: the trailer grpc-status-details-bin, read with Google's own
/// messages.
namespace terrane::e2e {
namespace {

class errors : public testing::Test {
 protected:
  RpcDetails chunk(const std::function<void(v1::GetChunkRequest&)>& change,
                   grpc::StatusCode expected = grpc::INVALID_ARGUMENT) {
    v1::GetChunkRequest request = chunk_request({0, 0});
    change(request);
    return details_of(server_.client.chunk_status(request), expected);
  }

  /// Checks what libraries check: that code and text are the status's own.
  static RpcDetails details_of(const grpc::Status& status, grpc::StatusCode expected) {
    EXPECT_EQ(status.error_code(), expected) << status.error_message();
    RpcDetails details = read_details(status.error_details());
    EXPECT_EQ(details.status.code(), status.error_code());
    EXPECT_EQ(details.status.message(), status.error_message());
    EXPECT_TRUE(details.info && details.info->domain() == "terrane");
    return details;
  }

  static std::string reason(const RpcDetails& details) {
    return details.info ? details.info->reason() : "(none)";
  }

  void TearDown() override { server_.stop_cleanly(); }

  TempDirectory data_;
  RunningServer server_{data_};
};

TEST_F(errors, of_a_field_say_which_its_value_and_the_limit) {
  const auto far = chunk([](auto& r) { r.mutable_coord()->set_y(-(std::int64_t{1} << 40) - 1); },
                         grpc::OUT_OF_RANGE);
  EXPECT_EQ(reason(far), "FIELD_OUT_OF_RANGE");
  EXPECT_EQ(far.field(), "coord.y");
  EXPECT_EQ(far.metadata("value"), "-1099511627777");
  EXPECT_EQ(far.metadata("limit"), "-1099511627776");
  EXPECT_FALSE(far.retry);

  const auto many = details_of(server_.client.chunks(rectangle_request({0, 0}, {32, 31})).status,
                               grpc::INVALID_ARGUMENT);
  EXPECT_EQ(reason(many), "TOO_MANY");
  EXPECT_EQ(many.field(), "rectangle");
  EXPECT_EQ(many.metadata("limit"), "1024 chunks");
  const auto missing = chunk([](auto& r) { r.clear_world(); });
  EXPECT_EQ(reason(missing), "FIELD_MISSING");
  EXPECT_EQ(missing.field(), "world");
}

TEST_F(errors, of_a_world_tell_an_unknown_name_from_another_fingerprint) {
  const auto unknown =
      chunk([](auto& r) { r.mutable_world()->set_name("at\nlantis"); }, grpc::NOT_FOUND);
  EXPECT_EQ(reason(unknown), "WORLD_UNKNOWN");
  EXPECT_EQ(unknown.field(), "world.name");
  EXPECT_EQ(unknown.metadata("value"), "'at\\x0alantis'");
  EXPECT_EQ(unknown.status.message().find('\n'), std::string::npos);
  const auto changed =
      chunk([](auto& r) { r.mutable_world()->set_fingerprint(0x123); }, grpc::FAILED_PRECONDITION);
  EXPECT_EQ(reason(changed), "WORLD_CHANGED");
  EXPECT_EQ(changed.field(), "world.fingerprint");
}

TEST_F(errors, of_a_layer_tell_what_the_world_lacks_from_what_the_level_of_detail_lacks) {
  const auto lacking = chunk([](auto& r) { r.add_layers(v1::LAYER_FOREST); });
  EXPECT_EQ(reason(lacking), "LAYER_NOT_IN_WORLD") << lacking.status.message();
  const auto ask = [this](std::uint32_t lod, v1::Layer layer) {
    v1::GetChunkRequest request = chunk_request({0, 0}, lod);
    request.mutable_world()->set_name("continents");
    request.add_layers(v1::LAYER_HEIGHT);
    request.add_layers(layer);
    return server_.client.chunk_status(request);
  };
  EXPECT_TRUE(ask(0, v1::LAYER_PLACEMENTS).ok());
  EXPECT_TRUE(ask(4, v1::LAYER_STRUCTURES).ok());
  const auto trees = details_of(ask(1, v1::LAYER_PLACEMENTS), grpc::INVALID_ARGUMENT);
  EXPECT_EQ(reason(trees), "LAYER_NOT_AT_LOD");
  EXPECT_EQ(trees.field(), "layers[1]");
  EXPECT_EQ(trees.metadata("value"), "8 (LAYER_PLACEMENTS)");
  EXPECT_EQ(trees.metadata("limit"), "lod 0");
  EXPECT_EQ(reason(details_of(ask(5, v1::LAYER_STRUCTURES), grpc::INVALID_ARGUMENT)),
            "LAYER_NOT_AT_LOD");
}

TEST_F(errors, of_a_client_that_reads_other_formats_name_the_one_that_is_served) {
  const auto other = chunk([](auto& r) { r.add_formats(99); }, grpc::FAILED_PRECONDITION);
  EXPECT_EQ(reason(other), "FORMAT_NOT_SERVED");
  EXPECT_EQ(other.field(), "formats");
  EXPECT_EQ(other.metadata("value"), "[99]");
  EXPECT_EQ(other.metadata("limit"), std::to_string(codec::kFormatVersion));
  v1::GetChunksRequest many = rectangle_request({0, 0}, {1, 1});
  many.add_formats(99);
  EXPECT_EQ(server_.client.chunks(many).status.error_code(), grpc::FAILED_PRECONDITION);
  many.add_formats(codec::kFormatVersion);
  EXPECT_EQ(server_.client.chunks(many).chunks().size(), 4u);
}

TEST_F(errors, of_a_structure_that_is_not_there_say_so) {
  v1::GetStructureRequest request;
  *request.mutable_world() = world_ref("continents");
  request.mutable_anchor()->set_x(123456789);
  v1::GetStructureResponse response;
  const auto none = details_of(
      server_.client.stub().GetStructure(bounded().get(), request, &response), grpc::NOT_FOUND);
  EXPECT_EQ(reason(none), "STRUCTURE_NOT_THERE");
  EXPECT_EQ(none.field(), "anchor");
}

TEST_F(errors, of_an_unknown_method_say_which_there_are) {
  std::string response;
  for (const char* method : {"/terrane.v1.WorldService/GetCastle", "/terrane.v0.Worlds/Get"}) {
    const grpc::Status status = server_.client.call(method, "", response);
    const auto details = details_of(status, grpc::UNIMPLEMENTED);
    EXPECT_EQ(reason(details), "METHOD_UNKNOWN");
    for (const char* word : {method, "terrane.v1.WorldService", "GetChunks", "GetStructure"})
      EXPECT_NE(status.error_message().find(word), std::string::npos) << status.error_message();
  }
}

}  // namespace
}  // namespace terrane::e2e
