#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The graphs of Wahlster's figures in the orders that he gives: flow blocks, and uniform branches that were rerouted, as CSV.
#
#   flow_blocks.sh BUILD PUBLISHED.csv >FLOW_BLOCKS.csv
set -eu

build=$1
cd "$(dirname "$0")/../.."
echo "graph,figure,blocks,rerouted_uniform,flow_blocks,virtual_blocks"
sed 1d "$2" | while IFS=, read -r graph figure blocks _; do
  source=tests/golden/reconverge/$graph.spvasm
  [ -e "$source" ] || source=tests/golden/reconverge/${graph}_rpo.spvasm
  case $blocks in
  *" "*) order=@Start,$(echo "$blocks" | tr ' ' ,) ;;
  *) order=$blocks ;; # by name
  esac
  # A function that is reconverging already is changed only in orders df and bf and in one given as a list.
  [ "$figure" != 4.10a ] || order=dfpd
  count=$("$build/bin/spvreconv" --transform=reconverge --order="$order" --no-validate --json "$source" |
    jq -r '[.functions[].transform | .rerouted_uniform_branches, .flow_blocks, .virtual_blocks] | join(",")')
  echo "$graph,$figure,$blocks,$count"
done
