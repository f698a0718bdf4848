add_executable(store_bench store_bench.cpp)
target_link_libraries(store_bench PRIVATE terrane_options terrane_store PkgConfig::lmdb)
target_include_directories(store_bench PRIVATE ${PROJECT_SOURCE_DIR}/tests)
