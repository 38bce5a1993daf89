#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Does to the virtual machine what its guest asks for.

    qmp.py RUN-DIRECTORY

The guest writes lines "HOST COMMAND [KEY=VALUE,...]" to its port for results
(host in guest/lib.sh). Each is a command of QEMU's machine protocol; what comes
of it is printed, and the guest sees it by itself: a device is there, or gone.
One command is of our own: "wakeup" waits until the guest sleeps, and wakes it.

Ends with QEMU.
"""
import json
import os
import socket
import sys
import time

PATIENCE = 60  # seconds for a socket to appear, and for an answer


class Machine:
    def __init__(self):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(PATIENCE)
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                self.socket.connect("qmp")
                break
            except OSError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.1)
        self.file = self.socket.makefile()
        self.events = []
        self.read(lambda m: "QMP" in m)
        self.ask({"execute": "qmp_capabilities"})

    def read(self, wanted):
        for line in self.file:
            message = json.loads(line)
            if "event" in message:
                self.events.append(message["event"])
            if wanted(message):
                return message
        raise EOFError

    def ask(self, message):
        self.socket.sendall(json.dumps(message).encode() + b"\n")
        return self.read(lambda m: "return" in m or "error" in m)

    def wait(self, event):
        if event not in self.events:
            self.read(lambda m: m.get("event") == event)
        self.events.clear()


def value(text):
    try:
        return int(text, 0)
    except ValueError:
        return text


def serve(machine, line):
    command, _, text = line.partition(" ")
    if command == "wakeup":
        machine.wait("SUSPEND")
        return machine.ask({"execute": "system_wakeup"})
    pairs = (pair.partition("=") for pair in text.split(",") if pair)
    arguments = {key: value(word) for key, _, word in pairs}
    return machine.ask({"execute": command, "arguments": arguments})


def lines(machine):
    """Lines of result.log as they come, until QEMU is gone."""
    rest = ""
    with open("result.log", errors="replace") as log:
        while True:
            rest += log.read()
            *whole, rest = rest.split("\n")
            yield from whole
            if not whole:
                # Fails when QEMU has ended.
                machine.ask({"execute": "query-status"})
                time.sleep(0.1)


def main():
    os.chdir(sys.argv[1])
    try:
        machine = Machine()
        for line in lines(machine):
            if line.startswith("HOST "):
                print(line, "->", json.dumps(serve(machine, line[5:])), flush=True)
    except (EOFError, BrokenPipeError, ConnectionError):
        pass


main()
