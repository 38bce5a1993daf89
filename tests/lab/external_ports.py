#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Body of an ACPI table that says which root ports lead out of the machine.

    external_ports.py SLOT... >FILE      slots of bus 0, for QEMU's -acpitable

For each, in ASL (QEMU calls the device of slot 0x18 SC0):

    Scope (\\_SB.PCI0.SC0) {
        Name (_DSD, Package () {
            ToUUID ("efcc06cc-73ac-4bc3-bff0-76143807c389"),
            Package () { Package () { "ExternalFacingPort", 1 },
                         Package () { "UID", 0 } } })
    }
"""
import sys
import uuid

EXTERNAL_FACING = uuid.UUID("efcc06cc-73ac-4bc3-bff0-76143807c389").bytes_le


def sized(op, body):
    """An operator whose length, counted with itself, stands before its body."""
    n = len(body) + 1
    if n < 0x40:
        return bytes([op, n]) + body
    n += 1
    return bytes([op, 0x40 | n & 0xF, n >> 4]) + body


def package(*elements):
    return sized(0x12, bytes([len(elements)]) + b"".join(elements))


def string(text):
    return b"\x0d" + text.encode() + b"\0"


def port(slot):
    name = b"\\\x2f\x03_SB_PCI0" + f"S{slot << 3:02X}_".encode()
    guid = sized(0x11, b"\x0a\x10" + EXTERNAL_FACING)
    values = package(package(string("ExternalFacingPort"), b"\x01"),
                     package(string("UID"), b"\x00"))
    return sized(0x10, name + b"\x08_DSD" + package(guid, values))


sys.stdout.buffer.write(b"".join(port(int(slot, 0)) for slot in sys.argv[1:]))
