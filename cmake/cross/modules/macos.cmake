# What the two toolchain files for macOS have in common. CMAKE_SYSTEM_PROCESSOR: arm64, x86_64.
include(${CMAKE_CURRENT_LIST_DIR}/../zig.cmake)
set(CMAKE_SYSTEM_NAME Darwin)
# The oldest macOS that zig's C library knows. zig signs binaries for arm64 ad hoc, which macOS demands there.
string(REPLACE arm64 aarch64 architecture ${CMAKE_SYSTEM_PROCESSOR})
set(CMAKE_C_FLAGS_INIT "-target ${architecture}-macos.13.0 -g0")
set(CMAKE_CXX_FLAGS_INIT "${CMAKE_C_FLAGS_INIT}")
set(CMAKE_EXE_LINKER_FLAGS_INIT "-Wl,-dead_strip -Wl,-s")
# CMake would look for a compiler and a kit of Apple's.
set(CMAKE_OSX_SYSROOT "")
set(CMAKE_OSX_DEPLOYMENT_TARGET "")
set(CMAKE_OSX_ARCHITECTURES "")
