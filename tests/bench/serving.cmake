# serving_bench: what serving costs, beside a bare gRPC server of the same messages. ctest runs it
# once, briefly, so that it works.
add_executable(serving_bench
  serving_bench.cpp serving_bench_bare.cpp serving_bench_client.cpp serving_bench_cold.cpp
  serving_bench_report.cpp serving_bench_warm.cpp ../e2e/server_process.cpp
  ../support/certificates.cpp)
target_include_directories(serving_bench PRIVATE ${PROJECT_SOURCE_DIR}/tests)
target_link_libraries(serving_bench PRIVATE
  terrane_options terrane_grpc terrane_codec terrane_worlds terrane_worldgen gRPC::grpc++
  OpenSSL::Crypto)
target_compile_definitions(serving_bench PRIVATE TERRANED_PATH="$<TARGET_FILE:terraned>")
target_precompile_headers(serving_bench PRIVATE <grpcpp/grpcpp.h>)
add_dependencies(serving_bench terraned)
add_test(NAME bench.serving_still_runs COMMAND serving_bench --quick --json)
add_test(NAME bench.serving_with_tls_still_runs COMMAND serving_bench --quick --tls --only hot)
set_tests_properties(bench.serving_still_runs bench.serving_with_tls_still_runs PROPERTIES
  TIMEOUT 300)
