# Component "sdk": the libraries, headers, package files; and for clients in other languages
# the schemas, the documents and an example in Python. Component "cli": the terrane program.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(libraries terrane_core_shared terrane_connection_shared terrane_explorer_shared
  terrane_core_static terrane_connection_static)
set(packages terrane_core terrane_connection)
set(left_out mutex.h result_macros.h utf8.h)
if(TERRANE_GAMES_ONLY)
  list(APPEND left_out admin.h chunk_stream.h client.h pending_samples.h)
else()
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
  list(APPEND libraries terrane_client_shared)
  list(APPEND packages terrane)
endif()

install(TARGETS ${libraries} EXPORT terrane
  LIBRARY COMPONENT sdk NAMELINK_COMPONENT sdk
  ARCHIVE COMPONENT sdk)
list(TRANSFORM left_out REPLACE "(.+)" "PATTERN;\\1;EXCLUDE")
install(DIRECTORY ${PROJECT_SOURCE_DIR}/client-sdk/include/ ${PROJECT_SOURCE_DIR}/proto/include/
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT sdk FILES_MATCHING PATTERN *.h
  ${left_out})

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
foreach(package IN LISTS packages)
  configure_file(${CMAKE_CURRENT_LIST_DIR}/${package}.pc.in
    ${CMAKE_CURRENT_BINARY_DIR}/${package}.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${package}.pc
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT sdk)
endforeach()

# `protoc -I <prefix>/share/terrane/proto terrane/v1/world_service.proto` makes a client's messages.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/proto/terrane
  DESTINATION ${CMAKE_INSTALL_DATADIR}/terrane/proto COMPONENT sdk FILES_MATCHING PATTERN *.proto)
set(document_dir ${CMAKE_INSTALL_DATADIR}/doc/terrane)
foreach(document IN ITEMS EXPLORE FORMAT REFERENCE)
  install(FILES ${PROJECT_SOURCE_DIR}/proto/${document}.md
    DESTINATION ${document_dir} COMPONENT sdk)
endforeach()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/client-sdk/csharp
  DESTINATION ${document_dir} COMPONENT sdk)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/client-sdk/examples/python
  DESTINATION ${document_dir}/examples COMPONENT sdk USE_SOURCE_PERMISSIONS
  FILES_MATCHING PATTERN *.py PATTERN README.md PATTERN __pycache__ EXCLUDE)

install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${document_dir} COMPONENT sdk)

if(NOT TERRANE_GAMES_ONLY)
  install(TARGETS terrane RUNTIME COMPONENT cli)
endif()
