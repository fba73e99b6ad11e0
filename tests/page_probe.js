// SPDX-License-Identifier: Apache-2.0
/* What the probes of all pages use: a list of facts, and checks that any page must pass: contrast after WCAG 2, names
 * for those who do not see the page, a visible focus. */
"use strict";

const probe = [];
const TEXT = 4.5, LARGE_TEXT = 3, MARK = 3; // contrasts, WCAG 2 AA

function check(what, good) {
  probe.push(`${good ? "ok" : "WRONG"} ${what}`);
}

function checkNone(what, nodes) {
  check(`${what} ${nodes.slice(0, 3).map((n) => n.outerHTML.slice(0, 90)).join(" ")}`, nodes.length === 0);
}

function choose(id, value) {
  const select = document.getElementById(id);
  select.value = value;
  select.dispatchEvent(new Event("change"));
}

/* ---- contrast ---------------------------------------------------------------------------------- */

const pixel = document.createElement("canvas").getContext("2d", {willReadFrequently: true});

const known = new Map();

/* Any CSS colour as red, green, blue 0 to 255 and opacity 0 to 1. */
function rgbaOf(colour) {
  if (!known.has(colour)) known.set(colour, drawn(colour));
  return known.get(colour);
}

function drawn(colour) {
  pixel.clearRect(0, 0, 1, 1);
  pixel.fillStyle = colour;
  pixel.fillRect(0, 0, 1, 1);
  const [r, g, b, a] = pixel.getImageData(0, 0, 1, 1).data;
  return [r, g, b, a / 255];
}

function variable(name) {
  const node = document.createElement("i");
  node.style.color = `var(${name})`;
  document.body.append(node);
  const rgba = rgbaOf(getComputedStyle(node).color);
  node.remove();
  return rgba;
}

/* A colour on an opaque one. */
function over([r, g, b, a], ground) {
  return [r, g, b].map((c, i) => c * a + ground[i] * (1 - a)).concat(1);
}

function brightness(rgb) {
  const [r, g, b] = rgb.map((c) => c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a, b) {
  const [x, y] = [brightness(a), brightness(b)].sort((p, q) => q - p);
  return (x + 0.05) / (y + 0.05);
}

function ancestors(node) {
  const list = [];
  for (; node instanceof Element; node = node.parentElement) list.unshift(node);
  return list;
}

/* What is painted below the text of an element: backgrounds, of gradients the first colour, and shapes of a picture. */
function groundOf(node) {
  let ground = [255, 255, 255, 1];
  for (const each of ancestors(node)) {
    const style = getComputedStyle(each), gradient = /^linear-gradient\([^,]*?((?:rgba?|color)\([^)]*\))/.exec(style.backgroundImage);
    ground = over(rgbaOf(style.backgroundColor), ground);
    if (gradient) ground = over(rgbaOf(gradient[1]), ground);
  }
  const shape = node.closest(".node")?.querySelector("path, polygon");
  if (!shape) return ground;
  const {fill, opacity} = getComputedStyle(shape), rgba = rgbaOf(fill);
  return over([...rgba.slice(0, 3), rgba[3] * opacity], ground);
}

function contrastOf(node) {
  const style = getComputedStyle(node), ground = groundOf(node);
  const opacity = ancestors(node).reduce((all, each) => all * getComputedStyle(each).opacity, 1);
  const [r, g, b, a] = rgbaOf(node instanceof SVGElement ? style.fill : style.color);
  return contrast(over([r, g, b, a * opacity], ground), ground);
}

function hasText(node) {
  return [...node.childNodes].some((child) => child.nodeType === Node.TEXT_NODE && child.data.trim());
}

function isFaint(node) {
  const {fontSize, fontWeight} = getComputedStyle(node), size = parseFloat(fontSize);
  return contrastOf(node) < (size >= 24 || (size >= 18.66 && fontWeight >= 700) ? LARGE_TEXT : TEXT);
}

/* What decides how the text of a node looks. */
function lookOf(node) {
  const names = [node, node.parentElement, node.closest("tr, li, .node, [role=option]")].map((n) => n ? `${n.tagName} ${n.getAttribute("class")}` : "");
  return [...names, node.getAttribute("style"), node.closest(".node")?.querySelector("path, polygon").style.fill].join("|");
}

/* All text that is shown, of what looks alike one example, except on controls that are disabled. */
function checkText(when) {
  const nodes = [...document.body.querySelectorAll("*:not(script, option, noscript)")].filter(hasText), looks = new Map();
  for (const node of nodes) if (!looks.has(lookOf(node)) && node.checkVisibility() && !node.closest(":disabled, .bands")) looks.set(lookOf(node), node);
  check("there is text", looks.size > 10);
  checkNone(`text has contrast, ${when}`, [...looks.values()].filter(isFaint));
}

/* Pairs of colours, as variables or [red, green, blue], that lie side by side. */
function checkMarks(when, pairs) {
  for (const [name, a, b] of pairs) {
    const [x, y] = [a, b].map((c) => typeof c === "string" ? variable(c) : c), is = contrast(x, y);
    check(`${name}: contrast ${is.toFixed(2)}, ${when}`, is >= MARK);
  }
}

const MARKS = [["borders of controls", "--border", "--ground"], ["borders on panels", "--border", "--panel"],
  ["the focus", "--accent", "--ground"], ["the focus on panels", "--accent", "--panel"]];

/* In light and dark: `more` gives pairs for checkMarks. */
function checkThemes(when, more) {
  for (const theme of ["light", "dark"]) {
    for (let i = 0; document.documentElement.dataset.theme !== theme && i < 3; i++) document.getElementById("theme").click();
    check(`the button switches to ${theme}`, document.documentElement.dataset.theme === theme);
    checkText(`${when}, ${theme}`);
    checkMarks(`${when}, ${theme}`, [...MARKS, ...more()]);
  }
}

/* ---- names and the focus ------------------------------------------------------------------------ */

function nameOf(node) {
  return node.getAttribute("aria-label") || node.getAttribute("aria-labelledby") ||
    (node.labels && node.labels.length && node.labels[0].textContent.trim()) || node.getAttribute("alt") ||
    (/^(SELECT|INPUT)$/.test(node.tagName) ? "" : node.textContent.trim());
}

/* What shows that a node has the focus: its outline, or, of a block in a picture, the line around it. */
function showsFocus(node) {
  const {outlineStyle, outlineWidth} = getComputedStyle(node), shape = node.querySelector(":scope > path, :scope > polygon");
  return outlineStyle === "solid" && parseFloat(outlineWidth) >= 2 || shape !== null && parseFloat(getComputedStyle(shape).strokeWidth) > 3;
}

/* Everything that Tab reaches takes the focus, shows it, is not covered, and has a name. */
function checkStops() {
  const stops = [...document.querySelectorAll("select, input, button, summary, a[href], [tabindex='0']")].filter((n) => n.checkVisibility() && !n.disabled);
  const of = {unreachable: [], unseen: [], covered: []};
  for (const stop of stops) {
    stop.focus();
    const box = stop.getBoundingClientRect(), x = box.left + Math.min(box.width, innerWidth) / 2, y = box.top + Math.min(box.height / 2, 8);
    const at = document.elementFromPoint(Math.min(x, innerWidth - 1), Math.max(0, Math.min(y, innerHeight - 1)));
    if (document.activeElement !== stop) of.unreachable.push(stop);
    else if (!showsFocus(stop)) of.unseen.push(stop);
    if (at && !stop.contains(at) && !at.contains(stop) && !at.closest("label")?.contains(stop)) of.covered.push(stop);
  }
  check("there is something to reach", stops.length > 5);
  checkNone("controls have names", stops.filter((n) => !nameOf(n)));
  checkNone("controls take the focus", of.unreachable);
  checkNone("controls show the focus", of.unseen);
  checkNone("controls are not covered", of.covered);
  const named = [...document.querySelectorAll("[role=listbox], [role=group], [role=region], [role=img], [role=slider], [role=option], img")];
  checkNone("lists, groups and pictures have names", named.filter((n) => n.checkVisibility() && !nameOf(n)));
  checkNone("tables have heads", [...document.querySelectorAll("table")].filter((n) => !n.querySelector("thead th[scope=col]")));
  check(`the page is no wider than the window (${document.documentElement.scrollWidth}, ${innerWidth})`,
    document.documentElement.scrollWidth <= innerWidth);
}
