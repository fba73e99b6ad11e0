#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Modules that SPIR-V allows and Vulkan does not: they are written, with a notice that names the
# rule.
# shellcheck source=tests/cli/common.sh.inc
. "$(dirname "$0")/common.sh.inc"

rule='valid as SPIR-V 1.3, but not as SPIR-V 1.3 (under Vulkan 1.1 semantics), spirv-val says: Capability AtomicStorage'

# apart: drops the line about the repair of the control flow from standard error
apart() {
  sed -i '/: repaired: /d' err
}

# with FILE: FILE with the capability AtomicStorage
with() {
  sed 's/^OpCapability Shader/&\nOpCapability AtomicStorage/' "$1"
}

with straight.spvasm >unchanged.spvasm
run 0 unchanged.spvasm -o unchanged.spv
says "$rule"
with cycle.spvasm >changed.spvasm
for list in structurize strip-merges,structurize guard reconverge,structurize; do
  run 0 changed.spvasm --transform="$list" -o changed.spv
  apart
  says "$rule"
  spirv-val --target-env spv1.3 changed.spv || fail "$list: not valid"
done

# a given environment, and --validate=full, make no exception
run 1 changed.spvasm --target-env=vulkan1.1 -o no.spv
says "AtomicStorage"
absent no.spv
run 1 changed.spvasm --validate=full -o no.spv
absent no.spv
run 0 changed.spvasm --target-env=spv1.3 -o changed.spv
apart
[ ! -s err ] || fail "a message: $(cat err)"
finish
