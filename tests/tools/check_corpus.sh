#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tools/check_corpus.sh on a small folder: the modules that it counts and names, and its exit status.
# Usage: check_corpus.sh BUILD-DIRECTORY
set -eu
build=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
  echo "FAILED: $1"
  cat "$work/out"
  exit 1
}

# corpus BUILD FOLDER: to $work/out, each run of blanks as one; sets status
corpus() {
  status=0
  tools/check_corpus.sh "$1" "$2" >"$work/text" 2>&1 || status=$?
  sed 's/  */ /g' "$work/text" >"$work/out"
}

says() {
  grep -qxF -- "$1" "$work/out" || fail "not said: $1"
}

# ---- a binary, a case, a refused module, two unreadable ones, and a file that is not a module ------

mkdir -p "$work/in/with a blank"
spirv-as shaders/irreducible/two_entries.spvasm -o "$work/in/with a blank/a binary"
cp shaders/irreducible/duffs_device.amber "$work/in"
cp tests/golden/structurize/pointer_call.spvasm "$work/in"
head -c 100 "$work/in/with a blank/a binary" >"$work/in/cut.spv"
echo "SHADER nonsense" >"$work/in/bad.amber"
echo "no module" >"$work/in/notes.txt"
corpus "$build" "$work/in"
[ "$status" = 0 ] || fail "exit status $status"
says "structurize 3 1 2 17 100.0 % 12 100.0 % 0 0"
says "reconverge 3 0 3 23 100.0 % 20 100.0 % 0 0"
says "merge-copies 3 0 0 0 - 0 - 0 0"
says "unstructure:1,guard 3 1 2 17 100.0 % 12 100.0 % 0 0"
says " 14 %N (OpFunctionCall) must reach this block by a phi, which its type forbids, and cannot be rematerialized here"
for bad in cut.spv bad.amber; do
  grep -qF " $work/in/$bad: " "$work/out" || fail "$bad is not named"
done

# ---- a difference, a crash --------------------------------------------------------------------------

mkdir -p "$work/fake/bin" "$work/one"
cp shaders/irreducible/two_entries.spvasm "$work/one"
ln -s "$build/bin/spv-harness" "$work/fake/bin"
cat >"$work/fake/bin/spvreconv" <<END_OF_FAKE
#!/bin/sh
case "\$*" in
*unstructure*) ;;
*=guard\ *)
  echo "spvreconv: note: of no interest" >&2
  echo "spvreconv: $work/one/two_entries.spvasm: a bug: --check: function main" >&2
  exit 3
  ;;
*=reconverge\ *) exit 3 ;;
*=linearize\ *) kill -SEGV \$\$ ;;
esac
exec "$build/bin/spvreconv" "\$@"
END_OF_FAKE
chmod +x "$work/fake/bin/spvreconv"
corpus "$work/fake" "$work/one"
[ "$status" = 1 ] || fail "exit status $status"
says "guard 1 0 0 0 - 0 - 1 0"
says "linearize 1 0 0 0 - 0 - 0 1"
says "structurize 1 0 1 6 100.0 % 8 100.0 % 0 0"
says " differs: $work/one/two_entries.spvasm, guard: a bug: --check: function main"
grep -qF " failed, exit status 139: $work/one/two_entries.spvasm, linearize: " "$work/out" ||
  fail "a crash is not named"
says " failed, exit status 3: $work/one/two_entries.spvasm, reconverge: "

# ---- nothing to check -------------------------------------------------------------------------------

for empty in "$work/fake" "$work/nowhere"; do
  corpus "$build" "$empty"
  [ "$status" = 1 ] || fail "$empty: exit status $status"
done
grep -qF "no such folder" "$work/out" || fail "a folder that is not there"
mkdir "$work/straight"
cat >"$work/straight/returns.spvasm" <<'END_OF_MODULE'
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %1 "main"
OpExecutionMode %1 LocalSize 1 1 1
%2 = OpTypeVoid
%3 = OpTypeFunction %2
%1 = OpFunction %2 None %3
%4 = OpLabel
OpReturn
OpFunctionEnd
END_OF_MODULE
corpus "$build" "$work/straight"
[ "$status" = 1 ] || fail "nothing compared: exit status $status"
says "check: nothing was compared: no transform changed a function"
echo ok
