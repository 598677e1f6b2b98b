# Compiles for Linux on arm64: one binary with musl as its C library, which needs nothing of the system that it runs on.
include(${CMAKE_CURRENT_LIST_DIR}/zig.cmake)
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_FLAGS_INIT "-target aarch64-linux-musl -g0")
set(CMAKE_CXX_FLAGS_INIT "${CMAKE_C_FLAGS_INIT}")
# musl gives threads 128 KiB of stack unless the program asks for more.
set(CMAKE_EXE_LINKER_FLAGS_INIT "-static -Wl,-z,stack-size=8388608 -Wl,--gc-sections -Wl,--strip-all")
