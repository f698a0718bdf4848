set(sdk_private ${PROJECT_SOURCE_DIR}/client-sdk/src ${PROJECT_SOURCE_DIR}/client-sdk/core)

terrane_test(sdk_retry_policy_test SOURCES sdk_retry_policy_test.cpp LIBRARIES terrane_client)
target_include_directories(sdk_retry_policy_test PRIVATE ${sdk_private})

terrane_test(sdk_errands_test SOURCES sdk_errands_test.cpp LIBRARIES terrane_client terrane_grpc)
target_include_directories(sdk_errands_test PRIVATE ${sdk_private})

terrane_test(sdk_client_test
  SOURCES
    sdk_client_test.cpp
    sdk_errors_test.cpp
    sdk_locate_test.cpp
    sdk_samples_test.cpp
    sdk_stream_test.cpp
  LIBRARIES terrane_client terrane_grpc terrane_codec google_rpc)

terrane_test(sdk_explorer_test
  SOURCES
    sdk_explorer_test.cpp
    sdk_explorer_break_test.cpp
    sdk_explorer_token_test.cpp
    sdk_explore_example_test.cpp
  LIBRARIES terrane_client terrane_grpc terrane_codec terrane_explore)
target_compile_definitions(sdk_explorer_test PRIVATE
  EXPLORE_EXAMPLE="$<TARGET_FILE:terrane_example_explore>")
add_dependencies(sdk_explorer_test terrane_example_explore)
# Networks that answer anything, several servers, and children of this process.
terrane_test_program(sdk_network_test
  SOURCES
    ../support/bad_gateway.cpp
    sdk_explorer_gateway_test.cpp
    sdk_fork_test.cpp
    sdk_servers_test.cpp
  LIBRARIES terrane_client terrane_grpc terrane_codec terrane_explore
    Boost::headers Threads::Threads)
target_include_directories(sdk_network_test PRIVATE ${sdk_private})
terrane_discover(sdk_network_test FILTER -explorer_gateway.*)
terrane_discover(sdk_network_test FILTER explorer_gateway.* LABELS timed)

# Puts functions of its own in the place of the C library's, as sanitizers do.
if(NOT TERRANE_SANITIZE)
  terrane_test_program(sdk_clock_test
    SOURCES sdk_clock_test.cpp LIBRARIES terrane_client terrane_grpc terrane_codec)
  terrane_discover(sdk_clock_test LABELS timed)
endif()

terrane_test(sdk_explore_client_test
  SOURCES sdk_explore_client_test.cpp sdk_explore_hostile_test.cpp sdk_explore_kept_test.cpp
    sdk_height_field_test.cpp sdk_reconnect_timing_test.cpp
  LIBRARIES terrane_client terrane_grpc terrane_codec terrane_explore)
target_include_directories(sdk_explore_client_test PRIVATE ${sdk_private})

# The installed tree: every public header by itself, find_package and pkg-config, and the hello
# example against a server.
if(TERRANE_SANITIZE)
  set(sanitizer_flags -fsanitize=${TERRANE_SANITIZE})
endif()
terrane_test(sdk_install_test SOURCES sdk_install_test.cpp LIBRARIES terrane_grpc terrane_codec)
target_compile_definitions(sdk_install_test PRIVATE
  CMAKE_PROGRAM="${CMAKE_COMMAND}"
  CXX_COMPILER="${CMAKE_CXX_COMPILER}"
  SANITIZER_FLAGS="${sanitizer_flags}"
  BUILD_DIR="${PROJECT_BINARY_DIR}"
  LIB_DIR="${CMAKE_INSTALL_LIBDIR}"
  PROTO_DIR="${PROJECT_SOURCE_DIR}/proto"
  HELLO_DIR="${PROJECT_SOURCE_DIR}/client-sdk/examples/hello"
  LOCAL_DIR="${PROJECT_SOURCE_DIR}/client-sdk/examples/local"
  STREAMED_DIR="${PROJECT_SOURCE_DIR}/client-sdk/examples/streamed")
add_dependencies(sdk_install_test terrane_client_shared terrane_core_shared
  terrane_connection_shared terrane_explorer_shared terrane_core_static terrane_connection_static)

add_test(NAME readme.example_compiles
  COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/readme_example.sh ${CMAKE_CXX_COMPILER} ${PROJECT_SOURCE_DIR})
