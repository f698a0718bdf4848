// Writes REFERENCE.md, every parameter of a world file, from the schema's own comments and rules:
//   world_reference DESCRIPTOR_SET > REFERENCE.md
// The set is what protoc --include_source_info --include_imports -o DESCRIPTOR_SET writes.
#include <google/protobuf/descriptor.h>

#include <cstdio>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "reference/schema_text.h"
#include "terrane/worldfile/v1/preset.pb.h"

namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using namespace terrane::reference;

constexpr const char* kHeader =
    R"(<!-- Made from proto/terrane/worldfile/v1/preset.proto by server/worlds/reference.cpp:
     change the comments and rules there. -->
# Parameters of a world file

Every field that a world file can have. How to make a world with them is in [README.md](README.md).

- *Required*: the file is refused without it. Everything else has a default, or may be left out.
- *Cosmetic*: changes what people see and not what is generated, so the world's fingerprint stays. A
  change of any other value gives the world another fingerprint: to clients and caches it is another
  world.
- Ranges include both ends.
)";

std::string format(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.15g", value);
  return text;
}

/// What the field is called in a world file. In a descriptor set every field has a json_name: the
/// name in camel case, unless the schema gives another.
const std::string& key_of(const FieldDescriptor& field) {
  return field.json_name() == field.camelcase_name() ? field.name() : field.json_name();
}

std::string type_of(const FieldDescriptor& field) {
  if (const Descriptor* const message = field.message_type())
    return (field.is_repeated() ? "list of " : "") + link_to(message->name());
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_STRING: return "text";
    case FieldDescriptor::CPPTYPE_BOOL: return "true or false";
    case FieldDescriptor::CPPTYPE_DOUBLE: return "number";
    case FieldDescriptor::CPPTYPE_ENUM: {
      std::string names;
      for (int i = 0; i < field.enum_type()->value_count(); ++i) {
        names += (i == 0 ? "`\"" : ", `\"") + field.enum_type()->value(i)->name() + "\"`";
      }
      return names;
    }
    default: return "whole number";
  }
}

std::string range_of(const terrane::worldfile::v1::ParameterRule& rule) {
  if (rule.has_max_length()) return "up to " + std::to_string(rule.max_length()) + " bytes";
  if (rule.has_at_least() && rule.has_at_most())
    return format(rule.at_least()) + " to " + format(rule.at_most());
  if (rule.has_at_least()) return "from " + format(rule.at_least());
  return rule.has_at_most() ? "up to " + format(rule.at_most()) : "";
}

std::string default_of(const FieldDescriptor& field,
                       const terrane::worldfile::v1::ParameterRule& rule) {
  if (rule.required()) return "*required*";
  if (!field.has_default_value()) return "";
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_UINT32: return std::to_string(field.default_value_uint32());
    case FieldDescriptor::CPPTYPE_INT32: return std::to_string(field.default_value_int32());
    case FieldDescriptor::CPPTYPE_DOUBLE: return format(field.default_value_double());
    case FieldDescriptor::CPPTYPE_BOOL: return field.default_value_bool() ? "true" : "false";
    case FieldDescriptor::CPPTYPE_ENUM: return "\"" + field.default_value_enum()->name() + "\"";
    default: return "\"" + field.default_value_string() + "\"";
  }
}

/// All messages of a world file, each after the first that holds it, and the paths at which each
/// can stand.
struct Schema {
  std::vector<const Descriptor*> messages;
  std::map<const Descriptor*, std::vector<std::string>> paths;

  void add(const Descriptor& message, const std::string& path) {
    auto& at = paths[&message];
    if (at.empty()) messages.push_back(&message);
    at.push_back(path);
    for (int i = 0; i < message.field_count(); ++i) {
      const FieldDescriptor& field = *message.field(i);
      if (field.message_type() == nullptr) continue;
      add(*field.message_type(),
          (path.empty() ? "" : path + ".") + key_of(field) + (field.is_repeated() ? "[]" : ""));
    }
  }
};

void write_message(const Descriptor& message, const std::vector<std::string>& paths) {
  std::cout << "\n## " << message.name() << "\n\n";
  if (paths.front().empty()) {
    std::cout << "The whole file.\n";
  } else {
    std::string places = "At";
    for (const std::string& path : paths)
      places += (&path == &paths.front() ? " `" : ", `") + path + '`';
    std::cout << wrapped(places + ".") << "\n" << as_paragraphs(comment_of(message));
  }
  std::cout
      << "\n| field | meaning | type | unit | range | default | |\n|---|---|---|---|---|---|---|\n";
  for (int i = 0; i < message.field_count(); ++i) {
    const FieldDescriptor& field = *message.field(i);
    const auto& rule = field.options().GetExtension(terrane::worldfile::v1::rule);
    std::string meaning = as_cell(comment_of(field));
    if (const auto* const oneof = field.containing_oneof())
      meaning += " (One " + oneof->name() + " is required.)";
    std::cout << "| `" << key_of(field) << "` | " << meaning << " | " << type_of(field) << " | "
              << rule.unit() << " | " << range_of(rule) << " | " << default_of(field, rule) << " | "
              << (rule.cosmetic() ? "cosmetic" : "") << " |\n";
  }
}

void write_reference(const std::string& descriptor_set) {
  google::protobuf::DescriptorPool pool;
  read_descriptor_set(descriptor_set, pool);
  Schema schema;
  schema.add(*pool.FindMessageTypeByName(terrane::worldfile::v1::Preset::descriptor()->full_name()),
             "");
  std::cout << kHeader;
  for (const Descriptor* message : schema.messages)
    write_message(*message, schema.paths.at(message));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: world_reference DESCRIPTOR_SET\n";
    return 2;
  }
  try {
    write_reference(argv[1]);
  } catch (const std::exception& failure) {
    std::cerr << "world_reference: " << failure.what() << '\n';
    return 1;
  }
  return 0;
}
