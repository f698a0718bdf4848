#pragma once

#include <utility>

#include "terrane/result.h"

// Hand an error on, in the manner of Abseil's status macros. For this tree's own sources: not
// installed, and not to be included by public headers. The enclosing function returns a Result.

#define TERRANE_INTERNAL_JOIN(a, b) a##b
#define TERRANE_INTERNAL_CONCAT(a, b) TERRANE_INTERNAL_JOIN(a, b)

/// Evaluates an expression that yields a Result; returns its error, if it has one.
#define TERRANE_RETURN_IF_ERROR(...)                                              \
  do {                                                                            \
    if (auto terrane_internal_result = (__VA_ARGS__); !terrane_internal_result) { \
      return tl::unexpected(std::move(terrane_internal_result).error());          \
    }                                                                             \
  } while (false)

#define TERRANE_INTERNAL_ASSIGN_OR_RETURN(result, declaration, ...) \
  auto result = (__VA_ARGS__);                                      \
  if (!result) return tl::unexpected(std::move(result).error());    \
  declaration = *std::move(result)

/// `TERRANE_ASSIGN_OR_RETURN(const int n, parse(text));` declares or assigns the value of a Result;
/// returns its error, if it has one.
#define TERRANE_ASSIGN_OR_RETURN(declaration, ...)                                               \
  TERRANE_INTERNAL_ASSIGN_OR_RETURN(TERRANE_INTERNAL_CONCAT(terrane_internal_result_, __LINE__), \
                                    declaration, __VA_ARGS__)
