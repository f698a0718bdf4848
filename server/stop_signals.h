#pragma once

#include <csignal>
#include <functional>

/// The signals that end the server, or make it read its files again.
namespace terrane {

/// SIGTERM and SIGINT; with files to read again SIGHUP, too. Without them it keeps its meaning: the
/// terminal is gone.
[[nodiscard]] sigset_t awaited_signals(bool has_files);

/// Blocks those signals, for await_stop() alone to see, and ignores what is an error of the write
/// that causes it. To be called before the first thread starts.
void prepare_signals(bool has_files);

/// How often the files are looked after.
inline constexpr int kLooksPerSecond = 4;

/// Returns at SIGTERM or SIGINT, after which a second one ends the process at once.
/// @param look  looks after the files (world files, certificates), kLooksPerSecond and on SIGHUP,
///   when it is to read all of them again; empty: there are none
void await_stop(const std::function<void(bool all)>& look);

}  // namespace terrane
