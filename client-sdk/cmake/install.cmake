# Component "sdk": the libraries, headers, package files; and for clients in other languages
# the schemas, the documents and an example in Python. Component "cli": the terrane program.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

add_library(terrane_client_shared SHARED $<TARGET_OBJECTS:terrane_client_objects>)
set_target_properties(terrane_client_shared PROPERTIES
  OUTPUT_NAME terrane_client
  EXPORT_NAME client
  VERSION ${PROJECT_VERSION}
  # before 1.0 every minor version may break the ABI
  SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
  LINK_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/exports.map)
target_include_directories(terrane_client_shared
  INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_compile_features(terrane_client_shared INTERFACE cxx_std_20)
target_link_libraries(terrane_client_shared
  PRIVATE terrane_core terrane_grpc terrane_codec terrane_explore OpenSSL::Crypto)
target_link_options(terrane_client_shared
  PRIVATE -Wl,--version-script=${CMAKE_CURRENT_LIST_DIR}/exports.map)

# What games take: terrane::core in C, terrane::connection in C on top of it, and terrane::explorer
# in C++, which holds both. Each shows nothing but its own functions, so that it loads beside whatever
# else a game has in its process. terrane::core_static and terrane::connection_static are for one
# program that brings everything along.
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
target_link_libraries(terrane_connection_shared PUBLIC terrane_core_shared
  PRIVATE Threads::Threads ${tls_library})
terrane_game_library(terrane_explorer_shared SHARED
  EXPORTS ${sdk}/connection/explorer_exports.map
  OBJECTS ${core_objects} ${connection_objects} $<TARGET_OBJECTS:terrane_web_socket_objects>
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

install(TARGETS terrane_client_shared terrane_core_shared terrane_connection_shared
    terrane_explorer_shared terrane_core_static terrane_connection_static EXPORT terrane
  LIBRARY COMPONENT sdk NAMELINK_COMPONENT sdk
  ARCHIVE COMPONENT sdk)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE
  DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/terrane COMPONENT sdk)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/client-sdk/include/ ${PROJECT_SOURCE_DIR}/proto/include/
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT sdk FILES_MATCHING PATTERN *.h
  PATTERN mutex.h EXCLUDE
  PATTERN result_macros.h EXCLUDE
  PATTERN utf8.h EXCLUDE)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/terrane)
install(EXPORT terrane FILE terrane-targets.cmake NAMESPACE terrane::
  DESTINATION ${package_dir} COMPONENT sdk)
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/terrane-config-version.cmake
  COMPATIBILITY SameMinorVersion)
if(TERRANE_CONNECTION_TLS)
  set(TERRANE_FIND_TLS "find_package(OpenSSL QUIET)")
endif()
configure_file(${CMAKE_CURRENT_LIST_DIR}/terrane-config.cmake.in
  ${CMAKE_CURRENT_BINARY_DIR}/terrane-config.cmake @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/terrane-config.cmake
    ${CMAKE_CURRENT_BINARY_DIR}/terrane-config-version.cmake
  DESTINATION ${package_dir} COMPONENT sdk)

# Relative to the .pc file itself, so that an installed tree can be moved; where
# CMAKE_INSTALL_LIBDIR is lib, this is ../..
file(RELATIVE_PATH prefix_from_pc /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
foreach(package IN ITEMS terrane terrane_core terrane_connection)
  configure_file(${CMAKE_CURRENT_LIST_DIR}/${package}.pc.in
    ${CMAKE_CURRENT_BINARY_DIR}/${package}.pc @ONLY)
endforeach()
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/terrane.pc ${CMAKE_CURRENT_BINARY_DIR}/terrane_core.pc
    ${CMAKE_CURRENT_BINARY_DIR}/terrane_connection.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT sdk)

# `protoc -I <prefix>/share/terrane/proto terrane/v1/world_service.proto` makes a client's messages.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/proto/terrane
  DESTINATION ${CMAKE_INSTALL_DATADIR}/terrane/proto COMPONENT sdk FILES_MATCHING PATTERN *.proto)
set(document_dir ${CMAKE_INSTALL_DATADIR}/doc/terrane)
foreach(document IN ITEMS EXPLORE FORMAT REFERENCE)
  install(FILES ${PROJECT_SOURCE_DIR}/proto/${document}.md
    DESTINATION ${document_dir} COMPONENT sdk)
endforeach()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/client-sdk/examples/python
  DESTINATION ${document_dir}/examples COMPONENT sdk USE_SOURCE_PERMISSIONS
  FILES_MATCHING PATTERN *.py PATTERN README.md PATTERN __pycache__ EXCLUDE)

install(TARGETS terrane RUNTIME COMPONENT cli)
