#include "reference/schema_text.h"

#include <google/protobuf/descriptor.pb.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <sstream>
#include <utility>

namespace terrane::reference {

namespace {
constexpr std::size_t kMaxColumns = 100;
}

std::vector<std::string> read_descriptor_set(const std::string& file,
                                             google::protobuf::DescriptorPool& pool) {
  google::protobuf::FileDescriptorSet files;
  std::ifstream input(file, std::ios::binary);
  if (!files.ParseFromIstream(&input)) throw std::runtime_error(file + ": is not a descriptor set");
  std::vector<std::string> names;
  for (const auto& schema : files.file()) {
    if (pool.BuildFile(schema) == nullptr)
      throw std::runtime_error(schema.name() + ": can't be built from " + file);
    names.push_back(schema.name());
  }
  return names;
}

std::string wrapped(const std::string& text) {
  std::istringstream words(text);
  std::string lines;
  std::size_t width = 0;
  for (std::string word; words >> word; width += word.size()) {
    const bool fits = width + 1 + word.size() <= kMaxColumns;
    if (!lines.empty()) lines += fits ? ' ' : '\n';
    width = fits && !lines.empty() ? width + 1 : 0;
    lines += word;
  }
  return lines + "\n";
}

std::string as_paragraphs(const std::string& comment) {
  std::istringstream lines(comment);
  std::string text, prose;
  bool code = false;
  const auto begin_paragraph = [&] {
    if (!text.empty()) text += "\n";
  };
  const auto end_prose = [&] {
    if (prose.empty()) return;
    begin_paragraph();
    text += wrapped(std::exchange(prose, {}));
  };
  for (std::string line; std::getline(lines, line);) {
    const bool set_in = line.starts_with("   ");
    if (set_in || line.empty()) end_prose();
    if (set_in && !code) {
      begin_paragraph();
      text += "```text\n";
    }
    if (!set_in && code) text += "```\n";
    code = set_in;
    if (set_in)
      text += line.substr(3) + "\n";
    else
      prose += line;
  }
  end_prose();
  return text + (code ? "```\n" : "");
}

std::string as_cell(const std::string& comment) {
  std::string words;
  for (const char c : comment) {
    if (c == '|') words += '\\';
    if (c != ' ' && c != '\n') {
      words += c;
    } else if (!words.empty() && words.back() != ' ') {
      words += ' ';
    }
  }
  while (!words.empty() && words.back() == ' ') words.pop_back();
  return words;
}

std::string link_to(const std::string& name) {
  std::string section = name;
  std::transform(section.begin(), section.end(), section.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return "[" + name + "](#" + section + ")";
}

}  // namespace terrane::reference
