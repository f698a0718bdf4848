#include "rpc/unary/point_call.h"

#include <algorithm>
#include <array>
#include <exception>
#include <new>
#include <numeric>
#include <span>
#include <utility>

#include "rpc/pace.h"
#include "rpc/status.h"
#include "rpc/streams/wire_batch.h"
#include "schedule/processor_time.h"
#include "terrane/v1/world_service.pb.h"

namespace terrane::rpc {
namespace {

// Of a processor's time: then somebody else's job may have its turn. The first point of a place can
// take three times as long, the next ones a hundredth of it.
constexpr std::chrono::milliseconds kJobTime{1};
constexpr std::size_t kAtATime = 32;  // points that are looked at for those of the same chunk

}  // namespace

PointCall::PointCall(IncomingCall incoming, schedule::WorkerPool& workers, PointSampler sample,
                     PointQuery query, MemoryAccounts::Hold memory)
    : ServerCall(std::move(incoming)),
      memory_(std::move(memory)),
      workers_(workers),
      sample_(std::move(sample)),
      query_(std::move(query)),
      samples_(query_.points.size()),
      points_left_(query_.points.size()) {}

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
  lanes_.resize(std::min(workers_.workers(), (query_.points.size() - 1) / kAtATime + 1));
  {
    const MutexLock lock(mutex_);
    jobs_.resize(lanes_.size());
  }
  for (std::size_t lane = 0; lane < lanes_.size() && !is_ended(); ++lane)
    submit(lane, lane == 0 ? kPatience : schedule::WorkerPool::kEndless);
}

/// Each job submits the next one, so that a call is in the queue with a few of them however many
/// points it asks for. What has been begun is not given up.
void PointCall::submit(std::size_t lane, std::chrono::nanoseconds patience) {
  const auto job = workers_.submit(schedule::Priority::kView,
                                   {[call = shared_from_this(), lane] { call->run_job(lane); },
                                    [call = shared_from_this()](const schedule::Refused& why) {
                                      call->end(schedule::to_error(why));
                                    }},
                                   source(), patience);
  if (!job) return end(schedule::to_error(job.error()));
  const MutexLock lock(mutex_);
  if (!jobs_.empty()) jobs_[lane] = *job;  // otherwise it is cancelled: the job sees that
}

void PointCall::run_job(std::size_t lane) {
  std::size_t done = 0;
  try {
    Indices& points = lanes_[lane];
    const auto end = schedule::processor_time_of_thread() + kJobTime;
    while (!is_ended() && schedule::processor_time_of_thread() < end && take_points(points))
      done += sample_a_chunk(points);
    if (is_ended()) return;
    if (!points.empty() || next_point_ < query_.points.size())
      submit(lane, schedule::WorkerPool::kEndless);
  } catch (const worldgen::Abandoned&) {
    return;
  } catch (const std::exception& failure) {
    return end(error_of(failure, "sampling"));
  }
  if (done > 0 && (points_left_ -= done) == 0) answer();
}

/// @return whether there are any
bool PointCall::take_points(Indices& points) {
  if (!points.empty()) return true;
  const std::size_t first = next_point_.fetch_add(kAtATime);
  if (first >= query_.points.size()) return false;
  points.resize(std::min(kAtATime, query_.points.size() - first));
  std::iota(points.begin(), points.end(), first);
  std::ranges::sort(points, {}, [this](std::size_t point) { return chunk_at(point); });
  return true;
}

/// The last ones that lie in one chunk. @return how many these are
std::size_t PointCall::sample_a_chunk(Indices& points) {
  const ChunkCoord chunk = chunk_at(points.back());
  std::array<BlockPos, kAtATime> here;
  std::size_t count = 0;
  while (count < points.size() && chunk_at(points[points.size() - 1 - count]) == chunk) {
    here[count] = query_.points[points[points.size() - 1 - count]];
    ++count;
  }
  const auto samples =
      sample_(*query_.world, query_.seed, std::span(here).first(count), abandon_when_ended());
  for (const PointSample& sample : samples) {
    samples_[points.back()] = sample;
    points.pop_back();
  }
  return count;
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
