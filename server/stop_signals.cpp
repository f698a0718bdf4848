#include "stop_signals.h"

#include <pthread.h>

#include <cerrno>
#include <ctime>

#include "log.h"

namespace terrane {

sigset_t awaited_signals(bool has_world_files) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  if (has_world_files) sigaddset(&signals, SIGHUP);
  return signals;
}

void prepare_signals(bool has_world_files) {
  const sigset_t signals = awaited_signals(has_world_files);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::signal(SIGPIPE, SIG_IGN);  // a peer that is gone is an error of that write
  std::signal(SIGXFSZ, SIG_IGN);  // and so is a file at its limit
}

void await_stop(worlds::WorldReloader* worlds) {
  using Read = worlds::WorldDirectory::Read;
  const sigset_t signals = awaited_signals(worlds != nullptr);
  const timespec second{1, 0};
  int signal = 0;
  while (signal != SIGTERM && signal != SIGINT) {
    signal = worlds == nullptr ? sigwaitinfo(&signals, nullptr)
                               : sigtimedwait(&signals, nullptr, &second);
    if (signal == SIGHUP) {
      spdlog::info("SIGHUP: reading the world files again");
      worlds->look_again(Read::kAll);
    } else if (signal == -1 && errno == EAGAIN) {
      worlds->look_again(Read::kChanged);
    }
  }
  spdlog::info("stopping on {}; once more stops at once", signal == SIGTERM ? "SIGTERM" : "SIGINT");
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);  // by default they end the process
}

}  // namespace terrane
