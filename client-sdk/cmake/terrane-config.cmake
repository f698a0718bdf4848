include(CMakeFindDependencyMacro)
find_dependency(tl-expected)  # the one header that the public headers include besides the standard library's
include(${CMAKE_CURRENT_LIST_DIR}/terrane-targets.cmake)
