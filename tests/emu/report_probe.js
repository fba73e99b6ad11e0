// SPDX-License-Identifier: Apache-2.0
/* Appended to the scripts of a page of spv-emu: uses the page like a reader, with the mouse and with keys,
 * and writes what it shows to an element "probe", one fact on a line:
 *
 *   schedule RESULT SUBGROUP ISSUES LANE-INSTRUCTIONS ISSUES-OF-THE-POLICY-ITSELF
 *   lines RESULT ISSUES source|asm
 *   bars RESULT COST               the sum of its bars
 *   blocks RESULT agree|differ     do the schedules add up to the executions of the blocks?
 *   tip RESULT BLOCK EXECUTIONS LANES   what hovering over a bar says: lanes on average
 *   line RESULT NUMBER ISSUES LANES     a line of the source
 *   sum RESULT issues|lost NUMBER       of all pixels
 *   pixel RESULT X Y ISSUES LOST        what hovering over a pixel says
 *   ok|WRONG WHAT                  the rest
 *
 * RESULT is the index of the result in the JSON. */
"use strict";

const MOST_TIPS = 40;
const EVERY = data.dispatches; // that many dispatches of the first program: none is left out

function byId(id) {
  return document.getElementById(id);
}

function press(node, name, more) {
  node.dispatchEvent(new KeyboardEvent("keydown", {key: name, bubbles: true, cancelable: true, ...more}));
}

function seen(selector) {
  return document.querySelector(selector).textContent.replaceAll(",", "");
}

/* A pointer event at a part of the width and height of a node. */
function pointer(node, type, x, y, more) {
  const box = node.getBoundingClientRect();
  const make = type === "wheel" ? WheelEvent : type === "click" ? MouseEvent : PointerEvent;
  node.dispatchEvent(new make(type, {clientX: box.left + x * box.width, clientY: box.top + y * box.height,
    bubbles: true, cancelable: true, button: 0, ...more}));
}

/* ---- figures ----------------------------------------------------------------------------------- */

function ownIssues(steps) {
  return steps.key.reduce((sum, k, i) => sum + (k === OWN ? steps.end[i] - steps.start[i] : 0), 0);
}

/* Adds up the schedules of all subgroups by part, and compares. */
function blocksAgree(run) {
  const executions = programOf(run).parts.map(() => 0), lanes = [...executions];
  for (const number of subgroupSlots([run])) {
    const steps = scheduleOf(run, number);
    steps.part.forEach((part, i) => {
      if (part < 0) return;
      executions[part] += steps.bin ? steps.bin[i].executions : 1;
      lanes[part] += steps.bin ? steps.bin[i].lanes : steps.lanes[i].length;
    });
  }
  return String(executions) === String(run.executions) && String(lanes) === String(run.lane_sums);
}

function barSum(side) {
  return [...document.querySelectorAll(`#differences .cost-bar:nth-child(${side + 1}) .bar-text`)]
    .reduce((sum, node) => sum + Number(node.textContent.replaceAll(",", "").split(" ")[0]), 0);
}

/* What the tooltip of each bar says of the left run; its lines are "NAME: N executions, L of ALL lanes on average, …". */
function tellTips(run) {
  for (const bar of [...document.querySelectorAll("#differences [data-key]")].slice(0, MOST_TIPS)) {
    pointer(bar, "pointermove", 0.5, 0.5);
    const of = (line) => line.textContent.startsWith(`${runName(run)}: `);
    const text = [...byId("tip").children].find(of).textContent.slice(runName(run).length).replaceAll(",", "");
    const said = /^: (\d+) executions? ([\d.]+) of/.exec(text), block = keys[bar.dataset.key].blocks[run.program];
    if (said) probe.push(`tip ${run.result} ${programOf(run).blocks[block][1]} ${said[1]} ${said[2]}`);
    else check(`the tooltip of a bar: ${text}`, /: (never run|\d+ issues?)$/.test(text));
    check("a bar says what its tooltip says", bar.getAttribute("aria-label").startsWith([...byId("tip").children].map((line) => line.textContent).join("; ")));
  }
  hideTip();
  hover(null);
}

/* The lines of the listing of the left run. */
function tellLines(run) {
  const column = 2 * Math.max(0, listedRuns().indexOf(run));
  if (!listingOf(programOf(run)).source || !listedRuns().includes(run)) return;
  for (const row of document.querySelectorAll("#listing tbody tr")) {
    const cells = [...row.children].map((cell) => cell.textContent.replaceAll(",", "")), number = row.querySelector(".line")?.textContent;
    if (number && cells[column]) probe.push(`line ${run.result} ${number} ${cells[column]} ${cells[column + 1].split("/")[0]}`);
  }
}

/* Both schedules, if there are two, begin at the same height, however long a text above one is; it is drawn again at each choice. */
function schedulesAlign() {
  document.querySelector("#left-picture .purpose").append(" and more".repeat(60));
  const tops = [...document.querySelectorAll("#schedule figure:not([hidden]) .frame")].map((frame) => frame.getBoundingClientRect().top);
  return tops.every((top) => top === tops[0]);
}

byId("all-bars").click();
wholeRuns().forEach((run, i) => {
  choose("left", i);
  check(`the schedules are side by side: ${runName(run)}`, schedulesAlign());
  choose("left", i);
  tellTips(run);
  tellLines(run);
  for (const number of subgroupSlots([run])) {
    if (byId("subgroup").options.length > 1) choose("subgroup", number);
    probe.push(`schedule ${run.result} ${number} ${seen("#left-picture [data-total=issues]")} ` +
      `${seen("#left-picture [data-total=lane_instructions]")} ${ownIssues(scheduleOf(run, number))}`);
  }
  if (listedRuns().includes(run))
    probe.push(`lines ${run.result} ${seen(`#listing [data-sum="${runs.indexOf(run)}"]`)} ${listingOf(programOf(run)).source ? "source" : "asm"}`);
  if (!byLaneSlots()) probe.push(`bars ${run.result} ${barSum(0)}`);
  probe.push(`blocks ${run.result} ${blocksAgree(run) ? "agree" : "differ"}`);
});
byId("all-bars").click();
[state.left, state.right] = firstPair();
state.subgroup = 0;
tell("choice");

/* ---- the subgroup that is shown, words --------------------------------------------------------- */

/* What a schedule leaves unused, step by step. */
function unused(run, slot) {
  const steps = scheduleOf(run, slot);
  if (!steps) return -1;
  return steps.start.reduce((sum, start, i) => sum + (steps.end[i] - start) * run.lanes -
    (steps.bin ? steps.bin[i].lanes * programOf(run).parts[Math.max(0, steps.part[i])][2] * (steps.part[i] >= 0) : (steps.end[i] - start) * steps.lanes[i].length), 0);
}

for (const run of wholeRuns()) {
  const causes = run.causes, sum = causes.reduce((all, cause) => all + cause.idle, 0);
  check("causes explain no more than the waste", sum <= run.issued * run.lanes - run.lane_instructions);
  check("the worst cause comes first", causes.every((cause, i) => i === 0 || causes[i - 1].idle >= cause.idle));
}
state.follows = true;
tell("choice");
const everywhere = subgroupSlots(sides()).filter((slot) => sides().every((run) => scheduleOf(run, slot)));
check("the subgroup shown is the one that wastes most", !everywhere.length ||
  unused(state.left, state.subgroup) === Math.max(...everywhere.map((slot) => unused(state.left, slot))));
const words = [...document.querySelectorAll("a.word")];
check("words are explained", words.length > 8 && words.every((w) => w.title && document.querySelector(w.getAttribute("href"))));
check("words are listed", document.querySelectorAll("#word-list dd").length === Object.keys(GLOSSARY).length &&
  Object.values({...GLOSSARY, ...FIGURES}).every((text) => text.length > 10 && !/[[\]`*]|\.md/.test(text)));

/* ---- time, zoom and pan ------------------------------------------------------------------------ */

const time = byId("time"), frame = pictures.left.frame, whole = () => view().slots === axis.total;
time.value = time.max;
time.dispatchEvent(new Event("input"));
check("the slot is the last", seen("#slot") === `slot ${time.max} of ${Number(time.max) + 1}`);
check("the reading is announced", time.getAttribute("aria-valuetext").includes(": "));
if (axis.total > 4 * LEAST_SLOTS) {
  frame.focus();
  press(frame, "+");
  check("+ zooms to the chosen slot", view().slots === axis.total / KEY_ZOOM && view().first + view().slots > state.slot);
  press(frame, "PageUp");
  check("Page Up pans", view().first < axis.total / 2 - 1);
  press(frame, "0");
  check("0 shows the whole run", whole());
  pointer(frame, "wheel", 0.5, 0.5, {deltaY: -100});
  check("the wheel zooms where the focus is", !whole());
  const at = view().first;
  pointer(frame, "wheel", 0.5, 0.5, {deltaY: 100, shiftKey: true});
  check("Shift and the wheel pan", view().first > at);
  byId("whole").click();
  check("the button shows the whole run", whole() && byId("whole").disabled);
  frame.blur();
  pointer(frame, "wheel", 0.5, 0.5, {deltaY: -100});
  check("without the focus the wheel scrolls the page", whole());
  byId("zoom-in").click();
  const before = view().first;
  pointer(frame, "pointerdown", 0.5, 0.5);
  pointer(frame, "pointermove", 0.5, before ? 0.9 : 0.1);
  pointer(frame, "pointerup", 0.5, before ? 0.9 : 0.1);
  check("a drag pans", view().first !== before);
  byId("whole").click();
}

/* ---- selection: everything follows ------------------------------------------------------------- */

/* All views show the selection of `key`, and only that. */
function followed(what, key) {
  const on = (selector) => [...document.querySelectorAll(selector)].filter((n) => n.getAttribute("aria-selected") === "true");
  check(`${what}: one block is selected`, state.pinned !== null && state.pinned.has(key));
  if (!state.pinned) return;
  check(`${what}: the bars follow`, document.querySelector(`#differences [data-key="${key}"]`) === null ||
    on("#differences [data-key]").map((n) => n.dataset.key).includes(String(key)));
  if (graphNodes.length) check(`${what}: the graph follows`, on(".drawing:not([hidden]) .node").length >= 1);
  check(`${what}: the listing follows`, !listingRows.some((entry) => entry.keys.includes(key)) ||
    document.querySelectorAll("#listing tr.marked").length > 0);
  check(`${what}: the table follows`, byId("policy-table").classList.contains("selecting"));
  const row = document.querySelector(`#policy-table tr[data-result="${state.left.result}"] .selection`);
  check(`${what}: the table has its issues`, row.textContent.replaceAll(",", "") ===
    String([...state.pinned].reduce((sum, k) => sum + keyFigures(state.left)[k].issues, 0)));
  press(document.body, "Escape");
  check(`${what}: Escape deselects`, state.pinned === null && !document.querySelector("#listing tr.marked"));
}

const bars = [...document.querySelectorAll("#differences [role=option]")];
check("one bar is a stop of Tab", bars.filter((b) => b.tabIndex === 0).length === 1);
bars[0].click();
followed("a click on a bar", Number(bars[0].dataset.key));
bars[0].focus();
press(bars[0], "End");
check("End goes to the last bar", document.activeElement === bars[bars.length - 1]);
press(document.activeElement, "Enter");
followed("Enter on a bar", Number(bars[bars.length - 1].dataset.key));
const live = listingRows.find((entry) => entry.keys.length);
live.row.click();
followed("a click on a line", live.keys[0]);
frame.focus();
press(frame, "Home");
press(frame, "ArrowDown");
press(frame, "Enter");
followed("Enter in the schedule", pictures.left.keyAt(state.slot));
for (const type of ["pointerdown", "pointerup", "click"]) pointer(frame, type, 0.01, 0.001);
followed("a click in the schedule", pictures.left.keyAt(state.slot));
if (graphNodes.length) {
  const entry = graphNodes[graphNodes.length - 1];
  entry.node.dispatchEvent(new MouseEvent("click", {bubbles: true}));
  followed("a click in the graph", entry.key);
}

/* ---- hover ------------------------------------------------------------------------------------- */

const steps = pictures.left.schedule;
const divergent = steps.bin ? -1 : steps.key.findIndex((k, i) => k !== OWN && steps.lanes[i].length < steps.there.length);
if (divergent >= 0) {
  const lines = pictures.left.read(steps.start[divergent], steps.there[0]);
  check("the reading names the active lanes", lines[0].includes(`: ${keyName(steps.key[divergent])}: ${steps.lanes[divergent].length} of ${state.left.lanes} lanes active`));
  check("the reading says who waits, or has ended", lines.slice(1).some((line) => / waits? for | ended/.test(line)));
  const {ended, groups} = waitingAt(steps, divergent);
  check("every lane is active, waits or has ended", steps.lanes[divergent].length + ended +
    groups.reduce((sum, g) => sum + g.lanes.length, 0) === steps.there.length);
  check("a waiting lane is in the step that it waits for", groups.every((g) => steps.lanes[g.next].includes(g.lanes[0]) || g.lanes.length > 1));
}
pointer(frame, "pointermove", 0.01, 0.001);
check("the tooltip is shown", !byId("tip").hidden && byId("tip").textContent.includes("slot "));
pointer(frame, "pointerleave", 0, 0);
check("the tooltip is hidden", byId("tip").hidden);

/* ---- alignment, colours, sides ----------------------------------------------------------------- */

choose("align", "line");
const placed = sides().map(placedSteps);
check("each line has one band on both sides", placed.every((s) => s.start.every((start, i) => {
  const band = axis.bands.find((b) => b.key === s.key[i]);
  return start >= band.start && s.end[i] <= band.start + band.slots;
})));
check("all steps are in the bands", placed.every((s, i) => s.key.length === scheduleOf(sides()[i], state.subgroup).key.length));
press(document.body, "Escape");
choose("align", "time");
for (const colour of ["issues", "each", "difference"]) {
  choose("colour", colour);
  check(`colours by ${colour}`, state.colour === colour && byId("ramp").hidden === (colour !== "issues"));
}
check("strong colours cover the difference", telling.keys.length > 0 && (telling.share >= COVERED || telling.keys.length === MOST_COLOURS));
if (state.right) {
  const [left, right] = sides();
  byId("exchange").click();
  check("left and right are exchanged", state.left === right && state.right === left);
  document.querySelector(`#policy-table tr[data-result="${left.result}"] [data-side=left]`).click();
  check("a button of the table chooses a side", state.left.result === left.result);
}
byId("all-bars").click();
check("all bars are shown", document.querySelectorAll("#differences [role=option]").length === barKeys().length);

/* Single dispatches add up to all of them. */
const single = dispatchesOf(state.left);
if (single.length) {
  const all = state.left, at = single[single.length - 1];
  check("dispatches add up", single.length < EVERY || single.reduce((sum, run) => sum + run.issued, 0) === all.issued);
  choose("left-dispatch", at.dispatch);
  check("a dispatch is chosen", state.left === at && seen("main > section").includes(`dispatch ${at.dispatch}`));
  check("its schedule is that of the dispatch", subgroupSlots([at]).length < resultOf(at).subgroups / data.dispatches ||
    subgroupSlots([at]).reduce((sum, n) => sum + scheduleOf(at, n).total, 0) === at.issued);
  choose("left-dispatch", "");
  check("all dispatches are chosen", state.left === all);
}

/* ---- picture and heat maps --------------------------------------------------------------------- */

/* "pixel (3, 4)", then for each side "NAME: 12 issues, 3 lost (25.0 %)": the lines of the tooltip. */
function tellPixel(lines) {
  const at = /^(?:pixel|thread) \((\d+), (\d+)\)$/.exec(lines[0]);
  for (const run of sides().filter(mapOf)) {
    const line = lines.find((text) => text.startsWith(`${runName(run)}: `)).slice(runName(run).length).replaceAll(",", "");
    const said = /^: (\d+) issues? (\d+) lost/.exec(line);
    probe.push(`pixel ${run.result} ${at[1]} ${at[2]} ${said[1]} ${said[2]}`);
  }
}

function tipLines() {
  return [...byId("tip").children].map((line) => line.textContent);
}

/* The colour of a cell in the map of a side. */
function drawnCell(side, cell) {
  const context = document.querySelector(`#pixels-${side} canvas`).getContext("2d");
  return [...context.getImageData(cell % pixels.columns, Math.floor(cell / pixels.columns), 1, 1).data.slice(0, 3)];
}

function inFrame(canvas, x, y) {
  const map = canvas.getBoundingClientRect(), frame = document.querySelector("#pixels-left .subgroup-mark").getBoundingClientRect();
  const [left, top] = [map.left + x * map.width, map.top + y * map.height];
  return left >= frame.left - 1 && left <= frame.right + 1 && top >= frame.top - 1 && top <= frame.bottom + 1;
}

check("heat maps are there after a draw, or a dispatch with x and y", byId("pixels").hidden === (pixels === null) && (pixels !== null || !DRAWS));
if (pixels) {
  const maps = sides().map(mapOf), canvas = document.querySelector("#pixels-left canvas");
  for (const kind of Object.keys(PIXEL_KINDS)) {
    choose("pixels-kind", kind);
    for (const map of maps.filter((m) => m))
      probe.push(`sum ${map.result} ${kind} ${cellsOf(map, kind).reduce((sum, n) => sum + n, 0)}`);
    const all = maps.map((map) => map ? [...cellsOf(map, kind)] : []), most = Math.max(...all.flat());
    const side = all[0].includes(most) ? 0 : 1, cell = all[side].indexOf(most), zero = all[0].indexOf(0);
    check(`${kind}: the most is light yellow`, String(drawnCell(["left", "right"][side], cell)) === "252,255,164");
    check(`${kind}: nothing is black`, zero < 0 || String(drawnCell("left", zero)) === "0,0,4");
    check(`${kind}: the scale has its unit`, seen("#pixels-most") === `${Math.round(most / pixels.side ** 2)} ${PIXEL_KINDS[kind].noun}`);
  }
  for (let i = 0; i < 40; i++) {
    pointer(canvas, "pointermove", (7 * i % 41 + 0.5) / 41, (3 * i % 37 + 0.5) / 37);
    if (pixels.side === 1) tellPixel(tipLines());
  }
  pointer(canvas, "pointerleave", 0.5, 0.5);
  check("the tooltip of a pixel is hidden", byId("tip").hidden);
  press(canvas, "ArrowRight");
  press(canvas, "ArrowDown");
  if (pixels.side === 1) tellPixel(tipLines());
  if (pixels.side === 1 && data.dispatches === 1) {
    press(canvas, "Enter");
    check("Enter shows the pixel's subgroup", state.pixel !== null && seen("#subgroup-note").includes(`subgroup ${state.pixel.number}`));
    for (let i = 0; i < 60; i++) {
      const [x, y] = [(7 * i % 41 + 0.5) / 41, (3 * i % 37 + 0.5) / 37];
      pointer(canvas, "click", x, y);
      const {cell: [column, row], number, shown} = state.pixel, all = subgroupsOf(state.left).map((s) => s.subgroup);
      const steps = scheduleOf(state.left, state.subgroup), issues = cellsOf(maps[0], "issues")[row * pixels.columns + column];
      check(`the nearest subgroup is shown: ${number}, ${shown}`, all.every((other) => Math.abs(other - number) >= Math.abs(shown - number)));
      check(`the schedule is that of pixel ${column}, ${row}`, shown !== number || steps.total === issues);
      check("the pixel is in the frame", shown !== number || inFrame(canvas, x, y));
    }
    check("some pixels have a schedule", subgroupsOf(state.left).length >= Math.min(5, resultOf(state.left).subgroups));
    press(canvas, "ArrowDown");
  }
  check("a pixel is announced", byId("said").textContent.startsWith(`${pixels.side === 1 ? THINGS.slice(0, -1) : THINGS} (`));
  tellCell(null);
}

/* ---- everything that Tab reaches --------------------------------------------------------------- */

checkStops();

/* ---- light and dark ---------------------------------------------------------------------------- */

/* Colours of the schedule on what waits, bars on the ground. Blocks that do not differ are meant to be faint. */
function marks() {
  return [["bars", "--used", "--ground"], ["active and inactive", "--used", "--idle"],
    ...[...palette().strong, palette().more, palette().ink].map((rgb) => [`the colour ${rgb}`, rgb, "--empty"])];
}

checkThemes("nothing is selected", marks);
pin(new Set([rankedKeys[0]]));
checkThemes("a block is selected", marks);
check("dark is dark", getComputedStyle(document.body).backgroundColor === "rgb(20, 24, 29)");
check("strong colours differ", [LIGHT, DARK].every(({strong}) => new Set(strong.map(String)).size === MOST_COLOURS));
document.body.append(element("pre", {id: "probe"}, probe.join("\n")));
