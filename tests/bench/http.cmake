# http_bench: what the HTTP port takes, beside a bare Beast server. ctest runs it once, briefly, so
# that it works.
add_executable(http_bench http_bench.cpp ../e2e/server_process.cpp ../support/http_connection.cpp)
target_include_directories(http_bench PRIVATE ${PROJECT_SOURCE_DIR}/tests)
target_link_libraries(http_bench PRIVATE terrane_options Boost::headers Threads::Threads
  GTest::gtest)
target_compile_definitions(http_bench PRIVATE TERRANED_PATH="$<TARGET_FILE:terraned>")
add_dependencies(http_bench terraned)
add_test(NAME bench.http_still_runs COMMAND http_bench --quick)
set_tests_properties(bench.http_still_runs PROPERTIES TIMEOUT 120)
