# Compiles for WebAssembly (WASI preview 1), with the C++ library whose sources ziglang has (libraries/).
include(${CMAKE_CURRENT_LIST_DIR}/zig.cmake)
set(CMAKE_SYSTEM_NAME WASI)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
list(APPEND CMAKE_MODULE_PATH ${CMAKE_CURRENT_LIST_DIR}/modules)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)  # the C++ library does not exist yet
set(CMAKE_HAVE_LIBC_PTHREAD TRUE)  # its C library has them, but can start none; what FindThreads tries does not compile

# zig keeps debug information unless it is told not to.
set(CMAKE_C_FLAGS_INIT "-target wasm32-wasi -msimd128 -g0 -D_WASI_EMULATED_SIGNAL -D_WASI_EMULATED_MMAN -D_WASI_EMULATED_PROCESS_CLOCKS")
# zig's own C++ library has no exceptions, so ours is used; -isystem would come after the headers of its C library.
set(CMAKE_CXX_FLAGS_INIT "${CMAKE_C_FLAGS_INIT} -fwasm-exceptions -mexception-handling -nostdinc++ -include __config_site \
-I${CMAKE_CURRENT_LIST_DIR}/libraries/wasm32-wasi -I${CROSS_ZIG_LIB}/libcxx/include -I${CROSS_ZIG_LIB}/libcxxabi/include")
set(CMAKE_EXE_LINKER_FLAGS_INIT "-nostdlib++ -Wl,-z,stack-size=8388608 -Wl,--gc-sections -Wl,--strip-all")
set(CMAKE_CXX_STANDARD_LIBRARIES "-L${CROSS_PREFIX}/lib -lprevict-cxx -lwasi-emulated-signal -lwasi-emulated-mman -lwasi-emulated-process-clocks")
