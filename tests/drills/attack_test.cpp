#include <gtest/gtest.h>
#include <sched.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <initializer_list>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <string_view>
#include <thread>

#include "drills/attacks.h"
#include "drills/processor_speed.h"
#include "drills/victims.h"
#include "e2e/server_process.h"
#include "support/time_scale.h"

/// What clients keep of the server while others ask for all that they may: every attack against
/// every victim. The server has one processor; victims and attackers have another one, where
/// attackers run only when no victim wants to, and which is as busy when there are none.
namespace terrane::drills {
namespace {

using namespace std::chrono_literals;

constexpr double kMiB = 1 << 20;
// Of anonymous memory: ADR 12, with the default of --memory-cache; besides, what streams may hold,
// ExplorePace::max_stream_memory.
constexpr double kMostMiB = 1.3 * (128 + 100);
constexpr double kMostOfStreamsMiB = 512;
constexpr double kMostOfCallsMiB = 256;  // that wait, or are answered: Limits::max_call_memory
constexpr double kLongestRecovery = 2;   // seconds

/// So many attackers, and what those who take all that they can have keep of what they have alone.
struct Crowd {
  const char* title;
  int attackers;
  const char* victims;  // the network of their addresses
  double least_share;
};

constexpr Crowd kOne{"1", 1, "127.0.1.", 0.45};
constexpr Crowd kTen{"10", 10, "127.0.1.", 0.08};
constexpr Crowd kWeighted{"10, weight 200", 10, "127.0.2.", 0.85};

/// Has this thread, and what it starts from now on, run on the `which`-th of the processors that
/// the test may use; on all of them where there is only one.
void move_to_processor(int which) {
  static const cpu_set_t kAll = [] {
    cpu_set_t all;
    sched_getaffinity(0, sizeof all, &all);
    return all;
  }();
  if (CPU_COUNT(&kAll) < 2) return;
  int seen = 0;
  for (int processor = 0; processor < CPU_SETSIZE; ++processor) {
    if (!CPU_ISSET(processor, &kAll) || seen++ != which) continue;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(processor, &one);
    sched_setaffinity(0, sizeof one, &one);
    return;
  }
}

std::vector<std::unique_ptr<e2e::ServerProcess>> let_attack(const e2e::ServerProcess& server,
                                                            const Attack& attack, int attackers) {
  std::vector<std::unique_ptr<e2e::ServerProcess>> all;
  for (int i = 1; i <= attackers; ++i) {
    const std::vector<std::string> arguments{attack.name, server.address(), server.http_address(),
                                             "127.0.3." + std::to_string(i),
                                             std::to_string(1'000'000 + i)};
    all.push_back(std::make_unique<e2e::ServerProcess>(ATTACKER_PATH, arguments));
    EXPECT_EQ(all.back()->ready_line(), "attacking") << all.back()->log();
  }
  return all;
}

/// What victims had, and how fast the server's processor was meanwhile.
struct Lived {
  std::vector<Had> had;
  double speed = 1;
};

/// What was seen under an attack.
struct Under {
  const Attack& attack;
  const Crowd& crowd;
  Lived lived = {};
  double most_mib = 0;   // of the server's anonymous memory
  double recovered = 0;  // seconds from the attack's end until all is as it was
  std::uint64_t done = 0;
};

/// A server under one attack after another, and victims.
class Drill {
 public:
  Drill() {
    move_to_processor(0);
    server_ = std::make_unique<e2e::ServerProcess>(std::vector<std::string>{
        "--data", data_.path() / "cache", "--workers", "1", "--weight", "127.0.2.0/24=200"});
    move_to_processor(1);
  }

  /// Lets victims live alone, then under attack; adds a row to the table.
  void measure(const Attack& attack, const Crowd& crowd, Clock::duration alone,
               Clock::duration under);

  [[nodiscard]] const std::vector<std::string>& rows() const { return rows_; }

  void stop() { EXPECT_EQ(server_->stop(), 0) << server_->log(); }

 private:
  Lived live(const std::string& network, Clock::duration time);

  /// Seconds until a row of cold chunks takes no longer than it should, and others are answered.
  double recover();

  /// What a victim keeps of what it had alone, were the processor as fast as it was then.
  [[nodiscard]] double share(std::size_t victim, const Under& under) const;
  [[nodiscard]] std::string row(const Under& under) const;
  void expect_bars(const Under& under) const;

  e2e::TempDirectory data_;
  std::unique_ptr<e2e::ServerProcess> server_;
  std::uint64_t seed_ = 0;
  Lived alone_;
  std::vector<std::string> rows_;
};

Lived Drill::live(const std::string& network, Clock::duration time) {
  seed_ += victims().size();
  move_to_processor(0);
  ProcessorSpeed speed;
  move_to_processor(1);
  return {drills::live(server_->address(), network, seed_, time), speed.stop()};
}

double Drill::recover() {
  const auto start = Clock::now();
  for (;;) {
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    const std::vector<Had> now = live("127.0.1.", 200ms).had;
    const bool is_normal = now[0].a_second > alone_.had[0].a_second / 2 && now[3].p99_ms < 50;
    if (is_normal || seconds > 30) return seconds;
  }
}

/// "2105 → 1012 chunks/s (48 %), p99 12 → 25 ms"
std::string cell(const Victim& victim, const Had& alone, const Had& had, double share) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(0) << alone.a_second << " → " << had.a_second << ' '
       << victim.unit << " (" << 100 * share << " %), p99 " << std::setprecision(1) << alone.p99_ms
       << " → " << had.p99_ms << " ms";
  if (had.failed > 0) text << ", **" << had.failed << " failed**";
  return text.str();
}

std::string title() {
  std::string text = "| attack | attackers |";
  for (const Victim& victim : victims()) text += std::string(" ") + victim.name + " |";
  text += " processor | memory | normal after | the attack |\n|---|---|";
  for (std::size_t i = 0; i < victims().size() + 4; ++i) text += "---|";
  return text;
}

double Drill::share(std::size_t victim, const Under& under) const {
  const double of_rate = under.lived.had[victim].a_second / alone_.had[victim].a_second;
  return victims()[victim].takes_all ? of_rate * alone_.speed / under.lived.speed : of_rate;
}

std::string Drill::row(const Under& under) const {
  std::ostringstream text;
  text << "| " << under.attack.name << " | " << under.crowd.title << " |";
  for (std::size_t i = 0; i < victims().size(); ++i)
    text << ' ' << cell(victims()[i], alone_.had[i], under.lived.had[i], share(i, under)) << " |";
  text << std::fixed << std::setprecision(2) << " x " << under.lived.speed / alone_.speed << " | "
       << std::setprecision(0) << under.most_mib << " MiB | " << std::setprecision(1)
       << under.recovered << " s | " << under.done << ' ' << under.attack.counts << " |";
  return text.str();
}

void Drill::expect_bars(const Under& under) const {
  const testing::ScopedTrace trace(__FILE__, __LINE__, row(under));
  for (std::size_t i = 0; i < victims().size(); ++i) {
    const Victim& victim = victims()[i];
    const Had& had = under.lived.had[i];
    if (victim.has_share) {
      EXPECT_GE(share(i, under), under.crowd.least_share / time_scale()) << victim.name;
    }
    if (victim.most_ms > 0) {
      EXPECT_LT(had.p99_ms, victim.most_ms * time_scale()) << victim.name;
    }
    if (victim.never_fails) {
      EXPECT_EQ(had.failed, 0u) << victim.name << ": " << had.failure;
    }
  }
  EXPECT_LE(under.most_mib,
            kMostMiB + (under.attack.explores ? kMostOfStreamsMiB : kMostOfCallsMiB));
  EXPECT_LT(under.recovered, kLongestRecovery * time_scale());
  EXPECT_GT(under.done, 0u) << "there was no attack";
}

void Drill::measure(const Attack& attack, const Crowd& crowd, Clock::duration alone,
                    Clock::duration time) {
  {
    const auto busy = let_attack(*server_, kNoAttack, 1);
    alone_ = live(crowd.victims, alone);
  }
  Under under{attack, crowd};
  auto attackers = let_attack(*server_, attack, crowd.attackers);
  std::this_thread::sleep_for(1s);  // in which the attack comes to its strength
  std::atomic<bool> enough = false;
  std::thread watching([&] {
    for (; !enough; std::this_thread::sleep_for(20ms))
      under.most_mib =
          std::max(under.most_mib, static_cast<double>(server_->anonymous_bytes()) / kMiB);
  });
  under.lived = live(crowd.victims, time);
  enough = true;
  watching.join();
  for (const auto& attacker : attackers) {
    EXPECT_EQ(attacker->stop(), 0) << attacker->log();
    under.done += attacker->total("attack", "done");
  }
  under.recovered = recover();
  std::cout << row(under) << std::endl;
  rows_.push_back(row(under));
  expect_bars(under);
}

/// Of one attack, with all of these crowds. @return rows of the table
std::vector<std::string> drill(const Attack& attack, std::initializer_list<Crowd> crowds,
                               Clock::duration alone, Clock::duration under) {
  Drill drill;
  for (const Crowd& crowd : crowds) drill.measure(attack, crowd, alone, under);
  drill.stop();
  return drill.rows();
}

/// Those under which victims keep least.
TEST(attacks, everyone_keeps_their_share_under_the_worst) {
  constexpr std::array<std::string_view, 8> kWorst{
      "cold_chunks", "far_moves",  "fast_viewers",    "unread_streams",
      "hello_flood", "http_tiles", "http_same_chunk", "web_socket_moves"};
  std::cout << title() << '\n';
  for (const Attack& attack : all_attacks()) {
    for (const std::string_view many : {"lists", "sample_points", "web_socket_moves"}) {
      if (attack.name == many) drill(attack, {kTen}, 3s, 5s);
    }
    if (std::find(kWorst.begin(), kWorst.end(), attack.name) != kWorst.end())
      drill(attack, {kOne}, 3s, 5s);
  }
}

/// TERRANE_ATTACK=far_moves: that alone.
TEST(attacks_long, everyone_keeps_their_share_under_each_from_one_and_from_ten) {
  const char* const only = std::getenv("TERRANE_ATTACK");
  std::string table = title() + "\n";
  for (const Attack& attack : all_attacks()) {
    if (only != nullptr && attack.name != std::string(only)) continue;
    for (const std::string& row : drill(attack, {kOne, kTen, kWeighted}, 4s, 4s))
      table += row + "\n";
  }
  std::cout << '\n' << table;
  if (const char* const file = std::getenv("TERRANE_FIGURES"))
    std::ofstream(file, std::ios::app) << table;
}

}  // namespace
}  // namespace terrane::drills
