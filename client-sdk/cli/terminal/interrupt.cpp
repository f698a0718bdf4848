#include "cli/terminal/interrupt.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

namespace terrane::cli {
namespace {

sigset_t awaited_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  // SIGUSR1: our own end of waiting
  for (const int signal : {SIGINT, SIGTERM, SIGUSR1}) sigaddset(&signals, signal);
  return signals;
}

}  // namespace

Interrupt::Interrupt() {
  const sigset_t signals = awaited_signals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  waiter_ = std::thread([this, signals] {
    int signal = 0;
    sigwait(&signals, &signal);
    if (signal == SIGUSR1) return;
    const MutexLock lock(mutex_);
    if (last_) last_();
    if (isatty(STDERR_FILENO) == 1) {
      // a line of progress may stand there
      const ssize_t cleared = write(STDERR_FILENO, "\r\x1b[K", 4);
      static_cast<void>(cleared);
    }
    _exit(128 + signal);
  });
}

Interrupt::~Interrupt() {
  pthread_kill(waiter_.native_handle(), SIGUSR1);
  waiter_.join();
}

}  // namespace terrane::cli
