#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --advise: every command that it prints, run as it is, gives the issues that are printed with it, beside those of the input,
# and what it says of the input is what a run of the input gives.
# shellcheck source=tests/emu/common.sh.inc
. "$(dirname "$0")/common.sh.inc"
helped=0 silent=0 below=0

# follow ARGUMENTS…: asks for advice and follows it
follow() {
  run 0 --advise "$@"
  cp "$WORK/out" "$WORK/advice"
  policy=$(sed -n '1s/.* under policy \([a-z-]*\),.*/\1/p' "$WORK/advice")
  said=$(sed -n '1s/ issues .*//p' "$WORK/advice")
  run 0 --json --policy="$policy" "$@"
  [ "$(figure issued)" = "$said" ] || fail "$*: '$said' issues, $(figure issued) in a run"
  if grep -q '^None of' "$WORK/advice"; then
    silent=$((silent + 1))
    ! grep -q '% fewer' "$WORK/advice" || fail "$*: none helps, and some do: $(cat "$WORK/advice")"
  else
    helped=$((helped + 1))
  fi
  sed -n 's/^\([0-9]*\) issues, \([0-9.]*\) % fewer.*/\1 \2/p' "$WORK/advice" >"$WORK/figures"
  # shellcheck disable=SC2016 # the shell that runs the command expands it
  sed -n 's/^    spv-emu /"$EMU" --json /p' "$WORK/advice" >"$WORK/commands"
  [ "$(wc -l <"$WORK/figures")" = "$(wc -l <"$WORK/commands")" ] || fail "$*: $(cat "$WORK/advice")"
  least=$(sed -n 's/^No schedule of these lanes has fewer than \([0-9]*\) issues.*/\1/p' "$WORK/advice")
  best=$(sed -n '1s/ .*//p' "$WORK/figures")
  if [ "${best:-$said}" -lt "${least:-0}" ]; then
    below=$((below + 1))
    grep -q "^The bound of $least issues is for the program as written" "$WORK/advice" || fail "$*: $(cat "$WORK/advice")"
  else
    ! grep -q "as written" "$WORK/advice" || fail "$*: nothing is below the bound: $(cat "$WORK/advice")"
  fi
  while read -r issues percent <&3 && read -r command <&4; do
    eval "$command" >"$WORK/out" 2>"$WORK/err" || fail "$command: $(cat "$WORK/err")"
    [ "$(jq -c '[.results[].issued]' "$WORK/out")" = "[$said,$issues]" ] ||
      fail "$command: $(jq -c '[.results[].issued]' "$WORK/out") issues, not $said and $issues"
    awk "BEGIN { d = 100 - 100 * $issues / $said - $percent; exit d > 0.1 || d < -0.1 || $percent < 3 }" ||
      fail "$command: $issues of $said issues are not $percent % fewer"
  done 3<"$WORK/figures" 4<"$WORK/commands"
}

for name in call/object_dispatch descriptor/storage_parameters divergence/if_else early-exit/goto_error \
  exception/exception_call frontier/barrier_exit frontier/mandelbrot irreducible/state_machine \
  irreducible/three_entries irreducible/two_entries loop/collatz loop/three_exits machine/scanner \
  machine/threaded_interpreter micro/short_circuit micro/split_merge render/whitted switch/into_cycle \
  vision/background_subtraction graphics/irreducible; do
  follow shaders/$name.amber
done
[ "$helped" -ge 5 ] || fail "only $helped programs with advice"
[ "$silent" -ge 10 ] || fail "only $silent programs without advice"
[ "$below" -ge 1 ] || fail "no program with advice below the bound"

# Options and names that a shell would split, in the command.
cp shaders/early-exit/compound_condition.spvasm "$WORK/a b.spvasm"
cat >"$WORK/sum's.comp" <<'END'
#version 450
layout(local_size_x = 32) in;
layout(constant_id = 0) const uint times = 3u;
layout(std430, binding = 0) buffer Data { uint data[]; } b;
void main() {
  uint i = gl_LocalInvocationIndex, x = i * FACTOR;
  for (uint k = 0u; k < times; k++)
    if ((x & 1u) != 0u)
      x = x * 5u + 7u * x * x + 1u;
    else
      x = x * 5u + 7u * x * x + 2u;
  b.data[i] = x;
}
END
follow --subgroup-size=16 --spec=times=9 -D "FACTOR=(2u + 3u)" --buffer="Data:u32[32]=0" "$WORK/sum's.comp"
[ -s "$WORK/commands" ] || fail "no advice for two like arms: $(cat "$WORK/advice")"
cp "$WORK/advice" "$WORK/out"
prints "of 16 lanes"
prints "lanes go both ways at the branch in line 8 in "
# The module that the advice writes gives its figure, too.
# shellcheck disable=SC2016 # the shell that runs the command expands it
sed -n '/^    spvreconv /{s|^    |"$(dirname "$EMU")/"|;s/OUT.spv/"$WORK\/sum.spv"/p;q;}' "$WORK/advice" >"$WORK/command"
. "$WORK/command" || fail "$(cat "$WORK/command")"
run 0 --json --policy="$policy" --subgroup-size=16 --spec=times=9 --buffer="Data:u32[32]=0" "$WORK/sum.spv"
[ "$(figure issued)" = "$(sed -n '1s/ .*//p' "$WORK/figures")" ] || fail "$(cat "$WORK/command"): $(figure issued) issues"
follow --policy=pdom "$WORK/a b.spvasm"

# The notes of the run. A made-up dispatch is not larger than the arrays that it writes.
sed -e 's/gl_LocalInvocationIndex, x = i \* FACTOR/gl_GlobalInvocationID.x, x = i/' -e 's/data\[\]/data[64]/' "$WORK/sum's.comp" >"$WORK/fixed.comp"
run 0 --advise "$WORK/fixed.comp"
grep -q 'dispatch=2,1,1' "$WORK/err" || fail "not two workgroups: $(cat "$WORK/err")"
! grep -q "out of bounds" "$WORK/out" || fail "a made-up dispatch is too large: $(cat "$WORK/out")"
run 0 --advise --dispatch=4 "$WORK/fixed.comp" && prints "out of bounds"

run 0 --json --advise shaders/micro/split_merge.amber
[ "$(jq '.results[0].issued - .advise.issues, .results[1].issued - .advise.needed_issues' "$WORK/out" | tr -d '\n')" = 00 ] ||
  fail "the figures of the advice are not those of the runs: $(jq .advise "$WORK/out")"
[ "$(jq -r '.advise.transforms[0].issues < .advise.issues and (.advise.lines | length) > 0' "$WORK/out")" = true ] ||
  fail "$(jq .advise "$WORK/out")"

run 0 --json --advise shaders/divergence/if_else.amber shaders/loop/three_exits.amber
[ "$(jq -r '.advise.transforms[1].command' "$WORK/out" | head -n 1)" = \
  "spv-emu --transform=none+meld,structurize --policy=structured shaders/divergence/if_else.amber" ] ||
  fail "the command of one of several inputs: $(jq -c .advise.transforms "$WORK/out")"

run 2 --advise --transform=meld x && says "--transform cannot be used with it"
run 2 --advise --policy=opt x && says "opt has none"
run 2 --advise --policy=pdom,none x && says "several policies"
run 1 --advise --max-issues=10 shaders/loop/collatz.amber && prints "limit"
# Iterations of an inner loop are counted from each entry on.
cat >"$WORK/nest.comp" <<'GLSL'
#version 450
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer Sums { uint sums[]; };
void main() {
  uint id = gl_LocalInvocationIndex;
  for (uint i = 0u; i < 4u; i++)
    for (uint k = 0u; k < 3u + (id & 1u); k++)
      sums[id] += k;
}
GLSL
run 0 --policy=pdom --advise --dispatch=1 --buffer=0:0:u32[32]=0 "$WORK/nest.comp" &&
  prints "lanes leave the loop in line 7 after 3 to 4 iterations"

finish
