#pragma once

/// TERRANE_VECTOR_CLONES before a function: compiled for AVX2 and BMI2 too where the platform can
/// choose at load time, for loops that the compiler vectorises. TERRANE_VECTOR_PLAIN and
/// TERRANE_VECTOR_AVX2 before two functions of the same name and in the same file: the second one,
/// only where there is such a choice, is chosen instead. Integers only, so that all give the same
/// results. Sanitizers start too late for the choice.
#if defined(__x86_64__) && defined(__linux__) && defined(__GLIBC__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(__clang__)
#define TERRANE_VECTOR_CLONES __attribute__((target_clones("arch=x86-64-v3", "default")))
#define TERRANE_VECTOR_PLAIN __attribute__((target("default")))
#define TERRANE_VECTOR_AVX2 __attribute__((target("arch=x86-64-v3")))
#else
#define TERRANE_VECTOR_CLONES
#define TERRANE_VECTOR_PLAIN
#endif

/// Before a function, and after a lambda's parameters: a part of whoever calls it, whatever its
/// size.
#if defined(__GNUC__)
#define TERRANE_INLINE [[gnu::always_inline]] inline
#define TERRANE_INLINE_LAMBDA __attribute__((always_inline))
#elif defined(_MSC_VER)
#define TERRANE_INLINE __forceinline
#define TERRANE_INLINE_LAMBDA
#else
#define TERRANE_INLINE inline
#define TERRANE_INLINE_LAMBDA
#endif
