#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Reduces a case that differential.sh has kept: to the smallest module that spirv-reduce finds for which
# the same devices still differ, in the same class.
#
#   tests/diff/reduce.sh BUILD CASE.amber OUT.amber
#
# If only one driver is wrong on a transform's output, that output is reduced.
# Variables first get initialisers, so that none is undefined without its stores. The result has its
# shader as assembly, and the emulator's results as EXPECTs. A step of spirv-reduce must not add
# undefined values, and the emulator's policies must agree on it (unless their disagreement is the
# case), so that a difference remains an error.
set -u
[ $# = 3 ] || {
  echo "usage: $0 BUILD CASE.amber OUT.amber" >&2
  exit 2
}
BUILD=$1 case=$2 out=$3
# shellcheck source=tests/diff/common.sh.inc
. tests/diff/common.sh.inc
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/whole" "$work/shader"

"$BIN/spv-harness" modules "$case" "$work/shader" >/dev/null || exit 1
frame "$case" work.spv >"$work/frame.amber"

# initialise MODULE OUT: every variable of a function or an invocation starts as zero, and values that
# spirv-opt left undefined are zero
initialise() {
  spirv-dis --raw-id "$1" | awk '
    / = OpTypePointer (Function|Private) / {
      null[$1] = "%null" substr($1, 2)
      $0 = $0 "\n" null[$1] " = OpConstantNull " $5
    }
    / = OpFunction / { inside = 1 }
    / = OpUndef / && !inside { sub(/OpUndef/, "OpConstantNull") }
    / = OpVariable / && NF == 5 && $4 in null { $0 = $0 " " null[$4] }
    { print }' | assemble "$1" "$2"
}
initialise "$work/shader/$(subject "$case").spv" "$work/whole/work.spv" || exit 1

# Reduction keeps the first difference of the whole case, with only the devices and variants that it needs.
export BUILD DEVICES VARIANTS
tests/diff/interesting.sh "$work/frame.amber" "$work/whole/work.spv" >"$work/class"
WANTED=$(cut -f 1 "$work/class")
export WANTED
case $WANTED in
'' | agree)
  echo "$case: nothing differs" >&2
  exit 1
  ;;
esac
echo "$case: $(cut -f 3,4 "$work/class" | tr '\t' ' ')"
# The first variant that differs, on the device that differs; all devices judge the result. A driver
# gets the variant's module, which needs no further transform, and may not be a valid input of one.
WITNESSES=$DEVICES
variant=$(cut -f 4 "$work/class" | awk '{ print $2; exit }')
VARIANTS=none
[ "$variant" = none ] || VARIANTS=none+$variant
case $WANTED in
driver:*)
  DEVICES=${WANTED#driver:}
  DEVICES=${DEVICES% *},emu
  if [ "$variant" != none ]; then
    "$BIN/spvreconv" "$work/whole/work.spv" --transform="$variant" -o "$work/variant.spv" || exit 1
    initialise "$work/variant.spv" "$work/whole/work.spv" || exit 1
  fi
  VARIANTS=none
  ;;
policies) DEVICES=emu VARIANTS=none ;;
esac

UNDEFINED=$(spirv-dis "$work/whole/work.spv" | grep -c OpUndef)
# spirv-reduce writes nothing if it crashes.
BEST=$work/best.spv
cp "$work/whole/work.spv" "$BEST"
export UNDEFINED WITNESSES BEST
spirv-reduce --step-limit="${STEPS:-2000}" --temp-file-prefix="$work/temp_" \
  "$work/whole/work.spv" -o "$work/end.spv" \
  -- tests/diff/interesting.sh "$work/frame.amber" >"$work/log" 2>&1

# The case with its shader as text.
{
  sed '/^SHADER .* SPIRV-BIN/,$d' "$work/frame.amber"
  spirv-dis --raw-id "$BEST" |
    sed -n "s/^; Version: /$(sed -n 's/^\(SHADER .* SPIRV-\)BIN.*/\1ASM/p' "$work/frame.amber") TARGET_ENV spv/p"
  spirv-dis --no-header --raw-id "$BEST"
  echo END
  sed '1,/^SHADER .* SPIRV-BIN/d' "$work/frame.amber"
} >"$out"
DEVICES=$WITNESSES WANTED='' tests/diff/interesting.sh "$work/frame.amber" "$BEST" | cut -f 3,4
"$BIN/expect_emu" "$out" || true
echo "$out: $(spirv-dis --no-header "$work/whole/work.spv" | wc -l) lines of assembly, now $(spirv-dis --no-header "$BEST" | wc -l)"
