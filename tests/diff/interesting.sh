#!/bin/sh
# Says whether a module, in the frame of a case, still differs as WANTED says: a class of judge.jq, or
# `policies` (the emulator's own disagree); behind it the outcome of the first run that differs, so
# that a wrong number does not turn into a crash. For spirv-reduce. Prints the line of judge.jq with
# such a class. Without WANTED: 0.
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
said=$(printf '%s\n' "$line" | awk -F '\t' '{ split($3, word, /[ :]+/); print $2 ($2 ~ /^(ours|driver)/ ? " " word[3] : "") }')
printf '%s\t%s\n' "$said" "$line"
[ -z "${WANTED:-}" ] || [ "$said" = "$WANTED" ]
