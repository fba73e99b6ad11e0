// SPDX-License-Identifier: Apache-2.0
/* places: where blocks and listed lines come from, in words; programs and listings as in
   report_page_data.h. */
"use strict";

const placesOf = new WeakMap(); // listing: {at: [{file, number}] by line, index: by "file:number"}

function placesIn(listing) {
  if (placesOf.has(listing)) return placesOf.get(listing);
  const places = {at: [], index: new Map()};
  listing.sections.forEach(([file, first, number], i) => {
    const end = i + 1 < listing.sections.length ? listing.sections[i + 1][1] : listing.lines.length;
    for (let line = first; line < end; line++) {
      places.at.push({file, number: number + line - first});
      places.index.set(`${file}:${number + line - first}`, line);
    }
  });
  placesOf.set(listing, places);
  return places;
}

/* File and number of a listed line; of a disassembly only the number. */
function placeOfLine(listing, line) {
  return placesIn(listing).at[line] || {file: null, number: line + 1};
}

/* The text of a source line; "": it is not on the page. */
function textOfLine(listing, file, number) {
  const line = placesIn(listing).index.get(`${file}:${number}`);
  return listing.source && line !== undefined ? listing.lines[line][0].trim() : "";
}

/* The last part of a file's name; all of it, if another file has the same. */
function fileName(program, file) {
  const last = (name) => name.split(/[/\\]/).pop(), name = program.files[file] || "";
  return program.files.filter((other) => last(other) === last(name)).length > 1 ? name : last(name);
}

/* Are lines of several files listed? */
function hasFiles(listing) {
  return new Set(listing.sections.map((section) => section[0])).size > 1;
}

/* "in f, inlined at line 12 of main.comp, line 30 of main.comp"; "": the block was not inlined. */
function inlinedName(program, block) {
  const [, , , , , fn, first] = program.blocks[block], places = [];
  for (let call = first; call !== null && places.length < 8; call = program.calls[call][3]) {
    const [, file, line] = program.calls[call];
    places.push(`line ${line}${file === null ? "" : ` of ${fileName(program, file)}`}`);
  }
  return places.length ? `${fn ? `in ${fn}, ` : ""}inlined at ${places.join(", ")}` : "";
}
