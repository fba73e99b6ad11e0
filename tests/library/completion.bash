#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Completes command lines as bash would, and compares with what the tools accept.
# Usage: completion.bash BUILD-DIRECTORY
set -u
PATH=$1/bin:$PATH
failures=0
# shellcheck source=packaging/completion.bash
. packaging/completion.bash

# complete_line "TOOL … WORD": sets COMPREPLY to the completions of the last word
complete_line() {
  local line=$1
  # As readline splits it: "=" is a word of its own.
  read -ra COMP_WORDS <<<"${line//=/ = }"
  [[ $line != *' ' ]] || COMP_WORDS+=('')
  COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
  _spvreconv "${COMP_WORDS[0]}"
}

# expect "TOOL … WORD" REPLY…: exactly these
expect() {
  complete_line "$1"
  shift
  [ "$(printf '%s\n' "${COMPREPLY[@]}" | sort)" = "$(printf '%s\n' "$@" | sort)" ] || {
    echo "FAILED: '${COMP_WORDS[*]}' becomes: ${COMPREPLY[*]}; not: $*"
    failures=$((failures + 1))
  }
}

# The options of policies, which all take a value.
policy_options() {
  grep -rhoE '"--[a-z-]+"' spv-emu/policy | tr -d '"' | sort -u
}

# every_option TOOL SOURCES [OPTION...]: these and all options of the tool's tables, with "=" if they take a value
every_option() {
  local options sources
  read -ra sources <<<"$2"
  mapfile -t options < <(sed -n -e 's/^ *{"\([a-z-]*\)", required_argument.*/--\1=/p' \
    -e 's/^ *{"\([a-z-]*\)", \(no\|optional\)_argument.*/--\1/p' -e 's/^EMU_GIVEN(.*"\(.*\)").*/--\1=/p' "${sources[@]}")
  [ "${#options[@]}" -gt 10 ] || {
    echo "FAILED: no options found in $2"
    exit 1
  }
  expect "$1 --" "${options[@]}" "${@:3}"
}

every_option spvreconv passes/cli/cli_options.c
mapfile -t of_policies < <(policy_options | sed 's/$/=/')
[ "${#of_policies[@]}" -gt 5 ]
every_option spv-emu "spv-emu/cli/emu_options.c spv-emu/cases/given_options.def" "${of_policies[@]}"
every_option spv-harness "harness/cli/harness_options.c spv-emu/cases/given_options.def"

expect 'spvreconv --transform=struct' structurize struct-copy
expect 'spvreconv --transform=strip-merges,recon' strip-merges,reconverge
expect 'spv-harness run --transform=none+strip-merges,gu' none+strip-merges,guard
expect 'spvreconv --uniformity=' analysis divergent uniform
expect 'spv-emu --policy=pdom,tf-' pdom,tf-stack pdom,tf-sandy
expect 'spv-emu --annotate=' asm
expect 'spv-harness ' run new converge fit reduce list-devices compare report merge dump modules kernels
expect 'spv-harness run --device=lavapipe,s' lavapipe,swiftshader
expect 'spv-harness run --val' --validation
expect 'spvreconv --dump-cfg=READ' README.md
expect 'spvreconv READ' README.md
expect 'spvreconv -o READ' README.md
expect 'spvreconv x.spv --dump-open-tree=docs/m' docs/man

# Every value that is offered is accepted.
module=shaders/early-exit/compound_condition.spvasm
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for option in transform order uniformity scope validate lowering target-env; do
  complete_line "spvreconv --$option="
  [ "${#COMPREPLY[@]}" -gt 1 ] || failures=$((failures + 1))
  for value in "${COMPREPLY[@]}"; do
    extra=--stats
    [ "$value" != unstructure ] || value=unstructure:1
    [ $option != lowering ] || extra="--transform=reconverge --dump-wave=$work/wave"
    # shellcheck disable=SC2086 # words on purpose
    "${COMP_WORDS[0]}" --no-validate $extra "--$option=$value" "$module" >"$work/out" 2>&1
    [ $? -ne 2 ] || {
      echo "FAILED: --$option=$value: $(cat "$work/out")"
      failures=$((failures + 1))
    }
  done
done
for option in policy priority; do
  complete_line "spv-emu --$option="
  for value in "${COMPREPLY[@]}"; do
    spv-emu "--$option=$value" shaders/frontier/figure1.amber >"$work/out" 2>&1
    [ $? -ne 2 ] || {
      echo "FAILED: --$option=$value: $(cat "$work/out")"
      failures=$((failures + 1))
    }
  done
done

[ $failures = 0 ] || exit 1
echo ok
