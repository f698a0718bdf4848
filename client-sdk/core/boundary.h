#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <utility>

#include "terrane/result.h"
#include "terrane/terrane.h"
#include "terrane/utf8.h"

/// What every function of terrane.h does at the border between C and C++. Threads: any.
namespace terrane::core {

/// Writes an error for C, cut off at a whole character; bytes that are no UTF-8 become '?'.
/// @param error  may be null
/// @return the code
inline terrane_code tell(terrane_error* error, terrane_code code, std::string_view message) {
  if (error == nullptr || error->struct_size <= offsetof(terrane_error, message)) return code;
  error->code = code;
  const std::size_t room =
      std::min<std::size_t>(error->struct_size, sizeof *error) - offsetof(terrane_error, message);
  std::size_t length = 0;
  while (length < message.size()) {
    const std::size_t character = utf8_length(message.substr(length));
    const std::size_t next = std::max<std::size_t>(1, character);
    if (length + next >= room) break;
    if (character == 0) {
      error->message[length] = '?';  // no UTF-8
    } else {
      std::memcpy(error->message + length, message.data() + length, character);
    }
    length += next;
  }
  error->message[length] = '\0';
  return code;
}

inline terrane_code tell(terrane_error* error, const Error& what) {
  return tell(error, static_cast<terrane_code>(what.code), what.message);
}

/// Runs `body`, which returns a Result<void>: no exception leaves it, and the end of memory is an
/// error like others.
template <typename Body>
terrane_code guarded(terrane_error* error, Body body) noexcept {
  try {
    if (Result<void> done = body(); !done) return tell(error, done.error());
    return TERRANE_OK;
  } catch (const std::bad_alloc&) {
    return tell(error, TERRANE_RESOURCE_EXHAUSTED, "there is no memory left");
  } catch (const std::exception& exception) {
    return tell(error, TERRANE_INTERNAL, exception.what());
  } catch (...) {
    return tell(error, TERRANE_INTERNAL, "an exception of an unknown kind");
  }
}

inline Result<void> check_abi(std::uint32_t version) {
  if (version == TERRANE_ABI_VERSION) return {};
  return fail(ErrorCode::kInvalidArgument, "the program was compiled for ABI version " +
                                               std::to_string(version) +
                                               " of terrane_core; this library has version " +
                                               std::to_string(TERRANE_ABI_VERSION) + " alone");
}

/// Fills a structure of the caller's: as much of it as the caller knows, struct_size apart.
template <typename Struct>
void give(const Struct& value, Struct* to) {
  const std::size_t size = std::min<std::size_t>(to->struct_size, sizeof value);
  if (size <= sizeof to->struct_size) return;
  std::memcpy(reinterpret_cast<char*>(to) + sizeof to->struct_size,
              reinterpret_cast<const char*>(&value) + sizeof to->struct_size,
              size - sizeof to->struct_size);
}

/// A structure of the caller's as this library knows it: 0 where the caller's ends.
template <typename Struct>
Struct taken(const Struct* from) {
  Struct value{};
  if (from != nullptr)
    std::memcpy(&value, from, std::min<std::size_t>(from->struct_size, sizeof value));
  return value;
}

}  // namespace terrane::core
