// SPDX-License-Identifier: Apache-2.0
/* colour: colours of blocks and of heat. */
"use strict";

/* OKLCH to sRGB, 0 to 255: lightness 0 to 1, chroma, hue in degrees. */
function oklch(lightness, chroma, hue) {
  const a = chroma * Math.cos(hue * Math.PI / 180), b = chroma * Math.sin(hue * Math.PI / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3;
  return [4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s].map((c) => {
    const linear = Math.min(1, Math.max(0, c));
    return Math.round(255 * (linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055));
  });
}

function css(rgb) {
  return `rgb(${rgb[0]} ${rgb[1]} ${rgb[2]})`;
}

/* The blocks that ran under any policy, in the order of priority. */
function rankBlocks() {
  const rank = new Map(shown.priority.map((label, i) => [label, i]));
  const ran = shown.blocks.map((_, i) => i).filter((block) =>
    scheduledPolicies().some((policy) => allBlockFigures(policy)[block].executions));
  return ran.sort((x, y) => rank.get(shown.blocks[x][1]) - rank.get(shown.blocks[y][1]));
}

const rankedBlocks = shown ? rankBlocks() : [];

/* Hues follow the order of priority, so that code which runs again shows as recurring colours;
   neighbours also differ in lightness. */
const blockColours = new Map(rankedBlocks.map((block, i) => {
  const hue = 25 + 320 * i / Math.max(rankedBlocks.length, 6);
  return [block, oklch([0.72, 0.6, 0.82][i % 3], [0.15, 0.17, 0.13][i % 3], hue)];
}));

const POLICY_COLOUR = [128, 128, 128]; // instructions that the policy adds

function colourOf(part) {
  return part === NO_PART ? POLICY_COLOUR : blockColours.get(blockOfPart[part]) || POLICY_COLOUR;
}

function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

/* The colour of a heat from 0 (cold) to 1 (hot), on the page's background. */
function heatColour(value) {
  const v = Math.sqrt(Math.min(1, Math.max(0, value)));
  return isDark() ? oklch(0.25 + 0.25 * v, 0.01 + 0.13 * v, 70 - 40 * v)
    : oklch(0.985 - 0.265 * v, 0.01 + 0.15 * v, 85 - 45 * v);
}
