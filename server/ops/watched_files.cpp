#include "ops/watched_files.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

#include "terrane/result_macros.h"

namespace terrane::ops {
namespace {

constexpr std::uintmax_t kMaxFileBytes = std::uintmax_t{1} << 20;

Result<std::string> read_file(const std::filesystem::path& path) {
  std::error_code error;
  const auto refused = [&](const std::string& why) {
    return fail(ErrorCode::kInvalidArgument, path.string() + " can't be read: " + why);
  };
  const bool is_regular = std::filesystem::is_regular_file(path, error);
  if (error) return refused(error.message());
  if (!is_regular) return refused("it is no regular file");
  if (std::filesystem::file_size(path, error) > kMaxFileBytes)
    return refused(error ? error.message() : "it is larger than 1 MiB");
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (file) return text;
  return refused(std::strerror(errno));
}

/// All that was read, in one text that differs where one of them does.
std::string summary_of(const Result<std::vector<std::string>>& texts) {
  if (!texts) return texts.error().message;
  std::string summary;
  for (const std::string& text : *texts)
    summary.append(std::to_string(text.size())).append(":").append(text);
  return summary;
}

}  // namespace

Result<std::vector<std::string>> read_files(const std::vector<std::filesystem::path>& paths) {
  std::vector<std::string> texts;
  for (const auto& path : paths) {
    TERRANE_ASSIGN_OR_RETURN(std::string text, read_file(path));
    texts.push_back(std::move(text));
  }
  return texts;
}

std::optional<Error> WatchedFiles::look(
    const std::function<Result<void>(std::vector<std::string>)>& take) {
  auto texts = read_files(paths_);
  std::string seen = summary_of(texts);
  const bool is_new = seen != seen_;
  if (!is_new && is_settled_) return std::nullopt;
  seen_ = std::move(seen);
  is_settled_ = false;
  const Result<void> taken = std::move(texts).and_then(take);
  if (!taken && is_new) return std::nullopt;
  is_settled_ = true;
  return taken ? std::nullopt : std::optional(taken.error());
}

}  // namespace terrane::ops
