#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Several modules in one run, options from files, transforms as options, names of open files.
# shellcheck source=tests/cli/common.sh.inc
. "$(dirname "$0")/common.sh.inc"

# Each transform is an option: in order, beside --transform, with an argument.
run 0 cycle.spvasm --transform=reconverge,structurize -o list.spv
run 0 cycle.spvasm --reconverge --structurize -o options.spv && same list.spv options.spv
run 0 cycle.spvasm --transform=reconverge --structurize -o both.spv && same list.spv both.spv
run 0 cycle.spvasm --unstructure=3 --structurize -o mangled.spv
run 0 cycle.spvasm --transform=unstructure:3,structurize -o again.spv && same mangled.spv again.spv
run 2 cycle.spvasm --guard=2 -o x.spv && says "transform guard takes no argument"
run 2 cycle.spvasm --structurise -o x.spv && says "unknown option '--structurise', nearest: --structurize"
run 2 cycle.spvasm --struct -o x.spv && says "ambiguous option '--struct'; there are --structure, --structurize, --struct-copy"

# Standard input is the default.
run 0 -o - <cycle.spvasm && same out options.spv
run 2 <cycle.spvasm && says "nothing to do"

# Arguments from files, quoted.
printf '%s\n' '--reconverge "--structurize"' "-o 'a name.spv'" 'cycle.spvasm' >arguments
run 0 @arguments && same 'a name.spv' list.spv
run 0 --reconverge @arguments --stats && prints "cycle.spvasm: "
printf '"--open' >open
run 2 @open && says "@open: a quote is not closed"
run 1 @absent --stats && says "@absent: No such file or directory"
printf 'cycle.spvasm\000--stats' >zero
run 2 @zero && says "@zero: not a text file"
run 0 --order @10,12,13,14 cycle.spvasm --stats && prints "cycle.spvasm: "
run 2 --=x && says "unknown option '--'"
cp cycle.spvasm @odd.spvasm
run 0 --stats -- @odd.spvasm && prints "@odd.spvasm: "

# Open files by name. Nothing is renamed: what was written before stays.
run 0 cycle.spvasm -o /dev/stdout && same out options.spv
run 2 cycle.spvasm --json -o /dev/stdout && says "standard output cannot take both"
run 0 cycle.spvasm -o /dev/fd/3 3>third && same third options.spv
{ printf abcd && "$SPVRECONV" cycle.spvasm -o /dev/fd/1; } >appended
tail -c +5 appended >tail.spv && same tail.spv options.spv
mkfifo pipe
timeout 20 "$SPVRECONV" cycle.spvasm -o pipe &
timeout 20 cat pipe >piped.spv && same piped.spv options.spv
wait

# Several modules and folders: below the output folder under their names; all are run, whatever fails.
mkdir -p tree/deep
"$SPVRECONV" cycle.spvasm --transform=none -o tree/deep/cycle.spv
cp tree/deep/cycle.spv tree/module
cp straight.spvasm tree
echo text >tree/readme.txt
ln -s deep tree/linked
run 0 tree -o made/ && same made/deep/cycle.spv options.spv && same made/module options.spv
same made/linked/cycle.spv options.spv
[ -e made/straight.spvasm ] && absent made/readme.txt
run 0 cycle.spvasm straight.spvasm -o made/two/
for module in cycle straight; do
  [ -e made/two/$module.spvasm ] || fail "two modules: no $module"
done
mkdir one
run 0 cycle.spvasm -o one
[ -e one/cycle.spvasm ] || fail "one module into a folder"
echo junk >tree/deep/bad.spv
for jobs in 1 3; do
  rm -rf made
  run 1 tree -o made --jobs=$jobs
  [ -e made/linked/cycle.spv ] || fail "a bad module costs others"
  absent made/deep/bad.spv
  [ "$(grep -v ': repaired: ' err | cut -d: -f2 | tr -d ' \n')" = tree/deep/bad.spvtree/linked/bad.spv2of6modulesfailed ] ||
    fail "messages in another order: $(cat err)"
done
run 1 tree --stats
[ "$(grep -c ' words in' out)" = 4 ] || fail "reports of several: $(cat out)"
# JSON: a line for each module in their order, failed ones included; an object is that of the module alone.
run 1 tree cycle.spvasm --json --jobs=3
[ "$(jq -r '[.input.file, .status] | join(" ")' out | tr '\n' ' ')" = \
  "tree/deep/bad.spv failed tree/deep/cycle.spv ok tree/linked/bad.spv failed tree/linked/cycle.spv ok tree/module ok tree/straight.spvasm ok cycle.spvasm ok " ] ||
  fail "JSON lines: $(cat out)"
[ "$(wc -l <out)" = 7 ] || fail "not seven lines of JSON"
[ "$(jq -r 'select(.status != "ok").message' out | sort -u)" = "not a SPIR-V module: neither binary nor assembly text" ] ||
  fail "messages in JSON: $(jq -c '[.message]' out)"
jq -S 'del(.passes)' out | jq -c . | tail -n 1 >together
run 0 cycle.spvasm --json
jq -cS 'del(.passes)' out >alone && same alone together
mkdir -p shut/cycle.spvasm
run 1 cycle.spvasm straight.spvasm --json -o shut
[ "$(jq -r .status out | tr '\n' ' ')" = "failed ok " ] || fail "JSON of a module that is not written: $(cat out)"
run 1 tree --explain --json
[ "$(jq -r .status out | tr '\n' ' ')" = "failed failed failed failed failed ok " ] || fail "JSON of --explain: $(jq -c . out)"
run 0 cycle.spvasm straight.spvasm --compare
[ "$(grep -n '^[a-z]*.spvasm:$' out | cut -d: -f 2 | tr '\n' ' ')" = "cycle.spvasm straight.spvasm " ] || fail "tables of several: $(cat out)"
run 2 tree --stats=x.txt && says "--stats=x.txt is about one module; of several, --stats and --json print on standard output"
run 2 tree --dump-cfg=x.dot && says "--dump options are about one module"
run 2 cycle.spvasm - -o made/ && says "standard input is one module"
run 2 cycle.spvasm straight.spvasm -o arguments && says "several modules need an output folder, which 'arguments' is not"
run 2 cycle.spvasm straight.spvasm -o - && says "several modules need an output folder"
run 1 cycle.spvasm ./cycle.spvasm -o made/ && says "made/cycle.spvasm: would be the output of"
mkdir both && cp "$(find . -name '*.spv' | head -n 1)" both/ && run 1 both/ -o both && says "both/: this is the output folder, too: write to another one with -o"
mkdir empty && run 1 empty -o made/ && says "empty: neither a SPIR-V module nor a shader is below this folder"
mkdir -p shaders/deep
for name in a b; do
  printf '#version 450\nlayout(local_size_x = 1) in;\nvoid main() {}\n' >shaders/deep/$name.comp
done
run 1 shaders/ -o made/
says "shaders/: no SPIR-V module is below this folder, and 2 shaders are left out: to compile shaders, name them, as in shaders/deep/*.comp"
cp straight.spvasm shaders && rm shaders/deep/b.comp && run 0 shaders -o made/
says "shaders: 1 shader is left out: to compile shaders, name them, as in shaders/deep/*.comp"
# The lint reads the shaders of a folder, too; files to include are left out.
echo 'int one() { return 1; }' >shaders/deep/common.glsl
run 0 shaders --lint --json
[ "$(jq -r .input.file out | sort | tr '\n' ' ')" = "shaders/deep/a.comp shaders/straight.spvasm " ] ||
  fail "inputs of --lint: $(cat out)"
says "shaders: 1 shader is left out: to compile shaders, name them, as in shaders/deep/*.glsl"
sed 's/{}/{ if (gl_LocalInvocationIndex > 1u) barrier(); }/; s/= 1)/= 64)/' shaders/deep/a.comp >shaders/deep/part.comp
run 1 shaders --lint=error
grep -q '^shaders/deep/part.comp:3: error: OpControlBarrier .*\[barrier\]$' out || fail "--lint of a folder: $(cat out)"
mkdir includes && cp shaders/deep/common.glsl includes && run 1 includes --lint
says "includes: no SPIR-V module is below this folder, and 1 shader is left out: to compile shaders, name them, as in includes/*.glsl"
# One SARIF file of all, in their order, however many processes there are; a module that fails is left out.
cp shaders/deep/part.comp shaders/deep/other.comp && echo nothing >shaders/deep/a.comp
run 1 shaders --lint --sarif=x.sarif --jobs=3
[ "$(jq -r '.runs[0].results[].locations[0].physicalLocation.artifactLocation.uri' x.sarif | sed 's,.*/,,' | tr '\n' ' ')" = "other.comp part.comp " ] ||
  fail "SARIF of several: $(jq -c .runs[0].results x.sarif)"
run 2 cycle.spvasm straight.spvasm -o new.spv && absent new.spv
says "several modules need an output folder, and 'new.spv' is named like a file: end a folder's name in /"
run 2 -o made/ <cycle.spvasm && says "the module of standard input has no name below the folder 'made/'"
run 2 tree --jobs=0 -o made/ && says "--jobs expects a number, 1 or more"

# What an earlier run wrote is no input; a child that the shell had before exec, and an ignored
# SIGCHLD, change nothing.
run 1 tree -o tree/made --jobs=1
run 1 tree -o tree/made --jobs=1
absent tree/made/made
rm -rf made
(sleep 0.1 & trap '' CHLD && exec timeout 60 "$SPVRECONV" tree/straight.spvasm tree/module -o made/ --jobs=1) ||
  fail "a child that is no module's"
[ -e made/module ] || fail "a module is left out"
prlimit --nofile=40 "$SPVRECONV" tree/straight.spvasm tree/module tree/deep/cycle.spv -o made/ --jobs=100 ||
  fail "more jobs than files may be open"
# --jobs=1 starts a module only when the one before has ended.
mkfifo first.spv
timeout 60 "$SPVRECONV" first.spv cycle.spvasm -o made/in_turn/ --jobs=1 &
sleep 0.5
[ ! -e made/in_turn/cycle.spvasm ] || fail "two jobs of one"
cat options.spv >first.spv
wait
[ -e made/in_turn/cycle.spvasm ] || fail "the second of two jobs"
mkdir many
for number in 1 2 3 4 5 6 7 8 9; do
  for digit in 1 2 3 4; do
    cp straight.spvasm many/$number$digit.spvasm
  done
done
prlimit --nofile=40 "$SPVRECONV" many -o made/ --jobs=100 || fail "more modules than files may be open"

# A process that a signal ends: a bug, if it failed by itself. The worst of the exit codes counts, whatever the order.
mkfifo waits.spv
for case in SEGV:3:'a bug of spvreconv' TERM:1:'ended by a signal'; do
  code=${case#*:} text=${case##*:}
  # ASan, if it is built in, must not turn the signal into an exit.
  ASAN_OPTIONS=handle_segv=0 "$SPVRECONV" waits.spv tree/deep/bad.spv -o made/ --jobs=1 >out 2>err &
  parent=$! child=
  while [ ! "$child" ]; do
    sleep 0.05
    read -r child _ </proc/$parent/task/$parent/children || :
  done
  kill -"${case%%:*}" "$child"
  status=0
  wait $parent || status=$?
  [ $status -eq "${code%%:*}" ] || fail "${case%%:*}: exit status $status"
  grep -q "waits.spv: $text, nothing is written" err || fail "${case%%:*}: $(cat err)"
done
finish
