#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Compiles every GLSL shader for Vulkan 1.1 and 1.3, the latter once more through spirv-opt -O, and checks of each
# of these modules:
#   - spvreconv without options writes it back byte for byte (it is structured)
#   - strip-merges,structurize and unstructure:1,structurize give modules that spirv-val accepts
# that each assembly module is refused by spirv-val before, and accepted after spvreconv; and that
# the transforms that copy code or lay it out in one line give valid modules of the assembly
# modules, and of the optimised modules after strip-merges (with their merges they would not change).
#
#   tests/shaders.sh SPVRECONV
set -eu
spvreconv=$1
shaders=$(cd "$(dirname "$0")/../shaders" && pwd)
# shellcheck source=tests/report.sh.inc
. "$(dirname "$0")/report.sh.inc"

check_module() { # check_module NAME ENV MODULE
  status=0
  quietly "$spvreconv" --target-env="$2" "$3" -o "$work/auto.spv" &&
    quietly cmp "$3" "$work/auto.spv" || status=$?
  report "$status" "$1: does not come back byte for byte ($2)"
  status=0
  quietly "$spvreconv" --no-validate --transform=strip-merges,structurize --target-env="$2" "$3" \
    -o "$work/again.spv" &&
    quietly spirv-val --target-env "$2" "$work/again.spv" || status=$?
  report "$status" "$1: strip-merges,structurize ($2)"
  status=0
  quietly "$spvreconv" --no-validate --transform=unstructure:1,structurize --target-env="$2" "$3" \
    -o "$work/again.spv" &&
    quietly spirv-val --target-env "$2" "$work/again.spv" || status=$?
  report "$status" "$1: unstructure:1,structurize ($2)"
}

check_others() { # check_others NAME FIRST MODULE; FIRST,: what to run before, or nothing
  for transform in struct-copy struct-copy,merge-copies,structurize linearize guard \
    reconverge,structurize; do
    status=0
    quietly "$spvreconv" "--transform=$2$transform" --target-env=vulkan1.3 "$3" \
      -o "$work/other.spv" || status=$?
    report "$status" "$1: $2$transform"
  done
}

for env in vulkan1.1 vulkan1.3; do
  mkdir "$work/$env"
  status=0
  quietly "$(dirname "$spvreconv")/gen_modules" --target-env=$env "$work/$env" \
    "$shaders"/*/*.comp "$shaders"/*/*.frag "$shaders"/*/*.vert || status=$?
  report "$status" "not all compile for $env"
done

for file in "$shaders"/*/*.comp "$shaders"/*/*.frag "$shaders"/*/*.vert; do
  for env in vulkan1.1 vulkan1.3; do
    name=${file#"$shaders"/}
    plain=$work/$env/$(echo "$file" | tr / -).spv
    check_module "$name" "$env" "$plain"
    [ "$env" = vulkan1.3 ] || continue
    if ! quietly spirv-opt -O --target-env="$env" "$plain" -o "$work/opt.spv"; then
      report 1 "$name: spirv-opt -O fails for $env"
      continue
    fi
    check_module "$name, optimised" "$env" "$work/opt.spv"
  done
  check_others "$name, optimised" strip-merges, "$work/opt.spv"
done

for file in "$shaders"/*/*.spvasm; do
  name=${file#"$shaders"/}
  spirv-as --target-env spv1.6 "$file" -o "$work/wild.spv"
  status=0
  if quietly spirv-val --target-env vulkan1.3 "$work/wild.spv"; then status=1; fi
  report "$status" "$name: is structured already"
  status=0
  quietly "$spvreconv" "$file" -o "$work/tame.spv" &&
    quietly spirv-val --target-env vulkan1.3 "$work/tame.spv" || status=$?
  report "$status" "$name: does not become valid"
  check_others "$name" "" "$work/wild.spv"
done

finish
