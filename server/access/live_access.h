#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "access/access_file.h"
#include "access/caller.h"
#include "access/client_names.h"
#include "access/realms.h"
#include "access/token_claims.h"
#include "access/token_keys.h"
#include "ops/metrics.h"
#include "ops/watched_files.h"
#include "terrane/mutex.h"
#include "terrane/result.h"

namespace terrane::access {

/// What decides who may call.
struct AccessOptions {
  std::filesystem::path token_keys = {};   // a JSON Web Key Set; empty: no signed tokens
  TokenRules token_rules = {};             // of signed tokens
  std::filesystem::path access_file = {};  // see parse_access_file(); empty: none
  std::filesystem::path realms = {};       // see parse_realms(); empty: none
  bool realms_only = false;                // nobody chooses worlds and seeds
  bool allows_anonymous = false;           // who shows nothing may read, as if there were no tokens
};

/// What a call shows of who makes it.
struct Credentials {
  std::string_view authorization;          // the header: "Bearer TOKEN"; empty: there is none
  bool has_certificate = false;            // for which somebody vouches whom the server trusts
  std::vector<std::string> subjects = {};  // whom it is for: its names, then its common name
};

/// What is told to whoever shows a token of more than 8192 bytes, or something else than a token.
[[nodiscard]] Error too_long_token();

/// Who may call, by files that change under the running server: what is wrong is not taken, and the
/// old ones hold on. Thread-safe.
class LiveAccess {
 public:
  using SystemTime = std::chrono::system_clock::time_point;
  using CallerPtr = std::shared_ptr<const Caller>;

  /// Errors: kInvalidArgument names the file and what is wrong with it. Blocks on the disk.
  /// @param metrics  outlives this
  static Result<std::shared_ptr<LiveAccess>> open(AccessOptions options, ops::Metrics& metrics);

  /// Who calls; null for somebody who may stay unknown. A token is checked once, and known then.
  /// Errors: kUnauthenticated with TOKEN_MISSING, TOKEN_INVALID or TOKEN_EXPIRED; never with any
  /// of the token in it. May throw std::bad_alloc.
  [[nodiscard]] Result<CallerPtr> identify(const Credentials& shown, SystemTime now);

  /// Grows when the files are taken that have changed: what identify() said before may be over.
  [[nodiscard]] std::uint64_t generation() const { return generation_; }

  /// Those of now.
  [[nodiscard]] std::shared_ptr<const Realms> realms() const;
  [[nodiscard]] bool offers_realms_only() const { return options_.realms_only; }

  /// What a client is called that has proven who it is.
  [[nodiscard]] std::string name_of(std::uint64_t client) const { return names_.name_of(client); }

  /// Reads the files again; see ops::WatchedFiles. Blocks on the disk. Threads: one at a time.
  void look();

 private:
  /// What a token was found to be.
  struct Verdict {
    CallerPtr caller;  // null: refused
    SystemTime begins{};
    std::string why;  // it is refused
  };
  using Verdicts = std::map<Sha256, Verdict>;
  /// What the files hold.
  struct Known {
    std::optional<TokenKeys> keys;
    std::shared_ptr<const Realms> realms = std::make_shared<const Realms>();
    std::map<Sha256, CallerPtr> tokens;
    std::map<std::string, CallerPtr, std::less<>> certificates;
  };

  LiveAccess(AccessOptions options, ops::Metrics& metrics);
  Result<void> take(const std::vector<std::string>& texts);
  [[nodiscard]] CallerPtr known_as(Caller caller);
  Result<CallerPtr> identify_token(std::string_view token, SystemTime now);
  [[nodiscard]] Verdict judge(const Known& known, std::string_view token);
  Result<CallerPtr> identify_certificate(const Credentials& shown);
  tl::unexpected<Error> refuse(Error error);

  const AccessOptions options_;
  ops::WatchedFiles files_;
  ClientNames names_;
  ops::Counter missing_, invalid_, expired_, taken_, refused_;
  bool looked_ = false;  // at the files, since they were opened
  std::atomic<std::uint64_t> generation_ = 0;
  mutable Mutex mutex_;
  std::shared_ptr<const Known> known_ ABSL_GUARDED_BY(mutex_);
  // of signed tokens; the older ones are given up when the recent ones are too many
  Verdicts recent_ ABSL_GUARDED_BY(mutex_), older_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace terrane::access
