#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""check_json.py FILE SCHEMA [EXPRESSION...]

FILE holds exactly one JSON object of that schema: every key that programs may
rely on is there, and of its type. Each EXPRESSION, in which j is the object,
must be true.
"""

import json
import re
import sys

TEXT, NUMBER, TRUTH = str, int, bool


class Maybe:
    """The type, or null."""

    def __init__(self, kind):
        self.kind = kind


class Each:
    """An array whose elements are of this type."""

    def __init__(self, kind):
        self.kind = kind


class Counts:
    """An object with numbers by name."""


class Pattern:
    def __init__(self, text):
        self.text = text


BDF = Pattern(r"[0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]")
TIME = Pattern(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
WORD = Pattern(r"0x[0-9a-f]{16}")
TYPE = Pattern(r"none|DMA|DMA-FQ|identity|unmanaged|blocked|other|unknown\(\d+\)")
P2P = {"works": Pattern("yes|no|not_proved"), "why": TEXT, "next": Maybe(TEXT)}
QUALITY = {"exact": TRUTH, "inexact_reasons": Each(TEXT)}
DEVICE_FAULTS = {"total": NUMBER, "read": NUMBER, "write": NUMBER, "other": NUMBER,
                 "by_kind": Counts(), "source": TEXT, **QUALITY}
TOTALS = {"total": NUMBER, "overflows": NUMBER, "unseen": NUMBER, "source": TEXT, "since": Maybe(TIME),
          "since_boottime_ns": Maybe(NUMBER), **QUALITY}
TARGET = {"class": TEXT, "bdf": Maybe(BDF), "bar": Maybe(NUMBER)}
DELTA = {"total": NUMBER, "initiator": NUMBER, "peer": NUMBER, "unattributed": NUMBER,
         "by_kind": Counts(), "drained": TRUTH, "more_targets": NUMBER, **QUALITY,
         "targets": Each({"target": TARGET, "read": NUMBER, "write": NUMBER, "other": NUMBER})}
IOMMU = {"kind": Pattern(r"none|amd-vi|vt-d|other|unknown(\(\d+\))?"),
         "snp": Pattern(r"on|off|unknown|unknown\(\d+\)")}

MODE = Pattern(r"observe|identity|off|peer|auto|unknown\(\d+\)")
EVIDENCE = {"untrusted": TRUTH, "pasid": TRUTH, "firmware": Maybe(TEXT), "driver_bound": TRUTH,
            "driver_override": TRUTH, "dma_bits": Maybe(NUMBER), "members": Maybe(NUMBER),
            "companions": Maybe(TEXT), "snp": Maybe(TEXT), "snp_mode0": TRUTH,
            "memory_encryption": TRUTH, "single_device_groups": TRUTH, "kernel_said": Maybe(TEXT)}
REDIRECT = Pattern("unknown|no_acs|off|on")
WAY = {"initiator": BDF, "target": BDF, "through_iommu": Maybe(TRUTH), "text": TEXT,
       "route": Pattern("unknown|host_bridges|root_complex|redirected|direct|inside"),
       "bridges": Each({"bdf": BDF, "request_redirect": REDIRECT, "completion_redirect": REDIRECT,
                        "decides": TRUTH})}
CHANGE = {
    "exit_code": NUMBER,
    "devices": Each({
        "bdf": BDF, "index": Maybe(TEXT), "mode": Maybe(MODE), "why": Maybe(TEXT),
        "requested": {"mode": Pattern("observe|identity|off|peer|auto|policy"),
                      "set": Maybe(TEXT), "flags": Each(TEXT)},
        "outcome": Pattern("done|refused|failed|stuck|undone|not_tried"),
        "reason": Maybe(TEXT), "text": Maybe(TEXT), "advice": Maybe(TEXT),
        "put_back": Maybe(TRUTH), "drivers": Each({"bdf": BDF, "driver": TEXT}),
        "holders": Each({"bdf": BDF, "pid": Maybe(NUMBER), "command": Maybe(TEXT),
                         "container": Maybe(TEXT), "what": TEXT})}),
}

JUDGEMENT = {"verdict": TEXT, "cause": Maybe(TEXT), "text": Maybe(TEXT), "next": Maybe(TEXT)}
OUTCOME = Pattern("not_run|right|wrong|failed|hung|no_access")
SEEN = Each(Pattern("late|mirror|beside|no_flag|way_back"))
LINK = {"speed": Maybe(TEXT), "width": Maybe(NUMBER)}
FIRST = {
    "test": TEXT, "outcome": OUTCOME, "bytes": NUMBER, "offset": NUMBER, "round": NUMBER,
    "seen": SEEN, "words": NUMBER, "bad_words": NUMBER, "faults": Maybe(DELTA), "why": Maybe(TEXT),
    "order": Maybe({"seen": NUMBER, "early": NUMBER, "late": NUMBER, "bad_words": NUMBER}),
    "first_bad_offset": Maybe(NUMBER), "expected": Maybe(WORD), "found": Maybe(WORD),
    "longest_run": NUMBER, "bad_kinds": Counts(),
    "bad_kind": Maybe(Pattern("zeros|ones|poison|stale|shifted|foreign|missing|random"))}
SPEED = {f"{engine}_{way}{both}": Maybe(float) for engine in ("copy_engine", "sm")
         for way in ("write", "read") for both in ("", "_both")}
SESSION = {
    "open": OUTCOME, "why": Maybe(TEXT), "faults": Maybe(DELTA), "seconds": float,
    "gb_per_s": Maybe({**SPEED, "read_latency_ns": Maybe(float)}),
    "hung_at_end": TRUTH, "left_behind_pid": Maybe(NUMBER),
    "operations": Each({
        "operation": TEXT, "outcome": OUTCOME, "tests": NUMBER, "right": NUMBER, "wrong": NUMBER,
        "words": NUMBER, "bad_words": NUMBER, "faults": Maybe(NUMBER), "seen": SEEN, "first": Maybe(FIRST)})}
LOG = {"readable": TRUTH, "why": Maybe(TEXT), "overwritten": TRUTH, "more": NUMBER,
       "lines": Each({"kind": TEXT, "text": TEXT, "bdf": Maybe(BDF), "xid": Maybe(NUMBER),
                      "time_us": NUMBER})}

SCHEMAS = {
    "peerpass/error/1": {"error": {"code": TEXT, "message": TEXT, "hint": Maybe(TEXT)}},
    "peerpass/status/1": {
        "p2p": P2P,
        "module": {"loaded": TRUTH, "version": TEXT, "state": TEXT, "policy": TEXT},
        "iommu": {**IOMMU, "kind": Maybe(IOMMU["kind"])},
        "faults": TOTALS,
        "devices": Each({
            "index": Maybe(Pattern(r"gpu\d+")), "bdf": BDF, "present": TRUTH,
            "vendor": Maybe(Pattern("[0-9a-f]{4}")), "device": Maybe(Pattern("[0-9a-f]{4}")),
            "class": Maybe(Pattern("[0-9a-f]{6}")), "name": Maybe(TEXT),
            "numa_node": Maybe(NUMBER), "driver": Maybe(TEXT), "group": Maybe(NUMBER),
            "selected": TRUTH, "rule": Maybe(NUMBER), "wanted": Maybe(TEXT),
            "actual": Maybe(TYPE), "reason": Maybe(TEXT), "detail": Maybe(TEXT),
            "advice": Maybe(TEXT), "switched": TRUTH, "original": Maybe(TYPE),
            "set": Maybe(TEXT), "mode": Maybe(MODE), "why": Maybe(TEXT), "because": Maybe(TEXT),
            "forced": TRUTH, "flags": Each(TEXT), "set_by_request": TRUTH,
            "evidence": Maybe(EVIDENCE), "faults": DEVICE_FAULTS}),
        "sets": Each({"name": TEXT, "state": Pattern("ready|mixed|alone"), "members": Each(BDF),
                      "missing": Each({"initiator": BDF, "target": BDF, "reason": TEXT}),
                      "ways": Each(WAY)}),
        "windows": Each({"initiator": BDF, "target": BDF, "bar": Maybe(NUMBER),
                         "size": Maybe(NUMBER), "state": TEXT}),
    },
    "peerpass/faults/1": {
        "faults": TOTALS, "drained": TRUTH,
        "initiators": Each({"bdf": BDF, "index": Maybe(TEXT), "present": TRUTH,
                            "faults": DEVICE_FAULTS}),
        "pairs": Each({"initiator": BDF, "target": TARGET, "read": NUMBER, "write": NUMBER,
                       "other": NUMBER}),
        "units": Each({"name": TEXT, "entries": NUMBER, "total": NUMBER, "overflows": NUMBER,
                       "unseen": NUMBER, **QUALITY}),
        "probes": Each({"symbol": TEXT, "hits": NUMBER, "missed": NUMBER}),
    },
    "peerpass/set/1": CHANGE,
    "peerpass/restore/1": CHANGE,
    "peerpass/check/1": {
        "file": TEXT, "believed": TRUTH, "holds": TRUTH, "verdict": Maybe(TEXT), "level": Maybe(TEXT),
        "forced": Maybe(TRUTH), "finished": Maybe(TIME), "next": Maybe(TEXT), "exit_code": NUMBER,
        "reasons": Each({"reason": TEXT, "text": TEXT, "device": Maybe(BDF), "target": Maybe(BDF),
                         "faults": Maybe(NUMBER)}),
        "more_reasons": NUMBER,
    },
    "peerpass/verdict/1": {
        **JUDGEMENT, "exit_code": NUMBER, "p2p": Pattern("yes|no|not_proved"),
        "level": Pattern("quick|default|full|soak"), "forced": TRUTH, "max_bytes": NUMBER,
        "span": NUMBER, "cycles": NUMBER, "started": TIME, "finished": TIME,
        "host": {"boot_id": Maybe(TEXT), "kernel": TEXT, "container": Maybe(TEXT)},
        "module": Maybe({"version": TEXT, "instance": NUMBER, "window_generation": Maybe(NUMBER)}),
        "driver": {"version": Maybe(TEXT), "cuda_version": Maybe(NUMBER),
                   "dma_remap_peer_mmio": Pattern("on|off|unknown")},
        "iommu": IOMMU, "verdicts": Counts(),
        "devices": Each({
            "bdf": BDF, "index": Maybe(TEXT), "name": TEXT, "cuda_ordinal": NUMBER,
            "actual": Maybe(TYPE), "mode": Maybe(MODE), "set": Maybe(TEXT), "faults": Maybe(NUMBER),
            "link": {"before": LINK, "after": LINK},
            "replays": {"before": Maybe(NUMBER), "after": Maybe(NUMBER)}, "state": TEXT}),
        "pairs": Each({
            "initiator": BDF, "target": BDF, **JUDGEMENT, "write": TEXT, "read": TEXT,
            "distance": TEXT, "faults": Maybe(NUMBER),
            "reach": Maybe(Pattern("nothing|itself|partly|foreign|unknown")),
            "way": {"route": TEXT, "text": TEXT}, "forced": TRUTH,
            "fault_evidence_weak": TRUTH, "weak_reason": Maybe(TEXT), "session": Maybe(SESSION)}),
        "collectives": Each({"name": Pattern("one_shot|two_shot|ring"), "ranks": NUMBER,
                             "bytes": NUMBER, "outcome": OUTCOME, "tests": NUMBER, "wrong": NUMBER}),
        "set": {"members": Each(BDF), "distance": TEXT, "tested": TRUTH, "verdict": Maybe(TEXT),
                "cause": Maybe(TEXT), "text": Maybe(TEXT), "next": Maybe(TEXT),
                "session": Maybe(SESSION)},
        "log": LOG,
    },
}


def check(value, kind, where):
    if isinstance(kind, Maybe):
        if value is not None:
            check(value, kind.kind, where)
    elif isinstance(kind, Each):
        check(value, list, where)
        for i, element in enumerate(value):
            check(element, kind.kind, f"{where}[{i}]")
    elif isinstance(kind, Counts):
        check(value, dict, where)
        for key, element in value.items():
            check(element, NUMBER, f"{where}.{key}")
    elif isinstance(kind, Pattern):
        check(value, TEXT, where)
        if not re.fullmatch(kind.text, value):
            sys.exit(f"{where} is {value!r}, does not match {kind.text}")
    elif isinstance(kind, dict):
        check(value, dict, where)
        if set(value) != set(kind):
            sys.exit(f"{where}: keys {sorted(set(value) ^ set(kind))} missing or not documented")
        for key, element in kind.items():
            check(value[key], element, f"{where}.{key}")
    elif type(value) is not kind:  # bool is an int for isinstance()
        sys.exit(f"{where} is {value!r}, not {kind.__name__}")
    if isinstance(value, dict):
        bad = [key for key in value if not re.fullmatch(r"[a-z][a-z0-9_]*|unknown\(\d+\)", key)]
        if bad:
            sys.exit(f"{where}: keys that are not snake_case: {bad}")


def main():
    path, schema, expressions = sys.argv[1], sys.argv[2], sys.argv[3:]
    with open(path, encoding="utf-8") as f:
        text = f.read()
    try:
        j = json.loads(text)
    except ValueError as error:
        sys.exit(f"not one JSON object: {error}: {text[:200]!r}")
    check(j, {"schema": Pattern(re.escape(schema)), **SCHEMAS[schema]}, "$")
    for expression in expressions:
        if not eval(expression, {"j": j}):
            sys.exit(f"not true: {expression}: {text[:1500]}")


main()
