#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every transform on every module of shaders/, without running any: each result is valid and, by --check, does what the
# module does.
# shellcheck source=tests/harness/common.sh.inc
. "$(dirname "$0")/common.sh.inc"
lists=$("$(dirname "$0")/../pass_lists.sh" | awk '
  $1 == "auto" || $2 == "strip-merges" || $1 == "struct-copy" { next }
  { print "strip-merges," $3 }')
lists="auto auto:undispatch,structurize strip-merges,inline,share-calls:all,structurize $lists"
copies='strip-merges,struct-copy strip-merges,struct-copy,merge-copies,structurize'
# transforms LISTS FOLDER...
transforms() {
  # shellcheck disable=SC2086 # a word each
  list=$(echo $1 | tr ' ' +)
  shift
  run 0 run --device=none --check --transform="$list" "$@"
  cat "$WORK/err"
  sed -n '/^failures:/,$ { p; d }; $p' "$WORK/out"
}
transforms "$lists" shaders
# Copies of machine/threaded_interpreter would exceed --max-growth.
# shellcheck disable=SC2046 # a word each
transforms "$copies" $(find shaders -mindepth 1 -maxdepth 1 -type d ! -name machine)
finish
