# Where games run and servers do not: browsers and Windows. Only where their compilers are
# installed, which take much room: deploy/install-deps --full for the first, --long for both.

find_program(node node)
if(wasm_compile AND node)
  set(compile_wasm ${wasm_compile} ${wasm_link} ${wasm_runtime})
  # node 18 has WASI behind a flag, later ones ignore it
  set(run_wasm ${node} --no-warnings --experimental-wasi-unstable-preview1
    ${CMAKE_CURRENT_SOURCE_DIR}/run_wasi.mjs)
  generator_alternate(wasm COMPILE ${compile_wasm} RUN ${run_wasm})
  core_alternate(wasm COMPILE ${compile_wasm} RUN ${run_wasm})

  set(program ${CMAKE_CURRENT_BINARY_DIR}/wasm_exceptions)
  add_custom_command(OUTPUT ${program}
    COMMAND ${compile_wasm} -std=c++20 ${CMAKE_CURRENT_SOURCE_DIR}/wasm_exceptions.cpp -o ${program}
    DEPENDS wasm_exceptions.cpp ${wasm_runtime}
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

  # terrane_connection, without TLS: Debian has no OpenSSL for Windows. terrane_windows makes both.
  get_target_property(directory terrane_connection_objects SOURCE_DIR)
  get_target_property(sources terrane_connection_objects SOURCES)
  list(TRANSFORM sources PREPEND ${directory}/)
  file(CREATE_LINK /usr/include/boost ${portable_headers}/boost SYMBOLIC)
  set(library ${CMAKE_CURRENT_BINARY_DIR}/terrane_connection.dll)
  add_custom_command(OUTPUT ${library}
    COMMAND ${mingw_compiler} -std=c++20 -Os -static -s -shared -Wa,-mbig-obj
      -Wl,--exclude-all-symbols -D_WIN32_WINNT=0x0A00 -DBOOST_BIND_GLOBAL_PLACEHOLDERS
      -DTERRANE_CONNECTION_BUILDING -isystem ${portable_headers} -I${directory}
      -I${PROJECT_SOURCE_DIR}/proto/include -I${PROJECT_SOURCE_DIR}/client-sdk/include
      -I${PROJECT_SOURCE_DIR}/client-sdk/core -I${PROJECT_BINARY_DIR}/client-sdk/core/generated
      ${sources} ${directory}/no_tls.cpp ${CMAKE_CURRENT_BINARY_DIR}/terrane_core.dll
      -lws2_32 -lmswsock -o ${library}
    DEPENDS terrane_connection ${CMAKE_CURRENT_BINARY_DIR}/terrane_core.dll
    COMMENT "Building terrane_connection for Windows" VERBATIM COMMAND_EXPAND_LISTS)
  add_custom_target(terrane_windows
    DEPENDS ${library} ${CMAKE_CURRENT_BINARY_DIR}/terrane_core.dll)
  add_dependencies(long_programs terrane_windows)
  add_test(NAME connection.walks_in_windows
    COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/connection_windows.sh ${mingw_compiler} ${wine}
      ${CMAKE_CURRENT_BINARY_DIR}/terrane_core.dll ${library} $<TARGET_FILE:terraned>
      ${PROJECT_SOURCE_DIR})
  set_tests_properties(connection.walks_in_windows PROPERTIES
    LABELS "long;unsanitized" TIMEOUT 600)
endif()
