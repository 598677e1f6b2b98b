// The tag with which the compiler throws; no library of the toolchain defines it.
__asm__(
    ".tagtype __cpp_exception i32\n"
    ".globl __cpp_exception\n"
    "__cpp_exception:\n");
