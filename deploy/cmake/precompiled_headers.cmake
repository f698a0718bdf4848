# Headers of the standard library are half of what a small file costs to compile. They are
# precompiled once for all libraries, which must compile with the same flags. What needs other
# flags says SKIP_PRECOMPILE_HEADERS. Files include what they use nevertheless: the build that
# clang-tidy looks at (tests/tidy) precompiles nothing.
add_library(terrane_std_headers STATIC EXCLUDE_FROM_ALL
  ${CMAKE_CURRENT_LIST_DIR}/precompiled_headers.cpp)
target_link_libraries(terrane_std_headers PRIVATE terrane_options)
set(std_headers
  <algorithm> <array> <chrono> <functional> <iostream> <map> <memory> <mutex> <optional> <span>
  <sstream> <string> <string_view> <variant> <vector> <tl/expected.hpp>)
target_precompile_headers(terrane_std_headers PRIVATE ${std_headers})

# The same for inner loops.
add_library(terrane_hurried_headers STATIC EXCLUDE_FROM_ALL
  ${CMAKE_CURRENT_LIST_DIR}/precompiled_headers.cpp)
target_link_libraries(terrane_hurried_headers PRIVATE terrane_options)
terrane_optimize_inner_loops(terrane_hurried_headers)
target_precompile_headers(terrane_hurried_headers PRIVATE ${std_headers})

if(TERRANE_GAMES_ONLY)
  return()
endif()

# The same for what logs.
add_library(terrane_log_headers STATIC EXCLUDE_FROM_ALL
  ${CMAKE_CURRENT_LIST_DIR}/precompiled_headers.cpp)
target_link_libraries(terrane_log_headers PRIVATE terrane_options spdlog::spdlog)
target_precompile_headers(terrane_log_headers PRIVATE
  ${std_headers} ${PROJECT_SOURCE_DIR}/server/log.h)

# The same for what talks gRPC.
add_library(terrane_grpc_headers STATIC EXCLUDE_FROM_ALL
  ${CMAKE_CURRENT_LIST_DIR}/precompiled_headers.cpp)
target_link_libraries(terrane_grpc_headers PRIVATE terrane_options terrane_grpc)
target_precompile_headers(terrane_grpc_headers PRIVATE
  <algorithm> <chrono> <functional> <map> <memory> <mutex> <optional> <span> <string> <string_view>
  <variant> <vector> <grpcpp/grpcpp.h> <terrane/v1/world_service.pb.h> <tl/expected.hpp>)
