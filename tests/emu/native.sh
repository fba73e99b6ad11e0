#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Machine code: cases of every kind say the same, in all figures, under --native=check and interpreted;
# the draws with --native=on. test_native does this for random modules.
# shellcheck source=tests/emu/common.sh.inc
. "$(dirname "$0")/common.sh.inc"

run 0 --version && prints "--native: "
if grep -q "no LLVM" "$WORK/out"; then
  run 2 --native=on "$WORK/case.amber" && says "built without LLVM"
  run 0 --native=auto "$WORK/case.amber"
  finish
  exit
fi

# same MODE CASE OPTIONS…
same() {
  mode=$1
  shift
  run 0 --json --native=off "$@"
  mv "$WORK/out" "$WORK/wanted"
  run 0 --json --native="$mode" "$@"
  cmp -s "$WORK/wanted" "$WORK/out" || fail "other figures with --native=$mode: $*"
}

same check shaders/frontier/mandelbrot.amber --policy=all
same check shaders/frontier/barrier_loop.amber --subgroup-size=8
same check shaders/switch/automaton.amber --subgroup-size=64
same check shaders/exception/exception_call.amber --policy=maximal,pdom
same check shaders/bench/hash.amber
same on shaders/bench/hash.amber
same check shaders/bench/reduction.amber --threads=2
same on shaders/graphics/fixed_mandelbrot.amber
same auto shaders/bench/arithmetic.amber
# NaN, -1.0, -0.0, integers of 16 bits whose sum has a carry, floats around 2^31 and far beyond
same check tests/emu/native_edges.spvasm --policy=pdom --subgroup-size=16 --dispatch=1 --buffer=0:1:u32[128]=0 \
  --buffer=0:0:u32[32]=2143289344,4290772992,3212836864,2147483648,65535,32768,98303,1325400064,3472883712,3472883713,1333788672

# Lanes leave a loop one by one, through a block and without, and take arms of hammocks, one with a load; also
# with values instead of variables, so that edges have moves.
cat >"$WORK/leave.comp" <<'END'
#version 450
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
void main() {
  uint at = gl_LocalInvocationID.x, h = data[at], sum = 0u;
  for (uint i = 0u; i < 30u + at; i++) {
    h = h * 1664525u + 1013904223u;
    if ((h >> 16) % 50u == at)
      break;
    if ((h & 0x300u) == 0u)
      sum += data[32u + (h >> 28)];
    else
      sum ^= h;
    switch (h >> 20 & 3u) {
    case 0u:
      sum += 3u;
    case 1u:
      sum *= 5u;
      break;
    default:
      sum -= i;
    }
    if (sum % 70u == 7u) {
      sum += 1000u;
      break;
    }
  }
  data[at] = sum;
}
END
# leaves MODULE: --native=check runs both ways only what calls nothing
leaves() {
  same on "$1.$2" --buffer=0:0:u32[64]=5..
  same check "$1_pure.$2" --buffer=0:0:u32[64]=5..
  for mode in on off; do
    run 0 --native="$mode" "$1.$2" --buffer=0:0:u32[64]=5.. --dump-buffer=0:0:"$WORK/$mode.data"
  done
  cmp -s "$WORK/on.data" "$WORK/off.data" || fail "other values with --native=on: $1.$2"
}
sed 's/data\[32u + (h >> 28)\]/h >> 28/' "$WORK/leave.comp" >"$WORK/leave_pure.comp"
leaves "$WORK/leave" comp
if command -v spirv-opt >/dev/null && command -v glslangValidator >/dev/null; then
  for name in leave leave_pure; do
    glslangValidator -V -o "$WORK/variables.spv" "$WORK/$name.comp" >/dev/null
    spirv-opt --ssa-rewrite --eliminate-dead-code-aggressive "$WORK/variables.spv" -o "$WORK/$name.spv"
  done
  leaves "$WORK/leave" spv
else
  echo "skipped: a loop with values, which needs glslangValidator and spirv-opt"
fi

# Loads and stores in a loop: of one piece of memory, spread, of vectors, of shared memory and arrays; by all lanes and
# by some, which two lanes may store to; some reach out of a buffer.
cat >"$WORK/memory.comp" <<'END'
#version 450
layout(local_size_x = 48) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
layout(set = 0, binding = 1) buffer Wide { vec4 wide[]; };
layout(set = 0, binding = 2) uniform Size { uint size; };
shared uint part[64];
void main() {
  uint at = gl_LocalInvocationID.x, sum = at, array[4] = uint[](1u, 2u, 3u, 4u);
  part[at] = at;
  for (uint i = 0u; i < 40u; i++) {
    sum = sum * 3u + data[at + i] + data[at * 37u + i * size & 255u] + part[at ^ i & 15u];
    array[i & 3u] += sum;
    sum += array[sum & 3u] + uint(wide[at & 31u].y) + uint(wide[i & 7u].w);
    if ((sum & 1u) != 0u) {
      data[256u + at] = sum;
      data[320u + (sum >> 3 & 7u)] = at;
      wide[i & 3u].x = float(i);
    }
  }
  data[at] = sum;
}
END
for mode in off on check; do
  run 0 --json --native="$mode" "$WORK/memory.comp" --buffer='0:0:u32[322]=5..' --buffer='0:1:f32[128]=1..' \
    --buffer='0:2:u32[1]=9' --dump-buffer=0:0:"$WORK/$mode.data" --dump-buffer=0:1:"$WORK/$mode.wide"
  cat "$WORK/out" "$WORK/$mode.data" "$WORK/$mode.wide" >"$WORK/$mode.all"
  cmp -s "$WORK/off.all" "$WORK/$mode.all" || fail "memory.comp: other results with --native=$mode"
done

# Loads out of bounds in a loop that runs as one piece of code: the same note, count and contents; with --strict
# the same fault, in the same turn.
cat >"$WORK/beyond.comp" <<'END'
#version 450
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
void main() {
  uint sum = 0u, at = gl_LocalInvocationID.x;
  for (uint i = 0u; i < 40u; i++)
    sum = sum * 3u + data[at + i] / (i - 7u);
  data[at] = sum;
}
END
for mode in on check; do
  same "$mode" "$WORK/beyond.comp" --buffer=0:0:u32[64]=5..
  for native in off "$mode"; do
    "$EMU" "$WORK/beyond.comp" --buffer='0:0:u32[64]=5..' --dump-buffer=0:0 --native="$native" \
      >"$WORK/$native.out" 2>&1
    "$EMU" "$WORK/beyond.comp" --buffer='0:0:u32[64]=5..' --strict --native="$native" >>"$WORK/$native.out" 2>&1
  done
  grep -q "accesses in all" "$WORK/off.out" || fail "no note: $(cat "$WORK/off.out")"
  grep -q "fault" "$WORK/off.out" || fail "no fault: $(cat "$WORK/off.out")"
  cmp -s "$WORK/off.out" "$WORK/$mode.out" || fail "--native=$mode: $(diff "$WORK/off.out" "$WORK/$mode.out")"
done
finish
