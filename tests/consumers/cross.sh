#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# SPIRV-Cross as a reader of modules: writes each one as GLSL and HLSL, which glslang compiles again, and as MSL.
#
#   tests/consumers/cross.sh OUT MODULE.spv...
#
# A line of CSV for each module and language, as of naga.mjs: NAME,cross-LANGUAGE,taken, or
# NAME,cross-LANGUAGE,refused,CAUSE. NAME ends in .comp or .frag. The text is in OUT/cross-LANGUAGE/NAME.LANGUAGE,
# the module that glslang compiles from it in NAME.spv.
set -u
out=$1
shift
mkdir -p "$out/cross-glsl" "$out/cross-hlsl" "$out/cross-msl"
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# step COMMAND...: runs it; if it fails, its first line about an error becomes the cause
step() {
  "$@" >"$log" 2>&1 && return
  cause=$(grep -m 1 -i error "$log" | sed "s|ERROR: [^ ]*:[0-9]*: ||")
  return 1
}

# to_LANGUAGE MODULE TEXT STAGE
to_glsl() {
  step spirv-cross --vulkan-semantics --version 460 --no-es "$1" --output "$2" &&
    step glslangValidator -V --target-env vulkan1.3 -S "$3" "$2" -o "${2%.glsl}.spv"
}

to_hlsl() {
  step spirv-cross --hlsl --shader-model 60 "$1" --output "$2" &&
    step glslangValidator -D -V --target-env vulkan1.1 -S "$3" -e main "$2" -o "${2%.hlsl}.spv"
}

to_msl() {
  step spirv-cross --msl --msl-version 30000 "$1" --output "$2"
}

for module; do
  name=$(basename "$module" .spv)
  for language in glsl hlsl msl; do
    if "to_$language" "$module" "$out/cross-$language/$name.$language" "${name##*.}"; then
      echo "$name,cross-$language,taken,"
    else
      echo "$name,cross-$language,refused,\"$(echo "$cause" | tr '"' "'")\""
    fi
  done
done
