#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# For spirv-reduce: do the devices still differ, as in WANTED, if the module replaces the shader of a case? WANTED
# is a class of judge.jq, or `policies` (those of the emulator disagree), followed by the outcome of the first run
# that differs, so that a wrong number does not become a crash. Prints the line of judge.jq with its class in
# front. Without WANTED the exit status is 0. A difference on DEVICES must also appear with all WITNESSES, and with
# all indices in range: where there is a data race, or an index past a vector, every device may give a different
# result. A module with such a difference is copied to BEST.
#
#   BUILD=… DEVICES=… WITNESSES=… VARIANTS=… WANTED=… UNDEFINED=… BEST=… tests/diff/interesting.sh FRAME MODULE
set -u
# shellcheck source=tests/diff/common.sh.inc
. tests/diff/common.sh.inc
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp "$1" "$folder/case.amber"
cp "$2" "$folder/work.spv"
# An undefined value may differ on any device.
[ "$(spirv-dis "$2" | grep -c OpUndef)" -le "${UNDEFINED:-1000000}" ] || exit 1

# outcome DEVICES: the line of judge.jq with its class and first outcome in front
outcome() {
  line=$("$BIN/expect_emu" "$folder/case.amber")
  case $line in
  *': ok') line=$(judge "$folder" "$1" | grep -v "	refused	" | head -n 1) ;;
  *': differs: '*) line="case	policies	${line#*: differs: }	0" ;;
  *) line="case	refused	$line	0" ;;
  esac
  printf '%s\n' "$line" | awk -F '\t' '{ split($3, word, /[ :]+/); print $2 ($2 ~ /^(ours|driver)/ ? " " word[3] : "") "\t" $0 }'
}

said=$(outcome "$DEVICES")
printf '%s\n' "$said"
[ -n "${WANTED:-}" ] || exit 0
[ "${said%%	*}" = "$WANTED" ] || exit 1
if [ -n "${WITNESSES:-}" ]; then
  spirv-opt --graphics-robust-access "$2" -o "$folder/work.spv" 2>/dev/null || cp "$2" "$folder/work.spv"
  said=$(outcome "$WITNESSES")
  [ "${said%%	*}" = "$WANTED" ] || exit 1
fi
[ -z "${BEST:-}" ] || cp "$2" "$BEST"
