#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Prints the transforms of passes/driver/pass.def as tests run them, a line for each word in a row's column `tests`:
#
#   NAME ALONE STRUCTURED MODULES
#
# ALONE: the transform and its argument. STRUCTURED: with structurize before it if it keeps structure, and after it if it
# may leave some out. MODULES: options for the random modules on which it is tested by itself; "-": it is not.
# tests/equiv/pass_lists.c gives C programs the same lists.
set -eu
cd "$(dirname "$0")/.."
awk '
  /^SR_PASS\(/ { row = "" }
  { row = row $0 }
  /\)$/ && row ~ /^SR_PASS\(/ {
    split(row, text, "\"")
    name = text[2]
    count = split(text[6], tests, " ")
    modules = text[7] ~ /NULL/ ? "-" : text[8]
    sub(/.*"/, "", row)
    split(row, field, ",")
    makes = field[6]
    keeps = field[7]
    for (i = 1; i <= count; i++) {
      alone = name (tests[i] == "-" ? "" : ":" tests[i])
      list = alone
      if (keeps ~ /STRUCTURED/)
        list = "structurize," alone
      else if (makes ~ /LOOSE/)
        list = alone ",structurize"
      print name, alone, list, modules
    }
    row = ""
  }' passes/driver/pass.def
