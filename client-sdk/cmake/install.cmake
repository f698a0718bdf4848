# Component "sdk": the shared libraries, headers, package files; and for clients in other languages
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

# The C library, with nothing but its functions to be seen, so that it loads beside whatever else a
# game has in its process.
add_library(terrane_core_shared SHARED $<TARGET_OBJECTS:terrane_core_objects>)
set_target_properties(terrane_core_shared PROPERTIES
  OUTPUT_NAME terrane_core
  EXPORT_NAME core
  VERSION ${PROJECT_VERSION}
  SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
  LINK_DEPENDS ${PROJECT_SOURCE_DIR}/client-sdk/core/exports.map)
target_include_directories(terrane_core_shared
  INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_libraries(terrane_core_shared
  PRIVATE terrane_codec terrane_explore terrane_worldgen)
target_link_options(terrane_core_shared PRIVATE -Wl,--gc-sections
  -Wl,--version-script=${PROJECT_SOURCE_DIR}/client-sdk/core/exports.map)
if(NOT TERRANE_SANITIZE)  # whose functions are the program's
  target_link_options(terrane_core_shared PRIVATE -Wl,-z,defs)
endif()

# And its connection, which is a user of it like others.
add_library(terrane_connection_shared SHARED $<TARGET_OBJECTS:terrane_connection_objects>)
set_target_properties(terrane_connection_shared PROPERTIES
  OUTPUT_NAME terrane_connection
  EXPORT_NAME connection
  VERSION ${PROJECT_VERSION}
  SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
  LINK_DEPENDS ${PROJECT_SOURCE_DIR}/client-sdk/connection/exports.map)
target_link_libraries(terrane_connection_shared PUBLIC terrane_core_shared
  PRIVATE Threads::Threads $<$<BOOL:${TERRANE_CONNECTION_TLS}>:OpenSSL::SSL>)
target_link_options(terrane_connection_shared PRIVATE -Wl,--gc-sections
  -Wl,--version-script=${PROJECT_SOURCE_DIR}/client-sdk/connection/exports.map)

install(TARGETS terrane_client_shared terrane_core_shared terrane_connection_shared EXPORT terrane
  LIBRARY COMPONENT sdk NAMELINK_COMPONENT sdk)
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
install(FILES ${CMAKE_CURRENT_LIST_DIR}/terrane-config.cmake
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
