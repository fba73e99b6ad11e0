// SPDX-License-Identifier: Apache-2.0
/* page: assembles the page. */
"use strict";

/* If the blocks cannot be shown, only the figures are. */
function hidePictures() {
  for (const id of ["schedule", "graph", "source"]) document.getElementById(id).hidden = true;
}

/* Runs once before the next frame, however often it is requested. */
let waits = 0;
function later(draw) {
  cancelAnimationFrame(waits);
  waits = requestAnimationFrame(draw);
}

function listen() {
  on("choice", () => {
    for (const side of ["left", "right"]) if (state[side]) document.getElementById(side).value = state[side];
    drawHeadline();
    markPolicies();
    drawSchedule();
    fillHeatPolicies();
    drawHeat();
    drawListing();
    markListing();
  });
  on("time", drawTime);
  on("blocks", () => {
    later(drawPictures);
    markLegend();
    markGraph();
    markListing();
    revealListing();
  });
  on("theme", drawHeat);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => tell("theme"));
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    state.hovered = state.pinned = null;
    hideTip();
    tell("blocks");
  });
  addEventListener("resize", () => later(drawPictures));
}

function start() {
  startTheme(() => tell("theme"));
  drawAbout();
  drawPolicies();
  if (shown && scheduledPolicies().length) {
    [state.left, state.right] = firstPair();
    startSchedule();
    startGraph();
    startListing();
    listen();
    tell("choice");
    markLegend();
  } else {
    drawHeadline();
    hidePictures();
  }
  document.documentElement.dataset.ready = Math.round(performance.now()); // milliseconds since the page was opened
}

start();
