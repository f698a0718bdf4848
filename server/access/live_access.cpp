#include "access/live_access.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "log.h"
#include "terrane/result_macros.h"

namespace terrane::access {
namespace {

// Tokens that were looked at are remembered in two lots of this many.
constexpr std::size_t kMaxVerdicts = 4096;
constexpr std::size_t kMaxTokenBytes = 8192;

std::vector<std::filesystem::path> paths_of(const AccessOptions& options) {
  std::vector<std::filesystem::path> paths;
  for (const auto& path : {options.token_keys, options.access_file, options.realms}) {
    if (!path.empty()) paths.push_back(path);
  }
  return paths;
}

Error refused(ErrorReason reason, std::string message) {
  return {.code = ErrorCode::kUnauthenticated, .message = std::move(message), .reason = reason};
}

/// The token in "Bearer TOKEN"; empty where it is anything else.
std::string_view bearer_token(std::string_view authorization) {
  constexpr std::string_view kScheme = "bearer ";
  const bool is_bearer =
      authorization.size() > kScheme.size() &&
      std::equal(kScheme.begin(), kScheme.end(), authorization.begin(), [](char want, char is) {
        return want == std::tolower(static_cast<unsigned char>(is));
      });
  if (!is_bearer) return {};
  authorization.remove_prefix(kScheme.size());
  const std::size_t first = authorization.find_first_not_of(' ');
  return first == authorization.npos ? std::string_view() : authorization.substr(first);
}

}  // namespace

Error too_long_token() {
  return refused(ErrorReason::kTokenInvalid,
                 "the header authorization must be \"Bearer TOKEN\", with a token of at most 8192 "
                 "bytes");
}

LiveAccess::LiveAccess(AccessOptions options, ops::Metrics& metrics)
    : options_(std::move(options)), files_(paths_of(options_)) {
  const auto refusals = [&](const char* reason) {
    return metrics.counter("terrane_identities_refused_total",
                           "Calls of which it was not known who makes them.", {{"reason", reason}});
  };
  missing_ = refusals("token_missing");
  invalid_ = refusals("token_invalid");
  expired_ = refusals("token_expired");
  const auto changes = [&](const char* result) {
    return metrics.counter(
        "terrane_access_changes_total",
        "Changes of the files that say who may call: taken, or refused as wrong.",
        {{"result", result}});
  };
  taken_ = changes("taken");
  refused_ = changes("refused");
}

Result<std::shared_ptr<LiveAccess>> LiveAccess::open(AccessOptions options, ops::Metrics& metrics) {
  TERRANE_ASSIGN_OR_RETURN(const auto texts, ops::read_files(paths_of(options)));
  const std::shared_ptr<LiveAccess> access(new LiveAccess(std::move(options), metrics));
  TERRANE_RETURN_IF_ERROR(access->take(texts));
  return access;
}

LiveAccess::CallerPtr LiveAccess::known_as(Caller caller) {
  caller.client = names_.id_of(caller.name);
  return std::make_shared<const Caller>(std::move(caller));
}

Result<void> LiveAccess::take(const std::vector<std::string>& texts) {
  const auto in_file = [](const std::filesystem::path& path) {
    return [path](Error error) {
      error.message = path.string() + ": " + error.message;
      return error;
    };
  };
  auto known = std::make_shared<Known>();
  auto text = texts.begin();
  if (!options_.token_keys.empty()) {
    TERRANE_ASSIGN_OR_RETURN(known->keys,
                             TokenKeys::parse(*text++).map_error(in_file(options_.token_keys)));
  }
  if (!options_.access_file.empty()) {
    TERRANE_ASSIGN_OR_RETURN(AccessList list,
                             parse_access_file(*text++).map_error(in_file(options_.access_file)));
    for (auto& [hash, caller] : list.tokens)
      known->tokens.emplace(hash, known_as(std::move(caller)));
    for (auto& [subject, caller] : list.certificates)
      known->certificates.emplace(subject, known_as(std::move(caller)));
  }
  if (!options_.realms.empty()) {
    TERRANE_ASSIGN_OR_RETURN(Realms realms,
                             parse_realms(*text).map_error(in_file(options_.realms)));
    known->realms = std::make_shared<const Realms>(std::move(realms));
  }
  spdlog::info("access: {} keys for signed tokens, {} other tokens, {} certificates, {} realms{}",
               known->keys ? known->keys->size() : 0, known->tokens.size(),
               known->certificates.size(), known->realms->size(),
               options_.allows_anonymous ? "; others may read, too" : "");
  const MutexLock lock(mutex_);
  known_ = std::move(known);
  recent_.clear();
  older_.clear();
  ++generation_;
  return {};
}

std::shared_ptr<const Realms> LiveAccess::realms() const {
  const MutexLock lock(mutex_);
  return known_->realms;
}

void LiveAccess::look() {
  const bool is_first = !std::exchange(looked_, true);  // when they are what was opened
  const auto wrong = files_.look([&](const std::vector<std::string>& texts) -> Result<void> {
    TERRANE_RETURN_IF_ERROR(take(texts));
    if (!is_first) taken_.add();
    return {};
  });
  if (!wrong) return;
  refused_.add();
  spdlog::error("access: the files have changed and are not taken: {}; what they said before holds",
                wrong->message);
}

tl::unexpected<Error> LiveAccess::refuse(Error error) {
  const bool is_missing = error.reason == ErrorReason::kTokenMissing;
  const bool is_expired = error.reason == ErrorReason::kTokenExpired;
  (is_missing ? missing_ : is_expired ? expired_ : invalid_).add();
  return tl::unexpected(std::move(error));
}

Result<LiveAccess::CallerPtr> LiveAccess::identify(const Credentials& shown, SystemTime now) {
  if (!shown.authorization.empty()) {
    const std::string_view token = bearer_token(shown.authorization);
    if (token.empty() || token.size() > kMaxTokenBytes) {
      return refuse(too_long_token());
    }
    return identify_token(token, now);
  }
  if (shown.has_certificate) return identify_certificate(shown);
  if (options_.allows_anonymous) return nullptr;
  return refuse(refused(ErrorReason::kTokenMissing,
                        "this server answers nobody without a token: send the header "
                        "authorization, \"Bearer TOKEN\""));
}

Result<LiveAccess::CallerPtr> LiveAccess::identify_certificate(const Credentials& shown) {
  {
    const MutexLock lock(mutex_);
    for (const std::string& subject : shown.subjects) {
      const auto found = known_->certificates.find(subject);
      if (found != known_->certificates.end()) return found->second;
    }
  }
  return known_as({.name = shown.subjects.empty() ? "certificate" : shown.subjects.front()});
}

Result<LiveAccess::CallerPtr> LiveAccess::identify_token(std::string_view token, SystemTime now) {
  const Sha256 hash = sha256(token);
  std::optional<Verdict> verdict;
  std::shared_ptr<const Known> known;
  {
    const MutexLock lock(mutex_);
    known = known_;
    if (const auto found = known->tokens.find(hash); found != known->tokens.end())
      return found->second;
    for (const Verdicts* verdicts : {&recent_, &older_}) {
      const auto found = verdicts->find(hash);
      if (found != verdicts->end()) verdict = found->second;
    }
  }
  if (!verdict) {
    verdict = judge(*known, token);
    const MutexLock lock(mutex_);
    if (recent_.size() >= kMaxVerdicts) older_ = std::exchange(recent_, {});
    if (known == known_) recent_.insert_or_assign(hash, *verdict);
  }
  if (!verdict->caller) return refuse(refused(ErrorReason::kTokenInvalid, verdict->why));
  if (now >= verdict->caller->expires)
    return refuse(refused(ErrorReason::kTokenExpired, "the token has expired: get a new one"));
  if (now < verdict->begins) {
    return refuse(
        refused(ErrorReason::kTokenInvalid, "the token is not valid: it is for later (\"nbf\")"));
  }
  return verdict->caller;
}

LiveAccess::Verdict LiveAccess::judge(const Known& known, std::string_view token) {
  const auto holder = [&]() -> Result<TokenHolder> {
    if (!known.keys) return invalid_token("this server knows none such");
    TERRANE_ASSIGN_OR_RETURN(const std::string claims, known.keys->verify(token));
    return read_claims(claims, options_.token_rules);
  }();
  if (!holder) return {.caller = nullptr, .why = holder.error().message};
  return {.caller = known_as(holder->caller), .begins = holder->begins, .why = {}};
}

}  // namespace terrane::access
