#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs the findings of differential testing again: every policy and device must agree with the
# EXPECTs of the case, untransformed and transformed.
#
#   tests/diff/regressions.sh BUILD
#
# A line "# Cause: …" in each case names the error.
set -u
BUILD=$1
# shellcheck source=tests/diff/common.sh.inc
. tests/diff/common.sh.inc
folder=tests/regressions/differential
if [ ! -d $folder ]; then
  echo "skipped: differential testing has found nothing yet ($folder)"
  exit 77
fi
grep -L '^# Cause: ' $folder/*.amber | grep . && echo "the cause is missing" && exit 1
"$BIN/expect_emu" $folder/*.amber | grep -v ': ok$' && exit 1
judge $folder >"${TMPDIR:-/tmp}/said.$$"
grep -Ev '	(agree|refused)	' "${TMPDIR:-/tmp}/said.$$"
wrong=$?
rm "${TMPDIR:-/tmp}/said.$$"
[ "$wrong" = 1 ] && echo ok
