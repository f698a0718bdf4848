# For compilers of other processors and systems than this build's, which take sources file by file:
# nothing here makes a target.

# Header-only libraries, apart from this machine's own headers.
set(portable_headers ${PROJECT_BINARY_DIR}/portable_headers)
file(MAKE_DIRECTORY ${portable_headers})
file(CREATE_LINK /usr/include/hwy ${portable_headers}/hwy SYMBOLIC)
file(CREATE_LINK ${PROTOZERO_INCLUDE_DIR}/protozero ${portable_headers}/protozero SYMBOLIC)
file(CREATE_LINK /usr/include/tl ${portable_headers}/tl SYMBOLIC)
file(CREATE_LINK /usr/include/xxhash.h ${portable_headers}/xxhash.h SYMBOLIC)

# WebAssembly, for browsers and node: wasm_compile compiles, wasm_link are options for linking with
# it, and wasm_runtime is a source that is linked into everything. wasm_compile is empty where the
# compiler is not installed, which takes much room (deploy/install-deps --full).
find_program(wasm_compiler clang++-16)
find_program(wasm_linker wasm-ld-16)
find_path(wasm_library cstddef PATHS /usr/include/wasm32-wasi/c++/v1 NO_DEFAULT_PATH)
set(wasm_compile "")
if(wasm_compiler AND wasm_linker AND wasm_library)
  # Clang does not find the library by itself. A stack that is too small must not run into what lies
  # below it, and the usual one, of 64 KiB, is too small.
  set(wasm_compile ${wasm_compiler} --target=wasm32-wasi -nostdinc++ -isystem ${wasm_library}
    -isystem ${portable_headers} -O2 -msimd128 -fwasm-exceptions -DHWY_COMPILE_ONLY_STATIC)
  set(wasm_link -Wl,--stack-first,-z,stack-size=1048576)
  set(wasm_runtime ${PROJECT_SOURCE_DIR}/client-sdk/core/wasm/runtime.cpp)
endif()
