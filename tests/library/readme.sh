#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The commands of README.md's "The commands" run as they are printed there, with small inputs: each line of the block up to
# its comment. PROGRAM is one that makes no shader, which the capture and the bisection say.
# Usage: readme.sh BUILD-DIRECTORY
set -eu
# shellcheck source=tests/library/common.sh.inc
. tests/library/common.sh.inc
readme=$PWD/README.md
PATH=$(realpath "$build")/bin:$PATH
export PATH ASAN_OPTIONS=detect_leaks=0
mkdir "$work/run"
cp examples/tutorial/total.comp "$work/run/shader.comp"
cp examples/pipeline/words.cl "$work/run/kernel.cl"
spirv-as --preserve-numeric-ids shaders/irreducible/two_entries.spvasm -o "$work/run/in.spv"
cd "$work/run"

sed -n '/^## The commands/,/^[A-Z]/{/^    /p}' "$readme" | sed 's/^ *//; s/ *#.*//' >"$work/commands"
[ "$(wc -l <"$work/commands")" = 7 ] || fail "README.md has not seven commands"
while read -r command; do
  case $command in
  spvreconv-capture*PROGRAM)
    ! ${command%PROGRAM} true >"$work/said" 2>&1 || fail "$command captures something of a program without shaders"
    grep -q 'made no Vulkan device' "$work/said" || fail "$command: $(cat "$work/said")"
    ;;
  *PROGRAM)
    ! ${command%PROGRAM} true >"$work/said" 2>&1 || fail "$command finds an error in a program without shaders"
    grep -q 'the command is good' "$work/said" || fail "$command: $(cat "$work/said")"
    ;;
  'spv-harness run '*) # without a driver of the machine's choice
    quietly sh -c "$command --device=emu"
    ;;
  *kernel.cl*)
    if command -v clang-15 >/dev/null && command -v llvm-spirv-15 >/dev/null; then
      quietly sh -c "$command"
      spirv-val --target-env vulkan1.1 shader.spv || fail "shader.spv is not valid"
    else
      echo "skipped '$command': clang-15 and llvm-spirv-15 are not installed"
    fi
    ;;
  *) quietly sh -c "$command" ;;
  esac
done <"$work/commands"
spirv-val --target-env vulkan1.3 out.spv || fail "out.spv is not valid"
echo ok
