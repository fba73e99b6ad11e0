#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# reconverge from the command line: what may be written, --order, --dump-open-tree.
HERE=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/cli/common.sh.inc
. "$(dirname "$0")/common.sh.inc"

# A shader without structure is written only on demand.
run 1 cycle.spvasm --transform=reconverge --uniformity=divergent -o out.spv
says "end --transform with ',structurize', or use --no-validate"
absent out.spv
run 0 cycle.spvasm --transform=reconverge --uniformity=divergent --no-validate -o out.spv
run 0 cycle.spvasm --transform=reconverge,structurize --uniformity=divergent -o out.spv

# A report without output is fine: a structurized copy is validated.
run 0 cycle.spvasm --transform=reconverge --uniformity=divergent --json --time-passes
prints '"reconverging": true' && prints '"flow_blocks":'
grep -q '^validate .*%$' err || fail "no validation"

# Orders.
for order in df dfpd bf bfpd rpo domreg lrpo ocelot best @14,13; do
  run 0 cycle.spvasm --transform=reconverge --uniformity=divergent --order=$order --json
  prints '"order": ['
done
run 0 cycle.spvasm --transform=reconverge --uniformity=divergent --order=best --stats=all
says "the best order is" && prints "best order"
run 1 cycle.spvasm --transform=reconverge --order=@99 --stats
says "the order names '99', which is not a block of it"

# A barrier that the order puts before one of the paths to it: lrpo replaces the order, but not a list.
awk '/^SHADER/ { inside = 1; next } /^END/ { inside = 0 } inside' \
  "$HERE/../../shaders/barrier/exception.amber" >barrier.spvasm
run 0 barrier.spvasm --transform=reconverge --order=dfpd --no-validate -o dfpd.spv
says "reach a barrier while others wait on their way to it: reconverge uses lrpo"
run 0 barrier.spvasm --transform=reconverge --order=lrpo --no-validate -o lrpo.spv
[ ! -s err ] || fail "lrpo is not taken as it is: $(cat err)"
cmp -s dfpd.spv lrpo.spv || fail "dfpd with a barrier is not lrpo"

# Drawings: a folder is created, with one file for each step.
run 0 cycle.spvasm --transform=reconverge --uniformity=divergent --dump-open-tree=steps
head -c 5 steps/*-0001.svg | grep -q '<?xml' || fail "no SVG"
[ "$(find steps -name '*.svg' | wc -l)" -gt 4 ] || fail "not a drawing for each step"
PATH_WITH_DOT=$PATH
# shellcheck disable=SC2123 # tests a path without Graphviz
PATH=/nonexistent
run 0 cycle.spvasm --transform=reconverge --uniformity=divergent --dump-open-tree=texts
PATH=$PATH_WITH_DOT
says "Graphviz is not installed"
grep -q 'style=dotted' texts/*-0001.dot || fail "no open edges are drawn"
echo taken >file
run 2 cycle.spvasm --transform=reconverge --dump-open-tree=- && says "--dump-open-tree expects a folder, not '-'"
run 1 cycle.spvasm --transform=reconverge --uniformity=divergent --dump-open-tree=file
says "file"
finish
