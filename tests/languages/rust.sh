#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The Rust crates, without a network: the declarations agree with spvreconv.h, and the tests and the example run.
# Usage: rust.sh BUILD-DIRECTORY
set -eu
# shellcheck source=tests/library/common.sh.inc
. tests/library/common.sh.inc
# shellcheck source=tests/languages/find.sh.inc
. tests/languages/find.sh.inc
find_cargo || exit 0
export SPV_EMU="$build/bin/spv-emu" LIBSPVRECONV_DIR="$build/lib" LD_LIBRARY_PATH="$build/lib"
cp -r packaging/rust "$work/rust"

export SHADER="$PWD/shaders/irreducible/two_entries.spvasm" EXPECTED="$work/expected.spv" \
  DIVERGENT="$work/divergent.spv" EMULATED="$work/emulated.json"
export ARGUMENTS='--policy=pdom,opt --dispatch=8,1,1 --buffer=0:0:u32[256]=random:1'
quietly "$build/bin/spvreconv" --structurize "$SHADER" -o "$EXPECTED"
quietly "$build/bin/spvreconv" --transform=none shaders/subgroup/compact.comp -o "$DIVERGENT"
# shellcheck disable=SC2086 # words on purpose
"$SPV_EMU" --json $ARGUMENTS "$EXPECTED" >"$EMULATED"

include=$PWD/passes/include
cd "$work/rust"
quietly cargo test --quiet --workspace
grep -q 'test result: ok. 8 passed' "$work/log" || fail "not all tests ran: $(cat "$work/log")"
"$CARGO_TARGET_DIR"/debug/examples/layout >"$work/layout.c"
[ "$(grep -c _Static_assert "$work/layout.c")" -gt 150 ] || fail "$(cat "$work/layout.c")"
quietly cc -std=c11 -fsyntax-only -I"$include" "$work/layout.c"
# shellcheck disable=SC2086 # words on purpose
"$CARGO_TARGET_DIR"/debug/examples/policies "$EXPECTED" $ARGUMENTS >"$work/json"
[ "$(grep -c '"issued"' "$work/json")" = 4 ] || fail "the example prints $(cat "$work/json")"
echo ok
