// connection.h's functions.
#include "terrane/connection.h"

#include <cctype>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <set>
#include <string>
#include <utility>

#include "bell.h"
#include "boundary.h"
#include "download.h"
#include "link.h"
#include "servers.h"
#include "terrane/result_macros.h"

namespace terrane::connection {
namespace {

using core::check_abi;
using core::guarded;

Result<terrane_connection_options> taken(const terrane_connection_options* from) {
  if (from == nullptr || from->struct_size < sizeof *from) {
    return fail(ErrorCode::kInvalidArgument,
                "options.struct_size = " + std::to_string(from == nullptr ? 0 : from->struct_size) +
                    ": set it to sizeof(terrane_connection_options), at least " +
                    std::to_string(sizeof *from));
  }
  if (from->urls == nullptr)
    return fail(ErrorCode::kInvalidArgument, "options.urls is NULL: \"ws://host:port\" is wanted");
  return core::taken(from);
}

/// Who the game is, which may become somebody else. Threads: any.
class OwnToken {
 public:
  explicit OwnToken(std::string token) : token_(std::move(token)) {}
  [[nodiscard]] std::string get() const {
    const std::lock_guard lock(mutex_);
    return token_;
  }
  void set(std::string token) {
    const std::lock_guard lock(mutex_);
    token_ = std::move(token);
  }

 private:
  mutable std::mutex mutex_;
  std::string token_;
};

Result<Servers> servers_of(const terrane_connection_options& given,
                           const std::shared_ptr<OwnToken>& token) {
  TERRANE_RETURN_IF_ERROR(check_token(token->get()));
  TokenSource source;
  // one that may get a token is treated as if it had one
  if (given.token != nullptr) source = [token]() -> Result<std::string> { return token->get(); };
  return check_servers(given.urls, given.ca_file == nullptr ? "" : given.ca_file, std::move(source),
                       given.insecure_token != 0, std::chrono::milliseconds(given.patience_ms));
}

/// That an explorer has a connection: it can be only one. Threads: any.
class Claim {
 public:
  explicit Claim(const terrane_explorer* explorer) {
    const std::lock_guard lock(mutex());
    if (claimed().insert(explorer).second) explorer_ = explorer;
  }
  Claim(Claim&& other) noexcept : explorer_(std::exchange(other.explorer_, nullptr)) {}
  Claim& operator=(Claim&&) = delete;
  ~Claim() {
    if (explorer_ == nullptr) return;
    const std::lock_guard lock(mutex());
    claimed().erase(explorer_);
  }
  [[nodiscard]] bool is_held() const { return explorer_ != nullptr; }

 private:
  static std::mutex& mutex() {
    static std::mutex mutex;
    return mutex;
  }
  static std::set<const terrane_explorer*>& claimed() {
    static std::set<const terrane_explorer*> claimed;
    return claimed;
  }

  const terrane_explorer* explorer_ = nullptr;
};

std::string escaped(std::string_view name) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  std::string text;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || c == '-' || c == '_' || c == '.' || c == '~') {
      text += c;
    } else {
      text += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
    }
  }
  return text;
}

}  // namespace
}  // namespace terrane::connection

struct terrane_connection {
  terrane_connection(terrane::connection::Servers servers, terrane_explorer* explorer,
                     std::shared_ptr<terrane::connection::OwnToken> shows,
                     terrane::connection::Claim explorers)
      : claim(std::move(explorers)),
        shows_token(servers.token != nullptr),
        token(std::move(shows)),
        link(std::move(servers), explorer, bell) {}

  const terrane::connection::Claim claim;
  const bool shows_token;
  const std::shared_ptr<terrane::connection::OwnToken> token;
  terrane::connection::Bell bell;
  terrane::connection::Link link;  // last: it uses the bell
};

using namespace terrane;
using namespace terrane::connection;

terrane_code terrane_connection_open(uint32_t abi_version,
                                     const terrane_connection_options* options,
                                     terrane_explorer* explorer, terrane_connection** connection,
                                     terrane_error* error) {
  terrane_error local{};
  local.struct_size = sizeof local;
  return guarded(error, [&]() -> Result<void> {
    TERRANE_RETURN_IF_ERROR(check_abi(abi_version));
    if (explorer == nullptr || connection == nullptr)
      return fail(ErrorCode::kInvalidArgument, "explorer or connection is NULL");
    TERRANE_ASSIGN_OR_RETURN(const auto given, taken(options));
    const auto token = std::make_shared<OwnToken>(given.token == nullptr ? "" : given.token);
    TERRANE_ASSIGN_OR_RETURN(auto servers, servers_of(given, token));
    // the field `authorization` says who this is; and a local explorer says that it is one
    if (terrane_explorer_set_token(explorer, nullptr, &local) != TERRANE_OK)
      return fail(ErrorCode::kFailedPrecondition, local.message);
    Claim claim(explorer);
    if (!claim.is_held()) {
      return fail(ErrorCode::kFailedPrecondition,
                  "this explorer has a connection already: close that first");
    }
    try {
      *connection = new terrane_connection(std::move(servers), explorer, token, std::move(claim));
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const std::exception& exception) {
      return fail(ErrorCode::kResourceExhausted,
                  std::string("no thread or no descriptor is left: ") + exception.what());
    }
    return {};
  });
}

void terrane_connection_close(terrane_connection* connection) { delete connection; }

void terrane_connection_flush(terrane_connection* connection) {
  try {
    connection->link.flush();
  } catch (...) {  // no memory: the next frame's call does it
  }
}

int64_t terrane_connection_now(void) { return Link::now(); }

int32_t terrane_connection_wait(terrane_connection* connection, uint32_t timeout_ms) {
  return connection->bell.wait(std::chrono::milliseconds(timeout_ms)) ? 1 : 0;
}

terrane_code terrane_connection_set_token(terrane_connection* connection, const char* token,
                                          terrane_error* error) {
  return guarded(error, [&]() -> Result<void> {
    std::string to = token == nullptr ? "" : token;
    TERRANE_RETURN_IF_ERROR(check_token(to));
    if (!connection->shows_token) {
      return fail(ErrorCode::kFailedPrecondition,
                  "the connection was opened without a token: \"\" is one that is set later");
    }
    connection->token->set(std::move(to));
    connection->link.flush();
    return {};
  });
}

terrane_code terrane_download_world(uint32_t abi_version, const terrane_connection_options* options,
                                    const char* name, terrane_world** world, terrane_error* error) {
  terrane_code code = TERRANE_OK;
  const terrane_code failed = guarded(error, [&]() -> Result<void> {
    TERRANE_RETURN_IF_ERROR(check_abi(abi_version));
    if (name == nullptr || world == nullptr)
      return fail(ErrorCode::kInvalidArgument, "name or world is NULL");
    TERRANE_ASSIGN_OR_RETURN(const auto given, taken(options));
    TERRANE_ASSIGN_OR_RETURN(
        const auto servers,
        servers_of(given, std::make_shared<OwnToken>(given.token == nullptr ? "" : given.token)));
    const Downloaded file = download(servers, "/v1/worlds/" + escaped(name) + "/file");
    code = file.ending.code == TERRANE_OK
               ? terrane_world_open(abi_version, file.body.data(), file.body.size(), world, error)
               : core::tell(error, file.ending.code, file.ending.message);
    return {};
  });
  return failed != TERRANE_OK ? failed : code;
}
