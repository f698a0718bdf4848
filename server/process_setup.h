#pragma once

/// What the process and its workers are set up with before they generate.
namespace terrane {

/// Makes glibc keep the memory of chunks that are gone: it would give it back to the system after
/// every chunk, and ask for it again.
void hold_on_to_memory();

/// Runs first on every thread that generates: sets the floating-point environment, without which
/// worlds would differ from other servers' (where it can't be set, the process is aborted), and
/// makes room in the thread's heap.
void prepare_worker();

}  // namespace terrane
