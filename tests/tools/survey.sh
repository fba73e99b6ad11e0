#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tools/survey.sh on a small folder: all kinds of files, including bad ones.
# Usage: survey.sh BUILD-DIRECTORY
set -eu
build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
  echo "FAILED: $*"
  exit 1
}

mkdir -p "$work/in/one" "$work/in/a \"b\\c" "$work/in/empty" "$work/elsewhere"
cp shaders/irreducible/two_entries.spvasm shaders/irreducible/two_entries.amber "$work/in/one"
glslangValidator -V shaders/loop/collatz.comp -o "$work/in/one/collatz.spv" >/dev/null
spirv-as shaders/early-exit/compound_condition.spvasm -o "$work/in/a \"b\\c/binary"
head -c 100 "$work/in/one/collatz.spv" >"$work/in/one/cut.spv"
echo "#!amber" >"$work/in/empty/empty.amber"
echo "SHADER nonsense" >"$work/in/one/bad.amber"
mkdir "$work/in/notes"
for i in 1 2 3 4 5 6 7 8; do
  echo "no module" >"$work/in/notes/$i.txt"
done
{
  printf 'OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\n%%void = OpTypeVoid\n'
  printf '%%type = OpTypeFunction %%void\n%%f = OpFunction %%void None %%type\n%%1 = OpLabel\n'
  printf '!0x0001fffe\nOpFunctionEnd\n'
} >"$work/in/one/alone.spvasm"
: >"$work/in/one/nothing.spv"
# Links: to a module, to a folder, to nothing, in a circle.
cp "$work/in/one/collatz.spv" "$work/in/one/again.spv"
glslangValidator -V shaders/loop/nested_exits.comp -o "$work/elsewhere/linked.spv" >/dev/null
ln -s "$work/elsewhere" "$work/in/far"
ln -s nowhere "$work/in/one/lost.spv"
ln -s ../in "$work/in/circle"
# A library with two modules among other bytes, the second module at the end, and a library without
# modules.
mkdir "$work/in/lib"
cp /bin/true "$work/in/lib/without"
printf '\177ELF and so on...\003\002\043\007 not one' >"$work/head" # the magic number alone
truncate -s 400 "$work/head"
glslangValidator -V shaders/loop/collatz.comp --target-env vulkan1.1 -o "$work/v11.spv" >/dev/null
glslangValidator -V shaders/loop/collatz.comp --target-env vulkan1.2 -o "$work/v12.spv" >/dev/null
cat "$work/head" "$work/v11.spv" "$work/head" "$work/v12.spv" >"$work/in/lib/with"

# by BLANKS: one blank for several
by_blanks() {
  sed 's/  */ /g' "$1"
}

tools/survey.sh "$build" "$work/in" "$work/table" >"$work/out"
by_blanks "$work/out" >"$work/is"
in=$work/in
cat >"$work/wanted" <<END_OF_WANTED
folder modules invalid ours functions left alone branching unstructured undeclared irreducible multi-exit divergent structured
$in/a "b\\c 1 0 0 1 0 1 1 1 0 0 1 0
$in/far 1 0 0 1 0 1 1 0 0 1 1 0
$in/lib 2 0 0 2 0 2 0 0 0 0 2 2
$in/one 4 2 0 3 1 3 2 2 2 0 3 1
all 8 2 0 7 1 7 4 3 2 1 7 3

refused, or left alone:
 alone: function %N: opcode 65534 is newer than this build's SPIR-V headers: the function is left as it is (word N): 1
 invalid: line 1: the first line is not #!amber, and there is no section: 1
 invalid: truncated: an instruction of 6 words where 3 are left (word N): 1

 $in/one/alone.spvasm: function %4: opcode 65534 is newer than this build's SPIR-V headers: the function is left as it is (line 9)
 $in/one/bad.amber: line 1: the first line is not #!amber, and there is no section
 $in/one/cut.spv: truncated: an instruction of 6 words where 3 are left (word 22)

14 files left out:
 a case without shaders: 1
 $in/empty/empty.amber
 a copy of another module: 1
 $in/one/collatz.spv
 a link to nothing: 1
 $in/one/lost.spv
 a program or library without modules: 1
 $in/lib/without
 empty: 1
 $in/one/nothing.spv
 not SPIR-V: 8
 $in/notes/1.txt
 $in/notes/2.txt
 $in/notes/3.txt
 $in/notes/4.txt
 $in/notes/5.txt
 and 3 more
 not searched: 1
 File system loop detected; '$in/circle' is part of the same file system loop as '$in'.
END_OF_WANTED
diff "$work/wanted" "$work/is" || fail "another table"
[ "$(wc -l <"$work/table")" = 8 ] || fail "the CSV: $(cat "$work/table")"

# By the first level of folders, as Markdown, with shares.
tools/survey.sh --markdown --depth=1 "$build" "$work/in" >"$work/out"
grep -qxF '| one | 4 | 2 | 0 | 3 | 1 | 3 | 2 (66.7%) | 2 (66.7%) | 2 (66.7%) | 0 (0.0%) | 3 (100.0%) | 1 (33.3%) |' \
  "$work/out" || fail "$(cat "$work/out")"

# A tool that refuses what the validator accepts, which is a bug of spvreconv.
mkdir -p "$work/build/bin" "$work/valid"
cp "$work/in/one/again.spv" "$work/valid"
cat >"$work/build/bin/spvreconv" <<'END_OF_TOOL'
#!/bin/sh
for last; do :; done
echo "spvreconv: $last: no" >&2
exit 1
END_OF_TOOL
chmod +x "$work/build/bin/spvreconv"
tools/survey.sh "$work/build" "$work/valid" >"$work/out"
by_blanks "$work/out" >"$work/is"
grep -qx 'all 0 0 1 0 0 0 0 0 0 0 0 0' "$work/is" || fail "$(cat "$work/is")"
grep -qx ' ours: no: 1' "$work/is" || fail "$(cat "$work/is")"

if tools/survey.sh "$build" "$work/nowhere" 2>"$work/err"; then
  fail "a folder that is not there"
fi
grep -qF "no such folder" "$work/err"
echo ok
