# CMake 3.25 does not know this system. The folders of libraries and headers are those of CROSS_PREFIX.
set(WASI 1)
set(CMAKE_SYSTEM_PREFIX_PATH /)
set(CMAKE_FIND_LIBRARY_PREFIXES lib)
set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
set(CMAKE_EXECUTABLE_SUFFIX .wasm)
