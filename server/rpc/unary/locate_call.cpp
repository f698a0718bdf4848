#include "rpc/unary/locate_call.h"

#include <cmath>
#include <exception>
#include <new>
#include <tuple>
#include <utility>

#include "rpc/status.h"
#include "rpc/streams/wire_batch.h"
#include "rpc/world_messages.h"

namespace terrane::rpc {
namespace {

/// Of any two blocks of a world, however far apart.
double distance(BlockPos a, BlockPos b) {
  const auto x = static_cast<double>(a.x - b.x), y = static_cast<double>(a.y - b.y);
  return std::sqrt(x * x + y * y);
}

v1::LocateResponse found(BlockPos origin, const Hit& hit) {
  v1::LocateResponse message;
  v1::LocateFound& place = *message.mutable_found();
  *place.mutable_block() = to_message(hit.block);
  place.set_distance(std::sqrt(static_cast<double>(squared_distance(origin, hit.block))));
  if (hit.structure) {
    *place.mutable_structure() = to_message(*hit.structure);
  } else {
    place.set_biome(hit.biome);
  }
  return message;
}

}  // namespace

LocateCall::LocateCall(IncomingCall incoming, schedule::WorkerPool& workers, LocateTarget target,
                       const LocateQuery& query)
    : ServerCall(std::move(incoming)),
      workers_(workers),
      target_(std::move(target)),
      origin_(query.origin),
      radius_(query.radius),
      search_(target_.area()) {}

void LocateCall::start(IncomingCall incoming, schedule::WorkerPool& workers, TerrainQueries terrain,
                       const LocateQuery& query) {
  const auto call =
      create(std::move(incoming), workers, LocateTarget(query, std::move(terrain)), query);
  try {
    {
      const MutexLock lock(call->mutex_);
      query.place.empty() ? call->submit_jobs() : call->answer_place(query);
    }
    call->advance();
  } catch (const std::bad_alloc& failure) {
    call->fail(error_of(failure, "searching"));
  }
}

/// Places are few, and known.
void LocateCall::answer_place(const LocateQuery& query) {
  const auto order = [&](const NamedPlace& place) {
    return std::tuple(distance(query.origin, place.block), place.block.y, place.block.x);
  };
  const NamedPlace* nearest = nullptr;
  for (const NamedPlace& place : query.world->places) {
    if (place.name != query.place) continue;
    if (query.radius > 0 && distance(query.origin, place.block) > static_cast<double>(query.radius))
      continue;
    if (nearest == nullptr || order(place) < order(*nearest)) nearest = &place;
  }
  v1::LocateResponse& answer = answer_.emplace();
  if (nearest == nullptr) {
    answer.mutable_nothing()->set_radius(static_cast<std::uint32_t>(query.radius));
    return;
  }
  v1::LocateFound& found = *answer.mutable_found();
  *found.mutable_block() = to_message(nearest->block);
  found.set_distance(distance(query.origin, nearest->block));
  *found.mutable_place() = to_message(*nearest);
}

/// Keeps every worker busy that has nothing better to do, until the search is over.
void LocateCall::submit_jobs() {
  while (!failure_ && search_.under_way() < workers_.workers()) {
    const std::optional<SearchSquare> square = search_.next();
    if (!square) break;
    submit([square = *square](LocateCall& call) { call.look(square); });
  }
  if (failure_ || !search_.over()) return;
  if (search_.best()) {
    submit([hit = *search_.best()](LocateCall& call) { call.refine(hit); });
  } else {
    answer_.emplace().mutable_nothing()->set_radius(static_cast<std::uint32_t>(radius_));
  }
}

void LocateCall::submit(std::function<void(LocateCall&)> job) {
  const auto run = [call = shared_from_this(), job = std::move(job)] {
    if (call->has_failed()) return;
    try {
      job(*call);
    } catch (const worldgen::Abandoned&) {
      // the call has failed
    } catch (const std::exception& failure) {
      call->fail(error_of(failure, "searching"));
    }
  };
  const auto evicted = [call = shared_from_this()](const schedule::Refused& why) {
    call->fail(schedule::to_error(why));
  };
  const auto taken = workers_.submit(schedule::Priority::kPrefetch, {run, evicted}, source());
  if (!taken) {
    failure_ = schedule::to_error(taken.error());
    return;
  }
  jobs_.push_back(*taken);
}

void LocateCall::look(const SearchSquare& square) {
  const std::optional<Hit> hit = target_.look(square, abandon());
  {
    const MutexLock lock(mutex_);
    search_.report(hit);
    submit_jobs();
  }
  advance();
}

void LocateCall::refine(const Hit& hit) {
  v1::LocateResponse answer = found(origin_, target_.refined(hit, abandon()));
  {
    const MutexLock lock(mutex_);
    answer_ = std::move(answer);
  }
  advance();
}

void LocateCall::fail(Error error) {
  {
    const MutexLock lock(mutex_);
    if (!failure_) failure_ = std::move(error);
    is_over_ = true;
  }
  advance();
}

/// Nobody wants what is being looked at once the call has failed.
worldgen::Abandon LocateCall::abandon() const {
  return {[](const void* over) { return static_cast<const std::atomic<bool>*>(over)->load(); },
          &is_over_};
}

bool LocateCall::has_failed() {
  const MutexLock lock(mutex_);
  return failure_.has_value();
}

void LocateCall::advance() {
  Step step;
  {
    const MutexLock lock(mutex_);
    step = next_step();
  }
  if (step.answer) {
    answer_with(std::move(message_));
  } else if (step.write) {
    write(message_);
  } else if (step.finish) {
    finish(*step.finish);
  }
}

/// Throws std::bad_alloc, and has then changed nothing.
LocateCall::Step LocateCall::next_step() {
  if (finished_ || writing_) return {};
  if (failure_) {
    finished_ = true;
    return {.finish = refuse(call(), *failure_)};
  }
  if (answer_) {
    message_ = to_buffer(answer_->SerializeAsString());
    finished_ = true;
    return {.answer = true};
  }
  if (search_.searched() <= told_) return {};
  v1::LocateResponse progress;
  progress.mutable_progress()->set_searched(static_cast<std::uint32_t>(search_.searched()));
  message_ = to_buffer(progress.SerializeAsString());
  told_ = search_.searched();
  writing_ = true;
  return {.write = true};
}

void LocateCall::OnWriteDone(bool ok) {
  {
    const MutexLock lock(mutex_);
    writing_ = false;
    if (!ok && !failure_) failure_ = {ErrorCode::kCancelled, "gone"};
  }
  try {
    advance();
  } catch (const std::bad_alloc& failure) {
    fail(error_of(failure, "searching"));
  }
}

void LocateCall::OnCancel() {
  fail({ErrorCode::kCancelled, "cancelled"});
  std::vector<schedule::JobId> jobs;
  {
    const MutexLock lock(mutex_);
    jobs.swap(jobs_);
  }
  for (const schedule::JobId job : jobs) workers_.cancel(job);
}

}  // namespace terrane::rpc
