# Where games run and servers do not: browsers and Windows. Only where their compilers are
# installed, which take much room: deploy/install-deps --full for the first, --long for both.

find_program(wasm_compiler clang++-16)
find_program(wasm_linker wasm-ld-16)
find_path(wasm_library cstddef PATHS /usr/include/wasm32-wasi/c++/v1 NO_DEFAULT_PATH)
find_program(node node)
if(wasm_compiler AND wasm_linker AND wasm_library AND node)
  # Clang does not find the library by itself. A stack that is too small must not run into what lies
  # below it, and the usual one, of 64 KiB, is too small.
  set(compile_wasm ${wasm_compiler} --target=wasm32-wasi -nostdinc++ -isystem ${wasm_library} -O2
    -msimd128 -fwasm-exceptions -DHWY_COMPILE_ONLY_STATIC
    -Wl,--stack-first,-z,stack-size=1048576 ${PROJECT_SOURCE_DIR}/client-sdk/core/wasm/runtime.cpp)
  # node 18 has WASI behind a flag, later ones ignore it
  set(run_wasm ${node} --no-warnings --experimental-wasi-unstable-preview1
    ${CMAKE_CURRENT_SOURCE_DIR}/run_wasi.mjs)
  generator_alternate(wasm COMPILE ${compile_wasm} RUN ${run_wasm})
  core_alternate(wasm COMPILE ${compile_wasm} RUN ${run_wasm})

  set(program ${CMAKE_CURRENT_BINARY_DIR}/wasm_exceptions)
  add_custom_command(OUTPUT ${program}
    COMMAND ${compile_wasm} -std=c++20 ${CMAKE_CURRENT_SOURCE_DIR}/wasm_exceptions.cpp -o ${program}
    DEPENDS wasm_exceptions.cpp ${PROJECT_SOURCE_DIR}/client-sdk/core/wasm/runtime.cpp
    VERBATIM COMMAND_EXPAND_LISTS)
  add_custom_target(wasm_exceptions_program ALL DEPENDS ${program})
  add_test(NAME wasm_exceptions COMMAND ${run_wasm} ${program})
endif()

find_program(mingw_compiler x86_64-w64-mingw32-g++-posix)
find_program(wine NAMES wine64 wine PATHS /usr/lib/wine)
if(mingw_compiler AND wine)
  # GCC aligns Windows' stacks to 16 bytes, whatever it puts there (its bug 54412), so vectors of 32
  # and 64 bytes must not be moved as aligned ones. Debian's compiler never does; others do.
  set(compile_mingw ${mingw_compiler} -O2 -static -Wa,-muse-unaligned-vector-move)
  set(run_mingw ${CMAKE_COMMAND} -E env WINEPREFIX=${CMAKE_CURRENT_BINARY_DIR}/wine WINEDEBUG=-all
    ${wine})
  generator_alternate(mingw SUFFIX .exe COMPILE ${compile_mingw} RUN ${run_mingw})
  core_alternate(mingw SUFFIX .exe COMPILE ${compile_mingw} RUN ${run_mingw}
    LIBRARY ${CMAKE_CURRENT_BINARY_DIR}/terrane_core.dll)
endif()
