#!/bin/sh
# Says whether a module, in the frame of a case, still differs as WANTED says (a class of judge.jq, or
# `policies`: the emulator's own disagree); for spirv-reduce. Prints the class. Without WANTED: 0.
#
#   BUILD=… DEVICES=… VARIANTS=… WANTED=… UNDEFINED=… tests/diff/interesting.sh FRAME.amber MODULE.spv
set -u
# shellcheck source=tests/diff/common.sh.inc
. tests/diff/common.sh.inc
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp "$1" "$folder/case.amber"
cp "$2" "$folder/work.spv"
# A value that is not defined may differ anywhere.
[ "$(spirv-dis "$2" | grep -c OpUndef)" -le "${UNDEFINED:-1000000}" ] || exit 1
line=$("$BIN/expect_emu" "$folder/case.amber")
case $line in
*': ok') line=$(judge "$folder" | grep -v "	refused	" | head -n 1) ;;
*': differs: '*) line="case	policies	${line#*: differs: }	0" ;;
*) line="case	refused	$line	0" ;;
esac
printf '%s\n' "$line"
[ -z "${WANTED:-}" ] || [ "$(printf '%s\n' "$line" | cut -f 2)" = "$WANTED" ]
