#pragma once

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>

#include <string>
#include <string_view>

#include "terrane/result.h"
#include "worlds/json.h"

namespace terrane::worlds {

/// Fills a message from JSON, by the schema: every field is one that the message has, of its type,
/// given once, within its rule's limits; what a rule requires is there.
/// @param path  of `json` in the file, for errors; empty: the whole file
/// Errors: kInvalidArgument: the field's path, what is there and what would be right. `message`
/// then holds what came before.
[[nodiscard]] Result<void> read_message(const JsonValue& json, const std::string& path,
                                        google::protobuf::Message& message);

/// What a field is called in a world file: the json_name that its schema gives, or its name.
[[nodiscard]] const std::string& key_of(const google::protobuf::FieldDescriptor& field);

/// The line of a field, named by its path like "biomes[3].height.min"; of what is around it if it
/// is not there.
[[nodiscard]] int line_of(const JsonValue& root, std::string_view path);

}  // namespace terrane::worlds
