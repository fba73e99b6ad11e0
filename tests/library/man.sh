#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The manual pages: every option of a tool's table is in its page, and mandoc has no findings.
# Usage: man.sh BUILD-DIRECTORY
set -eu
# shellcheck source=tests/library/common.sh.inc
. tests/library/common.sh.inc

# has_options PAGE SOURCE…
has_options() {
  text=$(mandoc -T ascii "$build/man/man1/$1" | sed 's/.\x08//g')
  page=$1
  shift
  options=$(sed -n -e 's/^ *{"\([a-z-]*\)", [a-z]*_argument.*/--\1/p' -e 's/^EMU_GIVEN(.*"\(.*\)").*/--\1/p' "$@")
  [ "$(echo "$options" | wc -l)" -gt 10 ] || fail "no options found in $*"
  for option in $options; do
    echo "$text" | grep -E '^ {5,7}-' | grep -qE -- "$option([],= []|\$)" || fail "$page does not have $option"
  done
}

has_options spvreconv.1 passes/cli/cli_options.c
has_options spv-emu.1 spv-emu/cli/emu_options.c spv-emu/cases/given_options.def
has_options spv-harness.1 harness/cli/harness_options.c spv-emu/cases/given_options.def
for page in "$build"/man/man?/*[0-9]; do
  mandoc -T lint -W warning "$page" || fail "$page"
done
[ "$(find "$build"/man/man? -name "*.[0-9]" | wc -l)" = "$(find docs/man -name '*.md' | wc -l)" ] || fail "a page is missing"
# The options of policies are in their sources.
text=$(mandoc -T ascii "$build/man/man1/spv-emu.1" | sed 's/.\x08//g')
for option in $(grep -rhoE '"--[a-z-]+"' spv-emu/policy | tr -d '"' | sort -u); do
  echo "$text" | grep -E '^ {5,7}-' | grep -qE -- "$option(=|\$)" || fail "spv-emu.1 does not have $option"
done
# The variables that the layer reads are in its page.
text=$(mandoc -T ascii "$build/man/man7/spvreconv-layer.7" | sed 's/.\x08//g')
names=$(sed -n 's/^SR_VARIABLE(\([A-Z_]*\)).*/SPVRECONV_\1/p' passes/names/variables.def)
[ -n "$names" ] || fail "no variables in passes/names/variables.def"
for name in $names; do
  echo "$text" | grep -q "\<$name\>" || fail "the layer's page does not have $name"
  grep -q "$name" docs/layer.md || fail "docs/layer.md does not have $name"
done
# No other is read.
for name in $(grep -oh '"SPVRECONV_[A-Z_]*"' harness/layer/*.c harness/layer/support/*.c harness/capture/*.c harness/layer/*.in | tr -d '"' | sort -u); do
  [ "$name" = SPVRECONV_ ] || echo "$names" | grep -qx "$name" || fail "variables.def does not have $name"
done
echo ok
