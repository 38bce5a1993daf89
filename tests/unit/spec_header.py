#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Holds include/uapi/linux/peerpass.h to include/netlink/specs/peerpass.yaml.

Both directions: each name and number of the spec is in the header, and the
header has nothing else. Comments are not compared, but for the type and the
enumeration of an attribute. Then the same check is run on changed copies of
either file, each of which it must refuse.
"""

import copy
import re
import sys

import yaml

SPEC = "include/netlink/specs/peerpass.yaml"
HEADER = "include/uapi/linux/peerpass.h"


def c_name(text):
    return text.upper().replace("-", "_")


def expected_from(spec):
    """What the header must hold: {block name: {constant: value}}, and the types."""
    family = c_name(spec["name"])
    blocks, types = {}, {}
    for enum in spec["definitions"]:
        prefix = f"{family}_{c_name(enum['name'])}"
        names = [e if isinstance(e, str) else e["name"] for e in enum["entries"]]
        if enum["type"] == "flags":
            values = {f"{prefix}_{c_name(n)}": 1 << i for i, n in enumerate(names)}
        else:
            values = {f"{prefix}_{c_name(n)}": i for i, n in enumerate(names)}
            values[f"__{prefix}_MAX"] = len(names)
            values[f"{prefix}_MAX"] = len(names) - 1
        blocks[f"enum {prefix.lower()}"] = values
    for number, attrs in enumerate(spec["attribute-sets"]):
        prefix = c_name(attrs["name-prefix"])
        values = {}
        for i, attr in enumerate(attrs["attributes"], 1):
            values[prefix + c_name(attr["name"])] = i
            types[prefix + c_name(attr["name"])] = attribute_type(spec, attr)
        values[f"__{prefix}MAX"] = len(attrs["attributes"]) + 1
        values[f"{prefix}MAX"] = len(attrs["attributes"])
        blocks[f"attributes {prefix}"] = values
    prefix = c_name(spec["operations"]["name-prefix"])
    operations = spec["operations"]["list"]
    values = {prefix + c_name(op["name"]): i for i, op in enumerate(operations, 1)}
    values[f"__{prefix}MAX"] = len(operations) + 1
    values[f"{prefix}MAX"] = len(operations)
    blocks[f"commands {prefix}"] = values
    defines = {f"{family}_FAMILY_NAME": f'"{spec["name"]}"',
               f"{family}_FAMILY_VERSION": str(spec["version"])}
    return blocks, types, defines


def attribute_type(spec, attr):
    """What the header's comment before an attribute must begin with."""
    if attr["type"] == "pad":
        return None
    if attr["type"] == "nest":
        nested = next(s for s in spec["attribute-sets"] if s["name"] == attr["nested-attributes"])
        text = f"nest of {c_name(nested['name-prefix'])}*"
    else:
        text = attr["type"]
        if "enum" in attr:
            text += f", enum {spec['name']}_{attr['enum'].replace('-', '_')}"
    return text + (", repeated" if attr.get("multi-attr") else "")


def found_in(header):
    """The enumerations of the header, with the comment before each constant."""
    blocks, comments = [], {}
    for match in re.finditer(r"\benum\s*(\w*)\s*\{(.*?)\n\};", header, re.S):
        values, following = {}, 0
        body = re.sub(r"/\* private: \*/", "", match.group(2))
        for entry in re.finditer(r"(?:/\*(.*?)\*/)?\s*(\w+)\s*(?:=\s*([^,]+?))?\s*,", body, re.S):
            comment, name, value = entry.groups()
            if value is not None:
                following = evaluate(value, values)
            values[name] = following
            comments[name] = " ".join(re.sub(r"^\s*\*", "", comment or "", flags=re.M).split())
            following += 1
        blocks.append((match.group(1), values))
    defines = dict(re.findall(r"^#define\s+(\w+)[ \t]+(.+?)\s*$", header, re.M))
    return blocks, comments, defines


def evaluate(text, known):
    text = re.sub(r"[A-Za-z_]\w*", lambda m: str(known[m.group(0)]), text)
    if not re.fullmatch(r"[0-9()<\-+ ]+", text):
        raise ValueError(f"cannot evaluate {text}")
    return eval(text, {"__builtins__": {}})  # digits and operators only, see above


def differences(spec, header):
    """A list of what does not agree; empty when all does."""
    wanted, types, wanted_defines = expected_from(spec)
    found, comments, defines = found_in(header)
    problems = []
    left = list(found)
    for title, values in wanted.items():
        name = title[5:] if title.startswith("enum ") else ""
        match = [b for b in left if b[0] == name and (name or set(b[1]) & set(values))]
        if len(match) != 1:
            problems.append(f"{title}: in the header {len(match)} times")
            continue
        left.remove(match[0])
        for constant in sorted(set(values) | set(match[0][1])):
            if values.get(constant) != match[0][1].get(constant):
                problems.append(f"{constant}: spec {values.get(constant)}, "
                                f"header {match[0][1].get(constant)}")
    problems += [f"enum {name or list(values)[:1]} is in the header only" for name, values in left]
    for constant, text in types.items():
        comment = comments.get(constant, "")
        if text is not None and comment != text and not comment.startswith(text + ";"):
            problems.append(f"{constant}: spec \"{text}\", header's comment \"{comment}\"")
    for name in sorted(set(defines) | set(wanted_defines)):
        if name != "_UAPI_LINUX_PEERPASS_H" and defines.get(name) != wanted_defines.get(name):
            problems.append(f"{name}: spec {wanted_defines.get(name)}, header {defines.get(name)}")
    return problems


def mutations(spec, header):
    """(name, spec, header): copies that the check must refuse."""
    def on_header(name, old, new, count=1):
        assert old in header, old
        return name, spec, header.replace(old, new, count)

    def on_spec(name, change):
        changed = copy.deepcopy(spec)
        change(changed)
        return name, changed, header

    yield on_header("header: enum value added", "\tPEERPASS_MODE_AUTO,",
                    "\tPEERPASS_MODE_AUTO,\n\tPEERPASS_MODE_EXTRA,")
    yield on_header("header: enum value removed", "\tPEERPASS_REASON_SNP,\n", "\n")
    yield on_header("header: enum value renamed", "PEERPASS_REASON_SNP", "PEERPASS_REASON_SEV", -1)
    yield on_header("header: enum order", "\tPEERPASS_FAULT_KIND_READ,\n\tPEERPASS_FAULT_KIND_WRITE,",
                    "\tPEERPASS_FAULT_KIND_WRITE,\n\tPEERPASS_FAULT_KIND_READ,")
    yield on_header("header: explicit value", "PEERPASS_DOMAIN_TYPE_IDENTITY,",
                    "PEERPASS_DOMAIN_TYPE_IDENTITY = 9,")
    yield on_header("header: flag", "PEERPASS_INEXACT_UNSEEN = 1 << 8",
                    "PEERPASS_INEXACT_UNSEEN = 1 << 9")
    yield on_header("header: flag added", "PEERPASS_INEXACT_UNSEEN = 1 << 8,",
                    "PEERPASS_INEXACT_UNSEEN = 1 << 8,\n\tPEERPASS_INEXACT_MORE = 1 << 9,")
    yield on_header("header: attribute added", "\tPEERPASS_A_SYNC_TOTAL,",
                    "\tPEERPASS_A_SYNC_TOTAL,\n\t/* u32 */\n\tPEERPASS_A_SYNC_EXTRA,")
    yield on_header("header: attribute's type", "/* u16 */\n\tPEERPASS_A_DEV_VENDOR",
                    "/* u32 */\n\tPEERPASS_A_DEV_VENDOR")
    yield on_header("header: attribute numbers", "PEERPASS_A_DEV_PAD = 1", "PEERPASS_A_DEV_PAD = 2")
    yield on_header("header: command added", "\tPEERPASS_CMD_SYNC,",
                    "\tPEERPASS_CMD_SYNC,\n\tPEERPASS_CMD_EXTRA,")
    yield on_header("header: enumeration added", "enum peerpass_mode {",
                    "enum peerpass_more {\n\tPEERPASS_MORE,\n};\n\nenum peerpass_mode {")
    yield on_header("header: version", "#define PEERPASS_FAMILY_VERSION\t1",
                    "#define PEERPASS_FAMILY_VERSION\t2")
    yield on_header("header: define added", "#define PEERPASS_FAMILY_VERSION\t1",
                    "#define PEERPASS_FAMILY_VERSION\t1\n#define PEERPASS_EXTRA\t1")
    yield on_spec("spec: enum value added",
                  lambda s: s["definitions"][3]["entries"].append({"name": "extra"}))
    yield on_spec("spec: enum value removed", lambda s: s["definitions"][3]["entries"].pop())
    yield on_spec("spec: enum order", lambda s: s["definitions"][3]["entries"].reverse())
    yield on_spec("spec: enumeration added",
                  lambda s: s["definitions"].append({"name": "more", "type": "enum", "entries": ["x"]}))
    yield on_spec("spec: attribute added",
                  lambda s: s["attribute-sets"][0]["attributes"].append({"name": "x", "type": "u8"}))
    yield on_spec("spec: attribute removed", lambda s: s["attribute-sets"][0]["attributes"].pop())
    yield on_spec("spec: attribute's type",
                  lambda s: s["attribute-sets"][0]["attributes"][1].update(type="u32"))
    yield on_spec("spec: attribute set removed", lambda s: s["attribute-sets"].pop())
    yield on_spec("spec: command added", lambda s: s["operations"]["list"].append({"name": "x"}))
    yield on_spec("spec: command removed", lambda s: s["operations"]["list"].pop())
    yield on_spec("spec: family's name", lambda s: s.update(name="peerpasta"))
    yield on_spec("spec: version", lambda s: s.update(version=2))


def refused(spec, header):
    try:
        return bool(differences(spec, header))
    except (KeyError, StopIteration, ValueError):
        return True


def main():
    tree = sys.argv[1]
    with open(f"{tree}/{SPEC}", encoding="utf-8") as f:
        spec = yaml.safe_load(f)
    with open(f"{tree}/{HEADER}", encoding="utf-8") as f:
        header = f.read()
    problems = differences(spec, header)
    if problems:
        print(f"FAIL spec_header: {'; '.join(problems)}")
        return 1
    print("PASS spec_header")
    missed = [name for name, s, h in mutations(spec, header) if not refused(s, h)]
    if missed:
        print(f"FAIL spec_header_refuses_changes: not noticed: {'; '.join(missed)}")
        return 1
    print("PASS spec_header_refuses_changes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
