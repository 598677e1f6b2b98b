#!/bin/sh
# hardening.sh BINARY: is it built as the release preset promises? Says what is missing. The binary must not be stripped:
# a static one brings the symbols of its libraries, so that only our own functions tell how they were compiled.
set -u
binary=$1
failed=0
lacks() {
    echo "$binary: $1"
    failed=1
}
header=$(readelf -hW "$binary")
segments=$(readelf -lW "$binary")
dynamic=$(readelf -dW "$binary")

echo "$header" | grep -q 'Type: *DYN' || lacks 'not position independent'
echo "$segments" | grep -q GNU_RELRO || lacks 'no RELRO'
echo "$dynamic" | grep -Eq 'BIND_NOW|FLAGS_1.*NOW' || lacks 'symbols are bound lazily, so RELRO is partial'
echo "$segments" | grep 'GNU_STACK' | grep -q 'RW ' || lacks 'the stack is executable'
echo "$segments" | grep 'LOAD' | grep -q 'RWE' && lacks 'a segment is writable and executable'
echo "$dynamic" | grep -q TEXTREL && lacks 'code is relocated'
echo "$dynamic" | grep -Eq 'RPATH|RUNPATH' && lacks 'a search path for libraries is built in'

# What functions of namespace previct call.
calls=$(objdump -d --no-show-raw-insn "$binary" |
    awk '/^[0-9a-f]+ </ { ours = /7previct/ } ours && /\tcall / { sub(/.*</, ""); sub(/[@>].*/, ""); print }' | sort | uniq -c)
echo "$calls" | grep -q ' __stack_chk_fail$' || lacks 'no stack protector in our functions'
echo "$calls" | grep -q 'glibcxx_assert_fail' || lacks 'no assertions of the C++ library in our functions'
exit $failed
