#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The three forms of struct-copy on the graphs of programs that the papers measured, as CSV: a row for each file of
# graphs/ that holds a whole module (module_NAME.txt), and for each kernel of the others.
#
#   modules.sh BUILD [NAME...] >MODULES.csv
#
# Counts are sums over the functions. `branches`: branch instructions, unconditional ones too, as the papers count.
# `instructions`: of the PTX. `copied`: of these, copied ones. `cut_edges`: edges out of cycles that are cut.
# shellcheck source=tools/experiments/experiment.sh.inc
. "$(dirname "$0")/experiment.sh.inc"
cd "$here"
shift
FORMS='struct-copy struct-copy:strict struct-copy:forward-first'

# figures NAME KIND GRAPH.json...: the rows of one program
figures() {
  name=$1 kind=$2
  shift 2
  for graph; do
    "$bin/spv-graph" "$graph" -o "${graph%.json}.spv" 2>"$work/err" || { cat "$work/err" >&2 && exit 1; }
  done
  head=$(jq -rs '[length, (map(.blocks[] | select(.term == "cbra" or .term == "bra" or .term == "brx")) | length),
    (map(.blocks[].w) | add)] | @csv' "$@")
  for form in $FORMS; do
    for graph; do
      "$bin/spvreconv" --transform="strip-merges,$form:any" --max-growth=100000 --no-validate --json "${graph%.json}.spv" \
        2>/dev/null
    done | jq -rs --arg row "$name,$kind,${form#struct-copy},$head" 'map(.functions[].transform) |
      [$row, (map(.forward_copies) | add), (map(.forward_copy_edges) | add), (map(.backward_copies) | add),
       (map(.cuts) | add), (map(.duplicated_instructions) | add),
       (map(.interacting_out_edges - .forward_copy_edges) | add)] | map(tostring) | join(",")'
  done
}

# wanted NAME NAMES...: is it one of the names, or is there none?
wanted() {
  one=$1
  shift
  [ $# -gt 0 ] || return 0
  for name; do
    [ "$name" != "$one" ] || return 0
  done
  return 1
}

echo "program,kind,form,functions,branches,instructions,forward_copies,copy_edges,backward_copies,cuts,copied,cut_edges"
for file in graphs/*.txt; do
  base=$(basename "$file" .txt)
  mkdir "$work/$base"
  awk -v dir="$work/$base" -f graph_json.awk "$file"
  case $base in
  module_*)
    program=${base#module_}
    ! wanted "$program" "$@" || figures "$program" module "$work/$base"/*.json
    ;;
  *)
    for graph in "$work/$base"/*.json; do
      kernel=$(basename "$graph" .json)
      ! wanted "$kernel" "$@" || figures "$kernel" kernel "$graph"
    done
    ;;
  esac
done
