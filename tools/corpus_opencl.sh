#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Structurizes the OpenCL kernels of a Debian package and prints a table, one row a file:
#
#   tools/corpus_opencl.sh [BUILD [PACKAGE]]      (default: build darktable; see `choose`)
#   STEP=1 tools/corpus_opencl.sh BUILD hashcat-data     (all of its files, not every fortieth: an hour)
#
# Fetches the package, compiles its *.cl into BUILD/corpus/PACKAGE/spv, runs spvreconv over them,
# validates with spirv-val --target-env opencl2.0 before and after. Exit 1 if anything failed.
#
# clang-15 writes LLVM IR with typed pointers; llvm-spirv-15 is version 15.0.0 and needs workarounds:
#   - native integer widths in the data layout, or LLVM's optimizer makes switches on i2
#   - no freeze and no vector select with a scalar condition: normalise_ll.awk
#   - repair_spirv.awk: one phi operand for each predecessor, not one for each case of its OpSwitch; variables in the first block
#   - -O1 where -O2 leaves an i4 (a vector of comparisons folded into bits)
#   - it writes blocks before their dominators. spirv-val refuses that ("order" in the table);
#     spvreconv accepts such modules and puts the blocks in order.
set -eu
umask 022

here=$(cd "$(dirname "$0")/.." && pwd)
build=${1:-$here/build}
package=${2:-darktable}
corpus=$build/corpus/$package
spvreconv=$build/bin/spvreconv
env=opencl2.0

# choose: the folder of the package's kernels, their files, which of these are taken (every so many) and left out, and the
# options that the package's program passes to the compiler
choose() {
  left_out='' options='' names='*.cl' step=${STEP:-1} internal=
  case $package in
  darktable) kernels=usr/share/darktable/kernels ;;
  ufo-filters-data)
    # The first two are templates that the program fills in. For the others llvm-spirv writes invalid
    # modules: with an OpVariable, or an instruction after an OpLoopMerge, at a forbidden place.
    kernels=usr/share/ufo
    left_out='median ocl-1liner-skel destrip-sinogram transpose'
    options='-DEDGE=32 -DBOXSIZE=5'
    ;;
  hashcat-data)
    # A file is a kind of hash; it includes the functions of all, so that compiling it takes seconds. What it includes
    # is not used from outside: functions become internal, as a device's own compiler treats them. The options are those
    # for a GPU whose vendor the program does not know.
    kernels=usr/share/hashcat/OpenCL names='m*.cl' step=${STEP:-40} internal=yes
    for feature in ADD ADDC SUB SUBC VADD VADDC VADD_CO VADDC_CO VSUB VSUBB VSUB_CO VSUBB_CO VPERM VADD3 VBFE BFE LOP3 \
      MOV64 PRMT; do
      options="$options -DHAS_$feature=0"
    done
    options="$options -DKERNEL_STATIC -DXM2S(x)=#x -DM2S(x)=XM2S(x) -DINCLUDE_PATH=.
      -DVENDOR_ID=2147483648 -DDEVICE_TYPE=4 -DLOCAL_MEM_TYPE=1 -DVECT_SIZE=1 -DCUDA_ARCH=0 -DDGST_ELEM=4 -DDGST_R0=0
      -DDGST_R1=3 -DDGST_R2=2 -DDGST_R3=1 -DKERN_TYPE=0 -DATTACK_EXEC=11 -DATTACK_KERN=0 -DATTACK_MODE=0
      -DFIXED_LOCAL_SIZE=64"
    ;;
  *)
    echo "corpus: $package: no such package here" >&2
    exit 2
    ;;
  esac
}

fetch() {
  [ -d "$corpus/package" ] && return
  rm -rf "$corpus/package.new"
  mkdir -p "$corpus/package.new"
  (cd "$corpus" && apt-get download "$package")
  dpkg -x "$(find "$corpus" -maxdepth 1 -name "${package}_*.deb" | sort | tail -n 1)" \
    "$corpus/package.new"
  mv "$corpus/package.new" "$corpus/package"
}

# compile FILE NAME: one kernel file to $corpus/spv/NAME.spv; messages to $corpus/log/NAME
compile() {
  ll=$corpus/ll/$2
  # shellcheck disable=SC2086
  clang-15 -target spir64-unknown-unknown -x cl -cl-std=CL1.2 -Xclang -finclude-default-header \
    -Xclang -no-opaque-pointers -w -I"$kernels" $options \
    -O2 -Xclang -disable-llvm-passes -emit-llvm -S -o "$ll.clang.ll" "$1" || return 1
  [ -z "$internal" ] || sed -i 's/^define \(dso_local \)*spir_func/define internal spir_func/' "$ll.clang.ll"
  sed -i 's/^\(target datalayout = ".*\)"$/\1-n8:16:32:64"/' "$ll.clang.ll"
  for level in 2 1; do
    opt-15 -opaque-pointers=0 "-passes=${internal:+globaldce,}default<O$level>" -S -o "$ll.opt.ll" "$ll.clang.ll" &&
      awk -f "$here/tools/normalise_ll.awk" "$ll.opt.ll" >"$ll.ll" &&
      llvm-as-15 -opaque-pointers=0 -o "$ll.bc" "$ll.ll" &&
      llvm-spirv-15 --spirv-max-version=1.0 -o "$ll.spv" "$ll.bc" &&
      spirv-dis --raw-id -o "$ll.dis" "$ll.spv" &&
      awk -f "$here/tools/repair_spirv.awk" "$ll.dis" >"$ll.spvasm" &&
      spirv-as --preserve-numeric-ids --target-env spv1.0 -o "$corpus/spv/$2.spv" "$ll.spvasm" &&
      return
  done
  return 1
}

# validate FILE: prints "yes", "order" (the only error: blocks before their dominators) or "no"
validate() {
  if message=$(spirv-val --target-env "$env" "$1" 2>&1); then
    echo yes
    return
  fi
  case $message in
  *"appears in the binary before its dominator"* | *"has not been defined"*) echo order ;;
  *) echo no ;;
  esac
}

# One line of figures from spvreconv --json: functions, those of several blocks, blocks,
# unstructured functions, irreducible cycles, blocks added.
figures() {
  jq -r '[.functions | length,
      (map(select(.before.blocks > 1)) | length),
      (map(.before.blocks) | add // 0),
      (map(select(.before.structured | not)) | length),
      (map(.before.irreducible_loops) | add // 0),
      (map(.transform.added_blocks) | add // 0)] | @tsv' "$1"
}

choose
mkdir -p "$corpus"
fetch
kernels=$corpus/package/$kernels
mkdir -p "$corpus/ll" "$corpus/spv" "$corpus/out" "$corpus/log"
rm -f "$corpus/spv"/*.spv "$corpus/out"/*

row='%-22s %9s %8s %7s %12s %11s %6s  %-6s %s\n'
# shellcheck disable=SC2059
printf "$row" file functions several blocks unstructured irreducible added before after
files=0 failed=0 functions=0 several=0 blocks=0 unstructured=0 irreducible=0 added=0
taken=0
for source in "$kernels"/$names; do
  name=$(basename "$source" .cl)
  case " $left_out " in
  *" $name "*) continue ;;
  esac
  taken=$((taken + 1))
  [ $((taken % step)) = 0 ] || continue
  files=$((files + 1))
  module=$corpus/spv/$name.spv
  result=$corpus/out/$name.spv
  if ! compile "$source" "$name" >"$corpus/log/$name" 2>&1; then
    failed=$((failed + 1))
    printf '%-22s does not compile, see %s\n' "$name" "$corpus/log/$name"
    continue
  fi
  before=$(validate "$module")
  if ! "$spvreconv" --transform=structurize --target-env="$env" --json "$module" -o "$result" \
    >"$corpus/out/$name.json" 2>"$corpus/log/$name"; then
    failed=$((failed + 1))
    printf '%-22s FAILED: %s\n' "$name" "$(head -n 1 "$corpus/log/$name")"
    continue
  fi
  after=$(validate "$result")
  [ "$after" = yes ] || failed=$((failed + 1))
  line=$(figures "$corpus/out/$name.json")
  # shellcheck disable=SC2086
  set -- $line
  functions=$((functions + $1)) several=$((several + $2)) blocks=$((blocks + $3))
  unstructured=$((unstructured + $4)) irreducible=$((irreducible + $5)) added=$((added + $6))
  # shellcheck disable=SC2059
  printf "$row" "$name" "$@" "$before" "$after"
done
# shellcheck disable=SC2059
printf "$row" "$files files" $functions $several $blocks $unstructured $irreducible $added '' ''
echo "$((files - failed)) passed, $failed failed"
[ "$failed" -eq 0 ]
