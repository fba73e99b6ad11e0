#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# How much of the control flow below a folder is unstructured, as in table 1 of Wu et al. (Characterization
# and Transformation of Unstructured Control Flow in Bulk Synchronous GPU Applications): a line for each
# folder, a line for all, then each module that is refused and why, and the files that were left out and why.
#
#   tools/survey.sh [--markdown] [--depth=N] BUILD FOLDER [FUNCTIONS.csv]
#
# The modules are SPIR-V binaries (.spv, or files of any name that begin with SPIR-V's magic number), .spvasm,
# the shaders of .amber cases, and modules inside programs and libraries (carve_spirv.c). Links are followed;
# a module that appears again counts once. The CSV has a row for each function. --depth=N: a line for each
# folder N levels below FOLDER, with all below it, named from FOLDER on. --markdown: for docs/survey.md, with
# shares of the functions that branch.
#
# Columns count modules (the first four) and functions:
#
# modules        that are read and transformed
# invalid        refused, and SPIRV-Tools' validator refuses them too
# ours           refused although the validator accepts them: a bug of spvreconv
# functions      in the modules that are read
# left alone     functions with an unknown instruction, which no transform changes; not among those above
# branching      with a conditional branch or a switch; the rest is about these
# unstructured   depends on the graph alone: a loop with several exit targets, a cycle with several entries, or
#                code that branches share without nesting; that is, without merge instructions structurize
#                needs a selector, a dispatch, or a switch that falls through in place of a branch
# undeclared     not structured by the rules of SPIR-V as written, merge instructions included (kernels
#                have none)
# irreducible    with a cycle of several entries
# multi-exit     with a cycle that several edges leave
# divergent      with a branch at which lanes of a subgroup may diverge
# structured     divergent functions that are not unstructured
set -eu

markdown=0 depth=0
while :; do
  case ${1:-} in
  --markdown) markdown=1 ;;
  --depth=[1-9]) depth=${1#--depth=} ;;
  *) break ;;
  esac
  shift
done
build=$1 folder=${2%/} table=${3:-}
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tools/modules.sh.inc
. "$here/modules.sh.inc"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ -d "$folder" ] || {
  echo "survey: $folder: no such folder" >&2
  exit 1
}

# json_text TEXT
json_text() {
  printf '"%s"\n' "$(printf %s "$1" | sed 's/[\\"]/\\&/g')"
}

# group NAME: the folder that a module is counted under
group() {
  if [ "$depth" = 0 ]; then
    dirname "$1"
  else
    printf '%s\n' "${1#"$folder"/}" | cut -d / -f "1-$depth"
  fi
}

left_out() {
  printf '%s\t%s\n' "$2" "$1" >>"$work/left_out"
}

# is_new FILE NAME: false for a copy of a module that was here
is_new() {
  copy=$work/seen/$(md5sum <"$1" | cut -d ' ' -f 1)
  if [ -e "$copy" ]; then
    left_out "$2" "a copy of another module"
    return 1
  fi
  : >"$copy"
}

# is_valid FILE: does the validator accept it in some environment?
is_valid() {
  for env in vulkan1.3 opencl2.2 spv1.6; do
    ! spirv-val --target-env "$env" "$1" >/dev/null 2>&1 || return 0
  done
  return 1
}

# row CLASS NAME MESSAGE: one of CSV
row() {
  printf '%s\n%s\n%s\n%s\n' "$1" "$(group "$2")" "$2" "$3" |
    sed 's/"/""/g; s/.*/"&"/' | paste -s -d , - >>"$work/modules.csv"
}

# message FILE LINE: without the tool's name and that of the file
message() {
  text=${2#spvreconv: }
  text=${text#spv-harness: }
  text=${text#"$1: "}
  printf '%s\n' "${text#note: }"
}

# left_alone FILE NAME: a row for each function that a note says was left alone
left_alone() {
  grep 'left as it is' "$work/err" | while IFS= read -r note; do
    row alone "$2" "$(message "$1" "$note")"
  done
}

# module FILE NAME: three values of JSON: its name, its group, what spvreconv says. In portable structure it would add switches
# to functions that need none.
module() {
  is_new "$1" "$2" || return 0
  if "$build/bin/spvreconv" --structure=any --transform=strip-merges,structurize --no-validate --json "$1" \
    >"$work/one" 2>"$work/err"; then
    {
      json_text "$2"
      json_text "$(group "$2")"
      cat "$work/one"
    } >>"$work/json"
    row read "$2" ""
    left_alone "$1" "$2"
  elif is_valid "$1"; then
    row ours "$2" "$(message "$1" "$(head -n 1 "$work/err")")"
  else
    row invalid "$2" "$(message "$1" "$(head -n 1 "$work/err")")"
  fi
}

case_of() {
  rm -rf "$work/modules"
  if ! "$build/bin/spv-harness" modules "$1" "$work/modules" >/dev/null 2>"$work/err"; then
    row invalid "$1" "$(message "$1" "$(head -n 1 "$work/err")")"
    return
  fi
  none=yes
  for shader in "$work"/modules/*.spv; do
    [ -e "$shader" ] || continue
    none=no
    module "$shader" "$1"
  done
  [ $none = no ] || left_out "$1" "a case without shaders"
}

mkdir "$work/seen"
: >"$work/json"
: >"$work/left_out"
echo "class,folder,file,message" >"$work/modules.csv"
each_module "$folder" "$work/parts" module case_of left_out

echo "folder,file,function,unstructured,undeclared,irreducible,multi_exit,divergent,branching,unfolded" >"$work/functions"
jq -rn -f "$here/survey.jq" "$work/json" >>"$work/functions"
[ -z "$table" ] || cp "$work/functions" "$table"
awk -v markdown="$markdown" -f "$here/csv.awk" -f "$here/survey.awk" "$work/functions" "$work/modules.csv"

# Left out: how many for each reason, and the first five files.
[ "$markdown" = 0 ] && [ -s "$work/left_out" ] || exit 0
echo
echo "$(wc -l <"$work/left_out") files left out:"
LC_ALL=C sort "$work/left_out" | awk -F '\t' '
  !($1 in count) { order[++reasons] = $1 }
  ++count[$1] <= 5 { names[$1] = names[$1] "    " $2 "\n" }
  END {
    for (i = 1; i <= reasons; i++) {
      printf "  %s: %d\n%s", order[i], count[order[i]], names[order[i]]
      if (count[order[i]] > 5) printf "    and %d more\n", count[order[i]] - 5
    }
  }'
