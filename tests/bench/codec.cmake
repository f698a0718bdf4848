# codec_bench: Google Benchmark of encoding and decoding; codec_sizes: what a chunk takes, layer by
# layer; codec_rivals: bytes and times beside other lossless coders, where liblz4-dev is there.
pkg_check_modules(zstd REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(lz4 IMPORTED_TARGET liblz4)
find_library(lerc_library Lerc NAMES LercLib lerc)
find_path(lerc_include Lerc_c_api.h)

# codec_program(NAME LIBRARIES…): a program over chunks of the built-in worlds.
function(codec_program name)
  add_executable(${name} ${name}.cpp)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(${name} PRIVATE
    terrane_options terrane_codec terrane_worlds terrane_worldgen ${ARGN})
  if(lerc_library AND lerc_include)
    target_link_libraries(${name} PRIVATE ${lerc_library})
    target_include_directories(${name} SYSTEM PRIVATE ${lerc_include})
    target_compile_definitions(${name} PRIVATE TERRANE_HAVE_LERC)
  endif()
endfunction()
codec_program(codec_bench benchmark::benchmark)
codec_program(codec_sizes PkgConfig::zstd PkgConfig::png)
if(lz4_FOUND)
  codec_program(codec_rivals PkgConfig::zstd PkgConfig::lz4 PkgConfig::png)
endif()
