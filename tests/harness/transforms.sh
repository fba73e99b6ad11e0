#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every transform on every module of shaders/, without running any: each result is valid and, by --check, does what the
# module does.
# shellcheck source=tests/harness/common.sh.inc
. "$(dirname "$0")/common.sh.inc"
lists='auto auto:undispatch,structurize strip-merges,structurize strip-merges,structurize:16:size strip-merges,structurize:40:issues
  strip-merges,undispatch,structurize strip-merges,reconverge,structurize strip-merges,merge-iterations:all,structurize
  strip-merges,speculative:all,structurize strip-merges,share-calls:all,structurize strip-merges,inline,share-calls:all,structurize strip-merges,meld:0,structurize
  strip-merges,linearize strip-merges,guard unstructure:1,undispatch,structurize,phi-variables best'
copies='strip-merges,struct-copy strip-merges,struct-copy,merge-copies,structurize'
# A transform that is not in the lists is missing.
"$BIN/spvreconv" --help | awk '/^Transforms/ { t = 1; next } t && /^$/ { t = 0 } t && /^  [a-z]/ { print $1 }' >"$WORK/names"
[ -s "$WORK/names" ] || fail "--help names no transforms"
while read -r name; do
  case $name in none) continue ;; esac
  echo "$lists $copies" | grep -Eq "(^|[ ,])$name([:, ]|\$)" || fail "no list has $name"
done <"$WORK/names"
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
