#include "rpc/unary/point_call.h"

#include <algorithm>
#include <exception>
#include <new>
#include <span>
#include <utility>

#include "rpc/pace.h"
#include "rpc/status.h"
#include "rpc/streams/wire_batch.h"
#include "terrane/v1/world_service.pb.h"

namespace terrane::rpc {
namespace {

constexpr std::size_t kPointsPerJob = 32;  // a millisecond or two: no chunk waits long behind one

}  // namespace

PointCall::PointCall(IncomingCall incoming, schedule::WorkerPool& workers, PointSampler sample,
                     PointQuery query, MemoryAccounts::Hold memory)
    : ServerCall(std::move(incoming)),
      memory_(std::move(memory)),
      workers_(workers),
      sample_(std::move(sample)),
      query_(std::move(query)),
      samples_(query_.points.size()),
      jobs_left_((query_.points.size() + kPointsPerJob - 1) / kPointsPerJob) {}

void PointCall::start(IncomingCall incoming, schedule::WorkerPool& workers, PointSampler sample,
                      PointQuery query, MemoryAccounts::Hold memory) {
  const auto call =
      create(std::move(incoming), workers, std::move(sample), std::move(query), std::move(memory));
  try {
    call->start_jobs();
  } catch (const std::bad_alloc& failure) {
    call->end(error_of(failure, "sampling"));
  }
}

void PointCall::start_jobs() {
  if (query_.points.empty()) return answer();
  for (std::size_t job = 0; job < workers_.workers() && !is_ended(); ++job) submit_next();
}

/// Each job submits one more, so that a call is in the queue with a few of them however many points
/// it asks for. What has been begun is not given up.
void PointCall::submit_next() {
  const std::size_t first = next_point_.fetch_add(kPointsPerJob);
  if (first >= query_.points.size()) return;
  const auto job =
      workers_.submit(schedule::Priority::kView,
                      {[call = shared_from_this(), first] { call->run_job(first); },
                       [call = shared_from_this()](const schedule::Refused& why) {
                         call->end(schedule::to_error(why));
                       }},
                      source(), first == 0 ? kPatience : schedule::WorkerPool::kEndless);
  if (!job) return end(schedule::to_error(job.error()));
  const MutexLock lock(mutex_);
  jobs_.push_back(*job);
}

void PointCall::run_job(std::size_t first) {
  if (is_ended()) return;
  try {
    const std::size_t count = std::min(kPointsPerJob, query_.points.size() - first);
    const auto samples =
        sample_(*query_.world, query_.seed, std::span(query_.points).subspan(first, count),
                abandon_when_ended());
    std::copy(samples.begin(), samples.end(),
              samples_.begin() + static_cast<std::ptrdiff_t>(first));
    submit_next();
  } catch (const worldgen::Abandoned&) {
    return;
  } catch (const std::exception& failure) {
    return end(error_of(failure, "sampling"));
  }
  if (--jobs_left_ == 0) answer();
}

void PointCall::answer() {
  if (!claim_end()) return;
  try {
    answer_with(to_buffer(response()));
  } catch (const std::bad_alloc& failure) {
    finish(refuse(call(), error_of(failure, "answering")));
  }
}

std::string PointCall::response() const {
  v1::SamplePointsResponse response;
  const auto count = static_cast<int>(samples_.size());
  const auto has = [this](Layer layer) { return (query_.world->layers & layer_bit(layer)) != 0; };
  response.mutable_height()->Reserve(count);
  response.mutable_temperature()->Reserve(count);
  response.mutable_humidity()->Reserve(count);
  response.mutable_biome()->Reserve(count);
  for (const PointSample& sample : samples_) {
    response.add_height(sample.height_q4);
    response.add_temperature(sample.temperature_d);
    response.add_humidity(sample.humidity_d);
    response.add_biome(sample.biome);
    if (has(Layer::kWater)) response.add_water(sample.water_q4);
    if (has(Layer::kForest)) response.add_forest(sample.forest_p);
    if (has(Layer::kRocks)) response.add_rocks(sample.rocks_p);
  }
  return response.SerializeAsString();
}

void PointCall::OnCancel() {
  end({ErrorCode::kCancelled, "cancelled"});
  std::vector<schedule::JobId> jobs;
  {
    const MutexLock lock(mutex_);
    jobs.swap(jobs_);
  }
  for (const schedule::JobId job : jobs) workers_.cancel(job);
}

}  // namespace terrane::rpc
