# The C++ library for WebAssembly with exceptions, as one archive: libc++, libc++abi and libunwind. ziglang's own archives
# are built without exceptions, and it leaves out archives with their names.
file(GLOB CXX_SOURCES ${CROSS_ZIG_LIB}/libcxx/src/*.cpp ${CROSS_ZIG_LIB}/libcxx/src/filesystem/*.cpp ${CROSS_ZIG_LIB}/libcxx/src/ryu/*.cpp)
list(FILTER CXX_SOURCES EXCLUDE REGEX "/(int128_builtins|new|print|random_shuffle|strstream)\\.cpp$")
file(GLOB CXXABI_SOURCES ${CROSS_ZIG_LIB}/libcxxabi/src/*.cpp)
list(FILTER CXXABI_SOURCES EXCLUDE REGEX "/cxa_noexception\\.cpp$")
add_library(previct-cxx STATIC ${CXX_SOURCES} ${CXXABI_SOURCES} ${CROSS_ZIG_LIB}/libunwind/src/Unwind-wasm.c
            ${CMAKE_CURRENT_LIST_DIR}/exception_tag.c ${CMAKE_CURRENT_LIST_DIR}/memcmp.c)
set_target_properties(previct-cxx PROPERTIES CXX_STANDARD 23)
target_include_directories(previct-cxx PRIVATE ${CROSS_ZIG_LIB}/libcxx/src ${CROSS_ZIG_LIB}/libcxx/libc ${CROSS_ZIG_LIB}/libunwind/include)
target_compile_definitions(previct-cxx PRIVATE _LIBCPP_BUILDING_LIBRARY LIBCXX_BUILDING_LIBCXXABI _LIBUNWIND_HIDE_SYMBOLS)
set_source_files_properties(${CXXABI_SOURCES} PROPERTIES COMPILE_DEFINITIONS "_LIBCXXABI_BUILDING_LIBRARY;LIBCXXABI_SILENT_TERMINATE")
# It takes musl for a sign of copy_file_range(), which WASI does not have.
set_source_files_properties(${CROSS_ZIG_LIB}/libcxx/src/filesystem/operations.cpp PROPERTIES COMPILE_OPTIONS "-D_LIBCPP_HAS_MUSL_LIBC=0")
set_source_files_properties(${CROSS_ZIG_LIB}/libunwind/src/Unwind-wasm.c PROPERTIES COMPILE_OPTIONS "-fwasm-exceptions;-mexception-handling")
set_source_files_properties(${CMAKE_CURRENT_LIST_DIR}/memcmp.c PROPERTIES COMPILE_OPTIONS "-O2;-fno-builtin")
install(TARGETS previct-cxx ARCHIVE DESTINATION lib)
