#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Checks the modules and shaders below a folder; see action.yml, whose step runs this.
# Usage: check.sh PATH spirv|portable error|note|off SARIF
# Exit code 1: a module violates the rules, or there is a finding that is an error.
set -euo pipefail
path=$1 rules=$2 lint=$3 sarif=$4

fail() {
  echo "spvreconv-check: $*" >&2
  exit 2
}

command -v spvreconv >/dev/null || fail "spvreconv is not in PATH: install it in an earlier step"
case $rules in
spirv) explain=--explain ;;
portable) explain=--explain=portable ;;
*) fail "rules is spirv or portable, not '$rules'" ;;
esac
case $lint in
error) findings=--lint=error ;;
note) findings=--lint ;;
off) findings= ;;
*) fail "lint is error, note or off, not '$lint'" ;;
esac

# Modules below the folder, which --explain finds itself, and its shaders, which have to be named
inputs=()
if [ -n "$(find "$path" -type f \( -name '*.spv' -o -name '*.spvasm' \) -print -quit)" ]; then
  inputs+=("$path")
fi
while IFS= read -r -d '' shader; do
  inputs+=("$shader")
done < <(find "$path" -type f \( -name '*.vert' -o -name '*.frag' -o -name '*.comp' -o -name '*.geom' -o -name '*.tesc' \
  -o -name '*.tese' -o -name '*.mesh' -o -name '*.task' -o -name '*.rgen' \) -print0 | sort -z)
[ ${#inputs[@]} -gt 0 ] || fail "neither a module nor a shader is below '$path'"

status=0
spvreconv "$explain" "${inputs[@]}" || status=1
if [ -n "$findings" ]; then
  spvreconv "$findings" ${sarif:+"--sarif=$sarif"} "$path" || status=1
fi
exit "$status"
