#include "worlds/canonical.h"

#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "terrane/worldfile/v1/preset.pb.h"
#include "worlds/preset_reader.h"

namespace terrane::worlds {

namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

std::string bits(double value) {
  char text[17];
  const double positive_zero = value == 0 ? 0.0 : value;
  std::snprintf(text, sizeof text, "%016llx",
                static_cast<unsigned long long>(std::bit_cast<std::uint64_t>(positive_zero)));
  return text;
}

/// The value, or the default, of a field that is neither repeated nor a message nor a text.
double number(const Message& message, const FieldDescriptor& field) {
  const auto& reflection = *message.GetReflection();
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_UINT32: return reflection.GetUInt32(message, &field);
    case FieldDescriptor::CPPTYPE_INT32: return reflection.GetInt32(message, &field);
    case FieldDescriptor::CPPTYPE_BOOL: return reflection.GetBool(message, &field) ? 1 : 0;
    case FieldDescriptor::CPPTYPE_ENUM: return reflection.GetEnumValue(message, &field);
    default: return reflection.GetDouble(message, &field);
  }
}

void add_lines(const Message& message, const std::string& path, std::vector<std::string>& lines);

void add_field(const Message& message, const FieldDescriptor& field, const std::string& path,
               std::vector<std::string>& lines) {
  const auto& reflection = *message.GetReflection();
  if (field.is_repeated()) {
    const int size = reflection.FieldSize(message, &field);
    lines.push_back(path + "=" + std::to_string(size));
    for (int i = 0; i < size; ++i) {
      add_lines(reflection.GetRepeatedMessage(message, &field, i),
                path + "[" + std::to_string(i) + "]", lines);
    }
    return;
  }
  const bool there = reflection.HasField(message, &field);
  if (field.cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
    if (there) add_lines(reflection.GetMessage(message, &field), path, lines);
    return;
  }
  if (field.cpp_type() == FieldDescriptor::CPPTYPE_STRING) {
    lines.push_back(path + "=" + reflection.GetString(message, &field));
    return;
  }
  // A number without a default that is not there differs from any number that is.
  lines.push_back(path + "=" +
                  (there || field.has_default_value() ? bits(number(message, field)) : "none"));
}

void add_lines(const Message& message, const std::string& path, std::vector<std::string>& lines) {
  const auto& descriptor = *message.GetDescriptor();
  for (int i = 0; i < descriptor.field_count(); ++i) {
    const FieldDescriptor& field = *descriptor.field(i);
    if (field.options().GetExtension(worldfile::v1::rule).cosmetic()) continue;
    add_field(message, field, path.empty() ? key_of(field) : path + "." + key_of(field), lines);
  }
}

}  // namespace

std::string canonical_text(const Message& preset) {
  std::vector<std::string> lines;
  add_lines(preset, "", lines);
  std::sort(lines.begin(), lines.end());
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

WorldFingerprint fingerprint(const Message& preset, std::string_view stage_versions) {
  const std::string text = canonical_text(preset) + "stages=" + std::string(stage_versions) + "\n";
  return XXH3_64bits(text.data(), text.size());
}

}  // namespace terrane::worlds
