#include "stop_signals.h"

#include <pthread.h>

#include <cerrno>
#include <ctime>

#include "log.h"

namespace terrane {

sigset_t awaited_signals(bool has_files) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  if (has_files) sigaddset(&signals, SIGHUP);
  return signals;
}

void prepare_signals(bool has_files) {
  const sigset_t signals = awaited_signals(has_files);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::signal(SIGPIPE, SIG_IGN);  // a peer that is gone is an error of that write
  std::signal(SIGXFSZ, SIG_IGN);  // and so is a file at its limit
}

void await_stop(const std::function<void(bool all)>& look) {
  const sigset_t signals = awaited_signals(look != nullptr);
  const timespec between{0, 1'000'000'000 / kLooksPerSecond};
  int signal = 0;
  while (signal != SIGTERM && signal != SIGINT) {
    signal = look ? sigtimedwait(&signals, nullptr, &between) : sigwaitinfo(&signals, nullptr);
    if (signal == SIGHUP) {
      spdlog::info("SIGHUP: reading the files again");
      look(true);
    } else if (signal == -1 && errno == EAGAIN) {
      look(false);
    }
  }
  spdlog::info("stopping on {}; once more stops at once", signal == SIGTERM ? "SIGTERM" : "SIGINT");
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);  // by default they end the process
}

}  // namespace terrane
