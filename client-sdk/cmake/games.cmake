# What games take: terrane::core in C, terrane::connection in C on top of it, and terrane::explorer
# in C++, which holds both. Each shows nothing but its own functions, so that it loads beside
# whatever else a game has in its process. terrane::core_static and terrane::connection_static are
# for one program that brings everything along.
include(GNUInstallDirs)
set(core_objects $<TARGET_OBJECTS:terrane_core_objects> $<TARGET_OBJECTS:terrane_codec>
  $<TARGET_OBJECTS:terrane_explore> $<TARGET_OBJECTS:terrane_worldgen>)
set(connection_objects $<TARGET_OBJECTS:terrane_connection_objects>
  $<TARGET_OBJECTS:${terrane_connection_tls}>)

# terrane_game_library(name SHARED|STATIC EXPORTS file OBJECTS …)
function(terrane_game_library name kind)
  cmake_parse_arguments(arg "" "EXPORTS" "OBJECTS" ${ARGN})
  string(REGEX REPLACE "_shared$|_static$" "" file ${name})
  string(REPLACE terrane_ "" exported ${name})
  string(REPLACE _shared "" exported ${exported})
  add_library(${name} ${kind} ${arg_OBJECTS})
  set_target_properties(${name} PROPERTIES OUTPUT_NAME ${file} EXPORT_NAME ${exported}
    LINKER_LANGUAGE CXX)
  target_include_directories(${name} INTERFACE
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/client-sdk/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  if(kind STREQUAL STATIC)
    set_target_properties(${name} PROPERTIES ARCHIVE_OUTPUT_DIRECTORY static)
    return()
  endif()
  set_target_properties(${name} PROPERTIES
    VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
    LINK_DEPENDS ${arg_EXPORTS})
  target_link_options(${name} PRIVATE -Wl,--gc-sections -Wl,--version-script=${arg_EXPORTS})
  if(NOT TERRANE_SANITIZE)  # whose functions are the program's
    target_link_options(${name} PRIVATE -Wl,-z,defs)
  endif()
endfunction()
set(sdk ${PROJECT_SOURCE_DIR}/client-sdk)
set(tls_library $<$<BOOL:${TERRANE_CONNECTION_TLS}>:OpenSSL::SSL>)
terrane_game_library(terrane_core_shared SHARED
  EXPORTS ${sdk}/core/exports.map OBJECTS ${core_objects})
terrane_game_library(terrane_connection_shared SHARED
  EXPORTS ${sdk}/connection/exports.map OBJECTS ${connection_objects})
# It finds terrane_core beside itself.
set_target_properties(terrane_connection_shared PROPERTIES INSTALL_RPATH "$ORIGIN")
target_link_libraries(terrane_connection_shared PUBLIC terrane_core_shared
  PRIVATE Threads::Threads ${tls_library})
terrane_game_library(terrane_explorer_shared SHARED
  EXPORTS ${sdk}/connection/explorer_exports.map
  OBJECTS ${core_objects} ${connection_objects} $<TARGET_OBJECTS:terrane_explorer_objects>
    src/explorer.cpp)
target_link_libraries(terrane_explorer_shared PRIVATE terrane_options terrane_types
  Threads::Threads ${tls_library})
target_include_directories(terrane_explorer_shared PRIVATE ${sdk}/core ${sdk}/include)
target_compile_features(terrane_explorer_shared INTERFACE cxx_std_20)
terrane_game_library(terrane_core_static STATIC OBJECTS ${core_objects})
target_compile_definitions(terrane_core_static INTERFACE TERRANE_CORE_STATIC)
terrane_game_library(terrane_connection_static STATIC OBJECTS ${connection_objects})
target_compile_definitions(terrane_connection_static INTERFACE TERRANE_CONNECTION_STATIC)
target_link_libraries(terrane_connection_static PUBLIC terrane_core_static
  PRIVATE Threads::Threads ${tls_library})

