// What an Explore stream does with what its client says: the part that is too long for gRPC's
// threads.
#include <algorithm>
#include <iterator>
#include <new>
#include <utility>

#include "rpc/checks/access_check.h"
#include "rpc/checks/parse.h"
#include "rpc/status.h"
#include "rpc/streams/explore_stream.h"
#include "terrane/result_macros.h"

namespace terrane::rpc {
namespace {

// Messages that are read while they have to wait for the next plan. What is read, gRPC does for all
// clients in one queue: few, where plans are long in coming; but so many that acknowledgements,
// which wait for no plan, come past Moves.
constexpr std::size_t kMaxWaiting = 4;
// before a plan is submitted again that the pool had no place for
constexpr std::chrono::milliseconds kRefusedPause{20};
constexpr int kMaxDoublings = 6;  // of that, one for each time in a row

/// A message that may not come now.
tl::unexpected<Error> out_of_order(std::string message) {
  return tl::unexpected(Error{.code = ErrorCode::kInvalidArgument,
                              .message = std::move(message),
                              .reason = ErrorReason::kMessageOutOfOrder});
}

/// Where the latest Move says that the viewer is.
struct Place {
  Pose pose;
  std::uint64_t move = 0;
};

}  // namespace

/// Notes the message that was read. Brief: this is one of gRPC's threads.
Result<void> ExploreStream::note_request() {
  dues_.add(read_.Length());
  if (read_.Length() > kSmallMessage) {
    read_.Swap(&long_message_.emplace());
    return {};
  }
  TERRANE_ASSIGN_OR_RETURN(v1::ExploreRequest request,
                           parse<v1::ExploreRequest>(read_, hub_.max_request_bytes_));
  TERRANE_RETURN_IF_ERROR(check_order(request));
  if (request.has_ack()) return viewer_->acknowledge(request.ack(), Clock::now());
  notice_jump(request);
  inbox_.push_back(std::move(request));
  return {};
}

void ExploreStream::notice_jump(const v1::ExploreRequest& request) {
  if (!request.has_move() || jumps_) return;
  const Result<Pose> pose = check(request.move(), *query_->world);
  jumps_ = pose && viewer_->is_jump(*pose);  // a wrong one ends the stream when it is taken in
}

Result<void> ExploreStream::check_order(const v1::ExploreRequest& request) {
  if (request.has_hello() && viewer_)
    return out_of_order("a second Hello: open another stream for another view");
  if (!request.has_hello() && !viewer_) {
    return out_of_order(
        "the first message is no Hello: say which world, and how far the viewer sees");
  }
  if (request.has_made() && !viewer_->judges())
    return out_of_order("made, after a Hello that does not say makes_chunks");
  if (request.event_case() != v1::ExploreRequest::EVENT_NOT_SET) return {};
  return tl::unexpected(
      Error{.code = ErrorCode::kInvalidArgument,
            .message = "a message without an event: send hello, move, ack, forget or made",
            .reason = ErrorReason::kFieldMissing,
            .field = "event"});
}

bool ExploreStream::has_plans() const {
  return !inbox_.empty() || long_message_.has_value() || !lists_.empty();
}

/// Also for its dues alone, however little else its client wants.
bool ExploreStream::wants_plan() const { return has_plans() || (viewer_ && dues_.are_many()); }

bool ExploreStream::may_read() const {
  if (planning_ || long_message_ || !lists_.empty() || inbox_.size() >= kMaxWaiting) return false;
  return viewer_ || inbox_.empty();
}

void ExploreStream::plan_if_due(Step& step, Clock::time_point now) {
  if (ending_ || planning_ || !wants_plan()) return;
  // Its client is to read first; whoever notes that it has comes here again.
  if (viewer_ && viewer_->has_much_to_tell()) return;
  if (now < plan_at_) return set_alarm(plan_at_);
  planning_ = true;
  const bool is_list_alone = inbox_.empty() && !long_message_;
  step.plan = is_list_alone ? schedule::Priority::kView : schedule::Priority::kPlayerWaits;
}

/// A job in the viewer's turn, which makes room where the queue is full of this client's.
/// @param put_off  where it has to wait for another time
/// @param patience  it does where it can be expected to wait for longer than this
/// @return whether it is queued
bool ExploreStream::submit(schedule::Priority priority, void (ExploreStream::*run)(),
                           void (ExploreStream::*put_off)(), std::chrono::nanoseconds patience) {
  try {
    const auto evicted = [stream = shared_from_this(), put_off](const schedule::Refused&) {
      ((*stream).*put_off)();
      stream->advance(Look::kMayNotAsk);
    };
    const auto submitted = hub_.workers_.submit(
        priority, {[stream = shared_from_this(), run] { ((*stream).*run)(); }, evicted}, source_,
        patience);
    return submitted.has_value();
  } catch (const std::bad_alloc&) {
    const MutexLock lock(mutex_);
    end_for_memory();
    return false;
  }
}

void ExploreStream::submit_plan(schedule::Priority priority) {
  if (!submit(priority, &ExploreStream::plan, &ExploreStream::put_off_plan,
              schedule::WorkerPool::kEndless))
    put_off_plan();
}

void ExploreStream::put_off_plan() {
  const MutexLock lock(mutex_);
  planning_ = false;
  plan_at_ = Clock::now() + kRefusedPause * (1 << std::min(plans_put_off_++, kMaxDoublings));
}

/// Where a turn is long in coming, so would be the chunks that it asks for: they would be refused.
void ExploreStream::submit_turn(schedule::Priority priority) {
  if (!submit(priority, &ExploreStream::take_turn, &ExploreStream::put_off_turn, kPatience))
    put_off_turn();
}

void ExploreStream::put_off_turn() {
  const MutexLock lock(mutex_);
  turn_queued_ = false;
  if (viewer_) viewer_->put_off(Clock::now());
}

/// One job: asks for chunks.
void ExploreStream::take_turn() {
  {
    const MutexLock lock(mutex_);
    turn_queued_ = false;
  }
  advance();
}

/// One job: takes in the messages that wait, or a slice of a list of tiles.
void ExploreStream::plan() {
  try {
    plan_now();
  } catch (const std::bad_alloc&) {
    const MutexLock lock(mutex_);
    end_for_memory();
    planning_ = false;
  }
  ask_less_if_behind();
  advance();
}

/// What it would ask for now would be looked up and refused.
void ExploreStream::ask_less_if_behind() {
  if (!hub_.workers_.is_behind(schedule::Priority::kView, source_, kPatience)) return;
  const MutexLock lock(mutex_);
  if (viewer_) viewer_->put_off(Clock::now());
}

void ExploreStream::plan_now() {
  std::vector<v1::ExploreRequest> messages;
  std::optional<grpc::ByteBuffer> long_message;
  {
    const MutexLock lock(mutex_);
    plans_put_off_ = 0;
    messages.swap(inbox_);
    long_message.swap(long_message_);
  }
  std::optional<Result<v1::ExploreRequest>> parsed;  // outside of the lock: it takes its time
  if (long_message) {
    parsed = parse<v1::ExploreRequest>(*long_message, hub_.max_request_bytes_);
    long_message.reset();
  }
  std::deque<TileList> dropped;
  {
    const MutexLock lock(mutex_);
    Result<void> done;
    if (!ending_ && parsed && !*parsed) done = tl::unexpected(parsed->error());
    if (!ending_ && done && parsed) {
      done = check_order(**parsed);
      messages.push_back(**std::move(parsed));
    }
    if (!ending_ && done && !messages.empty()) done = take_in(std::move(messages));
    if (!ending_ && done && !lists_.empty()) done = take_list();
    if (!ending_ && !done) end(refuse(call(), done.error()));
    if (ending_) dropped.swap(lists_);
    planning_ = false;
    if (lists_.empty()) plan_at_ = Clock::now() + hub_.pace_.min_move_interval;
    if (lists_.empty() && viewer_ && !viewer_->lacks_underfoot()) settle();
  }
}

/// Of all Moves the latest says where the viewer is; every list of tiles counts, in order, once the
/// viewer is there.
Result<void> ExploreStream::take_in(std::vector<v1::ExploreRequest> messages) {
  std::optional<Place> place;
  for (v1::ExploreRequest& message : messages) {
    if (message.has_ack()) {
      TERRANE_RETURN_IF_ERROR(viewer_->acknowledge(message.ack(), Clock::now()));
    } else if (message.has_forget()) {
      lists_.emplace_back(TileList::Kind::kForget,
                          std::move(*message.mutable_forget()->mutable_tiles()));
    } else if (message.has_made()) {
      TERRANE_ASSIGN_OR_RETURN(const MadeChunk made, check(message.made(), *query_->world));
      viewer_->judge(made);
    } else {
      if (message.has_hello()) TERRANE_RETURN_IF_ERROR(on_hello(*message.mutable_hello()));
      v1::Move& move =
          message.has_hello() ? *message.mutable_hello()->mutable_move() : *message.mutable_move();
      TERRANE_ASSIGN_OR_RETURN(const Pose pose, check(move, *query_->world));
      place = {pose, move.number()};
      if (!move.have().empty())
        lists_.emplace_back(TileList::Kind::kHave, std::move(*move.mutable_have()));
    }
  }
  if (!place) return {};
  look_at_caller();
  look_at_world();
  add_stops(viewer_->move(place->pose, place->move, Clock::now()));
  jumps_ = false;
  for (const v1::ExploreRequest& later : inbox_) notice_jump(later);
  return {};
}

Result<void> ExploreStream::on_hello(v1::Hello& hello) {
  TERRANE_RETURN_IF_ERROR(check_maker(hello));
  if (hello.has_world()) {
    TERRANE_RETURN_IF_ERROR(resolve(hub_.access_, caller(), *hello.mutable_world(), "hello.world"));
  }
  TERRANE_ASSIGN_OR_RETURN(ExploreQuery query, check(hello, *hub_.worlds_.now()));
  TERRANE_RETURN_IF_ERROR(hub_.check_room(source_.client));
  query_ = std::make_shared<const ExploreQuery>(std::move(query));
  offered_ = query_->world->fingerprint;
  viewer_.emplace(*query_, hub_.pace_, hub_.max_request_bytes_,
                  static_cast<std::uint32_t>(source_.viewer), Clock::now());
  return {};
}

Result<void> ExploreStream::take_list() {
  TERRANE_ASSIGN_OR_RETURN(Viewer::Stops stops, viewer_->take_slice(lists_.front()));
  add_stops(std::move(stops));
  if (lists_.front().is_done()) lists_.pop_front();
  return {};
}

void ExploreStream::add_stops(Viewer::Stops stops) {
  std::move(stops.begin(), stops.end(), std::back_inserter(stops_));
}

}  // namespace terrane::rpc
