#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Prints the table of docs/opencl-math.md that says what kernel-to-shader makes of each instruction of OpenCL.std, from the
# table that the transform reads, kernel_extended.def.
#
#   tools/opencl_functions.sh | tools/insert_table.sh functions docs/opencl-math.md
set -eu
cd "$(dirname "$0")/.."
sed -n 's/^SR_\([A-Z_]*\)(\([A-Za-z0-9_]*\)[, ]*\(.*\))$/\1 \2 \3/p' passes/transform/kernel/kernel_extended.def | tr -d , | awk '
  function add(kind, text) { list[kind] = list[kind] (list[kind] == "" ? "" : ", ") text }
  $1 == "GLSL" || $1 == "OP" { add($1, $2 == $3 ? "`" $2 "`" : "`" $2 "` by `" $3 "`") }
  $1 == "CODE" || $1 == "MISSING" || $1 == "PRECISE" || $1 == "PRECISE_CODE" { add($1, "`" $2 "`") }
  $1 == "CODE_GLSL" || $1 == "PRECISE_GLSL" || $1 == "PRECISE_OP" { add($1, $2 == $4 ? "`" $2 "`" : "`" $2 "` by `" $4 "`") }
  END {
    print "| How | Instructions of OpenCL.std |"
    print "| --- | --- |"
    print "| an instruction of GLSL.std.450 | " list["GLSL"] " |"
    print "| an instruction of SPIR-V | " list["OP"] " |"
    print "| instructions of both, from identities | " list["CODE"] " |"
    print "| own code; `native`: an instruction of GLSL.std.450 | " list["CODE_GLSL"] ", " list["PRECISE_GLSL"] " |"
    print "| own code; `native`: an instruction of SPIR-V | " list["PRECISE_OP"] " |"
    print "| own code; `native`: from instructions of GLSL.std.450 | " list["PRECISE_CODE"] " |"
    print "| own code always | " list["PRECISE"] " |"
    print "| refused | " list["MISSING"] " |"
  }'
