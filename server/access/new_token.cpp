#include "access/new_token.h"

#include <openssl/rand.h>

#include "access/grants.h"
#include "access/json.h"
#include "access/sha256.h"

namespace terrane::access {

Result<std::string> describe_new_token(std::string_view name) {
  if (!is_name(name)) {
    return fail(ErrorCode::kInvalidArgument,
                "--new-token: a name has 1 to 128 bytes, and no control characters");
  }
  Sha256 random{};
  if (RAND_bytes(random.data(), static_cast<int>(random.size())) != 1)
    return fail(ErrorCode::kInternal, "--new-token: the system gives no random numbers");
  const std::string token = "terrane_" + to_hex(random);
  const Json entry(json_pack("{s:s%, s:s, s:[s]}", "name", name.data(), name.size(), "sha256",
                             to_hex(sha256(token)).c_str(), "roles", "read"));
  char* const text = entry ? json_dumps(entry.get(), 0) : nullptr;
  if (text == nullptr)
    return fail(ErrorCode::kInvalidArgument, "--new-token: the name is no UTF-8");
  std::string lines = "token, for the client (TERRANE_TOKEN), which nobody can be told again:\n  ";
  lines.append(token).append("\nentry for \"tokens\" of the file of --access-file:\n  ");
  lines.append(text).append("\n");
  free(text);
  return lines;
}

}  // namespace terrane::access
