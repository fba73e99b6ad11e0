#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs the past findings of a fuzz target again.
#
#   tests/regressions/run.sh FUZZ_NAME
#
# tests/regressions/NAME/ holds the inputs of the target NAME, and a line "; cause: …" in each says what was wrong (an
# .amber file has it after "# cause:").
set -eu
folder=$(dirname "$0")/$(basename "$1" | sed 's/^fuzz_//')
set -- "$1" "$folder"/*.*
[ -e "$2" ] || { echo "nothing was found yet: $folder is empty" && exit 0; }
grep -L 'cause: ' "$folder"/*.* | grep . && echo "the cause is missing" && exit 1
exec "$@"
