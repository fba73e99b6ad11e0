#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Sources and targets of modules: binary, text, standard input and output; no partial output.
# shellcheck source=tests/cli/common.sh.inc
. "$(dirname "$0")/common.sh.inc"

# Binary, text and back keep every word but the header's generator; unchanged modules keep all.
run 0 cycle.spvasm -o cycle.spv
run 0 cycle.spv -o again.spv && same cycle.spv again.spv
run 0 cycle.spv -o again.spvasm
run 0 again.spvasm -o again.spv && same cycle.spv again.spv
run 0 again.spvasm -o twice.spvasm && same again.spvasm twice.spvasm
grep -q '^; Version: 1.3$' again.spvasm || fail "the version is lost"
grep -q '%13 = OpLabel' again.spvasm || fail "ids are not kept"

run 0 cycle.spvasm --transform=none -o input.spv
run 0 - -o - <input.spv && same out cycle.spv
run 0 - -o - <cycle.spvasm && same out cycle.spv
printf '%b' "$(od -An -v -to1 -w4 cycle.spv |
  awk '{ printf "\\0%s\\0%s\\0%s\\0%s", $4, $3, $2, $1 }')" >big.spv
run 0 big.spv -o bigger.spv && same big.spv bigger.spv

run 0 cycle.spvasm --strip-debug -o stripped.spvasm
grep -q OpName stripped.spvasm && fail "a name is left"

# Permissions, links and devices.
run 0 input.spv -o mode.spv
chmod 600 mode.spv
run 0 input.spv -o mode.spv
[ "$(stat -c %a mode.spv)" = 600 ] || fail "permissions are not kept"
ln -s mode.spv link.spv
run 0 cycle.spv -o link.spv
[ -L link.spv ] || fail "a link is replaced"
same mode.spv cycle.spv
mkdir -p folder
ln -s ../target.spv folder/dangling.spv
run 0 cycle.spv -o folder/dangling.spv
[ -L folder/dangling.spv ] || fail "a dangling link is replaced"
same target.spv cycle.spv
ln -s loop.spv loop.spv
run 1 cycle.spv -o loop.spv && says "loop.spv: Too many levels of symbolic links"
for report in --stats --json --print-uniformity --help --version; do
  [ "$report" = --help ] || [ "$report" = --version ] || set -- cycle.spv
  code=0
  "$SPVRECONV" "$@" $report >/dev/full 2>err || code=$?
  [ $code = 1 ] || fail "$report: exit $code where the disk is full"
  says "cannot write to standard output"
  set --
done
run 0 cycle.spv -o /dev/null
[ -c /dev/null ] || fail "/dev/null is replaced"
run 0 input.spv -o input.spv && same input.spv cycle.spv

# On errors an existing output is unchanged, and no temporary file is left.
cp cycle.spv keep.spv
run 1 cycle.spv --target-env=opencl2.0 -o keep.spv && same keep.spv cycle.spv
run 1 cycle.spv -o missing/x.spv && says "missing/x.spv: No such file or directory"
for left in ./*.??????; do
  case $left in
  *.spvasm | './*.??????') ;;
  *) fail "a temporary file is left: $left" ;;
  esac
done
finish
