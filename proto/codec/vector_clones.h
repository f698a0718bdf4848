#pragma once

/// TERRANE_VECTOR_CLONES before a function: compiled for AVX2 and BMI2 too where the platform can choose at load time, for loops
/// that the compiler vectorises. Integers only, so that every clone gives the same result. Sanitizers start too late for the
/// choice.
#if defined(__x86_64__) && defined(__linux__) && defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__) && !defined(__clang__)
#define TERRANE_VECTOR_CLONES __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define TERRANE_VECTOR_CLONES
#endif
