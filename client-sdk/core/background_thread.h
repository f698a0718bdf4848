#pragma once

#if defined(__linux__)
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <utility>
#elif defined(_WIN32)
#ifndef NOMINMAX
#define NOMINMAX
#endif
#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#include <windows.h>
#elif defined(__APPLE__)
#include <pthread/qos.h>
#endif

namespace terrane::core {

/// The calling thread is one of the library's: when it is woken it interrupts none of the game's.
/// Without that, a frame that wakes it may wait for what it does; 4 ms, where that is land. So do
/// the threads that it starts. Where the system refuses, all is as it was.
inline void interrupt_nobody() {
#if defined(__linux__)
  const sched_param none{};
  if (sched_getscheduler(0) != SCHED_IDLE) sched_setscheduler(0, SCHED_BATCH, &none);
#endif
}

/// The same for one that works long: where there are more threads than processors, most of the time
/// is the game's. Once for each thread: further calls do nothing.
inline void lower_thread_priority() {
  interrupt_nobody();
#if defined(__linux__)
  thread_local bool is_lower = false;
  if (std::exchange(is_lower, true)) return;
  constexpr int kNicer = 5, kNicest = 19;
  const auto thread = static_cast<id_t>(syscall(SYS_gettid));
  setpriority(PRIO_PROCESS, thread, std::min(getpriority(PRIO_PROCESS, thread) + kNicer, kNicest));
#elif defined(_WIN32)
  SetThreadPriority(GetCurrentThread(), THREAD_PRIORITY_BELOW_NORMAL);
#elif defined(__APPLE__)
  pthread_set_qos_class_self_np(QOS_CLASS_UTILITY, 0);
#endif
}

}  // namespace terrane::core
