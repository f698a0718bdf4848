#pragma once

#include <csignal>

#include "worlds/world_reloader.h"

/// The signals that end the server, or make it read its world files again.
namespace terrane {

/// SIGTERM and SIGINT; with world files to read again SIGHUP, too. Without them it keeps its
/// meaning: the terminal is gone.
[[nodiscard]] sigset_t awaited_signals(bool has_world_files);

/// Blocks those signals, for await_stop() alone to see, and ignores what is an error of the write
/// that causes it. To be called before the first thread starts.
void prepare_signals(bool has_world_files);

/// Returns at SIGTERM or SIGINT, after which a second one ends the process at once. Until then it
/// looks after the world files, once a second and on SIGHUP.
/// @param worlds  null: there are none to look after
void await_stop(worlds::WorldReloader* worlds);

}  // namespace terrane
