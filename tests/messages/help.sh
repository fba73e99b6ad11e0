#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The help of all commands, and of each command of spv-harness, fits a terminal of 80 columns; all print the
# version, and begin their messages with their name.
# Usage: help.sh PATH/spv-emu
set -u
bin=$(dirname "$1")
failed=0
commands=$("$bin/spv-harness" 2>&1 | sed 's/.*there are //; s/;.*//; s/,//g')

version=$(sed -n 's/^#define SPVRECONV_VERSION "\(.*\)"$/\1/p' passes/include/spvreconv/spvreconv.h)

# named TOOL: --version (spv-emu's has a line more), and how a message begins
named() {
  said=$("$bin/$1" --version 2>&1 | head -n 2)
  [ "$said" = "$1 $version
Apache-2.0, without warranty; https://www.apache.org/licenses/LICENSE-2.0" ] || {
    echo "FAILED: $1 --version prints: $said"
    failed=1
  }
  status=0
  said=$("$bin/$1" --no-such-option 2>&1 >/dev/null </dev/null) || status=$?
  case $status$said in
  "2$1: "*) ;;
  *)
    echo "FAILED: $1 --no-such-option: exit code $status, $said"
    failed=1
    ;;
  esac
}

check() {
  help=$(env PATH="$bin:$PATH" "$@" --help 2>&1)
  [ "$(echo "$help" | wc -l)" -ge 12 ] || {
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

for tool in spvreconv spv-emu spv-graph spv-harness spvreconv-layer-bisect spvreconv-layer-diff spvreconv-capture; do
  check "$tool"
  named "$tool"
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
