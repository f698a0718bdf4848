# The viewer as a C++ source that terraned holds: terrane_viewer_source(out) sets `out` to it, or to
# nothing where there is to be no viewer, or no node to build it with.
option(TERRANE_VIEWER "Build the viewer into terraned; needs node (18 or newer) and npm" ON)

function(terrane_viewer_source out)
  set(web ${PROJECT_SOURCE_DIR}/client-sdk/web)
  set(${out} "" PARENT_SCOPE)
  if(NOT TERRANE_VIEWER)
    message(STATUS "terraned is built without its viewer: TERRANE_VIEWER is OFF")
    return()
  endif()
  find_program(TERRANE_NODE node)
  find_program(TERRANE_NPM npm)
  if(NOT TERRANE_NODE OR NOT TERRANE_NPM)
    message(WARNING "terraned is built without its viewer: there is no node, or no npm")
    return()
  endif()
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS
    ${web}/src/*.ts ${web}/viewer/*.ts ${web}/viewer/*.css ${web}/viewer/*.html)
  set(files ${CMAKE_CURRENT_BINARY_DIR}/viewer_files.cpp)
  add_custom_command(OUTPUT ${files}
    COMMAND ${web}/install
    COMMAND ${TERRANE_NODE} ${web}/build.mjs --out ${CMAKE_CURRENT_BINARY_DIR}/web
    COMMAND ${TERRANE_NODE} ${web}/embed.mjs ${CMAKE_CURRENT_BINARY_DIR}/web/viewer ${files}
    DEPENDS ${sources} ${web}/build.mjs ${web}/slim_three.mjs ${web}/embed.mjs ${web}/install
      ${web}/package-lock.json
    COMMENT "Building the viewer" VERBATIM)
  set(${out} ${files} PARENT_SCOPE)
endfunction()
