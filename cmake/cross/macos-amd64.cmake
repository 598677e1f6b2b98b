# Compiles for macOS on Intel's processors: one binary that needs only libSystem.
set(CMAKE_SYSTEM_PROCESSOR x86_64)
include(${CMAKE_CURRENT_LIST_DIR}/modules/macos.cmake)
