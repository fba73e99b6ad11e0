// SPDX-License-Identifier: Apache-2.0
/* waste: how much of the work of a run is wasted, and where: what the page says first, without words of the trade. Work is
   wasted while a lane waits for others: lane slots (issues × lanes) without an active lane. */
"use strict";

/* What runs in the lanes, in a reader's words. */
const THINGS = DRAWS ? "pixels" : "threads";
const LITTLE = 0.005; // of the work: less is not worth a sentence

function wasteOf(run) {
  return run.issued * run.lanes - run.lane_instructions;
}

/* {name, text, keys, issues, lanes, idle}; the keys are those of its blocks. */
function wasteOfLine(run, i) {
  const listing = listingOf(programOf(run)), line = listing.lines[i], {issues, lanes} = lineFigures(run, line);
  const {file, number} = placeOfLine(listing, i), of = hasFiles(listing) ? ` of ${fileName(programOf(run), file)}` : "";
  return {name: `line ${number}${of}`, text: line[0].trim(), keys: lineKeys(run.program, line), issues, lanes,
    idle: issues * run.lanes - lanes};
}

function wasteOfKey(run, key) {
  const {issues, laneIssues} = keyFigures(run)[key];
  return {name: `block ${blockName(key)}`, text: "", keys: [key], issues, lanes: laneIssues, idle: issues * run.lanes - laneIssues};
}

/* The line, or, without a source, the block, that wastes most; null: none wastes anything. */
function worstPlace(run) {
  const listing = listingOf(programOf(run));
  const places = listing.source ? listing.lines.map((_, i) => wasteOfLine(run, i))
    : keys.flatMap((key, k) => key.own ? [] : [wasteOfKey(run, k)]);
  const worst = places.reduce((most, place) => place.idle > most.idle ? place : most, {idle: 0});
  return worst.idle ? worst : null;
}

/* The loop or branch by which the run wastes most, as a place, if that is more than its worst line; else that line. */
function worstCause(run) {
  const worst = worstPlace(run), cause = run.causes?.[0], listing = listingOf(programOf(run));
  if (!cause || (worst && cause.idle < worst.idle)) return worst;
  const key = keyOfBlock[run.program][programOf(run).parts[cause.part][0]], line = placesIn(listing).index.get(`${cause.file}:${cause.line}`);
  const place = listing.source && line !== undefined ? wasteOfLine(run, line) : wasteOfKey(run, key);
  return {...place, keys: [...new Set([key, ...place.keys])], cause, idle: cause.idle};
}

function partText(part) {
  return part > 0.95 ? "nearly all of it" : part > 0.5 ? "most of it" : `${percent(part, 1)} of it`;
}

/* Is more wasted than nothing to speak of? */
function isWasteful(run) {
  return run.lanes > 1 && wasteOf(run) >= LITTLE * run.issued * run.lanes && worstCause(run) !== null;
}

/* "41.3 % of the work is wasted, most of it by the loop in line 27"; "": that cannot be said of the run. */
function wasteText(run) {
  const all = run.issued * run.lanes, waste = wasteOf(run), worst = worstCause(run);
  if (!all || run.lanes === 1) return "";
  if (!isWasteful(run)) return `Nothing to speak of is wasted: ${percent(all - waste, all)} of the work is needed`;
  return `${percent(waste, all)} of the work is wasted, ${partText(worst.idle / waste)} ${worst.cause ? `by the ${worst.cause.kind} in` : "in"} ${worst.name}`;
}

/* A button that selects the place in all views. */
function placeButton(place) {
  const text = sentence(place.text ? `${place.name}: ${shorten(place.text, 90)}` : place.name);
  const button = element("button", {type: "button", class: "place"}, text);
  button.addEventListener("click", () => pin(new Set(place.keys)));
  return button;
}

/* What that means: how lanes are lost, and in which line most of them. */
function wasteReasons(run) {
  if (!isWasteful(run)) return [];
  const cause = worstCause(run), worst = worstPlace(run), reasons = [], together = `The GPU runs ${run.lanes} ${THINGS} together`;
  if (cause?.cause) reasons.push(element("p", {}, placeButton(cause), `${together}, one in each `, wordLink("lane", "lane"), `. ${sentence(cause.cause.text)}.`));
  if (worst && !(cause.cause && worst.name === cause.name)) reasons.push(element("p", {}, placeButton(worst),
    `${reasons.length ? "Most is wasted here:" : `${together}. Here`} ${ratio(worst.lanes / worst.issues)} of ` +
    `${reasons.length ? `${run.lanes}` : "them"} are busy on average, while the others wait.`));
  return reasons;
}
