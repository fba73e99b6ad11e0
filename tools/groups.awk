# SPDX-License-Identifier: Apache-2.0
# Draws a trace of groups of lanes (spv-emu --trace-groups) as an SVG picture: a column for each block that runs, with
# a box for each group. On top is the group that runs, below it those that wait, dashed the barrier registers. A box has
# the name of its block, and a square for each lane, which is filled if the lane is in the group.
#
#   awk -f tools/csv.awk -f tools/svg.awk -f tools/groups.awk -v lanes=N [-v names=ID=NAME,ID=NAME…] [-v columns=N]
#       [-v title=TEXT] [-v most=STEPS] FILE.csv >PICTURE.svg
#
# Only the first subgroup of the file is drawn. `columns`: lanes are packed into subgroups of that many, each lane in
# its column; the number of subgroups is printed below the column of the block. `most`: the picture has room for that
# many steps.

# Is the lane in the mask, a hexadecimal number whose lowest bit is lane 0?
function has_lane(mask, lane,    digit) {
  digit = index("0123456789abcdef", substr(mask, length(mask) - int(lane / 4), 1)) - 1
  return int(digit / 2 ^ (lane % 4)) % 2
}

function name_of(place) {
  return place in called ? called[place] : place
}

function group_box(px, py, kind, place, mask,    i, style) {
  style = kind == "runs" ? "class=\"s1\" stroke-width=\"2\"" : \
    kind == "waits" ? "class=\"mark\"" : "class=\"mark\" stroke-dasharray=\"3 3\""
  printf "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"3\" fill=\"none\" %s/>\n", px, py, wide, high, style
  svg_text(px + wide / 2, py + 14, "middle", name_of(place), kind == "runs" ? " font-weight=\"bold\"" : "")
  for (i = 0; i < lanes; i++)
    printf "<rect x=\"%.1f\" y=\"%d\" width=\"8\" height=\"8\" %s/>\n", px + wide / 2 + (i - lanes / 2) * 11 + 1.5, \
      py + 20, has_lane(mask, i) ? "class=\"mark " (kind == "runs" ? "f1" : "f6") "\"" : "class=\"mark\" fill=\"none\""
}

# Into how many subgroups the lanes are packed.
function packs(mask,    column, i, count, most) {
  for (column = 0; column < columns; column++) {
    count = 0
    for (i = column; i < lanes; i += columns) count += has_lane(mask, i)
    if (count > most) most = count
  }
  return most + 0
}

function draw_step(step,    k, px, py, kind) {
  px = left + (step - 1) * (wide + gap)
  for (k = 1; k <= groups[step]; k++)
    group_box(px, top + (k - 1) * (high + 6), kinds[step, k], places[step, k], masks[step, k])
  svg_text(px + wide / 2, top - 8, "middle", step)
  if (columns)
    svg_text(px + wide / 2, top + tallest * (high + 6) + 12, "middle", "× " packs(masks[step, 1]))
}

BEGIN {
  left = 14; top = 50; high = 34; gap = 8
  wide = 11 * lanes + 8 > 56 ? 11 * lanes + 8 : 56
  n = split(names, pair, ",")
  for (i = 1; i <= n; i++) {
    split(pair[i], half, "=")
    called["%" half[1]] = half[2]
  }
}

NR > 1 {
  split_csv($0, field)
  if (NR == 2) first = field[1] "," field[2]
  if (field[1] "," field[2] != first) next
  step = field[3] + 0
  k = ++groups[step]
  kinds[step, k] = field[4]; places[step, k] = field[5]; masks[step, k] = field[6]
  if (k > tallest) tallest = k
  if (step > steps) steps = step
}

END {
  if (!steps) exit 1
  if (steps > most) most = steps
  svg_begin(left * 2 + most * (wide + gap) - gap, top + tallest * (high + 6) + (columns ? 24 : 8))
  svg_text(left, 20, "start", title, " font-weight=\"bold\"")
  for (step = 1; step <= steps; step++) draw_step(step)
  svg_end()
}
