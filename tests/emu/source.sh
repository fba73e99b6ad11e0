#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Files, lines, functions and names from OpLine, NonSemantic.Shader.DebugInfo.100 and OpenCL.DebugInfo.100:
# --annotate, --json, messages; texts from disk. Modules and listings are in tests/emu/source.
# shellcheck source=tests/emu/common.sh.inc
. "$(dirname "$0")/common.sh.inc"
golden=$(dirname "$0")/source
BUFFER="--buffer=0:0:u32[64]=0"

# lists NAME MODULE ARGUMENTS…: the listing of --annotate is that of NAME.listing
lists() {
  name=$1
  shift
  run 0 "$BUFFER" --annotate "$@"
  sed -n '/^; polic/,$p' "$WORK/out" | diff -u "$golden/$name.listing" - || fail "the listing of $name differs"
}

# adds_up ARGUMENTS…: in the JSON the lines' issues are those of the run
adds_up() {
  run 0 "$BUFFER" --json "$@"
  issued=$(figure issued)
  sum=$(sed -n '/"lines"/,/^ *]/p' "$WORK/out" | awk '$1 == "\"issues\":" { sum += $2 } END { print sum + 0 }')
  [ "$sum" = "$issued" ] || fail "$1: the lines have $sum issues, not $issued"
}

# ---- files ------------------------------------------------------------------------------------------

for kind in include shader_debug; do
  lists source "$golden/$kind.spvasm"
  adds_up "$golden/$kind.spvasm"
done
prints '"file": "math.glsl"'
prints '"source_function": "collatz"'
prints '"function": "collatz"' # by its DebugFunction: the module has no OpName

# Transforms keep lines and scopes, of both kinds, of what they move and copy.
for transform in guard linearize strip-merges,struct-copy strip-merges,reconverge,structurize; do
  for kind in include shader_debug; do
    adds_up "$golden/$kind.spvasm" --transform=$transform
    sed -n '/"lines"/,/^ *]/p' "$WORK/out" >"$WORK/$kind.lines"
  done
  diff "$WORK/include.lines" "$WORK/shader_debug.lines" || fail "$transform: the lines of OpLine and DebugLine differ"
  grep -q math.glsl "$WORK/include.lines" || fail "$transform: no lines of math.glsl"
done

# ---- policies and calls -----------------------------------------------------------------------------

calls=tests/emu/programs/calls_in_loops.spvasm
lists calls "$calls" --policy=structured,tf-stack,exec,opt --subgroup-size=8 # exec does not apply
run 0 "$BUFFER" --annotate=asm "$calls" --policy=structured,minpc --subgroup-size=8
prints "; policies structured, minpc" && prints "; 2 x 4 | 1 x 8 of 8 lanes" && prints "       252   4.417       492   2.262       | main"
run 0 "$BUFFER" --json --policy=opt,structured,tbc --subgroup-size=8 "$calls"
[ "$(grep -c '"calls": \[' "$WORK/out")" = 1 ] || fail "opt or tbc counts calls: $(cat "$WORK/out")"
[ "$(figure total_issues)" = "$(sed -n 's/^ *"issued": \([0-9]*\),$/\1/p' "$WORK/out" | sed -n 2p)" ] ||
  fail "main has $(figure total_issues) issues: $(cat "$WORK/out")"

# ---- kernels ----------------------------------------------------------------------------------------

KERNEL=--local-size=64
lists kernel_bare "$golden/kernel.spvasm" $KERNEL
lists inlined "$golden/inlined.spvasm" $KERNEL
adds_up "$golden/inlined.spvasm" $KERNEL
tr -d ' \n' <"$WORK/out" >"$WORK/flat"
grep -qF '"source_function":"helper","inlined_at":[{"function":"steps","file":"/src/k.cl","line":4}]' "$WORK/flat" ||
  fail "no inlined call in $(cat "$WORK/flat")"

# Texts next to the module, and in the folder of -I, which comes first.
mkdir "$WORK/beside" "$WORK/include"
cp "$golden/kernel.spvasm" "$WORK/beside/k.spvasm"
printf '// beside\nkernel\n' >"$WORK/beside/k.cl"
printf '// included\n' >"$WORK/include/k.cl"
mkfifo "$WORK/beside/inc.h"
run 0 "$BUFFER" $KERNEL --annotate "$WORK/beside/k.spvasm"
prints "     1 | // beside" && prints "     3 |" && prints "; /src/inc.h: the text is not known"
run 0 "$BUFFER" $KERNEL --annotate -I "$WORK/nowhere" -I "$WORK/include" "$WORK/beside/k.spvasm" &&
  prints "     1 | // included"
run 0 "$BUFFER" $KERNEL --report="$WORK/page.html" -I"$WORK/include" "$WORK/beside/k.spvasm"
grep -q '// included' "$WORK/page.html" || fail "the page does not have the text of -I"

# ---- messages ---------------------------------------------------------------------------------------

run 1 --buffer=0:0:u32[8]=0 --strict "$golden/shader_debug.spvasm"
prints "of variable %144 (32 bytes): out of bounds (main.comp:11)"
run 0 --buffer=0:0:u32[8]=0 "$golden/include.spvasm"
prints "(Steps, 32 bytes): out of bounds (main.comp:11)"
run 0 --policy=exec "$BUFFER" "$golden/shader_debug.spvasm"
prints "exec: skip: function collatz, block %49:"
prints "(math.glsl:4)"
finish
