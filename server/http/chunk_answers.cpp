#include "http/chunk_answers.h"

#include <algorithm>
#include <atomic>
#include <new>
#include <utility>

#include "rpc/chunk_wire.h"
#include "schedule/refusal.h"
#include "terrane/mutex.h"

namespace terrane::http {
namespace {

/// Chunks on their way to whoever waits for all of them.
class Gathering {
 public:
  Gathering(std::size_t count, std::function<void(Result<Chunks>)> then)
      : then_(std::move(then)), chunks_(count), left_(count) {}

  void deliver(std::size_t index, Result<codec::EncodedChunk> chunk) {
    if (chunk) {
      chunks_[index] = *std::move(chunk);  // nobody else's place
    } else {
      const MutexLock lock(mutex_);
      if (!error_) error_ = std::move(chunk.error());
    }
    if (left_.fetch_sub(1) == 1) end();
  }

 private:
  void end() {
    std::optional<Error> error;
    {
      const MutexLock lock(mutex_);
      error = std::move(error_);
    }
    if (error) return then_(tl::unexpected(*std::move(error)));
    then_(std::move(chunks_));
  }

  const std::function<void(Result<Chunks>)> then_;
  Chunks chunks_;
  std::atomic<std::size_t> left_;
  Mutex mutex_;
  std::optional<Error> error_ ABSL_GUARDED_BY(mutex_);
};

std::vector<ChunkCoord> coords_of(ChunkCoord bundle, Lod lod) {
  const std::int64_t most = max_chunk_coord(lod);
  std::vector<ChunkCoord> coords;
  for (std::int64_t i = 0; i < kBundleEdge * kBundleEdge; ++i) {
    const ChunkCoord coord{bundle.x * kBundleEdge + i % kBundleEdge,
                           bundle.y * kBundleEdge + i / kBundleEdge};
    if (std::max(std::abs(coord.x), std::abs(coord.y)) <= most) coords.push_back(coord);
  }
  return coords;
}

}  // namespace

Page page_with(const Heading& heading, const char* type, std::shared_ptr<const std::string> body) {
  if (heading.held) {
    heading.held->change(static_cast<std::ptrdiff_t>(body->size()) -
                         static_cast<std::ptrdiff_t>(heading.held->bytes()));
  }
  return {.content_type = type,
          .body = std::move(body),
          .cache_control = heading.cache_control,
          .fields = {{"ETag", heading.etag}},
          .held = heading.held};
}

void gather(pipeline::ChunkPipeline& pipeline, const pipeline::ChunkRequest& request,
            const std::vector<ChunkCoord>& coords, std::stop_token gone,
            std::function<void(Result<Chunks>)> then) {
  std::vector<pipeline::ChunkRequest> batch(coords.size(), request);
  for (std::size_t i = 0; i < coords.size(); ++i) batch[i].coord = coords[i];
  const auto gathering = std::make_shared<Gathering>(coords.size(), std::move(then));
  pipeline.request(std::move(batch), std::move(gone), [gathering](std::size_t index, auto chunk) {
    gathering->deliver(index, std::move(chunk));
  });
}

void answer_chunk(pipeline::ChunkPipeline& pipeline, pipeline::ChunkRequest request,
                  std::stop_token gone, Heading heading, Reply reply) {
  constexpr const char* kType = "application/vnd.terrane.chunk";
  pipeline.request({std::move(request)}, std::move(gone),
                   [heading = std::move(heading), reply = std::move(reply)](
                       std::size_t, const Result<codec::EncodedChunk>& chunk) {
                     reply(chunk ? page_with(heading, kType, *chunk) : error_page(chunk.error()));
                   });
}

void answer_bundle(pipeline::ChunkPipeline& pipeline, const pipeline::ChunkRequest& request,
                   ChunkCoord bundle, std::stop_token gone, Heading heading, Reply reply) {
  auto coords = coords_of(bundle, request.lod);
  const auto answer = [heading = std::move(heading), reply = std::move(reply),
                       coords](const Result<Chunks>& chunks) {
    if (!chunks) return reply(error_page(chunks.error()));
    std::size_t bytes = 0;
    for (const auto& chunk : *chunks) bytes += chunk->size() + rpc::kMaxChunkFraming;
    std::string wire;
    wire.reserve(bytes);
    for (std::size_t i = 0; i < coords.size(); ++i)
      rpc::append_chunk(wire, coords[i], *(*chunks)[i]);
    reply(page_with(heading, "application/x-protobuf",
                    std::make_shared<const std::string>(std::move(wire))));
  };
  gather(pipeline, request, coords, std::move(gone), answer);
}

}  // namespace terrane::http
