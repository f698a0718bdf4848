#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "codec/container.h"
#include "terrane/chunk.h"
#include "terrane/result.h"

/// The samples of one layer <-> the payload of its section: which coding suits which layer.
/// FORMAT.md, "Codings".
namespace terrane::codec {

/// Appends the payload of a layer. @return how it is coded
/// @param size     samples along one edge; `samples` are as many squared
template <typename Sample>
[[nodiscard]] Coding encode_layer(Layer layer, std::span<const Sample> samples, std::size_t size,
                                  std::string& out);

/// Whether a section of `layer` can have `coding`.
[[nodiscard]] bool may_have(Layer layer, Coding coding);

/// Replaces `samples` by the size * size ones of a section whose coding its layer may have. Errors:
/// kDataLoss with what is wrong.
template <typename Sample>
[[nodiscard]] Result<void> decode_layer(const Section& section, std::size_t size,
                                        std::vector<Sample>& samples);

}  // namespace terrane::codec
