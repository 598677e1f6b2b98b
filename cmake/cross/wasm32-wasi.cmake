# Compiles for WebAssembly (WASI preview 1) with the clang of PyPI's ziglang and the C++ library whose sources it has
# (libraries/). CROSS_ZIG: the program `zig`; CROSS_PREFIX: where libraries/ was installed.
set(CMAKE_SYSTEM_NAME WASI)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
list(APPEND CMAKE_MODULE_PATH ${CMAKE_CURRENT_LIST_DIR}/modules)
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES CROSS_ZIG CROSS_PREFIX)
get_filename_component(CROSS_ZIG_LIB ${CROSS_ZIG} DIRECTORY)
set(CROSS_ZIG_LIB ${CROSS_ZIG_LIB}/lib)

set(CMAKE_C_COMPILER ${CROSS_ZIG} cc)
set(CMAKE_CXX_COMPILER ${CROSS_ZIG} c++)
set(CMAKE_AR ${CROSS_ZIG})
set(CMAKE_RANLIB ${CROSS_ZIG})
foreach(language C CXX)
  set(CMAKE_${language}_ARCHIVE_CREATE "<CMAKE_AR> ar qcD <TARGET> <LINK_FLAGS> <OBJECTS>")
  set(CMAKE_${language}_ARCHIVE_APPEND "<CMAKE_AR> ar qD <TARGET> <LINK_FLAGS> <OBJECTS>")
  set(CMAKE_${language}_ARCHIVE_FINISH "<CMAKE_RANLIB> ranlib -D <TARGET>")
endforeach()
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)  # the C++ library does not exist yet
set(CMAKE_HAVE_LIBC_PTHREAD TRUE)  # its C library has them, but can start none; what FindThreads tries does not compile

# zig keeps debug information unless it is told not to.
set(CMAKE_C_FLAGS_INIT "-target wasm32-wasi -msimd128 -g0 -D_WASI_EMULATED_SIGNAL -D_WASI_EMULATED_MMAN -D_WASI_EMULATED_PROCESS_CLOCKS")
# zig's own C++ library has no exceptions, so ours is used; -isystem would come after the headers of its C library.
set(CMAKE_CXX_FLAGS_INIT "${CMAKE_C_FLAGS_INIT} -fwasm-exceptions -mexception-handling -nostdinc++ -include __config_site \
-I${CMAKE_CURRENT_LIST_DIR}/libraries/wasm32-wasi -I${CROSS_ZIG_LIB}/libcxx/include -I${CROSS_ZIG_LIB}/libcxxabi/include")
# Not -O3, which is for speed alone; -Os makes the module only one percent smaller (packed).
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG" CACHE STRING "")
set(CMAKE_EXE_LINKER_FLAGS_INIT "-nostdlib++ -Wl,-z,stack-size=8388608 -Wl,--gc-sections -Wl,--strip-all")
set(CMAKE_CXX_STANDARD_LIBRARIES "-L${CROSS_PREFIX}/lib -lprevict-cxx -lwasi-emulated-signal -lwasi-emulated-mman -lwasi-emulated-process-clocks")

set(CMAKE_FIND_ROOT_PATH ${CROSS_PREFIX})
foreach(what LIBRARY INCLUDE PACKAGE)
  set(CMAKE_FIND_ROOT_PATH_MODE_${what} ONLY)
endforeach()
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
