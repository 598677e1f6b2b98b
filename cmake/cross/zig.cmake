# What the toolchain files here have in common: the clang of PyPI's ziglang compiles, and nothing of this machine is found.
# CROSS_ZIG: the program `zig`; CROSS_PREFIX: where libraries/ was installed.
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES CROSS_ZIG CROSS_PREFIX)
get_filename_component(CROSS_ZIG_LIB ${CROSS_ZIG} DIRECTORY)
set(CROSS_ZIG_LIB ${CROSS_ZIG_LIB}/lib)

set(CMAKE_C_COMPILER ${CROSS_ZIG} cc)
set(CMAKE_CXX_COMPILER ${CROSS_ZIG} c++)
set(CMAKE_AR ${CROSS_ZIG})
set(CMAKE_RANLIB ${CROSS_ZIG})
# Read after the files of the systems, which may set the rules for archives.
set(CMAKE_USER_MAKE_RULES_OVERRIDE ${CMAKE_CURRENT_LIST_DIR}/archives.cmake)
# Not -O3, which is for speed alone; -Os makes the module of the page only one percent smaller (packed).
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG" CACHE STRING "")

set(CMAKE_FIND_ROOT_PATH ${CROSS_PREFIX})
foreach(what LIBRARY INCLUDE PACKAGE)
  set(CMAKE_FIND_ROOT_PATH_MODE_${what} ONLY)
endforeach()
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
