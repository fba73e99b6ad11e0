#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Random modules of tests/equiv on lavapipe: as written and structurized, the driver computes the
# same as the interpreter of tests/equiv. (SwiftShader gets about one in four hundred
# wrong, whatever the variant: docs/driver-bugs.md.)
#
#   tests/harness/random.sh SPV-HARNESS [COUNT [SEED]]
# shellcheck source=tests/harness/common.sh.inc
. "$(dirname "$0")/common.sh.inc"
count=${2:-75} seed=${3:-1}

mkdir "$WORK/cases"
echo "seeds from $seed on"
"$BIN/gen_cases" "$count" "$seed" "$WORK/cases" || fail "gen_cases"
"$HARNESS" run --device=lavapipe --transform=auto+strip-merges,structurize "$WORK/cases" \
  >"$WORK/out" 2>&1
tail -n 1 "$WORK/out"
grep -q ' 0 skipped' "$WORK/out" || fail "a case was skipped"
# lavapipe gets it wrong; SwiftShader computes the same as the interpreter.
known='random_929.amber'
grep -E 'amber: .*(fail|crash|timeout|skip|invalid)' "$WORK/out" | grep -v "$known" >"$WORK/wrong"
# LLVM 19's register allocator crashes on some valid modules (docs/driver-bugs.md); up to one in twenty.
"$HARNESS" list-devices >"$WORK/devices" 2>&1
if grep -q '^lavapipe .*LLVM 19' "$WORK/devices"; then
  grep ': auto crash; strip-merges,structurize same$' "$WORK/wrong" >"$WORK/crashes"
  if [ "$(wc -l <"$WORK/crashes")" -le $((count / 20)) ]; then
    sed 's/^/skipped a crash of LLVM 19: /' "$WORK/crashes"
    grep -vFf "$WORK/crashes" "$WORK/wrong" >"$WORK/rest"
    mv "$WORK/rest" "$WORK/wrong"
  fi
fi
[ ! -s "$WORK/wrong" ] || fail "$(cat "$WORK/wrong")"
finish
