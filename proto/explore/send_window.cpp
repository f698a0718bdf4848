#include "explore/send_window.h"

#include <algorithm>

namespace terrane::explore {

namespace {

constexpr double kHeadroom = 1.5;
constexpr std::uint64_t kRateBatches = 16;  // how many batches a rate is remembered for
constexpr std::size_t kFirstBytes = 4096;   // room before anything is known: about a chunk
constexpr std::size_t kBatchesAhead = 4, kMaxBatchBytes = std::size_t{64} * 1024;
// of the window, while the round trip of an empty link is measured again
constexpr double kProbeShare = 0.5;
// that a round trip is remembered for, and as long again
constexpr std::chrono::seconds kWhile{10};
constexpr double kChunkDecay = 1.0 / 16;  // a batch, of what counts as a large chunk
constexpr double kDigestShare = 0.25;     // weight of the newest account of the client

double seconds(SendWindow::Clock::duration time) {
  return std::chrono::duration<double>(time).count();
}

}  // namespace

std::size_t SendWindow::size() const {
  double bytes = kFirstBytes;
  if (!rates_.empty()) {
    const double rate =
        digest_ > 0 ? std::min(rates_.front().value, digest_) : rates_.front().value;
    bytes = std::max(bytes, kHeadroom * rate * round_trip() + chunk_);
  }
  if (probing_) bytes *= kProbeShare;
  return bytes >= static_cast<double>(kMaxBytes) ? kMaxBytes : static_cast<std::size_t>(bytes);
}

std::size_t SendWindow::room() const {
  const std::size_t limit = size();
  return limit > outstanding_ ? limit - outstanding_ : 0;
}

std::size_t SendWindow::batch_bytes() const {
  return std::min(size() / kBatchesAhead, kMaxBatchBytes);
}

void SendWindow::sent(std::uint64_t batch, std::size_t bytes, std::size_t chunks,
                      Clock::time_point now) {
  if (batches_.empty()) delivered_at_ = now;  // an idle link says nothing about its rate
  if (probing_ && probe_ == 0 && (outstanding_ == 0 || outstanding_ + bytes <= size()))
    probe_ = batch;
  batches_.push_back({batch, bytes, chunks, now, delivered_, delivered_at_});
  if (chunks > 0)
    chunk_ = std::max(chunk_ - kChunkDecay * chunk_,
                      static_cast<double>(bytes) / static_cast<double>(chunks));
  outstanding_ += bytes;
  last_ = batch;
}

bool SendWindow::acknowledge(std::uint64_t batch, std::chrono::nanoseconds per_chunk,
                             Clock::time_point now) {
  if (batch > last_) return false;
  while (!batches_.empty() && batches_.front().id <= batch) {
    const Batch done = batches_.front();
    batches_.pop_front();
    outstanding_ -= done.bytes;
    delivered_ += done.bytes;
    delivered_at_ = now;
    const double trip = std::max(seconds(now - done.at), 1e-6);
    note_trip(trip, now);
    if (probing_ && done.id == probe_) probing_ = false;
    const double time = std::max(seconds(now - done.delivered_at), 1e-6);
    note_rate(done.id, static_cast<double>(delivered_ - done.delivered_before) / time);
    if (per_chunk.count() > 0 && done.chunks > 0) {
      const double rate =
          static_cast<double>(done.bytes) / (static_cast<double>(done.chunks) * seconds(per_chunk));
      digest_ = digest_ == 0 ? rate : digest_ + kDigestShare * (rate - digest_);
    }
  }
  return true;
}

double SendWindow::round_trip() const {
  return former_round_trip_s_ == 0 ? round_trip_s_ : std::min(round_trip_s_, former_round_trip_s_);
}

void SendWindow::note_trip(double seconds, Clock::time_point now) {
  if (round_trip_s_ == 0 || now - while_began_ >= kWhile) {
    former_round_trip_s_ = round_trip_s_;
    round_trip_s_ = seconds;
    while_began_ = now;
    probing_ = former_round_trip_s_ > 0;
    probe_ = 0;
  } else {
    round_trip_s_ = std::min(round_trip_s_, seconds);
  }
}

void SendWindow::note_rate(std::uint64_t batch, double bytes_per_second) {
  while (!rates_.empty() && rates_.back().value <= bytes_per_second) rates_.pop_back();
  rates_.push_back({batch, bytes_per_second});
  while (rates_.front().batch + kRateBatches <= batch) rates_.pop_front();
}

std::optional<SendWindow::Clock::time_point> SendWindow::oldest() const {
  if (batches_.empty()) return std::nullopt;
  return batches_.front().at;
}

std::uint64_t SendWindow::oldest_batch() const {
  return batches_.empty() ? 0 : batches_.front().id;
}

}  // namespace terrane::explore
