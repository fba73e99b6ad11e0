// SPDX-License-Identifier: Apache-2.0
/* words: explains the words of the trade where they appear, and lists them at the end of the page. GLOSSARY and FIGURES
   are from the documentation (cmake/words.cmake). */
"use strict";

/* Words and figures of the page that have a different name in the documentation. */
const ENTRIES = {
  active: "active, inactive",
  activity: "activity factor",
  diverge: "diverge, reconverge",
  lane: "lane, subgroup, wave",
  subgroup: "lane, subgroup, wave",
  ratio: "opt ratio",
};

function entryOf(word) {
  return ENTRIES[word] || word;
}

function entryId(entry) {
  return `word-${entry.replace(/[^a-z]+/g, "-")}`;
}

/* A link to the entry of a word, with its meaning as a tooltip. */
function wordLink(word, text) {
  const entry = entryOf(word);
  return element("a", {class: "word", href: `#${entryId(entry)}`, title: GLOSSARY[entry]}, text);
}

/* The links that the page is written with: <a data-word="issue">. */
function linkWords() {
  for (const node of document.querySelectorAll("[data-word]"))
    node.replaceWith(wordLink(node.dataset.word, node.textContent));
}

/* All entries, as a list of definitions. */
function drawWords() {
  const list = Object.entries(GLOSSARY).flatMap(([entry, meaning]) =>
    [element("dt", {id: entryId(entry), tabindex: "-1"}, entry), element("dd", {}, meaning)]);
  document.getElementById("word-list").replaceChildren(...list);
}
