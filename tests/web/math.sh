#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Which functions of a shader have other bits in the npm package than natively, where SLEEF is older: those that docs/web.md
# names, each by a unit in the last place or two.
#
#   tests/web/math.sh PACKAGE BIN
#
# PACKAGE: the package, unpacked. BIN: the native commands. Run by ./setup.sh web and test-long.
set -eu
cd "$(dirname "$0")/../.."
package=$(realpath "$1") bin=$(realpath "$2")
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
fail() {
  echo "FAIL math: $*" >&2
  exit 1
}

# NAME EXPRESSION of x, which is in (0, 1), and y = 20 x - 10
cat >"$WORK/functions" <<'END'
sin sin(y)
cos cos(y)
tan tan(y)
asin asin(2.0 * x - 1.0)
acos acos(2.0 * x - 1.0)
atan atan(y)
atan2 atan(y, x)
sinh sinh(y)
cosh cosh(y)
tanh tanh(y)
asinh asinh(y)
acosh acosh(1.0 + 10.0 * x)
atanh atanh(2.0 * x - 1.0)
exp exp(y)
exp2 exp2(y)
log log(x)
log2 log2(x)
pow pow(x, y)
sqrt sqrt(x)
inversesqrt inversesqrt(x)
END
{
  cat <<'END'
#version 450
layout(local_size_x = 64) in;
layout(binding = 0) buffer In { float xs[]; };
layout(binding = 1) buffer Out { float ys[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  float x = xs[i], y = 20.0 * x - 10.0;
END
  awk '{ name = $1; sub(/^[^ ]* /, ""); printf "  ys[%du + i] = %s; // %s\n", 4096 * (NR - 1), $0, name }' "$WORK/functions"
  echo '}'
} >"$WORK/math.comp"

for side in native wasm; do
  emu=$bin/spv-emu
  [ $side = native ] || emu="node $package/bin/spv-emu.js"
  # shellcheck disable=SC2086 # two words
  $emu "$WORK/math.comp" --dispatch=64,1,1 --buffer='0:0:f32[4096]=random:7' --buffer="0:1:f32[$((4096 * 20))]=0" \
    --dump-buffer="0:1:$WORK/$side" >/dev/null 2>"$WORK/err" || fail "$side: $(head -n 3 "$WORK/err")"
done

cat >"$WORK/compare.js" <<'END'
const fs = require("fs"), [work] = process.argv.slice(2);
const ordered = (bits) => bits < 0 ? -(bits & 0x7fffffff) : bits; // neighbours differ by 1
const [a, b] = ["native", "wasm"].map((side) => new Int32Array(new Uint8Array(fs.readFileSync(`${work}/${side}`)).buffer));
fs.readFileSync(`${work}/functions`, "utf8").trim().split("\n").forEach((line, f) => {
  let differ = 0, most = 0;
  for (let i = 4096 * f; i < 4096 * (f + 1); i++) {
    differ += a[i] !== b[i];
    most = Math.max(most, Math.abs(ordered(a[i]) - ordered(b[i])));
  }
  console.log(line.split(" ")[0], differ, most);
});
END
node "$WORK/compare.js" "$WORK" >"$WORK/table"
[ "$(wc -l <"$WORK/table")" = 20 ] || fail "there are not 20 functions"
awk '$3 > 2' "$WORK/table" >"$WORK/far"
[ ! -s "$WORK/far" ] || fail "far apart: $(cat "$WORK/far")"
awk '$2 { printf "%s`%s`", separator, $1; separator = ", " }' "$WORK/table" >"$WORK/differ"
said="In f32 none of them differ."
[ ! -s "$WORK/differ" ] || said="In f32 these differ: $(cat "$WORK/differ")."
tr -s '\n ' '  ' <docs/web.md | grep -qF "$said" || fail "docs/web.md should say: $said $(awk '$2' "$WORK/table")"
echo "math: $said"
