// attacker ATTACK SERVER HTTP SOURCE SEED: one client that attacks a server from an address of this
// machine until it is told to stop (SIGTERM), or whoever started it ends. A process of its own, of
// the least weight: so what it costs does not count for those that it is to harm.
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <string_view>

#include "drills/attacks.h"

namespace terrane::drills {
namespace {

const Attack& attack_called(std::string_view name) {
  if (name == kNoAttack.name) return kNoAttack;
  for (const Attack& each : all_attacks())
    if (name == each.name) return each;
  throw std::runtime_error("there is no such attack");
}

int run(std::string_view name, Attacker& attacker) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const sched_param none{};
  sched_setscheduler(0, SCHED_IDLE, &none);
  sigset_t stop;
  sigemptyset(&stop);
  sigaddset(&stop, SIGTERM);
  sigprocmask(SIG_BLOCK, &stop, nullptr);  // in all threads
  attack_called(name).begin(attacker);
  std::puts("attacking");
  std::fflush(stdout);
  int signal = 0;
  sigwait(&stop, &signal);
  std::fprintf(stderr, "attack totals: done=%llu\n",
               static_cast<unsigned long long>(attacker.done));
  _exit(EXIT_SUCCESS);  // as abruptly as a client can go
}

}  // namespace
}  // namespace terrane::drills

int main(int argc, char** argv) {
  if (argc != 6) {
    std::fputs("usage: attacker ATTACK SERVER HTTP SOURCE SEED\n", stderr);
    return EXIT_FAILURE;
  }
  try {
    terrane::drills::Attacker attacker{.server = argv[2],
                                       .http = argv[3],
                                       .source = argv[4],
                                       .seed = std::strtoull(argv[5], nullptr, 10)};
    return terrane::drills::run(argv[1], attacker);
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "attacker %s: %s\n", argv[1], failure.what());
    return EXIT_FAILURE;
  }
}
