#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "terrane/result.h"
#include "worldgen/world.h"

/// Worlds as bytes: all that decides what is generated, and nothing else. COMPILED_WORLD.md
/// describes them.
namespace terrane::worldgen {

/// The bytes of a world's parameters: its grid of chunks, terrain, biomes, placements and
/// structures. Names, colours and what else people see are not part of them, and what is made from
/// parameters (ranges, tables) is not read. Threads: any. Blocks: no.
[[nodiscard]] std::vector<std::byte> compile_world(const World& world);

/// The world that bytes describe, ready to generate, without names and colours: those are
/// `take_appearance`'s. Any bytes are safe: what is accepted generates without fault.
/// Errors: kInvalidArgument naming the field and what would be right; kFailedPrecondition when
/// another version of the format or of a stage made them. Threads: any. Blocks: no; takes up to
/// some tenths of a second for the largest tables of biomes.
[[nodiscard]] Result<World> load_compiled_world(std::span<const std::byte> bytes);

/// Gives `world` the names, colours and sizes that people see, which are `described`'s: a world
/// with the same parameters.
void take_appearance(World& world, World&& described);

}  // namespace terrane::worldgen
