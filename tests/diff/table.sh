#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Writes the table of differential tests in docs/testing.md, from tests/diff/log.csv: a row for each kind of programs, and
# one for all.
#
#   tests/diff/table.sh
set -eu
cd "$(dirname "$0")/../.."
awk -F, '
  function row(name, k, i) {
    printf "| %s |", name
    for (i = 4; i <= 8; i++) printf " %d |", sum[k, i]
    printf " %d | %d |\n", sum[k, 10], sum[k, 9]
  }
  BEGIN { print "| Kind | Programs | Runs on devices | All agree | Ours differ | A driver differs | of these known | Refused |"
          print "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |" }
  NR > 1 {
    kind = $3 ~ /^fragment/ ? "fragment" : $3 ~ /^kernel/ ? "kernel" : "compute"
    for (i = 4; i <= 10; i++) { sum[kind, i] += $i; sum["all", i] += $i }
  }
  END {
    row("compute: GLSL and raw SPIR-V", "compute")
    row("fragment shaders", "fragment")
    row("OpenCL kernels", "kernel")
    row("all", "all")
  }' tests/diff/log.csv | tools/insert_table.sh differential
