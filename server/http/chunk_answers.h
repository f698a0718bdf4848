#pragma once

#include <cstdint>
#include <memory>

#include "http/page.h"
#include "http/visitor.h"
#include "pipeline/chunk_pipeline.h"
#include "rpc/checks/place_check.h"
#include "rpc/memory_accounts.h"
#include "terrane/coord.h"

namespace terrane::http {

/// Chunks along one edge of a bundle, which begins at a multiple of it.
inline constexpr std::int64_t kBundleEdge = 8;

/// What an answer is headed with that has what was asked for.
struct Heading {
  std::string cache_control;
  std::string etag;
  // for the answer, until the client has it
  std::shared_ptr<rpc::MemoryAccounts::Hold> held = nullptr;
};

/// A page of this type, which from now on holds no more than itself.
[[nodiscard]] Page page_with(const Heading& heading, const char* type,
                             std::shared_ptr<const std::string> body);

/// One encoded chunk as it is (proto/FORMAT.md).
void answer_chunk(pipeline::ChunkPipeline& pipeline, pipeline::ChunkRequest request,
                  std::stop_token gone, Heading heading, Reply reply);

/// kBundleEdge x kBundleEdge chunks as a GetChunksResponse, as far as the world reaches; all of
/// them or an error.
/// @param request  of any of them; `bundle` says which
void answer_bundle(pipeline::ChunkPipeline& pipeline, const pipeline::ChunkRequest& request,
                   ChunkCoord bundle, std::stop_token gone, Heading heading, Reply reply);

/// Asks for several chunks, and hands them on together, in their order: all, or the first error.
/// `then` is called once, on any thread.
using Chunks = std::vector<codec::EncodedChunk>;
void gather(pipeline::ChunkPipeline& pipeline, const pipeline::ChunkRequest& request,
            const std::vector<ChunkCoord>& coords, std::stop_token gone,
            std::function<void(Result<Chunks>)> then);

}  // namespace terrane::http
