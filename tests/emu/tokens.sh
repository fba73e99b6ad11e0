#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The stacks of `pdom` and `ssy` on the command line: placement, entries, depth, and what the loops of
# shaders/divergence push.
# shellcheck source=tests/emu/common.sh.inc
. "$(dirname "$0")/common.sh.inc"
golden=$(dirname "$0")/tokens
loops=shaders/divergence

# The lecture's if/else, entry by entry: SSY pops one and pushes two, as does the branch; SYNC pops.
run 0 --policy=pdom,ssy "$loops/if_else.amber" --trace-entries="$WORK/entries" \
  --dump-tokens="$WORK/tokens"
diff -u "$golden/if_else.entries" "$WORK/entries" || fail "the entries of if_else differ"
diff -u "$golden/if_else.tokens" "$WORK/tokens" || fail "the tokens of if_else differ"
run 0 --policy=ssy --dump-tokens=- "$loops/if_else.amber" && prints "%130.sync: NOP.S"

# Closed forms of docs/tokens.md, for every M.
sweep() {
  run 0 --policy=ssy --sweep=M:0..31 --csv "$loops/$1.amber"
  [ "$(column stack_pushes)" = "$(seq 0 31 | awk "{ M = \$1; print $2 }")" ] || fail "$1: pushes"
  [ "$(column stack_pops)" = "$(column stack_pushes)" ] || fail "$1: pops"
  [ "$(column stack_max_depth)" = "$(seq 0 31 | awk "{ M = \$1; print $3 }")" ] || fail "$1: depth"
}
sweep single_loop 'M + 1' 'M + 1'
sweep double_loop '33 + M * (65 - M) / 2' 'M + 2'

# A line for each issue; at both ends the stack is empty or holds only its base.
for policy in none pdom tf-stack structured maximal ssy; do
  run 0 --policy=$policy --json --trace-stack="$WORK/stack.csv" "$loops/double_loop.amber"
  base=1
  [ "$policy" != ssy ] || base=0
  awk -F, -v policy=$policy -v issued="$(figure issued)" -v deep="$(figure max_depth)" -v base=$base '
    NR == 1 { next }
    $1 != policy || $3 != NR - 1 { wrong = 1 }
    NR == 2 { first = $5 }
    $5 > most { most = $5 }
    END { exit wrong || !(NR - 1 == issued && most == deep && first == base) }' "$WORK/stack.csv" ||
    fail "--trace-stack of $policy: $(tail -n 1 "$WORK/stack.csv"), issued $(figure issued)"
done
tail -n 1 "$WORK/stack.csv" | grep -q ',0$' || fail "tokens are left: $(tail -n 1 "$WORK/stack.csv")"

# Tracing changes no figure of any policy; traces.sh has the traces themselves.
figure1=shaders/frontier/figure1.amber
for options in "$figure1" "--transform=reconverge $figure1" "$loops/single_loop.amber"; do
  # shellcheck disable=SC2086 # words
  run 0 --policy=all --csv $options && cp "$WORK/out" "$WORK/untraced"
  # shellcheck disable=SC2086
  run 0 --policy=all --csv --trace-groups="$WORK/groups" --trace-stack="$WORK/stack.csv" $options
  cmp "$WORK/untraced" "$WORK/out" || fail "--trace-groups changes the figures of $options"
done

# Policies that do not apply, and wrong usage.
run 0 --policy=ssy shaders/irreducible/two_entries.amber &&
  prints "skip: function main, block %" && prints "run --transform=structurize"
run 0 --policy=ssy --transform=structurize shaders/irreducible/two_entries.amber && prints "  ok"
run 1 --policy=ssy shaders/frontier/barrier_exit.amber && prints "deadlock"
run 2 --policy=pdom --dump-tokens=- "$loops/if_else.amber" && says "needs policy ssy"
run 2 --policy=maximal --trace-entries=x "$loops/if_else.amber" && says "needs policy pdom or ssy"
run 2 --policy=ssy --threads=2 --trace-stack=x "$loops/if_else.amber" && says "one thread"
run 2 --policy=ssy --json --dump-tokens=- "$loops/if_else.amber" && says "alone on standard output"
run 1 --policy=ssy --trace-stack="$WORK/no/where" "$loops/if_else.amber" && says "No such file"
finish
