#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# best: the list that it keeps issues less in the emulator, too.
# shellcheck source=tests/emu/common.sh.inc
. "$(dirname "$0")/common.sh.inc"

folder=$(dirname "$EMU")

# issues LIST: of the case in the folder case, under structured
issues() {
  rm -rf "$WORK/after" && cp -r "$WORK/case" "$WORK/after"
  for module in "$WORK/case"/*.spv; do
    "$folder/spvreconv" "$module" --no-validate --transform="strip-merges,$1" -o "$WORK/after/$(basename "$module")" ||
      fail "$module: spvreconv refuses it"
  done
  run 0 --json --policy=structured "$WORK/after/case.amber"
  figure issued
}

# compares CASE: sets `plain`, `best` and `profiled`, the issues after structurize, best and best with a profile
compares() {
  rm -rf "$WORK/case"
  tools/experiments/bare_case.sh "$folder/.." "$1" "$WORK/case"
  "$EMU" --policy=tf-stack --profile="$WORK/profile.json" "$WORK/case/case.amber" >/dev/null
  plain=$(issues structurize)
  best=$(issues best)
  profiled=$(issues "best:profile:$WORK/profile.json")
}

# Both sides of the branch add a constant: meld makes them one.
compares shaders/divergence/if_else.amber
[ $((100 * best)) -le $((85 * plain)) ] || fail "if_else: best does not meld: $best issues instead of $plain"
[ "$profiled" -le "$best" ] || fail "if_else: $profiled issues with a profile, $best without"

# All branches of figure1 depend on bits of one number, so that numbers are found along two of its four paths. These
# alone say nothing about where the four lanes meet.
compares shaders/frontier/figure1.amber
[ "$profiled" -le "$plain" ] || fail "figure1: $profiled issues after best with a profile, $plain after structurize"

# Two loops in one another become one, with a profile. Without one, nothing is bet on rare branches.
compares shaders/early-exit/string_match.amber
[ $((100 * profiled)) -le $((75 * plain)) ] || fail "string_match: $profiled issues with a profile, $plain after structurize"
compares shaders/render/vr_lighting.amber
[ "$best" -le "$plain" ] || fail "vr_lighting: best issues $best, structurize $plain"

# Ways that call functions, each once, all of which call one: with and without a profile.
compares shaders/call/split_merge.amber
[ $((100 * best)) -le $((45 * plain)) ] || fail "split_merge: $best issues after best, $plain after structurize"
[ $((100 * profiled)) -le $((45 * plain)) ] || fail "split_merge: $profiled issues with a profile, $plain without best"
"$folder/spvreconv" "$WORK/case"/*.spv --stats --transform="best:profile:$WORK/profile.json" -o "$WORK/best.spv" >"$WORK/out" ||
  fail "split_merge: spvreconv refuses it"
grep -q "main: inline,share-calls,structurize:.* recorded lanes" "$WORK/out" || fail "split_merge: paths were not found after inline"
finish
