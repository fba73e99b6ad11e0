#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The limits of memory and processor time end the tools with a line that names the input, and leave no output.
# shellcheck source=tests/cli/common.sh.inc
. "$(dirname "$0")/common.sh.inc"

# A check of billions of walks takes minutes.
run 1 --max-time=1 --check=4000000000 cycle.spvasm -o no.spv
says "spvreconv: cycle.spvasm: out of time: more than 1 s would be needed (--max-time)"
[ ! -s out ] || fail "the output has begun: $(cat out)"
absent no.spv

head -c 60000000 /dev/zero >zeros.spv
if grep -q __asan_init "$SPVRECONV"; then
  echo "skipped --max-memory: it is not in force under AddressSanitizer"
else
  run 1 --max-memory=16 zeros.spv -o no.spv
  says "spvreconv: zeros.spv: out of memory: more than 16 MiB would be needed (--max-memory)"
  run 1 --max-memory=16 - -o no.spv <zeros.spv
  says "spvreconv: standard input: out of memory: more than 16 MiB would be needed (--max-memory)"
  absent no.spv
fi
run 1 --max-memory=1000 zeros.spv -o no.spv
grep -q "out of memory" err && fail "60 MB do not fit into 1000 MiB: $(cat err)"
finish
