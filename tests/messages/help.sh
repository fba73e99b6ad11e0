#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The help of the four commands, and of each command of spv-harness, fits a terminal of 80 columns.
# Usage: help.sh PATH/spv-emu
set -u
bin=$(dirname "$1")
failed=0
commands=$("$bin/spv-harness" 2>&1 | sed 's/.*there are //; s/;.*//; s/,//g')

check() {
  help=$(env PATH="$bin:$PATH" "$@" --help 2>&1)
  [ "$(echo "$help" | wc -l)" -gt 20 ] || {
    echo "FAILED: $* --help prints no help: $help"
    failed=1
  }
  # Characters, not bytes: without the continuation bytes of UTF-8.
  wide=$(echo "$help" | LC_ALL=C tr -d '\200-\277' | awk 'length > 80')
  [ -z "$wide" ] || {
    echo "FAILED: $* --help is wider than 80 columns:"
    echo "$wide"
    failed=1
  }
}

for tool in spvreconv spv-emu spv-graph spv-harness; do
  check "$tool"
done
for command in $commands; do
  check spv-harness "$command"
done
[ "$(echo "$commands" | wc -w)" -ge 9 ] || {
  echo "FAILED: spv-harness lists too few commands: $commands"
  failed=1
}
[ "$failed" = 0 ] && echo ok
exit "$failed"
