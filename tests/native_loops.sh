#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Machine code of random loops (native_loops.awk): figures, messages and memory under --native=on and
# --native=check are those of the interpreter, at three sizes of subgroups; every other shader with
# values instead of variables.
#   tests/native_loops.sh SPV_EMU [COUNT [FIRST_SEED]]
set -u
EMU=$1
COUNT=${2:-100}
FIRST=${3:-1}
here=$(dirname "$0")
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
differences=0

if ! command -v glslangValidator >/dev/null || ! command -v spirv-opt >/dev/null; then
  echo "skipped: needs glslangValidator and spirv-opt"
  exit 77
fi

# all MODE SIZE: what the run says and leaves
all() {
  rm -f "$WORK/data" "$WORK/outs" "$WORK/pairs"
  "$EMU" --json --native="$1" --subgroup-size="$2" --dispatch=2,1,1 --buffer='0:0:u32[128]=7..' --buffer='0:1:u32[512]=0' \
    --buffer='0:2:u32[64]=3..' --buffer='0:3:f32[64]=1..' --dump-buffer=0:2:"$WORK/pairs" \
    --dump-buffer=0:0:"$WORK/data" --dump-buffer=0:1:"$WORK/outs" "$WORK/loops.spv" 2>&1
  cat "$WORK/data" "$WORK/outs" "$WORK/pairs" 2>/dev/null # a run that is ended leaves none
}

seed=$FIRST
while [ "$seed" -lt $((FIRST + COUNT)) ]; do
  awk -v seed="$seed" -f "$here/native_loops.awk" >"$WORK/loops.comp"
  glslangValidator -V --target-env vulkan1.1 -o "$WORK/loops.spv" "$WORK/loops.comp" >"$WORK/log" || {
    cat "$WORK/log"
    exit 1
  }
  [ $((seed % 2)) = 1 ] ||
    spirv-opt --ssa-rewrite --eliminate-dead-code-aggressive "$WORK/loops.spv" -o "$WORK/loops.spv"
  for size in 32 $((8 << seed % 4)); do
    all off "$size" >"$WORK/wanted"
    for mode in on check; do
      all "$mode" "$size" >"$WORK/out"
      cmp -s "$WORK/wanted" "$WORK/out" && continue
      echo "seed $seed, $size lanes, --native=$mode: $(grep -a error "$WORK/out" | head -n 1)"
      differences=$((differences + 1))
    done
  done
  seed=$((seed + 1))
done
echo "$COUNT shaders, $differences differences"
[ "$differences" = 0 ]
