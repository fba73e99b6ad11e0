#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# How much of the control flow below a folder is unstructured, as in table 1 of Wu et al. (Characterization
# and Transformation of Unstructured Control Flow in Bulk Synchronous GPU Applications): a line for each
# folder, a line for all, and the files that cannot be read with the reason.
#
#   tools/survey.sh BUILD FOLDER [FUNCTIONS.csv]   (the CSV: a row for each function)
#
# The modules are SPIR-V binaries (.spv, or files of any name that begin with SPIR-V's magic number), .spvasm,
# and the shaders of .amber cases. Columns count functions:
#
# unstructured   depends on the graph alone: a loop with several exit targets, a cycle with several entries, or
#                code that branches share without nesting; that is, without merge instructions structurize
#                needs a selector or a dispatch
# undeclared     not structured by the rules of SPIR-V as written, merge instructions included (kernels
#                have none)
# irreducible    with a cycle of several entries
# multi-exit     with a cycle that several edges leave
# divergent      with a branch at which lanes of a subgroup may diverge
# structured     divergent functions that are not unstructured
set -eu

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

bad() {
  printf '%s: %s\n' "$1" "$(head -n 1 "$work/err" | sed 's/^[a-z-]*: //')" >>"$work/bad"
}

json_text() {
  printf '"%s"\n' "$(printf %s "$1" | sed 's/[\\"]/\\&/g')"
}

# module FILE SOURCE: one object of JSON, with the file it is from and that file's folder
module() {
  if "$build/bin/spvreconv" --transform=strip-merges,structurize --no-validate --json "$1" \
    >"$work/one" 2>"$work/err"; then
    {
      json_text "$2"
      json_text "$(dirname "$2")"
      cat "$work/one"
    } >>"$work/json"
  else
    bad "$2"
  fi
}

case_of() {
  rm -rf "$work/modules"
  if "$build/bin/spv-harness" modules "$1" "$work/modules" >/dev/null 2>"$work/err"; then
    for shader in "$work"/modules/*.spv; do
      [ ! -e "$shader" ] || module "$shader" "$1"
    done
  else
    bad "$1"
  fi
}

: >"$work/json"
: >"$work/bad"
each_module "$folder" "$work/files" module case_of

echo "folder,file,function,unstructured,undeclared,irreducible,multi_exit,divergent" >"$work/functions"
jq -rn -f "$here/survey.jq" "$work/json" >>"$work/functions"
[ -z "$table" ] || cp "$work/functions" "$table"
awk -f "$here/csv.awk" -f "$here/survey.awk" "$work/functions"
if [ -s "$work/bad" ]; then
  echo
  echo "$(wc -l <"$work/bad") that cannot be read:"
  sed 's/^/  /' "$work/bad"
fi
