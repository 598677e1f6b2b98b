#!/usr/bin/env python3
"""Checks programs for macOS without a Mac: what the kernel and the loader there read before they start one.

    tests/cross/inspect_macos.py build/macos-arm64/previct build/macos-amd64/previct

The processor, the oldest macOS (13.0 at most), the libraries (only libSystem), position independence, and the signature: each
page must have the hash that it says, and on arm64 there must be one. Sources: mach-o/loader.h, cs_blobs.h of xnu.
"""

import argparse
import hashlib
import os
import struct
import sys

PROCESSORS = {0x0100000C: "arm64", 0x01000007: "amd64"}
MAGIC, EXECUTABLE, POSITION_INDEPENDENT = 0xFEEDFACF, 2, 0x200000
LOAD_DYLIB, CODE_SIGNATURE, BUILD_VERSION, MAIN = 0xC, 0x1D, 0x32, 0x80000028
DYLIBS = (LOAD_DYLIB, 0x80000018, 0x8000001F, 0x80000023)  # also weak, reexported, upward
MACOS = 1
SUPER_BLOB, CODE_DIRECTORY, AD_HOC, SHA256 = 0xFADE0CC0, 0xFADE0C02, 0x2, 2


def commands_of(data):
    magic, processor, _, kind, count, _, flags, _ = struct.unpack_from("<8I", data)
    if magic != MAGIC or kind != EXECUTABLE:
        raise ValueError("not a 64-bit program for macOS")
    at, commands = 32, []
    for _ in range(count):
        command, size = struct.unpack_from("<2I", data, at)
        commands.append((command, data[at : at + size]))
        at += size
    return PROCESSORS.get(processor, hex(processor)), flags, commands


def signature(data, command):
    """What is wrong with it; None if nothing is."""
    offset, size = struct.unpack_from("<2I", command, 8)
    blob = data[offset : offset + size]
    magic, _, count = struct.unpack_from(">3I", blob)
    if magic != SUPER_BLOB:
        return "no signature where it should be"
    for i in range(count):
        kind, at = struct.unpack_from(">2I", blob, 12 + 8 * i)
        if kind == 0:
            return code_directory(data, blob[at:])
    return "the signature has no hashes of the code"


def code_directory(data, directory):
    magic, _, _, flags, hashes, _, _, slots, limit = struct.unpack_from(">9I", directory)
    hash_size, hash_kind, _, page_bits = struct.unpack_from(">4B", directory, 36)
    if magic != CODE_DIRECTORY or hash_kind != SHA256 or not flags & AD_HOC:
        return "not signed ad hoc with SHA-256"
    page = 1 << page_bits
    if slots != -(-limit // page):
        return "the hashes do not cover the code"
    for slot in range(slots):
        content = data[slot * page : min((slot + 1) * page, limit)]
        expected = directory[hashes + slot * hash_size : hashes + (slot + 1) * hash_size]
        if hashlib.sha256(content).digest() != expected:
            return f"page {slot} is not what was signed"
    return None


def version(number):
    return (number >> 16, number >> 8 & 0xFF)


def faults(data, architecture):
    processor, flags, commands = commands_of(data)
    kinds = [kind for kind, _ in commands]
    if processor != architecture:
        yield f"for {processor}, not {architecture}"
    if not flags & POSITION_INDEPENDENT:
        yield "not position independent"
    if MAIN not in kinds:
        yield "no entry point"
    builds = [struct.unpack_from("<4I", command)[2:] for kind, command in commands if kind == BUILD_VERSION]
    if len(builds) != 1 or builds[0][0] != MACOS or version(builds[0][1]) > (13, 0):
        yield f"not for macOS 13.0: {builds}"
    libraries = []
    for kind, command in commands:
        if kind in DYLIBS:
            libraries.append(command[struct.unpack_from("<I", command, 8)[0] :].split(b"\0")[0].decode())
    if libraries != ["/usr/lib/libSystem.B.dylib"]:
        yield f"needs {', '.join(libraries)}"
    signed = [signature(data, command) for kind, command in commands if kind == CODE_SIGNATURE]
    if not signed and architecture == "arm64":
        yield "not signed"
    yield from filter(None, signed)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="+", metavar="build/macos-ARCH/previct")
    failed = False
    for path in parser.parse_args().programs:
        with open(path, "rb") as file:
            data = file.read()
        found = list(faults(data, os.path.basename(os.path.dirname(os.path.abspath(path))).removeprefix("macos-")))
        failed = failed or bool(found)
        print(f"{path}: {'; '.join(found) or 'as it should be'} ({len(data)} bytes)")
    sys.exit(1 if failed else 0)


main()
