# Compiles for Windows on amd64: one program, which needs only the libraries of Windows 10 (the C library is the system's UCRT).
include(${CMAKE_CURRENT_LIST_DIR}/zig.cmake)
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR AMD64)
# CMake wants a compiler of resources where it compiles for Windows; CMakeLists.txt calls `zig rc` itself.
set(CMAKE_RC_COMPILER ${CROSS_ZIG})
# The headers of some libraries have to be told that these are archives, not libraries that Windows loads.
set(CMAKE_C_FLAGS_INIT "-target x86_64-windows-gnu -g0 -DBZ_EXPORT -DLIBARCHIVE_STATIC -DYAML_CPP_STATIC_DEFINE")
set(CMAKE_CXX_FLAGS_INIT "${CMAKE_C_FLAGS_INIT}")
# The stack is as large as that of Linux.
set(CMAKE_EXE_LINKER_FLAGS_INIT "-static -Wl,--gc-sections -Wl,--strip-all -Wl,--stack,8388608")
set(CMAKE_CXX_STANDARD_LIBRARIES "-ladvapi32 -lbcrypt")
