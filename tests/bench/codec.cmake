# codec_bench: Google Benchmark of encoding and decoding; codec_sizes: what a chunk takes, beside other lossless coders.
pkg_check_modules(zstd REQUIRED IMPORTED_TARGET libzstd)
find_library(lerc_library Lerc NAMES LercLib lerc)
find_path(lerc_include Lerc_c_api.h)

add_executable(codec_bench codec_bench.cpp)
target_link_libraries(codec_bench PRIVATE terrane_options terrane_codec terrane_worlds terrane_worldgen benchmark::benchmark)

add_executable(codec_sizes codec_sizes.cpp)
target_link_libraries(codec_sizes PRIVATE terrane_options terrane_codec terrane_worlds terrane_worldgen PkgConfig::zstd PkgConfig::png)
if(lerc_library AND lerc_include)
  target_link_libraries(codec_sizes PRIVATE ${lerc_library})
  target_include_directories(codec_sizes SYSTEM PRIVATE ${lerc_include})
  target_compile_definitions(codec_sizes PRIVATE TERRANE_HAVE_LERC)
endif()
target_include_directories(codec_bench PRIVATE ${PROJECT_SOURCE_DIR}/tests)
target_include_directories(codec_sizes PRIVATE ${PROJECT_SOURCE_DIR}/tests)
