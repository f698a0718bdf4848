#pragma once

#include <cstddef>

namespace terrane::test {

/// Which allocations of a program fail that links failing_memory.cpp: by operator new, of all
/// threads but those that are exempt. Nothing fails before this is called.
/// @param after      so many succeed before
/// @param for_good   all that follow fail; else one does
/// @param min_bytes  smaller ones neither fail nor count
void fail_memory(std::size_t after, bool for_good, std::size_t min_bytes = 0);

/// None fails any more. @return how many have failed
std::size_t restore_memory();

/// The same for the calling thread alone: one fails, after so many of that size or more. Ends what
/// was said of it before.
void fail_memory_here(std::size_t after, std::size_t min_bytes);

/// Whether allocations of the calling thread always succeed; at first they do not.
void exempt_from_failures(bool exempt);

}  // namespace terrane::test
