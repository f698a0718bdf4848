#pragma once

#include <cstddef>
#include <span>

#include "terrane/result.h"
#include "terrane/world.h"

/// What servers say about worlds, read without protobuf. Pure functions; threads: any.
namespace terrane::core {

/// A world as a server describes it, and what generates it.
struct WorldMessage {
  World world;                          // with its places
  std::span<const std::byte> compiled;  // a part of the bytes that were read; empty: not sent
};

/// Reads a terrane.v1.GetWorldResponse; unknown fields are skipped. Errors: kInvalidArgument when
/// the bytes are no such message, or describe what can't be.
[[nodiscard]] Result<WorldMessage> read_world(std::span<const std::byte> bytes);

}  // namespace terrane::core
