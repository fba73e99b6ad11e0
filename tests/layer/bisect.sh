#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# spvreconv-layer-bisect and spvreconv-layer-diff (tools/layer_*.sh): a driver that crashes at certain modules as the layer changed
# them (layer_fault.c), below the layer; the search names the modules, one or two that are bad together.
#
#   tests/layer/bisect.sh BUILD
# shellcheck source=tests/layer/common.sh.inc
. "$(dirname "$0")/common.sh.inc"
use_driver "$LAVAPIPE"
export VK_LAYER_PATH="$VK_LAYER_PATH:$BUILD/bin/layers"
export VK_INSTANCE_LAYERS=VK_LAYER_SPVRECONV_pipeline:VK_LAYER_SPVRECONV_test_fault
export SPVRECONV_TRANSFORM=strip-merges,structurize PATH="$BUILD/bin:$PATH"

# The application: cases of the harness, each in a process of its own.
cases='shaders/search/bfs.amber shaders/search/eigenvalues.amber shaders/graphics/two_targets.amber'
cat >"$WORK/app" <<END
#!/bin/sh
exec "$BUILD/bin/spv-harness" run --device=lavapipe --transform=none "\$@"
END
chmod +x "$WORK/app"

# bisect STATUS SET OPTION...: the search over a set of cases
bisect() {
  wanted=$1 set=$2
  shift 2
  status=0
  # shellcheck disable=SC2086
  spvreconv-layer-bisect "$@" "${app:-$WORK/app}" $set >"$WORK/out" 2>&1 || status=$?
  [ "$status" = "$wanted" ] || fail "exit code $status, not $wanted: $(cat "$WORK/out")"
}

says() {
  grep -qF -- "$1" "$WORK/out" || fail "'$1' is not in: $(cat "$WORK/out")"
}

# dumps FOLDER CASE...: the modules of cases, before and after
dumps() {
  folder=$1
  shift
  SPVRECONV_DUMP=$folder SPVRECONV_STATS=0 "$WORK/app" "$@" >"$WORK/out" 2>&1 || fail "$*: $(cat "$WORK/out")"
}

# shellcheck disable=SC2086
dumps "$WORK/all" $cases
changed=$(spvreconv-layer-diff "$WORK/all" | sed -n 's/^\([0-9a-f]*\) .*: changed.*/\1/p')
[ "$(echo "$changed" | wc -l)" -ge 4 ] || fail "only these change: $changed"

# The first module of the list, and the last.
for hash in $(echo "$changed" | sed -n '1p; $p'); do
  export SPV_TEST_BAD="$WORK/all/$hash.after.spv"
  rm -rf "$WORK/found"
  bisect 0 "$cases" --dump="$WORK/found"
  [ "$(sed '1,/only these/d' "$WORK/out")" = "$hash" ] || fail "not $hash: $(cat "$WORK/out")"
  spvreconv-layer-diff --text "$WORK/found" "$hash" >"$WORK/text"
  grep -q "^$hash .*: changed, to " "$WORK/text" || fail "side by side: $(head -n 3 "$WORK/text")"
  grep -qE 'OpBranchConditional .*OpBranchConditional ' "$WORK/text" || fail "no two columns: $(head "$WORK/text")"
done

# Two that are bad together, and not alone.
unset SPV_TEST_BAD
dumps "$WORK/pair" shaders/search/eigenvalues.amber
pair=$(spvreconv-layer-diff "$WORK/pair" | sed -n 's/^\([0-9a-f]*\) .*: changed.*/\1/p' | head -n 2)
export SPV_TEST_BAD
SPV_TEST_BAD=$(echo "$pair" | sed "s|.*|$WORK/all/&.after.spv|" | paste -s -d , -)
bisect 0 "$cases"
[ "$(sed '1,/only these/d' "$WORK/out")" = "$pair" ] || fail "not $pair: $(cat "$WORK/out")"

# Nothing to find.
export SPV_TEST_BAD="$WORK/no_such_file"
bisect 1 "$cases" && says "the command is good with all " && says " modules changed"
first=$(echo "$changed" | head -n 1)
# refuses TEXT COMMAND...: nothing can be searched
refuses() {
  text=$1
  shift
  spvreconv-layer-bisect "$@" >"$WORK/out" 2>&1 && fail "$*: exit code 0"
  says "$text"
}
# shellcheck disable=SC2086
SPV_TEST_BAD=$WORK/all/$first.before.spv refuses "the layer saw no module, and the command is bad (exit code" \
  env VK_INSTANCE_LAYERS=VK_LAYER_SPVRECONV_test_fault "$WORK/app" $cases
refuses "the layer saw no module, and the command is good" true
refuses "./no_such_program: no such command" ./no_such_program
SPVRECONV_TRANSFORM=none bisect 1 "$cases" && says "no module changed, and the command is good"
SPV_TEST_BAD=$WORK/all/$first.before.spv SPVRECONV_TRANSFORM=none bisect 1 "$cases"
says "no module changed, and the command is bad"
same=$(spvreconv-layer-diff "$WORK/all" | sed -n 's/^\([0-9a-f]*\) .*: unchanged.*/\1/p' | head -n 1)
SPV_TEST_BAD=$WORK/all/$same.before.spv bisect 1 "$cases" && says "the command is bad without any change too"
SPVRECONV_ONLY=0 bisect 1 "$cases" && says "SPVRECONV_ONLY is set"
bisect 2 '' --walk && says "spvreconv-layer-bisect: unknown option, or one without its value: --walk; --help prints the options"
spvreconv-layer-diff "$WORK/all" 0123456789 >"$WORK/out" 2>&1 && fail "a module that is not there"
says "has no module 0123456789"
spvreconv-layer-diff >"$WORK/out" 2>&1 && fail "no folder"
says "spvreconv-layer-diff: no DIR; --help prints the options"

# A command that runs in a folder of its own, with a relative --dump; the layer is turned on, and found.
export SPV_TEST_BAD="$WORK/all/$first.after.spv"
export VK_INSTANCE_LAYERS=VK_LAYER_SPVRECONV_test_fault VK_ADD_LAYER_PATH="$BUILD/bin/layers"
unset VK_LAYER_PATH
cat >"$WORK/moves" <<END
#!/bin/sh
cd "$PWD" && exec "$WORK/app" "\$@" $(echo "$cases" | paste -s -d ' ')
END
chmod +x "$WORK/moves"
app=$WORK/moves
(
  mkdir "$WORK/elsewhere" && cd "$WORK/elsewhere" && bisect 0 '' --dump=kept
  [ -e "kept/$first.after.spv" ] || fail "not dumped: $(cat "$WORK/out")"
  exit "$failures"
) || failures=$((failures + 1))
sed -i "s|^cd|export SPVRECONV_DUMP=$WORK/mine; cd|" "$WORK/moves"
bisect 1 '' --dump="$WORK/kept"
says "$WORK/kept/$first.before.spv was not written: does COMMAND set SPVRECONV_DUMP itself?"
finish
