#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Cost models, latency hiding and sweeps on the command line; the single and double loop of Białas and
# Strzelecki (PPAM 2015) for all M, exact to the cycle.
# shellcheck source=tests/emu/common.sh.inc
. "$(dirname "$0")/common.sh.inc"
module=$WORK/module.spvasm single=shaders/divergence/single_loop.amber
buffer="--buffer=0:5:u32[8]=0"

# ---- options ----

run 0 --help && prints "--cost=NAME|FILE" && prints "  kepler " && prints "--sweep=NAME:FIRST..LAST"
run 2 --cost=volta a && says "--cost: there is neither a model nor a file 'volta'"
run 2 --cost= a && says "--cost expects NAME|FILE,KEY=VALUE,..., not ''"
run 2 --cost=kepler, a && says "--cost expects NAME|FILE,KEY=VALUE"
run 2 --cost=kepler,fermi a && says "'fermi' is not KEY=VALUE"
run 2 --cost=kepler,colour=3 a && says "--cost: a cost model has no 'colour'"
run 2 --cost=subgroups=0 a && says "--cost: subgroups expects a number from 1 to 1024, not '0'"
run 2 --cost=miss=2 a && says "--cost: miss expects a probability from 0 to 1, not '2'"
run 2 --cost=miss=0.5,cache=4 a && says "either a cache or a probability decides misses, not both"
run 2 --sweep=M a && says "--sweep expects NAME:FIRST..LAST or NAME:VALUE,VALUE,..., not 'M'"
run 2 --sweep=M:4..3 a && says "or NAME:VALUE,VALUE,..., not 'M:4..3'"
run 2 --sweep=:0..3 a && says "--sweep expects NAME:FIRST..LAST"
run 2 --sweep=M:0..9999 a && says "--sweep takes 4096 values at most"
run 2 --sweep=M:0..3 --annotate a && says "--annotate cannot be used with it"
run 2 --sweep=subgroups:1000..2000 "$module" "$buffer" && says "--sweep: subgroups expects a number"
run 1 --sweep=N:0..3 "$single" && says "no pipeline has a specialization constant 'N'"
run 1 --sweep=N:0..3 "$module" "$buffer" && says "there is no specialization constant 'N'"

printf '# mine\nbase kepler\ndivergent 1O\n' >"$WORK/bad.cost"
run 1 --cost="$WORK/bad.cost" "$module" "$buffer"
says "bad.cost: line 3: divergent expects a number from 0 to 1000000, not '1O'"
printf 'base kepler # to start from\nname mine\nentries 4\nmemory 5\n' >"$WORK/good.cost"
run 0 --cost="$WORK/good.cost" "$module" "$buffer" && prints "cycles of mine"
# 6 issues, a load and a store of 5 cycles each among them
[ "$(awk 'NR == 3 { print $(NF - 2), $(NF - 1) }' "$WORK/out")" = "15 1.000" ] ||
  fail "classes: $(cat "$WORK/out")"
run 0 --cost="$WORK/good.cost,memory=2" --json "$module" "$buffer" && prints '"cycles": 9,'
run 0 --json "$module" "$buffer" && prints '"cycles": 7,'
# An asynchronous copy accesses memory, whichever of its sides is in a buffer; so does the store
# after it.
sed 's/^%four = .*/&\n%step = OpConstant %u64 1/; s/%workgroup %to %from %four %two/%workgroup %out %to %four %step/' \
  tests/emu/programs/async_copy.spvasm >"$WORK/back.spvasm"
for copy in tests/emu/programs/async_copy.spvasm "$WORK/back.spvasm"; do
  run 0 --json "--buffer=0:0:u32[8]=1" "--buffer=0:1:u32[4]=0" "--buffer=0:2:u32[4]=0" "$copy"
  [ "$(grep -A1 '"memory"' "$WORK/out" | tail -1 | tr -dc 0-9)" = 2 ] || fail "memory of $copy: $(cat "$WORK/out")"
done
# Variables of a lane are no memory, whatever their class: of the two loads of 7 cycles one is of a builtin.
run 0 --cost=issues,local=7 --json "$module" "$buffer" && prints '"cycles": 13,'
sed 's/^%4 = OpFunction .*/%40 = OpTypePointer Private %6\n%41 = OpVariable %40 Private\n&/
  s/^%12 = OpLoad .*/&\n%42 = OpLoad %6 %41\nOpStore %41 %42/' "$module" >"$WORK/private.spvasm"
run 0 --cost=issues,local=7 --json "$WORK/private.spvasm" "$buffer" && prints '"cycles": 27,'

# The graph of figure 1 of Diamos et al.: BB3, Exit, BB5 and again Exit are inserted in a sorted stack, after 0, 1,
# 1 and 2 comparisons; the first takes a cycle, too. No other stack is sorted.
run 0 --cost=issues,insertion=1 --policy=tf-stack --json shaders/frontier/figure1.amber && prints '"branch_cycles": 5,'
run 0 --cost=issues,insertion=1 --policy=pdom --json shaders/frontier/figure1.amber && prints '"branch_cycles": 0,'

# Every instruction is in one class: a load of an input, a load and a store of a buffer, two access
# chains, an addition, a return.
classes=
for class in flow integer float divide logic convert composite special address local shared memory \
  image lanes other; do
  run 0 --cost=$class=101 --csv "$module" "$buffer"
  more=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "cycles") at = i; next }
    { print ($at - 7) / 100 }' "$WORK/out")
  [ "$more" = 0 ] || classes="$classes $class $more"
done
[ "$classes" = " flow 1 integer 1 address 2 local 1 memory 2" ] || fail "classes:$classes"

# ---- curves ----

# Compared with the paper: cycles over M = 0, spills, and where the cycles occur.
curve() { # MODEL BRANCH SPILL RELOAD
  run 0 --policy=ssy --cost="$1" --sweep=M:0..31 --csv "$single"
  [ "$(wc -l <"$WORK/out")" = 33 ] || fail "$1: not 32 values"
  for name in M cycles stack_pushes stack_pops stack_max_depth stack_spills cost_branch_cycles \
    cost_unwinding_cycles; do
    column $name >"$WORK/$name"
  done
  (cd "$WORK" && paste M cycles stack_pushes stack_pops stack_max_depth stack_spills \
    cost_branch_cycles cost_unwinding_cycles) |
    awk -v branch="$2" -v spill="$3" -v reload="$4" '
      NR == 1 { base = $2 }
      { m = NR - 1; spills = m < 16 ? 0 : int((m + 1 - 16 + 3) / 4)
        wanted = m " " base + branch * m + (spill + reload) * spills " " m + 1 " " m + 1 " " m + 1 \
          " " spills " " spill * spills " " branch * m + reload * spills
        got = $1 " " $2 " " $3 " " $4 " " $5 " " $6 " " $7 " " $8
        if (got != wanted) { print got ", not " wanted; exit 1 } }
      END { exit NR != 32 }' || fail "the curve of $1"
}

curve kepler 32 40 44
curve maxwell 26 84 92

# ---- the clock ----

# OpReadClockKHR, for lane 0 of the loop with a clock: 20 lanes leave early. In the loop it counts the pushes of 2 spills, after
# it 20 branches and 2 reloads; without their cost the 20 carriers are issues.
"$HARNESS" modules shaders/divergence/timed_loop.amber "$WORK" >"$WORK/out"
timed() { # M [OPTION…]: cycles in the loop, and after it
  m=$1
  shift
  run 0 --policy=ssy --spec="M=$m" --spec=SHOWN=1 --buffer='0:0:u32[32]=0' --buffer='0:1:u32[1088]=0' \
    --buffer='0:2:u32[32]=1' --dump-buffer="0:1:$WORK/times" "$@" "$WORK/timed.spv"
  od -An -v -t u4 -w128 "$WORK/times" | awk '{ time[NR] = $1 } END { print time[33] - time[1], time[34] - time[33] }'
}
none=$(timed 0)
for cost in kepler maxwell; do
  [ "$(timed 0 --cost=$cost)" = "$none" ] || fail "the clock of $cost without divergence"
done
[ "$(timed 20)" = "${none% *} $((${none#* } + 20))" ] || fail "the clock of issues: $(timed 20), $none"
[ "$(timed 20 --cost=kepler)" = "$((${none% *} + 2 * 40)) $((${none#* } + 20 * 32 + 2 * 44))" ] ||
  fail "the clock of kepler: $(timed 20 --cost=kepler)"
run 0 --policy=opt,dwf shaders/divergence/timed_loop.amber && prints "opt: skip: the shader reads a clock, and no time"
prints "dwf: skip: the policy regroups the lanes of a workgroup, but OpReadClockKHR is defined by SPIR-V's subgroups"

# By SpecId, and the table: the value comes first.
run 0 --policy=pdom,ssy --sweep=0:3..4 "$single"
[ "$(awk 'NR > 1 { print $1, $2 }' "$WORK/out" | head -n 5 | tr '\n' ' ')" = \
  "0 policy 3 pdom 3 ssy 4 pdom 4 ssy " ] || fail "table of a sweep: $(cat "$WORK/out")"
run 0 --policy=ssy --sweep=M:0..1 --json "$single" && prints '"name": "M",'

# ---- latency hiding ----

# One subgroup waits for each load; 64 leave no cycle idle. Every lane loads once and continues for 13
# issues or more.
{
  sed -e '/^%15 = /,/^OpStore/d' -e '/^OpReturn$/d' -e '/^OpFunctionEnd$/d' "$module"
  previous=14
  for i in 200 201 202 203 204 205 206 207 208 209; do
    echo "%$i = OpIAdd %6 %$previous %8"
    previous=$i
  done
  printf 'OpStore %%13 %%%s\nOpReturn\nOpFunctionEnd\n' "$previous"
} >"$WORK/load.spvasm"
long="--buffer=0:5:u32[512]=0"
run 0 --dispatch=64 --subgroup-size=8 --cost=subgroups=1,latency=100 --json "$WORK/load.spvasm" "$long"
prints '"issued": 1024,' && prints '"cycles": 7424,' && prints '"misses": 64,'
prints '"utilisation": 0.137931034482759' # 16 / (16 + 100)
run 0 --policy=pdom --dispatch=64 --subgroup-size=8 --sweep=subgroups:1..64 \
  --cost=issues,latency=100 --csv "$WORK/load.spvasm" "$long"
[ "$(column cost_subgroups | sed -n 64p) $(column subgroups | sed -n 64p)" = "64 64" ] ||
  fail "columns: $(head -n 1 "$WORK/out")"
column latency_utilisation >"$WORK/utilisation"
column cycles >"$WORK/cycles"
[ "$(sed -n 1p "$WORK/cycles") $(sed -n 64p "$WORK/cycles")" = "7424 1024" ] ||
  fail "cycles of 1 and of 64 subgroups: $(cat "$WORK/cycles")"
[ "$(sed -n 64p "$WORK/utilisation")" = 1 ] || fail "utilisation of 64 subgroups"
run 0 --policy=all --cost=kepler,subgroups=3,miss=0.5,seed=7,hit=2 --json "$single"
for threads in 1 4; do
  run 0 --policy=tf-stack --cost=maxwell,subgroups=5,cache=3,hit=9 --threads=$threads --csv \
    shaders/loop/life.amber
  cp "$WORK/out" "$WORK/threads.$threads"
done
cmp -s "$WORK/threads.1" "$WORK/threads.4" || fail "figures depend on the threads"
# Subwarps, by hand: 22 issues, 3 of them after the load of the first side, which then wait no longer than
# the second side's load. The BSYNC of a side counts with the lanes that run next.
two=tests/emu/cost/two_loads.amber
run 0 --policy=pdom,barrier --subgroup-size=4 --cost=issues,latency=1000 --sweep=subwarps:1..2 --csv $two
[ "$(column cycles)" = "$(printf '%s\n' 2022 2025 1019 1022)" ] || fail "subwarps: $(column cycles)"
run 0 --policy=tf-stack --cost=subwarps=2 $two && prints "skip: which lanes meet depends on how long others take"

run 0 --policy=pdom --subgroup-size=8 --cost=subgroups=1 shaders/barrier/tree_sum.amber && prints "skip"
prints "must all be resident"
run 0 --policy=pdom --subgroup-size=8 --cost=subgroups=16 shaders/barrier/tree_sum.amber && prints "  ok"
finish
