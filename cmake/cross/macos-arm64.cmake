# Compiles for macOS on Apple's processors: one binary that needs only libSystem.
set(CMAKE_SYSTEM_PROCESSOR arm64)
include(${CMAKE_CURRENT_LIST_DIR}/modules/macos.cmake)
