#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "rpc/request_reads.h"
#include "support/time_scale.h"
#include "terrane/mutex.h"

namespace terrane::rpc {
namespace {

using namespace std::chrono_literals;

/// Notes when it is its turn.
class Reader : public RequestReads::Reader {
 public:
  using Peer = std::uint16_t;  // 0: none that can be held; 1: the same, of an identity's

  explicit Reader(bool takes_place = true, Peer peer = 0)
      : takes_place_(takes_place), peer_(peer) {}

  [[nodiscard]] bool takes_place() const override { return takes_place_; }
  [[nodiscard]] bool is_of_the_peer() const override { return peer_ != 1; }
  [[nodiscard]] std::optional<net::ProxiedClients::Endpoint> peer_to_hold() const override {
    if (peer_ == 0) return std::nullopt;
    return net::ProxiedClients::Endpoint{.address = {}, .port = peer_};
  }
  void start_reading() override {
    const MutexLock lock(mutex_);
    reading_ = true;
  }
  void stop_reading(const Error& why) override {
    const MutexLock lock(mutex_);
    stopped_ = why;
    changed_.notify_all();
  }
  bool is_reading() {
    const MutexLock lock(mutex_);
    return reading_;
  }
  /// Why it was stopped, or no error when it was not for so long.
  Error await_stop(std::chrono::milliseconds time) {
    const MutexLock lock(mutex_);
    const auto until = std::chrono::steady_clock::now() + time;
    while (stopped_.message.empty() && changed_.wait_until(mutex_, until)) {
    }
    return stopped_;
  }

 private:
  const bool takes_place_;
  const Peer peer_;
  Mutex mutex_;
  CondVar changed_;
  bool reading_ ABSL_GUARDED_BY(mutex_) = false;
  Error stopped_ ABSL_GUARDED_BY(mutex_);
};

/// An alarm may have its turn in hand, and begin it a moment later.
bool await_reading(Reader& reader) {
  const auto end = std::chrono::steady_clock::now() + 20s;
  while (!reader.is_reading() && std::chrono::steady_clock::now() < end) continue;
  return reader.is_reading();
}

class Reads : public testing::Test {
 protected:
  explicit Reads(const RequestReads::Bounds& bounds = {.reads = 4}) : reads_(bounds, alarms_) {}

  std::vector<std::shared_ptr<Reader>> enter(std::uint64_t client, int count) {
    std::vector<std::shared_ptr<Reader>> readers;
    for (int i = 0; i < count; ++i) {
      readers.push_back(all_.emplace_back(std::make_shared<Reader>()));
      reads_.enter({.client = client}, *readers.back());
    }
    return readers;
  }

  /// "RR--": those that read, and those that wait.
  static std::string look(const std::vector<std::shared_ptr<Reader>>& readers) {
    std::string seen;
    for (const auto& reader : readers) seen += reader->is_reading() ? 'R' : '-';
    return seen;
  }

  std::vector<std::shared_ptr<Reader>> all_;
  RequestReads reads_;
  schedule::AlarmClock alarms_;  // last: it rings for the others
};

TEST_F(Reads, are_half_of_all_for_one_client_and_go_on_in_order) {
  const auto readers = enter(1, 5);
  EXPECT_EQ(look(readers), "RR---");
  reads_.leave(*readers[1]);
  EXPECT_EQ(look(readers), "RRR--");
  reads_.leave(*readers[0]);
  reads_.leave(*readers[2]);
  EXPECT_EQ(look(readers), "RRRRR");
}

TEST_F(Reads, are_always_one_for_each_client) {
  const auto a = enter(1, 9), b = enter(2, 9);
  EXPECT_EQ(look(a), "RR-------");
  EXPECT_EQ(look(b), "RR-------") << "all places are taken";
  for (std::uint64_t client = 3; client < 15; ++client)
    EXPECT_EQ(look(enter(client, 2)), "R-") << client;
  EXPECT_EQ(look(enter(15, 2)), "--") << "four times as many as should: that is all";
}

TEST_F(Reads, go_round_among_the_clients_that_wait) {
  const auto others = enter(1, 2), a = enter(2, 4), b = enter(3, 4);
  EXPECT_EQ(look(a) + look(b), "RR--R---") << "all places and one";
  reads_.leave(*others[0]);
  EXPECT_EQ(look(a) + look(b), "RR--R---") << "there are still as many as may be";
  reads_.leave(*others[1]);
  EXPECT_EQ(look(a) + look(b), "RR--RR--") << "the other has its part";
  reads_.leave(*a[0]);
  EXPECT_EQ(look(a) + look(b), "RRR-RR--");
}

TEST_F(Reads, are_not_begun_for_those_that_have_gone) {
  const auto readers = enter(1, 4);
  EXPECT_TRUE(reads_.withdraw(*readers[2]));
  EXPECT_FALSE(reads_.withdraw(*readers[0])) << "it reads";
  reads_.leave(*readers[0]);
  EXPECT_EQ(look(readers), "RR-R");
  EXPECT_FALSE(reads_.withdraw(*readers[2])) << "it is outside";
}

TEST_F(Reads, of_streams_take_no_place_and_wait_for_none) {
  const auto readers = enter(1, 2);
  for (int i = 0; i < 50; ++i) {
    Reader& stream = *all_.emplace_back(std::make_shared<Reader>(false));
    reads_.enter({.client = 1}, stream);
    EXPECT_TRUE(stream.is_reading());
    EXPECT_FALSE(reads_.withdraw(stream)) << "it is outside";
  }
  EXPECT_EQ(look(enter(2, 2)), "RR") << "all places but those of the first";
}

/// Clients of whom some have had more than others of the workers.
class ReadsInTurn : public testing::Test {
 protected:
  ReadsInTurn()
      : reads_({.reads = 4}, alarms_, {}, {},
               [this](const auto& source, auto) { return source.client == behind_; }) {}

  Reader& enter(const schedule::Source& source, bool takes_place) {
    Reader& reader = *all_.emplace_back(std::make_shared<Reader>(takes_place));
    reads_.enter(source, reader);
    return reader;
  }

  std::atomic<std::uint64_t> behind_ = 1;
  std::vector<std::shared_ptr<Reader>> all_;
  RequestReads reads_;
  schedule::AlarmClock alarms_;  // last: it rings for the others
};

TEST_F(ReadsInTurn, of_streams_wait_until_their_client_is_level_with_others_and_hold_up_no_call) {
  Reader& stream = enter({.client = 1}, false);
  Reader& later = enter({.client = 1}, false);
  EXPECT_FALSE(stream.is_reading());
  EXPECT_TRUE(enter({.client = 2}, false).is_reading()) << "another client's";
  for (int i = 0; i < 2; ++i) EXPECT_TRUE(enter({.client = 1}, true).is_reading()) << "calls";
  EXPECT_TRUE(reads_.withdraw(later));
  behind_ = 0;
  EXPECT_TRUE(await_reading(stream));
  EXPECT_FALSE(later.is_reading()) << "it has gone";
}

TEST_F(ReadsInTurn, of_streams_are_not_waited_with_when_the_server_is_about_to_stop) {
  Reader& stream = enter({.client = 1}, false);
  EXPECT_FALSE(stream.is_reading());
  reads_.let_all_begin();
  EXPECT_TRUE(await_reading(stream));
}

/// Streams of clients who share the workers: each first chunk is a while in coming.
class StartingStreams : public testing::Test {
 protected:
  class Stream final : public Reader {
   public:
    Stream() : Reader(false) {}
    [[nodiscard]] bool settles() const override { return true; }
  };

  explicit StartingStreams(std::chrono::milliseconds longest_start = 60s)
      : reads_(
            {.reads = 64, .longest_start = longest_start}, alarms_, {}, [this] { return work(); },
            [this](const auto&, auto patience) { return wait_.load() > patience; },
            [](const auto&, bool) { return false; }) {}

  RequestReads::Work work() const {
    RequestReads::Work work;
    work.used = std::chrono::steady_clock::now() - start_;
    work.call_cost = 1us;
    if (is_shared_) work.streaming = {kOther};
    return work;
  }
  Stream& enter(const schedule::Source& source) {
    Stream& stream = *all_.emplace_back(std::make_shared<Stream>());
    reads_.enter(source, stream);
    return stream;
  }
  /// Streams that come until one has to wait, which is the last of them, or so many.
  std::vector<Stream*> enter_until_one_waits(const schedule::Source& source, std::size_t most) {
    std::vector<Stream*> streams{&enter(source)};
    const auto known = std::chrono::steady_clock::now() + 50ms;  // who there is
    while (std::chrono::steady_clock::now() < known) continue;
    while (streams.back()->is_reading() && streams.size() < most) streams.push_back(&enter(source));
    return streams;
  }

  static constexpr std::uint64_t kClient = 11, kOther = 13;
  std::atomic<bool> is_shared_ = true;
  std::atomic<std::chrono::nanoseconds> wait_{10ms};
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::vector<std::shared_ptr<Stream>> all_;
  RequestReads reads_;
  schedule::AlarmClock alarms_;  // last: it rings for the others
};

TEST_F(StartingStreams, are_some_of_a_client_and_the_next_when_one_has_had_its_first_chunk) {
  const auto streams = enter_until_one_waits({.client = kClient}, 1'000);
  EXPECT_EQ(streams.size(), 17u);
  EXPECT_TRUE(enter({.client = kOther}).is_reading()) << "another client's";
  const auto page = std::make_shared<Reader>(false);
  reads_.enter({.client = kClient}, *page);
  EXPECT_TRUE(await_reading(*page)) << "no stream";
  reads_.settle(*streams[0]);
  EXPECT_TRUE(await_reading(*streams.back()));
  reads_.settle(*streams[0]);
}

TEST_F(StartingStreams, take_turns_by_their_connections_and_of_each_the_first_comes_first) {
  auto first = enter_until_one_waits({.client = kClient, .connection = 1}, 1'000);
  for (int i = 0; i < 3; ++i) first.push_back(&enter({.client = kClient, .connection = 1}));
  Stream& other = enter({.client = kClient, .connection = 2});
  std::size_t started = 0;
  const auto expect_next = [&](Stream& next) {
    reads_.settle(*first[started++]);
    EXPECT_TRUE(await_reading(next)) << started;
  };
  expect_next(*first[16]);
  first.push_back(&enter({.client = kClient, .connection = 1}));
  expect_next(other);
  for (std::size_t i = 17; i < first.size(); ++i) {
    EXPECT_FALSE(first[i]->is_reading()) << i;
    expect_next(*first[i]);
  }
}

class ShortStarts : public StartingStreams {
 protected:
  ShortStarts() : StartingStreams(200ms) {}
};

TEST_F(ShortStarts, count_no_more_after_a_while) {
  EXPECT_TRUE(await_reading(*enter_until_one_waits({.client = kClient}, 1'000).back()));
}

TEST_F(StartingStreams, are_more_of_a_client_of_weight) {
  EXPECT_EQ(enter_until_one_waits({.client = kClient, .weight = 200}, 2'000).size(), 257u);
}

TEST_F(StartingStreams, are_as_many_as_come_where_nobody_is_in_the_way) {
  wait_ = 0ms;
  EXPECT_EQ(enter_until_one_waits({.client = kClient}, 1'000).size(), 1'000u);
}

TEST_F(StartingStreams, are_as_many_as_come_of_the_only_client) {
  is_shared_ = false;
  EXPECT_EQ(enter_until_one_waits({.client = kClient}, 1'000).size(), 1'000u);
}

/// Streams of a client that is behind, by connections that can be held.
class HeldConnections : public testing::Test {
 protected:
  using Ports = std::set<std::uint16_t>;

  HeldConnections()
      : reads_(
            {.reads = 4, .held = 2, .while_others_wait = 100ms}, alarms_, {}, {},
            [this](const auto& source, auto) { return source.client == behind_; },
            [this](const auto& peer, bool held) { return note(peer.port, held); }) {}

  bool note(std::uint16_t port, bool held) {
    if (port == kUnknown) return false;
    const MutexLock lock(mutex_);
    if (held) {
      EXPECT_TRUE(held_.insert(port).second);
      ++holds_;
    } else {
      EXPECT_EQ(held_.erase(port), 1u);
    }
    changed_.notify_all();
    return true;
  }
  void open(std::uint64_t connection, int streams, std::uint16_t port) {
    for (int i = 0; i < streams; ++i) {
      all_.push_back(std::make_shared<Reader>(false, port));
      reads_.enter({.client = 1, .connection = connection}, *all_.back());
    }
  }
  Ports held() {
    const MutexLock lock(mutex_);
    return held_;
  }
  int holds() {
    const MutexLock lock(mutex_);
    return holds_;
  }
  bool await_none(std::chrono::milliseconds time) {
    const MutexLock lock(mutex_);
    const auto until = std::chrono::steady_clock::now() + time;
    while (!held_.empty() && changed_.wait_until(mutex_, until)) {
    }
    return held_.empty();
  }

  static constexpr std::uint16_t kUnknown = 9;
  std::atomic<std::uint64_t> behind_ = 1;
  Mutex mutex_;
  CondVar changed_;
  Ports held_ ABSL_GUARDED_BY(mutex_);
  int holds_ ABSL_GUARDED_BY(mutex_) = 0;
  std::vector<std::shared_ptr<Reader>> all_;
  RequestReads reads_;
  schedule::AlarmClock alarms_;  // last: it rings for the others
};

TEST_F(HeldConnections, are_those_with_many_streams_that_wait_until_these_have_begun) {
  open(1, 64, 11);
  open(2, 64, 12);
  EXPECT_EQ(held(), Ports{});
  open(1, 1, 11);
  EXPECT_EQ(held(), Ports{11});
  open(1, 100, 11);
  EXPECT_EQ(held(), Ports{11}) << "once";
  behind_ = 0;
  EXPECT_TRUE(await_none(4s)) << "not only after five seconds";
}

TEST_F(HeldConnections, are_let_go_when_their_streams_have_gone) {
  open(1, 65, 11);
  EXPECT_EQ(held(), Ports{11});
  for (const auto& stream : all_) EXPECT_TRUE(reads_.withdraw(*stream));
  EXPECT_EQ(held(), Ports{});
}

TEST_F(HeldConnections, are_let_go_after_a_while_and_held_again) {
  open(1, 65, 11);
  EXPECT_TRUE(await_none(20s));
  open(1, 1, 11);
  EXPECT_EQ(held(), Ports{11});
}

TEST_F(HeldConnections, are_no_more_than_may_be_and_only_those_that_can) {
  open(1, 65, 0);
  open(2, 65, kUnknown);
  open(3, 65, 12);
  open(4, 65, 13);
  open(5, 65, 14);
  EXPECT_EQ(held(), (Ports{12, 13}));
}

TEST_F(HeldConnections, are_none_that_identities_share) {
  open(1, 1, 1);
  open(1, 65, 11);
  EXPECT_EQ(held(), Ports{});
}

TEST_F(HeldConnections, are_let_go_when_the_server_is_about_to_stop) {
  open(1, 65, 11);
  reads_.let_all_begin();
  EXPECT_EQ(held(), Ports{});
  open(1, 65, 11);
  EXPECT_EQ(held(), Ports{});
}

TEST_F(HeldConnections, of_those_whose_calls_are_refused_are_held_for_a_moment) {
  const Reader refused(true, 11);
  for (int i = 0; i < 64; ++i) reads_.note_refused({.client = 1, .connection = 1}, refused);
  EXPECT_EQ(holds(), 0);
  for (int i = 0; i < 200 && holds() == 0; ++i)
    reads_.note_refused({.client = 1, .connection = 1}, refused);
  EXPECT_EQ(holds(), 1);
  EXPECT_TRUE(await_none(20s));
}

TEST_F(HeldConnections, have_no_calls_that_are_slow) {
  open(1, 65, 11);
  std::vector<std::shared_ptr<Reader>> calls;
  for (const std::uint64_t connection : {1U, 1U, 2U, 2U, 1U, 2U}) {  // of each client two may read
    calls.push_back(std::make_shared<Reader>());
    reads_.enter({.client = connection, .connection = connection}, *calls.back());
  }
  EXPECT_EQ(calls[2]->await_stop(20s).code, ErrorCode::kDeadlineExceeded);
  EXPECT_EQ(calls[0]->await_stop(300ms).message, "");
}

/// A processor that has nothing to spare.
class PacedReads : public testing::Test {
 protected:
  PacedReads() : reads_({.reads = 64}, alarms_, {}, [this] { return work(); }) {}

  RequestReads::Work work() const {
    RequestReads::Work work;
    work.used = std::chrono::steady_clock::now() - start_;
    work.call_cost = 40us;
    work.streaming = {other_};
    return work;
  }
  std::shared_ptr<Reader> enter(std::uint64_t client, bool takes_place = true) {
    auto reader = std::make_shared<Reader>(takes_place);
    reads_.enter({.client = client}, *reader);
    return reader;
  }
  /// Streams of a client, so many or more: the last of them had to wait when it came.
  std::vector<std::shared_ptr<Reader>> enter_streams(std::uint64_t client, std::size_t least) {
    std::vector<std::shared_ptr<Reader>> streams;
    bool waits = false;
    while (streams.size() < least || (!waits && !is_late())) {
      streams.push_back(enter(client, false));
      waits = !streams.back()->is_reading();
    }
    EXPECT_TRUE(waits);
    return streams;
  }
  bool is_late() const { return std::chrono::steady_clock::now() > start_ + 20s; }
  /// @return how many of them read, and have left now
  std::size_t let_those_leave_that_read(std::vector<std::shared_ptr<Reader>>& readers) {
    return std::erase_if(readers, [&](const auto& reader) {
      if (!reader->is_reading()) return false;
      reads_.leave(*reader);
      return true;
    });
  }
  /// Keeps 500 under way until so much time has passed. @return how many have begun meanwhile
  std::size_t flood_until(std::chrono::nanoseconds time) {
    std::size_t begun = 0;
    while (std::chrono::steady_clock::now() < start_ + time) {
      while (flood_.size() < 500) flood_.push_back(enter(kClient));
      begun += let_those_leave_that_read(flood_);
    }
    return begun;
  }

  static constexpr std::uint64_t kServer = 1, kClient = 11, kNewcomer = 12, kOther = 13;
  std::atomic<std::uint64_t> other_ = kOther;  // who has a stream
  std::vector<std::shared_ptr<Reader>> flood_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  RequestReads reads_;
  schedule::AlarmClock alarms_;  // last: it rings for the others
};

TEST_F(PacedReads, begin_as_fast_as_the_processors_allow_and_a_newcomers_at_once) {
  flood_until(100ms);  // until it is known that there are several clients, and what calls cost
  const auto start = std::chrono::steady_clock::now();
  const auto begun = static_cast<double>(flood_until(400ms));
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  EXPECT_LT(begun, time / 40us + 100) << "calls of 20 us or more, and a processor";
  EXPECT_GE(begun, time / 10ms / 2);
  const auto newcomer = enter(kNewcomer);
  EXPECT_TRUE(newcomer->is_reading());
  reads_.leave(*newcomer);
  while (!flood_.empty()) let_those_leave_that_read(flood_);  // nobody is forgotten
}

TEST_F(PacedReads, of_streams_wait_for_their_clients_turn_and_may_go_meanwhile) {
  flood_until(100ms);
  const auto stays = enter_streams(kClient, 1).back();
  auto goes = enter(kClient, false);
  while (!reads_.withdraw(*goes) && !is_late()) goes = enter(kClient, false);
  while (!stays->is_reading() && !is_late())
    flood_until(std::chrono::steady_clock::now() - start_ + 5ms);
  EXPECT_TRUE(stays->is_reading());
  EXPECT_FALSE(goes->is_reading());
  while (!flood_.empty()) let_those_leave_that_read(flood_);
}

TEST_F(PacedReads, of_streams_go_on_when_nobody_is_left_to_share_with) {
  flood_until(100ms);
  const auto streams = enter_streams(kNewcomer, 5'000);
  while (!flood_.empty()) let_those_leave_that_read(flood_);
  other_ = kServer;
  EXPECT_TRUE(await_reading(*streams.back()));
}

TEST_F(PacedReads, of_streams_all_begin_when_the_server_is_about_to_stop) {
  flood_until(100ms);
  const auto streams = enter_streams(kNewcomer, 5'000);
  reads_.let_all_begin();
  for (const auto& stream : streams) EXPECT_FALSE(reads_.withdraw(*stream)) << "none waits";
  EXPECT_TRUE(await_reading(*streams.back()));
  while (!flood_.empty()) let_those_leave_that_read(flood_);
}

TEST_F(PacedReads, wait_for_what_their_client_had_besides) {
  flood_until(100ms);
  EXPECT_TRUE(enter(kNewcomer)->is_reading());
  reads_.charge(kNewcomer, 200ms);
  std::vector<std::shared_ptr<Reader>> next{enter(kNewcomer)};
  EXPECT_FALSE(next[0]->is_reading());
  const auto start = std::chrono::steady_clock::now();
  while (let_those_leave_that_read(next) == 0 && std::chrono::steady_clock::now() < start + 20s)
    flood_until(std::chrono::steady_clock::now() - start_ + 5ms);
  EXPECT_TRUE(next.empty());
  EXPECT_GT(std::chrono::steady_clock::now() - start, 160ms) << "of one processor";
  while (!flood_.empty()) let_those_leave_that_read(flood_);
}

TEST_F(PacedReads, of_who_connects_more_often_than_its_part_allows_wait) {
  const auto connect = [this](std::uint64_t client) {
    return reads_.charge_connection({.client = client}, 10ms);
  };
  while (!connect(kClient)) ASSERT_FALSE(is_late());
  const auto waits = enter(kClient), newcomer = enter(kNewcomer);
  EXPECT_FALSE(waits->is_reading()) << "its calls pay for its connections";
  EXPECT_TRUE(newcomer->is_reading());
  EXPECT_FALSE(connect(kNewcomer)) << "owes little";
  EXPECT_TRUE(reads_.withdraw(*waits));
  reads_.leave(*newcomer);
}

TEST_F(PacedReads, of_the_only_client_do_not_wait_for_its_connections) {
  other_ = kServer;
  for (int i = 0; i < 10'000; ++i)
    EXPECT_FALSE(reads_.charge_connection({.client = kClient}, 10ms));
  const auto call = enter(kClient);
  EXPECT_TRUE(call->is_reading());
  reads_.leave(*call);
  other_ = kOther;
  while (!reads_.charge_connection({.client = kClient}, 10ms)) ASSERT_FALSE(is_late());
}

TEST_F(PacedReads, of_who_sends_more_than_its_part_allows_are_paused) {
  const auto send = [this](std::uint64_t client) {
    return reads_.charge_received({.client = client}, 10ms, true);
  };
  auto pause = send(kClient);
  for (; pause == 0ns; pause = send(kClient)) ASSERT_FALSE(is_late());
  EXPECT_GE(pause, 40ms) << "a quarter of a processor is for that";
  EXPECT_EQ(send(kNewcomer), 0ns) << "has sent little";
  for (int i = 0; i < 1'000; ++i) pause = send(kClient);
  EXPECT_GE(pause, 1s);
  EXPECT_LE(pause, 10s) << "whatever it has sent";
}

TEST_F(PacedReads, of_the_only_client_are_paused_where_it_sends_more_than_anybody_should) {
  other_ = kServer;
  const auto send = [this](std::chrono::microseconds time) {
    return reads_.charge_received({.client = kClient}, time, true);
  };
  for (int i = 0; i < 1'000; ++i) EXPECT_EQ(send(20us), 0ns) << "4,000 segments at once";
  auto pause = send(100ms);
  EXPECT_GE(pause, 100ms) << "a quarter of the processors is for that";
  for (int i = 0; i < 1'000; ++i) pause = send(100ms);
  EXPECT_LE(pause, 10s);
  EXPECT_FALSE(reads_.holds_back());
}

TEST_F(PacedReads, of_the_only_client_are_not_paced_where_others_send_a_little) {
  other_ = kServer;
  flood_until(100ms);
  const auto quiet = [this] { return reads_.charge_received({.client = kOther}, 5us, false); };
  for (int i = 0; i < 40; ++i) {
    EXPECT_EQ(quiet(), 0ns);
    flood_until(std::chrono::steady_clock::now() - start_ + 5ms);
  }
  EXPECT_FALSE(reads_.holds_back());
  while (!reads_.holds_back()) {
    ASSERT_FALSE(is_late()) << "it waits for something";
    static_cast<void>(reads_.charge_received({.client = kOther}, 5us, true));
  }
  while (!flood_.empty()) let_those_leave_that_read(flood_);
}

TEST_F(PacedReads, begin_as_they_come_when_there_is_nobody_but_the_server_itself) {
  other_ = kServer;
  flood_until(100ms);
  EXPECT_GT(static_cast<double>(flood_until(400ms)) * time_scale(), 300ms / 40us);
}

TEST_F(PacedReads, that_waited_for_a_place_go_on_when_others_come) {
  other_ = kServer;
  for (int i = 0; i < 40; ++i) flood_.push_back(enter(kClient));
  while (std::chrono::steady_clock::now() < start_ + 2 * CallPace::kInterval) continue;
  other_ = kOther;
  const auto newcomer = enter(kNewcomer);
  const auto end = std::chrono::steady_clock::now() + 20s;
  while (!flood_.empty() && std::chrono::steady_clock::now() < end)
    let_those_leave_that_read(flood_);
  EXPECT_TRUE(flood_.empty()) << flood_.size() << " wait for ever";
}

TEST_F(PacedReads, are_held_back_no_more_when_the_server_is_about_to_stop) {
  flood_until(100ms);
  reads_.let_all_begin();
  EXPECT_GT(static_cast<double>(flood_until(400ms)) * time_scale(), 300ms / 40us);
}

class SlowReads : public Reads {
 protected:
  SlowReads() : Reads({.reads = 4, .longest = 600ms, .while_others_wait = 30ms}) {}
};

TEST_F(SlowReads, make_way_while_others_wait) {
  const auto readers = enter(1, 3);
  const auto alone = enter(2, 1);
  const Error why = readers[0]->await_stop(20s);
  EXPECT_EQ(why.code, ErrorCode::kDeadlineExceeded);
  EXPECT_EQ(why.reason, ErrorReason::kClientTooSlow);
  EXPECT_EQ(why.limit, "30 ms");
  reads_.leave(*readers[0]);
  EXPECT_EQ(look(readers), "RRR");
  EXPECT_EQ(alone[0]->await_stop(20s).limit, "600 ms") << "a client's only one has more time";
}

}  // namespace
}  // namespace terrane::rpc
