#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A signal that ends spvreconv while a compiler runs ends the compiler, too, and leaves no temporary
# folder. The compilers are scripts, one of which does not end.
tests=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=tests/cli/common.sh.inc
. "$(dirname "$0")/common.sh.inc"
# shellcheck source=tests/harness/wait.sh.inc
. "$tests/harness/wait.sh.inc"
mkdir bin temporary "a long name, $(printf '%0200d' 0)"
long=$PWD/$(echo "a long name"*)
export PATH="$PWD/bin:$PATH" TMPDIR="$PWD/temporary"
# As clang does: the output has another name until it is complete.
cat >bin/clang-15 <<'END'
#!/bin/sh
while [ "$1" != -o ]; do shift; done
echo >"$2.tmp"
echo $$ >"$COMPILER_PID.tmp"
mv "$COMPILER_PID.tmp" "$COMPILER_PID"
exec sleep 60
END
printf '#!/bin/sh\nexit 1\n' >bin/llvm-spirv-15
chmod +x bin/*
export COMPILER_PID="$PWD/pid"
echo 'kernel void work(global int *p) { p[0] = 1; }' >work.cl

# ends SIGNAL STATUS [COMMAND…]: sends the signal once the compiler runs
ends() {
  signal=$1
  wanted=$2
  shift 2
  rm -f pid
  # The shell makes its background jobs ignore SIGINT and SIGQUIT.
  env --default-signal=INT,QUIT "$@" "$SPVRECONV" work.cl -o no.spv >out 2>err &
  runner=$!
  until_true [ -e pid ]
  [ -n "$(ls "$TMPDIR")" ] || fail "$signal: no temporary folder to remove"
  kill -"$signal" $runner
  until_true gone $runner
  wait $runner 2>/dev/null
  got=$?
  [ "$got" = "$wanted" ] || fail "SIG$signal: exit status $got, not $wanted: $(cat err)"
  until_true gone "$(cat pid)"
  gone "$(cat pid)" || fail "SIG$signal: the compiler runs on"
  absent no.spv
}
for row in HUP:129 INT:130 TERM:143 QUIT:131; do
  ends "${row%:*}" "${row#*:}"
  [ -z "$(ls "$TMPDIR")" ] || fail "SIG${row%:*} leaves $(find "$TMPDIR")"
done
# The folder stays after SIGKILL; the compiler does not.
ends KILL 137
rm -rf "${TMPDIR:?}"/*

# fails_by_itself WHAT: the compiler's error
fails_by_itself() {
  [ "$got" = 1 ] || fail "$1: exit status $got"
  grep -q "the compiler fails" err || fail "$1: $(cat err)"
}

# A signal that is ignored stays ignored: the compiler ends by itself, here with an error.
printf '#!/bin/sh\ntouch "%s"\nsleep 1\nexit 1\n' "$COMPILER_PID" >bin/clang-15
rm -f pid
env --ignore-signal=HUP "$SPVRECONV" work.cl -o no.spv 2>err &
runner=$!
until_true [ -e pid ]
kill -HUP $runner
wait $runner
got=$?
fails_by_itself "an ignored signal"

# The folder can have a long name, and SIGCHLD may be ignored by a caller.
printf '#!/bin/sh\nexit 1\n' >bin/clang-15
export TMPDIR="$long"
env --ignore-signal=CHLD "$SPVRECONV" work.cl -o no.spv 2>err
got=$?
fails_by_itself "SIGCHLD ignored"
[ -z "$(ls "$TMPDIR")" ] || fail "the folder stays: $(ls "$TMPDIR")"
TMPDIR="$PWD/none" run 1 work.cl -o no.spv
grep -qF "work.cl: error: no temporary folder in $PWD/none: No such file or directory" err || fail "$(cat err)"
finish
