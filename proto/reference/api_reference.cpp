// Writes proto/REFERENCE.md, every call and message of the API, from the schema's own comments:
//   api_reference DESCRIPTOR_SET > REFERENCE.md
// The set is what protoc --include_source_info --include_imports -o DESCRIPTOR_SET writes.
#include <google/protobuf/descriptor.h>

#include <algorithm>
#include <iostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "reference/schema_text.h"

namespace {

using google::protobuf::Descriptor;
using google::protobuf::DescriptorPool;
using google::protobuf::EnumDescriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::FileDescriptor;
using google::protobuf::MethodDescriptor;
using google::protobuf::ServiceDescriptor;
using namespace terrane::reference;

constexpr const char* kHeader =
    R"(<!-- Made from the comments of proto/terrane/v1/*.proto by proto/reference/api_reference.cpp:
     change the comments there. -->
# The API

Every call and every message of the package `terrane.v1`. The bytes of a chunk are described in
[FORMAT.md](FORMAT.md), the conversation of an Explore stream in [EXPLORE.md](EXPLORE.md).

- A field that is *optional* may be left out, and a reader can tell. One of a *oneof* excludes the
  others. Any other field that is left out is 0, false, or empty.
- A *list* may be empty.
- Ranges include both ends.
)";

constexpr std::string_view kFolder = "terrane/v1/";
/// What a reader wants first; the others follow in any order.
constexpr std::string_view kFirst[] = {"terrane/v1/world_service.proto",
                                       "terrane/v1/explore.proto"};

/// The comment at a thing of the schema. None is no error here: buf asks for it.
template <typename Thing>
std::string text_of(const Thing& thing) {
  google::protobuf::SourceLocation location;
  if (!thing.GetSourceLocation(&location)) return "";
  return location.leading_comments + location.trailing_comments;
}

std::string type_of(const FieldDescriptor& field) {
  const std::string list = field.is_repeated() ? "list of " : "";
  if (const Descriptor* const message = field.message_type())
    return list + link_to(message->name());
  if (const EnumDescriptor* const values = field.enum_type()) return list + link_to(values->name());
  const std::string optional = field.has_optional_keyword() ? ", optional" : "";
  return list + "`" + field.type_name() + "`" + optional;
}

void write_service(const ServiceDescriptor& service) {
  std::cout << "\n## " << service.name() << "\n\n" << as_paragraphs(text_of(service));
  std::cout << "\n| call | request | response | meaning |\n|---|---|---|---|\n";
  for (int i = 0; i < service.method_count(); ++i) {
    const MethodDescriptor& call = *service.method(i);
    const auto side = [](bool stream, const Descriptor& message) {
      return (stream ? "stream of " : "") + link_to(message.name());
    };
    std::cout << "| `" << call.name() << "` | " << side(call.client_streaming(), *call.input_type())
              << " | " << side(call.server_streaming(), *call.output_type()) << " | "
              << as_cell(text_of(call)) << " |\n";
  }
}

void write_message(const Descriptor& message) {
  std::cout << "\n## " << message.name() << "\n\n" << as_paragraphs(text_of(message));
  if (message.field_count() == 0) {
    std::cout << "\nIt has no fields.\n";
    return;
  }
  std::cout << "\n| field | number | type | meaning |\n|---|---|---|---|\n";
  for (int i = 0; i < message.field_count(); ++i) {
    const FieldDescriptor& field = *message.field(i);
    std::string meaning = as_cell(text_of(field));
    if (const auto* const oneof = field.real_containing_oneof())
      meaning += " (Of oneof `" + oneof->name() + "`.)";
    std::cout << "| `" << field.name() << "` | " << field.number() << " | " << type_of(field)
              << " | " << meaning << " |\n";
  }
}

void write_enum(const EnumDescriptor& values) {
  std::cout << "\n## " << values.name() << "\n\n" << as_paragraphs(text_of(values));
  std::cout << "\n| value | number | meaning |\n|---|---|---|\n";
  for (int i = 0; i < values.value_count(); ++i) {
    const auto& value = *values.value(i);
    std::cout << "| `" << value.name() << "` | " << value.number() << " | "
              << as_cell(text_of(value)) << " |\n";
  }
}

void write_file(const FileDescriptor& file) {
  for (int i = 0; i < file.service_count(); ++i) write_service(*file.service(i));
  for (int i = 0; i < file.message_type_count(); ++i) write_message(*file.message_type(i));
  for (int i = 0; i < file.enum_type_count(); ++i) write_enum(*file.enum_type(i));
}

void write_reference(const std::string& descriptor_set) {
  DescriptorPool pool;
  std::vector<std::string> names = read_descriptor_set(descriptor_set, pool);
  std::erase_if(names, [](const std::string& name) { return !name.starts_with(kFolder); });
  std::stable_sort(names.begin(), names.end(), [](const std::string& a, const std::string& b) {
    return std::ranges::find(kFirst, a) < std::ranges::find(kFirst, b);
  });
  std::cout << kHeader;
  for (const std::string& name : names) write_file(*pool.FindFileByName(name));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: api_reference DESCRIPTOR_SET\n";
    return 2;
  }
  try {
    write_reference(argv[1]);
  } catch (const std::exception& failure) {
    std::cerr << "api_reference: " << failure.what() << '\n';
    return 1;
  }
  return 0;
}
