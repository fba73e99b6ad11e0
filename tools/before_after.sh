#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# One drawing of a module's control-flow graph before and after spvreconv, side by side: the graphs of
# --dump-cfg in one file for Graphviz. The picture in README.md:
#
#   tools/before_after.sh build shaders/irreducible/two_entries.spvasm docs/before-after.svg
#
# Usage: before_after.sh BUILD FILE.spvasm OUT.svg
set -eu
build=$1 file=$2 out=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
spirv-as --preserve-numeric-ids "$file" -o "$work/in.spv"
"$build/bin/spvreconv" --transform=none --no-validate --dump-cfg="$work/before.dot" "$work/in.spv"
"$build/bin/spvreconv" --dump-cfg="$work/after.dot" "$work/in.spv" -o "$work/out.spv"
# function_of SIDE TITLE: the cluster of the function, with SIDE before each name of a block or cluster
function_of() {
  sed -n '/^  subgraph cluster_1 {/,/^}/p' "$work/$1.dot" | sed -e '$d' \
    -e "s/^\\( *subgraph cluster\\)_/\\1_$1_/" -e "s/^\\( *\\)b\\([0-9]\\)/\\1$1_b\\2/" \
    -e "s/^\\( *[^ ]* -> \\)b/\\1$1_b/" -e "s|<b>main</b>|<b>$2</b>|"
}
{
  sed '/^  subgraph cluster_1 {/,$d' "$work/before.dot" |
    sed 's/digraph spvreconv {/digraph before_after {\n  newrank=true;/'
  function_of before 'before: refused by spirv-val'
  function_of after 'after spvreconv: structured and valid'
  echo '}'
} >"$work/both.dot"
dot -Tsvg "$work/both.dot" -o "$out"
