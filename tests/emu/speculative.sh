#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# speculative: on shaders/loop/rare_event.amber at least a quarter of the issues is gone, under machines with a stack and
# under those that follow merge instructions; it declines where lanes communicate, where the arm is small, and where a
# profile tells that nothing is gained.
# shellcheck source=tests/emu/common.sh.inc
. "$(dirname "$0")/common.sh.inc"
# shellcheck source=tests/emu/profiled.sh.inc
. "$(dirname "$0")/profiled.sh.inc"

for policy in pdom structured maximal tf-stack; do
  before=$(issues shaders/loop/rare_event.amber $policy)
  after=$(issues shaders/loop/rare_event.amber $policy --transform=speculative,structurize)
  [ $((4 * after)) -le $((3 * before)) ] || fail "rare_event under $policy: $before issues before, $after after"
done

# A ticket from a common counter: results may depend on who draws first.
for policy in pdom structured; do
  for argument in '' :all; do
    [ "$(issues shaders/loop/rare_ticket.amber $policy --transform=speculative$argument,structurize)" = \
      "$(issues shaders/loop/rare_ticket.amber $policy)" ] || fail "rare_ticket was changed by speculative$argument"
  done
done

# Two rounds instead of twelve: the arm does not cost more than four times as much as the rest.
awk '/MIX\(state\), MIX/ { if (!n++) print "      MIX(state), MIX(state);"; next } /^EXPECT/ { next } { print }' \
  shaders/loop/rare_event.amber >"$WORK/small.amber"
for policy in pdom structured; do
  before=$(issues "$WORK/small.amber" $policy)
  [ "$(issues "$WORK/small.amber" $policy --transform=speculative)" = "$before" ] ||
    fail "the arm was moved although that does not pay"
  [ "$(issues "$WORK/small.amber" $policy --transform=speculative:all,structurize)" -ne "$before" ] ||
    fail "all: the arm was not moved"
done

# No loop of these changes: the issues stay as they are.
for file in shaders/loop/points.amber shaders/loop/collatz.amber shaders/divergence/double_loop.amber; do
  [ "$(issues "$file" structured --transform=speculative)" = "$(issues "$file" structured)" ] || fail "$file was changed"
done

# With a profile the gain is known, and what is foretold is close to what is issued.
profiled shaders/loop/rare_event.amber structured speculative structurize
[ $((4 * after)) -le $((3 * before)) ] || fail "rare_event with a profile: $before issues before, $after after"
profiled "$WORK/small.amber" structured speculative structurize
[ "$before" = "$after" ] || fail "small was changed: $before issues before, $after after"
says "speculative leaves the loop alone: on the profile's paths it would issue "
profiled shaders/render/vr_lighting.amber structured speculative structurize
[ "$before" = "$after" ] || fail "vr_lighting was changed: $before issues before, $after after"

# best finds it, too, where it can follow the lanes.
sed -e 's/i < 64u/i < 32u/' -e '/^EXPECT/d' shaders/loop/rare_event.amber >"$WORK/short.amber"
profiled "$WORK/short.amber" structured best
[ $((4 * after)) -le $((3 * before)) ] || fail "best does not move the arm of rare_event: $before issues before, $after after"
finish
