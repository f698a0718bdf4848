#pragma once

#include <google/protobuf/descriptor.h>

#include <stdexcept>
#include <string>
#include <vector>

/// What schemas say in their comments, as Markdown. For the programs that write references; they
/// are run by the build, and throw std::runtime_error when the schema lacks something.
namespace terrane::reference {

/// Adds the files of a descriptor set to `pool`, and returns their names. The set is what `protoc
/// --include_source_info --include_imports -o FILE` writes: compiled schemas have no comments.
std::vector<std::string> read_descriptor_set(const std::string& file,
                                             google::protobuf::DescriptorPool& pool);

/// The comment above a thing of the schema (a message, a field, ...).
template <typename Thing>
[[nodiscard]] std::string comment_of(const Thing& thing) {
  google::protobuf::SourceLocation location;
  if (!thing.GetSourceLocation(&location) || location.leading_comments.empty())
    throw std::runtime_error(thing.full_name() + " has no comment: say above it what it means");
  return location.leading_comments;
}

/// A text in lines of at most 100 columns.
[[nodiscard]] std::string wrapped(const std::string& text);

/// A comment as paragraphs of such lines; what is set in becomes code.
[[nodiscard]] std::string as_paragraphs(const std::string& comment);

/// A comment in one line, fit for a cell of a table.
[[nodiscard]] std::string as_cell(const std::string& comment);

/// A link to the section of a message or enum: "[World](#world)".
[[nodiscard]] std::string link_to(const std::string& name);

}  // namespace terrane::reference
