#include "pipeline/chunk_pipeline.h"

#include <utility>

#include "pipeline/flight_control.h"

namespace terrane::pipeline {

ChunkPipeline::ChunkPipeline(Options options, Generator generate, schedule::WorkerPool& workers,
                             store::ChunkStore* store)
    : flights_(std::make_shared<FlightControl>(options, std::move(generate), workers, store)) {}

ChunkPipeline::~ChunkPipeline() { flights_->shut_down(); }

void ChunkPipeline::request(std::vector<ChunkRequest> batch, std::stop_token stop,
                            Deliver deliver) {
  flights_->request(batch, stop, std::move(deliver));
}

void ChunkPipeline::request_each(std::span<SingleRequest> requests) {
  flights_->request_each(requests);
}

void ChunkPipeline::raise(const ChunkRequest& request) { flights_->raise(request); }

codec::EncodedChunk ChunkPipeline::find_in_memory(const ChunkRequest& request) {
  return flights_->find_in_memory(request);
}

void ChunkPipeline::forget(WorldFingerprint fingerprint, std::optional<std::uint64_t> seed) {
  flights_->forget(fingerprint, seed);
}

std::vector<codec::EncodedChunk> ChunkPipeline::find_in_memory(std::span<const ChunkKey> keys) {
  return flights_->find_in_memory(keys);
}

PipelineStats ChunkPipeline::stats() const { return flights_->stats(); }

}  // namespace terrane::pipeline
