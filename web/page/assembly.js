// SPDX-License-Identifier: Apache-2.0
/* assembly: SPIR-V text. A source has names where the module has numbers, and comments between its lines; but both have the
 * same instructions in the same order. So the n-th instruction of one is the n-th of the other. */
"use strict";

const INSTRUCTION = /^\s*(?:%([\w.]+)\s*=\s*)?(Op[A-Z]\w*)/;
const RESULT_COLUMN = 15; // where the disassembler ends "%id = "

/* [{id, op, line}]; lines count from 1, an id is "" where there is no result. */
function instructionsOf(text) {
  const list = [];
  text.split("\n").forEach((row, i) => {
    const found = INSTRUCTION.exec(row);
    if (found) list.push({id: found[1] || "", op: found[2], line: i + 1});
  });
  return list;
}

/* [[instruction of the source, the same of the module]]; empty if the two do not correspond. */
function pairInstructions(source, module) {
  const a = instructionsOf(source), b = instructionsOf(module);
  return a.length === b.length && a.every(({op, id}, i) => op === b[i].op && !id === !b[i].id) ? a.map((one, i) => [one, b[i]]) : [];
}

/* The blocks of the source, {name, line}, by the names of messages: the module's OpName, or the number of the id. */
function blocksOf(source, module) {
  const blocks = new Map();
  for (const [{id, op, line}, {id: number}] of pairInstructions(source, module))
    if (op === "OpLabel") blocks.set(number, {name: id, line});
  for (const [, number, name] of module.matchAll(/^\s*OpName %(\d+) "([\w.]+)"/gm))
    if (blocks.has(number) && !blocks.has(name)) blocks.set(name, blocks.get(number));
  return blocks;
}

/* Names of the source, by number. Numbers of the source are no names: the module may have numbered otherwise. */
function namesOf(source, module) {
  const names = new Map();
  for (const [{id}, {id: number}] of pairInstructions(source, module))
    if (/^[A-Za-z_]/.test(id)) names.set(number, id);
  return names;
}

/* The text with names for numbers. A label's number remains in a comment, since the graphs and the schedule show it. */
function withNames(text, names) {
  if (!names.size) return text;
  const ids = (part) => part.replace(/"(?:[^"\\]|\\.)*"|%(\d+)\b/g, (all, number) => number && names.has(number) ? `%${names.get(number)}` : all);
  return text.split("\n").map((row) => {
    const found = /^\s*%(\d+) = (.*)$/.exec(row);
    if (!found) return row.startsWith(";") ? row : ids(row);
    const [, number, rest] = found, name = names.get(number) || number;
    return `${`%${name} = `.padStart(RESULT_COLUMN)}${ids(rest)}${rest === "OpLabel" && names.has(number) ? ` ; %${number}` : ""}`;
  }).join("\n");
}
