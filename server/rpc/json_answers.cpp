#include "rpc/json_answers.h"

#include <google/protobuf/util/json_util.h>

#include <algorithm>

#include "rpc/json_text.h"
#include "rpc/world_messages.h"
#include "terrane/v1/error.pb.h"

namespace terrane::rpc {

std::string to_json(const google::protobuf::Message& message) {
  google::protobuf::util::JsonPrintOptions options;
  options.always_print_primitive_fields = true;
  std::string json;
  if (!google::protobuf::util::MessageToJsonString(message, &json, options).ok()) return "{}";
  return json;
}

std::string worlds_json(const worlds::WorldCatalog& worlds, const Limits& limits,
                        const access::LiveAccess* access, const access::Caller* caller) {
  return to_json(describe(worlds, limits, access, caller));
}

std::string world_json(const worldgen::World& world, const Limits& limits) {
  return to_json(describe(world, limits));
}

std::string world_file(const worldgen::World& world) {
  v1::GetWorldResponse file = describe(world, Limits());
  file.clear_limits();
  file.set_compiled_world(world.compiled.data(), world.compiled.size());
  return file.SerializeAsString();
}

std::string error_json(const Error& error) {
  v1::HttpError message;
  message.set_status(std::string(to_string(error.code)));
  message.set_message(error.message);
  message.set_reason(std::string(to_string(error.reason)));
  message.set_field(error.field);
  message.set_value(error.value);
  message.set_limit(error.limit);
  if (error.retry_after) {
    message.set_retry_after_ms(
        static_cast<std::uint32_t>(std::max<std::int64_t>(error.retry_after->count(), 1)));
  }
  return to_json(message);
}

}  // namespace terrane::rpc
