#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A case with its shaders in separate files, so that they are compiled once and may be replaced:
# FOLDER/case.amber and FOLDER/NAME.spv.
#
#   bare_case.sh BUILD CASE.amber FOLDER
set -eu

"$1/bin/spv-harness" modules "$2" "$3" >/dev/null
awk '/^SHADER / && $4 != "PASSTHROUGH" { print "SHADER", $2, $3, "SPIRV-BIN FILE", $3 ".spv"; inside = 1; next }
  inside { inside = !/^END/; next }
  { print }' "$2" >"$3/case.amber"
