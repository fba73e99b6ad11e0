// SPDX-License-Identifier: Apache-2.0
/* base: what the scripts of all pages share: numbers as text, elements, the theme. */
"use strict";

/* ---- text -------------------------------------------------------------------------------------- */

const grouped = new Intl.NumberFormat("en-US");

function count(value) {
  return grouped.format(value);
}

function plural(value, noun) {
  return `${count(value)} ${noun}${value === 1 ? "" : "s"}`;
}

/* With a capital. */
function sentence(text) {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/* A ratio with a readable number of digits. */
function ratio(value) {
  return value >= 100 ? count(Math.round(value)) : value.toPrecision(3);
}

function percent(part, whole) {
  return whole ? `${(100 * part / whole).toFixed(1)} %` : "0 %";
}

function element(name, attributes, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

/* ---- the theme --------------------------------------------------------------------------------- */

const THEMES = ["", "light", "dark"];

/* The button "theme" switches between the system's theme, light and dark; `changed` is called after each switch. */
function startTheme(changed) {
  const root = document.documentElement, button = document.getElementById("theme");
  button.addEventListener("click", () => {
    const next = THEMES[(THEMES.indexOf(root.dataset.theme || "") + 1) % THEMES.length];
    if (next) root.dataset.theme = next;
    else delete root.dataset.theme;
    button.textContent = `Theme: ${next || "as the system"}`;
    changed();
  });
}
