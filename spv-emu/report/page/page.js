// SPDX-License-Identifier: Apache-2.0
/* page: assembles the page. */
"use strict";

/* Of a program whose blocks cannot be shown the page has only the figures. */
function hidePictures() {
  for (const id of ["bar", "difference", "pixels", "schedule", "graph", "source"]) document.getElementById(id).hidden = true;
}

/* Runs once before the next frame, however often it is requested. */
let waits = 0;
function later(draw) {
  cancelAnimationFrame(waits);
  waits = requestAnimationFrame(draw);
}

function drawMarks() {
  later(drawPictures);
  markDifference();
  markLegend();
  markGraph();
  markListing();
}

function drawColours() {
  drawHeadline();
  drawDifference();
  drawLegend();
  drawHeat();
  colourListing();
  drawMarks();
}

/* Puts the time at the first step of what is pinned, unless it is already in one. */
function revealTime() {
  const left = placedSteps(state.left), right = state.right ? placedSteps(state.right) : null;
  if (!state.pinned) return;
  const here = (steps) => steps && steps.at(state.slot) >= 0 && state.pinned.has(steps.key[steps.at(state.slot)]);
  if (here(left) || here(right)) return;
  for (const steps of [left, right]) {
    const i = steps ? steps.key.findIndex((key) => state.pinned.has(key)) : -1;
    if (i < 0) continue;
    setSlot(steps.start[i]);
    return;
  }
}

function drawChoice() {
  for (const side of ["left", "right"]) fillSide(side);
  chooseColours();
  drawHeadline();
  markPolicies();
  markSelection();
  drawDifference();
  drawPixels();
  drawSchedule();
  drawLegend();
  drawGraph();
  drawListing();
  drawMarks();
}

/* The side whose program has a pinned block, `side` if both have. */
function sideOfPinned(side) {
  const other = side === "left" ? "right" : "left";
  const has = (at) => state[at] && [...state.pinned].some((key) => keys[key].blocks[state[at].program] !== undefined);
  return !has(side) && has(other) ? other : side;
}

/* Graph and listing show one program: that of what is pinned. */
function changeSides() {
  const graph = sideOfPinned(graphSide), listing = sideOfPinned(listingSide);
  if (graph !== graphSide) {
    graphSide = graph;
    drawGraph();
  }
  if (listing !== listingSide) {
    listingSide = listing;
    drawListing();
  }
  markGraph();
  markListing();
}

let pinnedBefore = null;
function follow() {
  if (state.pinned === pinnedBefore) return;
  pinnedBefore = state.pinned;
  if (state.pinned) changeSides();
  markSelection();
  revealTime();
  revealGraph();
  revealListing();
}

function listen() {
  on("choice", drawChoice);
  on("time", drawTime);
  on("view", () => {
    describeView();
    later(drawPictures);
  });
  on("colour", drawColours);
  on("marks", () => {
    drawMarks();
    follow();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => tell("colour"));
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    state.hovered = state.pinned = null;
    hideTip();
    tell("marks");
  });
  addEventListener("resize", () => later(drawPictures));
  matchMedia("print").addEventListener("change", () => {
    drawColours();
    drawPictures();
  });
}

function start() {
  startTheme(() => tell("colour"));
  linkWords();
  drawWords();
  drawAbout();
  drawPolicies();
  if (runs.length) {
    [state.left, state.right] = firstPair();
    pictures.left = new Picture("left");
    pictures.right = new Picture("right");
    startControls();
    startDifference();
    startPixels();
    startGraph();
    startListing();
    listen();
    drawPolicies();
    tell("choice");
  } else {
    drawHeadline();
    hidePictures();
  }
  document.documentElement.dataset.ready = Math.round(performance.now()); // milliseconds since the page was opened
}

start();
