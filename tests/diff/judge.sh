#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Tests that judge.jq distinguishes bugs of spvreconv from driver bugs.
#
#   tests/diff/judge.sh
set -u
failures=0

# class WANTED DEVICE:VARIANT:OUTCOME:MESSAGE…: the class of a case with these results
class() {
  wanted=$1
  shift
  got=$(for result; do
    echo "$result"
  done | jq -R 'split(":") | {case: "c", device: .[0], variant: .[1], outcome: .[2], message: .[3]}' |
    jq -s '{results: .}' | jq -r -f tests/diff/judge.jq | cut -f 2,4 | tr '\t\n' ' ,')
  [ "$got" = "$wanted" ] || {
    echo "FAILED: '$got', not '$wanted': $*"
    failures=$((failures + 1))
  }
}

class 'agree 3,' emu:none:pass: lavapipe:none:pass: swiftshader:none:pass:
class 'agree 1,' emu:none:pass: emu:auto:same:equal
class 'agree 1,' lavapipe:none:invalid:unstructured lavapipe:auto:pass:
class 'driver:lavapipe 3,' emu:none:pass: lavapipe:none:fail:x swiftshader:none:pass:
class 'driver:swiftshader 3,' emu:none:pass: lavapipe:none:pass: swiftshader:auto:crash:signal
class 'drivers 3,' emu:none:pass: lavapipe:none:fail:x swiftshader:none:fail:y
class 'ours 3,' emu:none:pass: lavapipe:none:fail:x swiftshader:none:fail:x
class 'ours 3,' emu:none:fail:x lavapipe:none:pass: swiftshader:none:pass:
class 'ours 1,' emu:none:pass: emu:auto:invalid:rule
class 'agree 1,refused 0,' emu:none:pass: 'emu:auto:fail:shader work, growth' # without a colon in the message
[ "$failures" = 0 ] || exit 1
echo ok
