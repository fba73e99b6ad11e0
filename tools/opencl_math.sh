#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Measures the errors of kernel-to-shader's functions of OpenCL.std, and prints the table of docs/opencl-math.md.
#
#   tools/opencl_math.sh [BUILD [POINTS]] | tools/insert_table.sh errors docs/opencl-math.md     (default: build 100000)
set -eu
cd "$(dirname "$0")/.."
build=${1:-build} points=${2:-100000}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# measured DEVICE OPTION...: FUNCTION BOUND ERROR of each function; an error beyond the bound is allowed
measured() {
  device=$1
  shift
  "$build/bin/opencl_math" "$device" "$points" "$@" | awk '$2 + 0 == $2 { print $1, $2, $3 }'
}
for device in emu lavapipe swiftshader; do
  measured "$device" >"$work/$device"
done
measured lavapipe --native >"$work/native-lavapipe"
measured swiftshader --native >"$work/native-swiftshader"

echo "| Function | Bound | Emulator | lavapipe | SwiftShader | native: lavapipe | SwiftShader |"
echo "| --- | ---: | ---: | ---: | ---: | ---: | ---: |"
awk '
  function shown(error) { return error == "" ? "–" : error == "inf" || error > 9999 ? "> 9999" : error + 0 == 0 ? "0" : sprintf("%.2f", error) }
  FNR == 1 { file++ }
  { error[file, $1] = $3 }
  file == 1 { order[++n] = $1; bound[$1] = $2 }
  END {
    for (i = 1; i <= n; i++) {
      name = tolower(order[i])
      sub(/__/, "`, stored: `", name)
      line = "| `" name "` | " (bound[order[i]] + 0 == 1e6 ? "none" : bound[order[i]]) " |"
      for (k = 1; k <= 5; k++) line = line " " shown(error[k, order[i]]) " |"
      print line
    }
  }' "$work/emu" "$work/lavapipe" "$work/swiftshader" "$work/native-lavapipe" "$work/native-swiftshader"
