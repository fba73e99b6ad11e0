// SPDX-License-Identifier: Apache-2.0
/* steer: mouse, wheel and keys on the schedules, and the controls above them. */
"use strict";

const WHEEL_ZOOM = 1.25;
const KEY_ZOOM = 2;

/* ---- the pointer ------------------------------------------------------------------------------- */

function point(picture, event) {
  const {slot, lane} = picture.placeOf(event), key = picture.keyAt(slot);
  hover(key === null ? null : new Set([key]));
  showTip(picture.read(slot, lane), event.clientX, event.clientY);
}

/* A click chooses the time and pins the block. */
function click(picture, event) {
  const {slot} = picture.placeOf(event), key = picture.keyAt(slot);
  setSlot(slot);
  if (key !== null) pin(new Set([key]));
}

const DRAG = 4; // pixels: less is a click

/* Drags pan; a press without a movement is a click. */
function listenToDrag(picture) {
  const frame = picture.frame;
  let from = null, dragged = false;
  const move = (event) => {
    const by = event.clientY - from.y, {slots} = view();
    dragged = dragged || Math.abs(by) >= DRAG;
    if (dragged) setView(from.first - by / frame.clientHeight * slots, slots);
  };
  const end = () => {
    from = null;
    removeEventListener("pointermove", move);
  };
  for (const name of ["pointerup", "pointercancel"]) addEventListener(name, end);
  frame.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || event.pointerType === "touch") return;
    from = {y: event.clientY, first: view().first};
    dragged = false;
    hideTip();
    addEventListener("pointermove", move);
  });
  frame.addEventListener("pointermove", (event) => {
    if (!from) point(picture, event);
  });
  frame.addEventListener("click", (event) => {
    if (!dragged) click(picture, event);
    dragged = false;
  });
}

/* The wheel zooms with Ctrl, or once the picture has the focus; with Shift it pans; else the page scrolls. */
function wheel(picture, event) {
  const focused = document.activeElement === picture.frame;
  if (!event.ctrlKey && !event.metaKey && !event.shiftKey && !focused) return;
  event.preventDefault();
  const delta = event.deltaY || event.deltaX;
  if (event.shiftKey) panBy(Math.sign(delta) * view().slots / 10);
  else zoomAt(picture.placeOf(event).at, delta < 0 ? WHEEL_ZOOM : 1 / WHEEL_ZOOM);
}

function listenToPicture(picture) {
  listenToDrag(picture);
  picture.frame.addEventListener("pointerleave", () => {
    hover(null);
    hideTip();
  });
  picture.frame.addEventListener("wheel", (event) => wheel(picture, event), {passive: false});
  picture.frame.addEventListener("keydown", (event) => key(picture, event));
}

/* ---- keys -------------------------------------------------------------------------------------- */

/* Goes to the next or previous step, or to the next or previous one of what is pinned. */
function goStep(picture, by, pinned) {
  const steps = picture.steps;
  if (!steps) return;
  let i = steps.at(state.slot);
  if (i < 0) i = by > 0 ? steps.from(state.slot) - 1 : steps.from(state.slot);
  do i += by;
  while (pinned && state.pinned && i >= 0 && i < steps.key.length && !state.pinned.has(steps.key[i]));
  if (i >= 0 && i < steps.key.length) setSlot(steps.start[i]);
}

function key(picture, event) {
  const {first, slots} = view(), by = event.shiftKey;
  const actions = {
    ArrowDown: () => by ? panBy(slots / 10) : goStep(picture, 1, false),
    ArrowUp: () => by ? panBy(-slots / 10) : goStep(picture, -1, false),
    ArrowRight: () => goStep(picture, 1, true),
    ArrowLeft: () => goStep(picture, -1, true),
    PageDown: () => panBy(slots * 0.9),
    PageUp: () => panBy(-slots * 0.9),
    Home: () => setSlot(0),
    End: () => setSlot(axis.total - 1),
    "+": () => zoomAt(state.slot, KEY_ZOOM),
    "=": () => zoomAt(state.slot, KEY_ZOOM),
    "-": () => zoomAt(state.slot, 1 / KEY_ZOOM),
    0: () => setView(0, axis.total),
    Enter: () => picture.keyAt(state.slot) !== null && pin(new Set([picture.keyAt(state.slot)])),
  };
  actions[" "] = actions.Enter;
  if (!actions[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  actions[event.key](first);
}

/* ---- controls ---------------------------------------------------------------------------------- */

/* Shows a run on a side; if the other side already shows it, the two are exchanged. */
function chooseRun(side, run) {
  const other = side === "left" ? "right" : "left";
  if (state[other] === run) state[other] = state[side];
  state[side] = run;
  tell("choice");
}

/* Shows a subgroup; `pixel` as in state. */
function chooseSubgroup(slot, pixel) {
  Object.assign(state, {subgroup: slot, follows: false, pixel});
  drawSchedule();
}

/* Fills the two lists of a side: the run, and, where there are several, its dispatch. */
function fillSide(side) {
  const run = state[side], box = document.getElementById(`${side}-of`);
  box.hidden = !run;
  if (!run) return;
  const whole = wholeRuns(), of = whole.findIndex((r) => r.result === run.result && r.program === run.program);
  fillSelect(side, whole.map((r, i) => [i, fullName(r)]), of);
  const dispatches = dispatchesOf(run);
  fillSelect(`${side}-dispatch`, [["", "all"], ...dispatches.map((r) => [r.dispatch, r.dispatch])], run.dispatch === null ? "" : run.dispatch);
  document.getElementById(`${side}-dispatch`).parentElement.hidden = !dispatches.length;
}

function listenToSide(side) {
  document.getElementById(side).addEventListener("change", (event) => chooseRun(side, wholeRuns()[Number(event.target.value)]));
  document.getElementById(`${side}-dispatch`).addEventListener("change", (event) => {
    const run = state[side], at = Number(event.target.value);
    chooseRun(side, at ? dispatchesOf(run).find((r) => r.dispatch === at)
      : wholeRuns().find((r) => r.result === run.result && r.program === run.program));
  });
}

/* Keeps the place when the axis changes: the same step of the left schedule. */
function chooseAlignment(align) {
  const before = placedSteps(state.left), i = before ? before.at(state.slot) : -1;
  const at = i < 0 ? -1 : originOf(before, i);
  state.align = align;
  state.first = state.slots = 0;
  makeAxis();
  const after = placedSteps(state.left);
  if (at >= 0) state.slot = after.start[after.origin ? after.origin.indexOf(at) : at];
  drawSchedule();
}

function startControls() {
  for (const side of ["left", "right"]) listenToSide(side);
  const act = (id, action) => document.getElementById(id).addEventListener("click", action);
  const change = (id, action) => document.getElementById(id).addEventListener("change", (event) => action(event.target.value));
  act("exchange", () => {
    [state.left, state.right] = [state.right, state.left];
    tell("choice");
  });
  document.getElementById("exchange").hidden = !state.right;
  change("subgroup", (n) => chooseSubgroup(Number(n), null));
  change("align", chooseAlignment);
  change("colour", (colour) => {
    state.colour = colour;
    tell("colour");
  });
  act("zoom-in", () => zoomAt(state.slot, KEY_ZOOM));
  act("zoom-out", () => zoomAt(state.slot, 1 / KEY_ZOOM));
  act("pan-up", () => panBy(-view().slots / 2));
  act("pan-down", () => panBy(view().slots / 2));
  act("whole", () => setView(0, axis.total));
  document.getElementById("time").addEventListener("input", (event) => setSlot(Number(event.target.value)));
}
