#include "worlds/message_from_json.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numeric>
#include <vector>

#include "terrane/result_macros.h"
#include "terrane/worldfile/v1/preset.pb.h"

namespace terrane::worlds {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::EnumValueDescriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;
using Kind = JsonValue::Kind;

constexpr std::size_t kMaxEcho = 40;  // bytes of a designer's text that errors repeat

tl::unexpected<Error> wrong_at(const std::string& path, const std::string& reason) {
  return fail(ErrorCode::kInvalidArgument, path.empty() ? reason : path + ": " + reason);
}

std::string format(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.15g", value);
  return text;
}

/// The start of a text, in one line and of whole characters.
std::string echo(const std::string& text) {
  std::size_t length = std::min(text.size(), kMaxEcho);
  while (length > 0 && length < text.size() &&
         (static_cast<unsigned char>(text[length]) & 0xC0) == 0x80)
    --length;
  std::string shown = text.substr(0, length);
  if (length < text.size()) shown += "...";
  std::replace_if(
      shown.begin(), shown.end(), [](unsigned char c) { return c < 0x20; }, ' ');
  return shown;
}

/// What a value is, for a person.
std::string describe(const JsonValue& json) {
  switch (json.kind) {
    case Kind::kNull: return "null (leave the field out instead)";
    case Kind::kBoolean: return json.boolean ? "true" : "false";
    case Kind::kNumber: return echo(json.text);
    case Kind::kString: return "the text \"" + echo(json.text) + "\"";
    case Kind::kList: return "a list";
    case Kind::kObject: break;
  }
  return "an object";
}

/// Edits of one character that turn one text into the other (Levenshtein's distance).
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = std::exchange(row[j + 1], std::min({replaced, row[j] + 1, row[j + 1] + 1}));
    }
  }
  return row.back();
}

/// "did you mean octaves?", or all that there is.
std::string suggest(std::string_view given, const std::vector<std::string>& known) {
  const std::string_view start = given.substr(0, kMaxEcho);
  const auto nearest =
      std::min_element(known.begin(), known.end(), [&](const std::string& a, const std::string& b) {
        return distance(start, a) < distance(start, b);
      });
  if (nearest == known.end()) return "there is none";
  if (distance(start, *nearest) <= std::max<std::size_t>(2, nearest->size() / 3))
    return "did you mean " + *nearest + "?";
  std::string all = "there is ";
  for (const std::string& name : known) all += (&name == &known.front() ? "" : ", ") + name;
  return all;
}

const FieldDescriptor* find_field(const Descriptor& descriptor, const std::string& key) {
  for (int i = 0; i < descriptor.field_count(); ++i)
    if (key_of(*descriptor.field(i)) == key) return descriptor.field(i);
  return nullptr;
}

std::string unknown_field(const std::string& name, const Descriptor& descriptor) {
  std::vector<std::string> names;
  for (int i = 0; i < descriptor.field_count(); ++i) names.push_back(key_of(*descriptor.field(i)));
  return "there is no such field; " + suggest(name, names);
}

Result<void> check_number(const JsonValue& json, const worldfile::v1::ParameterRule& rule,
                          double low, double high, bool whole, const std::string& path) {
  const char* const wanted = whole ? "a whole number" : "a number";
  if (json.kind != Kind::kNumber)
    return wrong_at(path, std::string("must be ") + wanted + ", not " + describe(json));
  const std::string unit = rule.has_unit() ? " " + rule.unit() : "";
  const double min = std::max(low, rule.has_at_least() ? rule.at_least() : low);
  const double max = std::min(high, rule.has_at_most() ? rule.at_most() : high);
  if (json.number < min)
    return wrong_at(path,
                    echo(json.text) + " is below the smallest allowed, " + format(min) + unit);
  if (json.number > max)
    return wrong_at(path, echo(json.text) + " is above the largest allowed, " + format(max) + unit);
  if (whole && json.number != std::floor(json.number))
    return wrong_at(path, "must be a whole number, not " + echo(json.text));
  return {};
}

Result<void> check_text(const JsonValue& json, const worldfile::v1::ParameterRule& rule,
                        const std::string& path) {
  if (json.kind != Kind::kString)
    return wrong_at(path, "must be a text in double quotes, not " + describe(json));
  if (rule.required() && json.text.empty()) return wrong_at(path, "is empty");
  if (rule.has_max_length() && json.text.size() > rule.max_length()) {
    return wrong_at(path, "is " + std::to_string(json.text.size()) + " bytes long; at most " +
                              std::to_string(rule.max_length()) + " are allowed");
  }
  return {};
}

Result<const EnumValueDescriptor*> check_enum(const JsonValue& json, const FieldDescriptor& field,
                                              const std::string& path) {
  const auto* const found =
      json.kind == Kind::kString ? field.enum_type()->FindValueByName(json.text) : nullptr;
  if (found != nullptr) return found;
  std::vector<std::string> names;
  for (int i = 0; i < field.enum_type()->value_count(); ++i)
    names.push_back(field.enum_type()->value(i)->name());
  return wrong_at(path, describe(json) + " is not one of its values; " + suggest(json.text, names));
}

/// A field that is not repeated.
Result<void> read_one(const JsonValue& json, const FieldDescriptor& field, const std::string& path,
                      Message& message) {
  const Reflection& reflection = *message.GetReflection();
  const worldfile::v1::ParameterRule& rule = field.options().GetExtension(worldfile::v1::rule);
  const auto whole_number = [&](auto limits) {
    return check_number(json, rule, static_cast<double>(limits.min()),
                        static_cast<double>(limits.max()), true, path);
  };
  Result<void> checked;
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_MESSAGE:
      return read_message(json, path, *reflection.MutableMessage(&message, &field));
    case FieldDescriptor::CPPTYPE_STRING:
      checked = check_text(json, rule, path);
      if (checked) reflection.SetString(&message, &field, json.text);
      return checked;
    case FieldDescriptor::CPPTYPE_UINT32:
      checked = whole_number(std::numeric_limits<std::uint32_t>());
      if (checked) reflection.SetUInt32(&message, &field, static_cast<std::uint32_t>(json.number));
      return checked;
    case FieldDescriptor::CPPTYPE_INT32:
      checked = whole_number(std::numeric_limits<std::int32_t>());
      if (checked) reflection.SetInt32(&message, &field, static_cast<std::int32_t>(json.number));
      return checked;
    case FieldDescriptor::CPPTYPE_INT64:  // its rule keeps it within what a double holds exactly
      checked = whole_number(std::numeric_limits<std::int64_t>());
      if (checked) reflection.SetInt64(&message, &field, static_cast<std::int64_t>(json.number));
      return checked;
    case FieldDescriptor::CPPTYPE_DOUBLE: {
      constexpr double kLargest = std::numeric_limits<double>::max();
      checked = check_number(json, rule, -kLargest, kLargest, false, path);
      if (checked) reflection.SetDouble(&message, &field, json.number);
      return checked;
    }
    case FieldDescriptor::CPPTYPE_BOOL:
      if (json.kind != Kind::kBoolean)
        return wrong_at(path, "must be true or false, not " + describe(json));
      reflection.SetBool(&message, &field, json.boolean);
      return {};
    case FieldDescriptor::CPPTYPE_ENUM: {
      TERRANE_ASSIGN_OR_RETURN(const auto* const value, check_enum(json, field, path));
      reflection.SetEnum(&message, &field, value);
      return {};
    }
    default: return wrong_at(path, "the schema gives it a type that world files can't have");
  }
}

Result<void> read_list(const JsonValue& json, const FieldDescriptor& field, const std::string& path,
                       Message& message) {
  if (json.kind != Kind::kList)
    return wrong_at(path, "must be a list in [ ], not " + describe(json));
  for (std::size_t i = 0; i < json.items.size(); ++i) {
    Message& item = *message.GetReflection()->AddMessage(&message, &field);
    TERRANE_RETURN_IF_ERROR(
        read_message(json.items[i], path + "[" + std::to_string(i) + "]", item));
  }
  return {};
}

/// Whether a field may be read: given for the first time, and alone of its oneof.
Result<void> check_first(const JsonValue& json, std::size_t i, const FieldDescriptor& field,
                         const std::string& path, const Message& message) {
  const auto before = std::find(json.names.begin(), json.names.end(), json.names[i]);
  if (const auto first = static_cast<std::size_t>(before - json.names.begin()); first != i) {
    return wrong_at(path, "stands there twice, in lines " + std::to_string(json.items[first].line) +
                              " and " + std::to_string(json.items[i].line) + "; one must go");
  }
  if (const auto* const oneof = field.containing_oneof()) {
    if (const auto* const other =
            message.GetReflection()->GetOneofFieldDescriptor(message, oneof)) {
      return wrong_at(path, "the file has " + key_of(*other) + " already; a " + oneof->name() +
                                " is one of them");
    }
  }
  return {};
}

Result<void> check_complete(const std::string& path, const Message& message) {
  const Descriptor& descriptor = *message.GetDescriptor();
  const Reflection& reflection = *message.GetReflection();
  for (int i = 0; i < descriptor.field_count(); ++i) {
    const FieldDescriptor& field = *descriptor.field(i);
    if (!field.options().GetExtension(worldfile::v1::rule).required()) continue;
    const bool there = field.is_repeated() ? reflection.FieldSize(message, &field) > 0
                                           : reflection.HasField(message, &field);
    if (!there)
      return wrong_at(path.empty() ? key_of(field) : path + "." + key_of(field), "is missing");
  }
  return {};
}

}  // namespace

const std::string& key_of(const FieldDescriptor& field) {
  return field.has_json_name() ? field.json_name() : field.name();
}

Result<void> read_message(const JsonValue& json, const std::string& path, Message& message) {
  if (json.kind != Kind::kObject) {
    return wrong_at(path, (path.empty() ? "the file must hold" : "must be") +
                              std::string(" an object in { }, not ") + describe(json));
  }
  const Descriptor& descriptor = *message.GetDescriptor();
  for (std::size_t i = 0; i < json.items.size(); ++i) {
    const std::string& name = json.names[i];
    const std::string inner = (path.empty() ? "" : path + ".") + echo(name);
    const FieldDescriptor* const field = find_field(descriptor, name);
    if (field == nullptr) return wrong_at(inner, unknown_field(name, descriptor));
    TERRANE_RETURN_IF_ERROR(check_first(json, i, *field, inner, message));
    TERRANE_RETURN_IF_ERROR(field->is_repeated() ? read_list(json.items[i], *field, inner, message)
                                                 : read_one(json.items[i], *field, inner, message));
  }
  return check_complete(path, message);
}

int line_of(const JsonValue& root, std::string_view path) {
  const JsonValue* value = &root;
  while (!path.empty()) {
    const std::string_view name = path.substr(0, path.find_first_of(".[", 1));
    const JsonValue* inner = nullptr;
    if (name.front() == '[') {
      const auto index = static_cast<std::size_t>(std::atoll(std::string(name.substr(1)).c_str()));
      if (value->kind == Kind::kList && index < value->items.size()) inner = &value->items[index];
    } else {
      const std::string_view plain = name.front() == '.' ? name.substr(1) : name;
      for (std::size_t i = 0; i < value->names.size(); ++i) {
        // the last: a repeat is what an error is about
        if (echo(value->names[i]) == plain) inner = &value->items[i];
      }
    }
    if (inner == nullptr) break;
    value = inner;
    path.remove_prefix(name.size());
  }
  return value->line;
}

}  // namespace terrane::worlds
