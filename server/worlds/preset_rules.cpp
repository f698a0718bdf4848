#include "worlds/preset_rules.h"

#include <cmath>
#include <cstdio>
#include <optional>
#include <vector>

#include "terrane/v1/preset.pb.h"

namespace terrane::worlds {

namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

std::string format(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", value);
  return text;
}

/// The value of a numeric field that is not repeated.
std::optional<double> number(const Message& message, const FieldDescriptor& field) {
  const Reflection& reflection = *message.GetReflection();
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_UINT32: return reflection.GetUInt32(message, &field);
    case FieldDescriptor::CPPTYPE_DOUBLE: return reflection.GetDouble(message, &field);
    default: return std::nullopt;
  }
}

Result<void> check_number(double value, const v1::ParameterRule& rule, const std::string& path) {
  const std::string unit = rule.has_unit() ? " " + rule.unit() : "";
  if (!std::isfinite(value)) return fail(ErrorCode::kInvalidArgument, path + ": must be a finite number");
  if (rule.has_min() && value < rule.min()) {
    return fail(ErrorCode::kInvalidArgument,
                path + ": " + format(value) + " is below the smallest allowed, " + format(rule.min()) + unit);
  }
  if (rule.has_max() && value > rule.max()) {
    return fail(ErrorCode::kInvalidArgument,
                path + ": " + format(value) + " is above the largest allowed, " + format(rule.max()) + unit);
  }
  return {};
}

Result<void> check_field(const Message& message, const FieldDescriptor& field, const std::string& path) {
  const Reflection& reflection = *message.GetReflection();
  const v1::ParameterRule& rule = field.options().GetExtension(v1::rule);
  if (field.is_repeated()) {
    const int size = reflection.FieldSize(message, &field);
    if (rule.required() && size == 0) return fail(ErrorCode::kInvalidArgument, path + ": is missing");
    for (int i = 0; i < size; ++i) {
      const auto checked = check_rules(reflection.GetRepeatedMessage(message, &field, i), path + "[" + std::to_string(i) + "]");
      if (!checked) return checked;
    }
    return {};
  }
  if (!reflection.HasField(message, &field)) {
    if (rule.required()) return fail(ErrorCode::kInvalidArgument, path + ": is missing");
    return {};
  }
  if (field.cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) return check_rules(reflection.GetMessage(message, &field), path);
  const auto value = number(message, field);
  return value ? check_number(*value, rule, path) : Result<void>{};
}

}  // namespace

Result<void> check_rules(const Message& message, const std::string& path) {
  const auto& descriptor = *message.GetDescriptor();
  for (int i = 0; i < descriptor.field_count(); ++i) {
    const FieldDescriptor& field = *descriptor.field(i);
    const auto checked = check_field(message, field, path.empty() ? field.name() : path + "." + field.name());
    if (!checked) return checked;
  }
  return {};
}

}  // namespace terrane::worlds
