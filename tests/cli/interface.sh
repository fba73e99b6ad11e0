#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A kernel that uses more variables than the interface of an entry point has room for.
# shellcheck source=tests/cli/common.sh.inc
. "$(dirname "$0")/common.sh.inc"

# kernel COUNT: a kernel that stores to COUNT variables, none of which its interface lists
kernel() {
  awk -v count="$1" 'BEGIN {
    print "; SPIR-V\n; Version: 1.4\nOpCapability Kernel\nOpCapability Addresses\nOpCapability Linkage"
    print "OpMemoryModel Physical64 OpenCL\nOpEntryPoint Kernel %main \"main\""
    print "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%uint = OpTypeInt 32 0\n%c = OpConstant %uint 7"
    print "%to = OpTypePointer Workgroup %uint"
    for (i = 0; i < count; i++) print "%v" i " = OpVariable %to Workgroup"
    print "%main = OpFunction %void None %fn\n%entry = OpLabel"
    for (i = 0; i < count; i++) print "OpStore %v" i " %c"
    print "OpReturn\nOpFunctionEnd"
  }'
}

kernel 65530 >fits.spvasm
run 0 fits.spvasm --target-env=spv1.4 --transform=structurize --no-validate -o fits.spv
[ ! -s err ] || fail "a message: $(head -n 1 err)"
kernel 65531 >over.spvasm
run 0 over.spvasm --target-env=spv1.4 --transform=structurize --no-validate -o over.spv
says "entry point 'main': its interface stays incomplete: it lacks 65531 variables, and has no room for them"
run 0 over.spvasm --transform=none --no-validate -o none.spv
cmp none.spv over.spv || fail "over.spv is not what over.spvasm says"
finish
