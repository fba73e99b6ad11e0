#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Options, exit codes and the one-line messages.
# shellcheck source=tests/cli/common.sh.inc
. "$(dirname "$0")/common.sh.inc"

run 0 --version && prints "spvreconv "
run 0 --help && prints "strip-merges" && prints "Example:"
run 0 --version && prints "Apache-2.0"
run 0 -h && prints "strip-merges"
run 2 </dev/null && says "nothing to do"
run 2 --sparkle straight.spvasm -o x.spv && says "unknown option '--sparkle'; see --help"
run 2 --order && says "option '--order' needs a value; see --help"
run 2 --json=1 && says "option '--json' takes no value; see --help"
run 2 --stats=1 && says "--stats expects nothing, 'all', or a file with a dot or a slash in its name, not '1'; see --help"
run 2 -x && says "unknown option '-x'; see --help"
run 2 cycle.spvasm -o x.dot --dump-cfg=x.dot && says "name the same file"
run 2 straight.spvasm && says "nothing to do"
run 2 straight.spvasm --transform=none,polish -o x.spv
says "unknown transform 'polish'; there are: none, auto, strip-merges, structurize, "
run 2 straight.spvasm --transform=none:1 -o x.spv && says "transform none takes no argument"
run 2 straight.spvasm --transform=unstructure -o x.spv && says "needs a seed, as unstructure:1"
run 2 straight.spvasm --transform=unstructure:x -o x.spv && says "'x' is not a seed"
run 2 straight.spvasm --target-env=vulkan9 -o x.spv && says "vulkan9"
run 2 straight.spvasm --order=chaos -o x.spv && says "unknown order 'chaos'"
run 2 straight.spvasm --uniformity=maybe -o x.spv && says "unknown uniformity 'maybe'"
run 2 straight.spvasm --scope=planet -o x.spv && says "unknown scope 'planet'"
run 2 straight.spvasm --validate=often -o x.spv && says "often"
run 2 straight.spvasm --max-growth=-5 -o x.spv && says "--max-growth"
run 2 straight.spvasm --max-blocks=0 -o x.spv && says "--max-blocks expects a number, 1 or more"
run 2 straight.spvasm --max-nesting=x -o x.spv && says "--max-nesting expects a number, 1 or more"
run 2 straight.spvasm --max-memory=1 -o x.spv && says "--max-memory expects a number of MiB, 16 or more"
run 2 straight.spvasm --max-time=0 -o x.spv && says "--max-time expects a number of seconds, 1 or more"
run 2 straight.spvasm -o x.spv --lowering=needed-skips && says "--lowering is about --dump-wave"
run 2 straight.spvasm --dump-wave=x.wave --lowering=hopes && says "unknown lowering 'hopes'"
run 2 straight.spvasm -o x.spv --dump-wave=x.spv && says "name the same file"
run 2 straight.spvasm --stats --dump-wave=- && says "both the listing and a report"
run 2 straight.spvasm --dump-cfg=picture.gif && says "picture.gif"
run 2 straight.spvasm --stats --json && says "--json"
run 2 straight.spvasm --json -o - && says "standard output cannot take both the module and a report; name a file: --stats=FILE.json has the same figures"
run 2 straight.spvasm --print-uniformity -o - && says "standard output cannot take both the module and a report; name a file"
run 2 straight.spvasm --stats=al && says "--stats expects nothing, 'all', or a file with a dot or a slash in its name, not 'al'"
run 2 straight.spvasm --stats=x.txt -o x.txt && says "--stats and another option name the same file; each needs its own"
run 2 straight.spvasm --explain -o x.spv && says "--explain"
absent x.spv

run 1 missing.spv -o x.spv && says "spvreconv: missing.spv: No such file or directory"
: >empty.spv
run 1 empty.spv -o x.spv && says "empty.spv: not a SPIR-V module: the file is empty"
printf '\003\002\043\007\000\000' >cut.spv
run 1 cut.spv -o x.spv && says "6 bytes"
printf 'ab\000cd' >noise.spv
run 1 noise.spv -o x.spv && says "neither binary nor"
echo OpNonsense >bad.spvasm
run 1 bad.spvasm -o x.spv && says "bad.spvasm: line 1, column 1:"
run 1 cycle.spvasm --transform=none --validate=full -o x.spv
says "cycle.spvasm: function main, block %13: the input is not valid, spirv-val says:"
for transform in strip-merges unstructure:1 reconverge; do
  run 1 cycle.spvasm --uniformity=divergent --transform=$transform -o x.spv
  says "end --transform with ',structurize', or use --no-validate"
done
run 1 cycle.spvasm --explain && says "not structured: 1 violation" && prints "function main, construct of %1"
run 0 straight.spvasm --explain
[ ! -s out ] || fail "a structured module is explained"
absent x.spv
finish
