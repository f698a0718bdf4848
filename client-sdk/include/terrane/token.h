#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "terrane/result.h"

namespace terrane {

/// What shows a server who this client is.
struct Token {
  std::string text;  // visible ASCII, at most 7168 bytes
  /// When it stops to be right; max(): the server will say.
  std::chrono::system_clock::time_point expires = (std::chrono::system_clock::time_point::max)();
};

/// Gets a token: a new one each time, where tokens end. Errors of its own, to say that there is
/// none, become those of the call. Calls wait for it, past their deadlines too, so it should have
/// one of its own. It must not use the Client that asks it, nor destroy an Explorer. Threads: one
/// at a time, any of those that make calls, and for Explorers one of the library's.
using TokenProvider = std::function<Result<Token>()>;

}  // namespace terrane
