#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Demonstrates spvreconv: two shaders that are not valid for Vulkan, before and after; then the
# same two on the installed drivers, with a structured one; then the emulator and its HTML report.
#
#   tools/demo.sh [BUILD]      (default: build)
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
build=${1:-build}
cd "$here"
spvreconv=$build/bin/spvreconv
pictures=$build/demo
mkdir -p "$pictures"

verdict() { # verdict FILE.spv: what spirv-val says
  if spirv-val --target-env vulkan1.3 "$1" >/dev/null 2>&1; then echo valid; else echo refused; fi
}

show() { # show FILE
  file=$1
  name=$(basename "$file" .spvasm)
  stem=$pictures/$name
  sed -n 's/^; What: */\n/p' "$file"
  spirv-as --target-env spv1.6 "$file" -o "$stem.before.spv"
  "$spvreconv" --transform=none --no-validate --dump-cfg="$stem.before.svg" "$stem.before.spv"
  "$spvreconv" --stats=all --dump-cfg="$stem.after.svg" "$file" -o "$stem.after.spv" >"$stem.stats"
  grep -E '^function|^  (blocks|edges|instructions|branches|loops|irreducible|multi|structured)' \
    "$stem.stats"
  printf '  %-26s%10s%10s\n' 'spirv-val, Vulkan 1.3' "$(verdict "$stem.before.spv")" \
    "$(verdict "$stem.after.spv")"
  grep -E '^  (duplicated|dispatch|added)' "$stem.stats"
  echo "  module $file -> $stem.after.spv"
  echo "  pictures $stem.before.svg, $stem.after.svg"
  [ "$(verdict "$stem.after.spv")" = valid ]
}

show shaders/irreducible/state_machine.spvasm
show shaders/early-exit/goto_error.spvasm
echo
echo "Both results are structured and valid; no instruction was copied."

echo
echo "On the drivers, as written (none) and structured (auto; strip-merges,structurize):"
"$build/bin/spv-harness" run --device=auto shaders/irreducible/state_machine.amber \
  shaders/early-exit/goto_error.amber shaders/loop/nested_exits.amber

echo
echo "The cost of divergence: figure 1 of the paper on thread frontiers, four lanes of 32,"
echo "every block 13 instructions; under pdom three of its six blocks run twice:"
"$build/bin/spv-emu" --policy=none,pdom,tf-stack,maximal,opt shaders/frontier/figure1.amber

page=$pictures/mandelbrot.html
"$build/bin/spv-emu" --report="$page" --policy=pdom,tf-stack,maximal,opt --subgroup-size=64 \
  shaders/frontier/mandelbrot.amber >/dev/null
echo
echo "The Mandelbrot set, lane by lane under four policies, as a page for your browser:"
echo "file://$(realpath "$page")"
