#include "rpc/unary/locate_call.h"

#include <cmath>
#include <exception>
#include <string>
#include <utility>

#include "rpc/source.h"
#include "rpc/status.h"
#include "rpc/world_messages.h"

namespace terrane::rpc {
namespace {

v1::LocateResponse found(BlockPos near, const Hit& hit) {
  v1::LocateResponse message;
  v1::LocateFound& place = *message.mutable_found();
  *place.mutable_block() = to_message(hit.block);
  place.set_distance(std::sqrt(static_cast<double>(squared_distance(near, hit.block))));
  if (hit.structure) {
    *place.mutable_structure() = to_message(*hit.structure);
  } else {
    place.set_biome(hit.biome);
  }
  return message;
}

}  // namespace

LocateCall::LocateCall(CallGate::Pass pass, CallRecord record, grpc::CallbackServerContext& context,
                       schedule::WorkerPool& workers, LocateTarget target, const LocateQuery& query)
    : pass_(std::move(pass)),
      record_(record),
      context_(context),
      workers_(workers),
      target_(std::move(target)),
      near_(query.near),
      radius_(query.radius),
      search_(target_.area()) {}

grpc::ServerWriteReactor<v1::LocateResponse>* LocateCall::start(
    CallGate::Pass pass, CallRecord record, grpc::CallbackServerContext& context,
    schedule::WorkerPool& workers, Land land, LocateQuery query) {
  const std::shared_ptr<LocateCall> call(new LocateCall(
      std::move(pass), record, context, workers, LocateTarget(query, std::move(land)), query));
  call->self_ = call;
  {
    const std::lock_guard lock(call->mutex_);
    call->submit_jobs();
  }
  call->advance();
  return call.get();
}

/// Keeps every worker busy that has nothing better to do, until the search is over. Under the lock.
void LocateCall::submit_jobs() {
  while (!failure_ && search_.under_way() < workers_.workers()) {
    const std::optional<Cell> cell = search_.next();
    if (!cell) break;
    submit([cell = *cell](LocateCall& call) { call.look(cell); });
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
    if (call->is_over()) return;
    try {
      job(*call);
    } catch (const std::exception& failure) {
      call->fail({ErrorCode::kInternal, std::string("searching failed: ") + failure.what()});
    }
  };
  const auto taken = workers_.submit(schedule::Priority::kPrefetch, run, source_of(context_));
  if (!taken) failure_ = schedule::to_error(taken.error());
}

void LocateCall::look(const Cell& cell) {
  const std::optional<Hit> hit = target_.look(cell);
  {
    const std::lock_guard lock(mutex_);
    search_.report(hit);
    submit_jobs();
  }
  advance();
}

void LocateCall::refine(const Hit& hit) {
  v1::LocateResponse answer = found(near_, target_.refined(hit));
  {
    const std::lock_guard lock(mutex_);
    answer_ = std::move(answer);
  }
  advance();
}

void LocateCall::fail(Error error) {
  {
    const std::lock_guard lock(mutex_);
    if (!failure_) failure_ = std::move(error);
  }
  advance();
}

bool LocateCall::is_over() {
  const std::lock_guard lock(mutex_);
  return failure_.has_value();
}

void LocateCall::advance() {
  Step step;
  {
    const std::lock_guard lock(mutex_);
    step = next_step();
  }
  if (step.finish) record_.end(step.finish->error_code());
  if (step.write && step.finish) {
    StartWriteAndFinish(&message_, {}, *step.finish);
  } else if (step.write) {
    StartWrite(&message_);
  } else if (step.finish) {
    Finish(*step.finish);
  }
}

LocateCall::Step LocateCall::next_step() {
  if (finished_ || writing_) return {};
  if (failure_) {
    finished_ = true;
    return {.write = false, .finish = refuse(context_, *failure_)};
  }
  if (answer_) {
    finished_ = true;
    message_ = std::move(*answer_);
    return {.write = true, .finish = grpc::Status::OK};
  }
  if (search_.searched() <= told_) return {};
  told_ = search_.searched();
  message_.mutable_progress()->set_searched(static_cast<std::uint32_t>(told_));
  writing_ = true;
  return {.write = true, .finish = {}};
}

void LocateCall::OnWriteDone(bool ok) {
  {
    const std::lock_guard lock(mutex_);
    writing_ = false;
    if (!ok && !failure_) failure_ = {ErrorCode::kCancelled, "the client is gone"};
  }
  advance();
}

void LocateCall::OnCancel() { fail({ErrorCode::kCancelled, "the call was cancelled"}); }

void LocateCall::OnDone() {
  pass_.reset();  // here: a job that is still queued keeps the rest
  self_.reset();
}

}  // namespace terrane::rpc
