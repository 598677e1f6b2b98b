#!/bin/sh
# hardening.sh BINARY: is it built as the release preset promises? Says what is missing.
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
symbols=$(readelf -sW "$binary")

echo "$header" | grep -q 'Type: *DYN' || lacks 'not position independent'
echo "$segments" | grep -q GNU_RELRO || lacks 'no RELRO'
echo "$dynamic" | grep -Eq 'BIND_NOW|FLAGS_1.*NOW' || lacks 'symbols are bound lazily, so RELRO is partial'
echo "$segments" | grep 'GNU_STACK' | grep -q 'RW ' || lacks 'the stack is executable'
echo "$segments" | grep 'LOAD' | grep -q 'RWE' && lacks 'a segment is writable and executable'
echo "$dynamic" | grep -q TEXTREL && lacks 'code is relocated'
echo "$dynamic" | grep -Eq 'RPATH|RUNPATH' && lacks 'a search path for libraries is built in'
echo "$symbols" | grep -q __stack_chk_fail || lacks 'no stack protector'
echo "$symbols" | grep -Eq '__[a-z]+_chk' || lacks 'no fortified functions'
exit $failed
