#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs cases of the harness through the layer on both drivers, under the validation layer: every module is
# re-structured on its way to the driver, and every case has the same outcome as without.
#
#   tests/layer/corpus.sh BUILD [FOLDER...]     (shaders: all)
# shellcheck source=tests/layer/common.sh.inc
. "$(dirname "$0")/common.sh.inc"
shift
[ $# -gt 0 ] || set -- shaders/exception shaders/graphics shaders/irreducible shaders/subgroup shaders/switch
folders=$*

run() { # run NAME OPTION…
  name=$1
  shift
  # shellcheck disable=SC2086 # a word each
  "$BUILD/bin/spv-harness" run --device=lavapipe,swiftshader --transform=none "$@" \
    --results="$WORK/$name.sqlite" $folders >"$WORK/$name.out" 2>&1 ||
    fail "$name: $(grep -A 1 -E ' (fail|crash|timeout)$' "$WORK/$name.out")"
  tail -n 1 "$WORK/$name.out"
}

run without # tests/harness/corpus.sh runs it with the validation layer
(
  export VK_INSTANCE_LAYERS=VK_LAYER_SPVRECONV_pipeline
  export SPVRECONV_TRANSFORM=strip-merges,structurize
  export SPVRECONV_STATS=0 SPVRECONV_LOG="$WORK/log" SPVRECONV_DUMP="$WORK/dump" SPVRECONV_CACHE="$WORK/cache"
  run with --validation
  [ "$failures" = 0 ]
) || fail "with the layer"
"$BUILD/bin/spv-harness" compare "$WORK/without.sqlite" "$WORK/with.sqlite" || fail "different outcomes"
[ ! -s "$WORK/log" ] || fail "$(cat "$WORK/log")"

# The layer was in use: most modules branch, so their output differs from their input.
changed=0 all=0
for before in "$WORK"/dump/*.before.spv; do
  all=$((all + 1))
  cmp -s "$before" "${before%.before.spv}.after.spv" || changed=$((changed + 1))
done
echo "$changed of $all modules changed"
[ "$changed" -gt 20 ] || fail "too few modules were changed"
finish
