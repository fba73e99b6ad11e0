// SPDX-License-Identifier: Apache-2.0
/* match: which lines of two sources are the same, after Heckel, "A technique for isolating differences between
   files" (CACM 21, 1978): lines that occur once in each source match, then lines beside a match that are alike. */
"use strict";

/* Matches lines beside the matched ones, in a direction. */
function growMatches(from, to, match, taken, by) {
  for (let i = by > 0 ? 0 : from.length - 1; i >= 0 && i < from.length; i += by) {
    const next = match[i] === undefined ? -1 : match[i] + by;
    if (next < 0 || next >= to.length || match[i + by] !== undefined || taken.has(next) || from[i + by] !== to[next]) continue;
    match[i + by] = next;
    taken.add(next);
  }
}

/* For each of the lines `from` the index of the same line in `to`; undefined: there is none. */
function matchLines(from, to) {
  const places = new Map(), match = from.map(() => undefined), taken = new Set();
  const note = (lines, side) => lines.forEach((text, i) => {
    if (!places.has(text)) places.set(text, [[], []]);
    places.get(text)[side].push(i);
  });
  note(from, 0);
  note(to, 1);
  for (const [text, [a, b]] of places)
    if (text && a.length === 1 && b.length === 1) {
      match[a[0]] = b[0];
      taken.add(b[0]);
    }
  growMatches(from, to, match, taken, 1);
  growMatches(from, to, match, taken, -1);
  return match;
}

/* A function from a place (file, line) of program `at` to that of the same text in the pipeline's first program. */
function placesInFirst(at) {
  const base = programs.findIndex((p) => p.pipeline === programs[at].pipeline);
  const [own, first] = [programs[at], programs[base]].map(listingOf);
  const placed = (p, file, line) => ({file: file === null ? null : programs[p].files[file], line});
  const text = (listing) => listing.lines.map((line) => line[0].trim()), [a, b] = [text(own), text(first)];
  if (!own.source || !first.source || String(a) === String(b)) return (file, line) => placed(at, file, line);
  const match = matchLines(a, b);
  return (file, line) => {
    const from = placesIn(own).index.get(`${file}:${line}`), to = match[from];
    if (from === undefined) return placed(at, file, line);
    if (to === undefined) return {file: `only in ${at}`, line};
    const place = placeOfLine(first, to);
    return placed(base, place.file, place.number);
  };
}
