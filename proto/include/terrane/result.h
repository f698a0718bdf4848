#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

#include "terrane/error_reason.h"

namespace terrane {

/// Everything that can go wrong, closed. The numbers are those of the gRPC status codes of the same
/// name.
enum class ErrorCode : std::uint8_t {
  kCancelled = 1,           // the caller gave up
  kInvalidArgument = 3,     // a field is malformed; asking again is pointless
  kDeadlineExceeded = 4,    // no answer in time
  kNotFound = 5,            // no such world, or no structure there
  kPermissionDenied = 7,    // this caller may not
  kResourceExhausted = 8,   // overloaded or over quota; ask again later
  kFailedPrecondition = 9,  // the pinned world is not the one served
  kOutOfRange = 11,         // outside of the world
  kInternal = 13,           // a bug, or bytes that do not decode
  kUnavailable = 14,        // not reachable, starting or draining; ask again
  kDataLoss = 15,           // encoded bytes are damaged
  kUnauthenticated = 16,    // no or bad credentials
};

constexpr std::string_view to_string(ErrorCode code) {
  switch (code) {
    case ErrorCode::kCancelled: return "CANCELLED";
    case ErrorCode::kInvalidArgument: return "INVALID_ARGUMENT";
    case ErrorCode::kDeadlineExceeded: return "DEADLINE_EXCEEDED";
    case ErrorCode::kNotFound: return "NOT_FOUND";
    case ErrorCode::kPermissionDenied: return "PERMISSION_DENIED";
    case ErrorCode::kResourceExhausted: return "RESOURCE_EXHAUSTED";
    case ErrorCode::kFailedPrecondition: return "FAILED_PRECONDITION";
    case ErrorCode::kOutOfRange: return "OUT_OF_RANGE";
    case ErrorCode::kInternal: return "INTERNAL";
    case ErrorCode::kUnavailable: return "UNAVAILABLE";
    case ErrorCode::kDataLoss: return "DATA_LOSS";
    case ErrorCode::kUnauthenticated: return "UNAUTHENTICATED";
  }
  return "UNKNOWN";
}

/// What went wrong and what would be right: `code` and `message` always; the rest, for programs,
/// where it is known.
struct Error {
  ErrorCode code = ErrorCode::kInternal;
  std::string message = {};  // for a person to read
  ErrorReason reason = ErrorReason::kUnspecified;
  std::string field = {};  // of the request: "rectangle.first.x", "layers[2]"
  std::string value = {};  // what was given, or there was
  std::string limit = {};  // what would have been right
  /// When to ask again, where the server says so.
  std::optional<std::chrono::milliseconds> retry_after = {};

  friend bool operator==(const Error&, const Error&) = default;
};

/// A value or an Error.
template <typename T>
using Result = tl::expected<T, Error>;

/// `return fail(ErrorCode::kNotFound, "…");` from a function that returns Result<T>.
inline tl::unexpected<Error> fail(ErrorCode code, std::string message) {
  return tl::unexpected<Error>(Error{code, std::move(message)});
}

}  // namespace terrane
