#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# How often each block of one program runs under pdom, as written and after struct-copy, as CSV. Blocks keep
# their ids; copies and blocks that Cut adds have new ones. Blocks of one id in several shaders are added up.
#
#   blocks.sh BUILD CASE.amber NAME >BLOCKS.csv
set -eu

emu=$1/bin/spv-emu case=$2 name=$3

rows() {
  # A program that the transform refuses has no rows.
  { "$emu" --json --policy=pdom --transform="$2" "$case" 2>/dev/null || true; } |
    jq -r --arg name "$name" --arg form "$1" '[.results[0].blocks[]] | group_by(.block)[] |
      [$name, $form, .[0].block, (map(.executions) | add), (map(.lanes) | add)] | @csv'
}

echo "program,form,block,executions,lanes"
rows written none
rows copied strip-merges,struct-copy:any
