#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Plugs and unplugs for hotplug.sh. hotplug.during.sh RUN-DIRECTORY
exec python3 "$(dirname "$0")/../qmp.py" "$1"
