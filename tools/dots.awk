# SPDX-License-Identifier: Apache-2.0
# Draws the rows of a CSV file as a dot chart: a line for each row, named by its first column, and a mark
# for each number in the others.
#
#   awk -f tools/csv.awk -f tools/svg.awk -f tools/dots.awk [-v title=TEXT] [-v xlabel=TEXT] [-v at=VALUE]
#       [-v log_from=LEAST] [-v hollow=COLUMN,COLUMN…] [-v styles=N,N…] FILE.csv >PICTURE.svg
#
# The columns' names in the first line are the legend. `at`: draws a line of reference there. `log_from`:
# the axis is logarithmic and begins there; smaller values are drawn at its beginning. `hollow`: columns whose
# marks are only outlined. `styles`: the colour and shape of each column, from 1, so that one thing looks the
# same in several pictures. Fields that are not numbers are left out. Marks get smaller from column to
# column, so that all marks at one place are visible.

BEGIN {
  row_high = 17; wide = 520; top = 62
  split(styles, style, ",")
}

function shape(i, px, py,    d, r, k) {
  r = 4.8 - 0.7 * (i - 1)
  k = style[i]
  if (k % 4 == 1) d = sprintf("M%.1f %.1fa%g %g 0 1 0 %g 0a%g %g 0 1 0 -%g 0z", px - r, py, r, r, 2 * r, r, r, 2 * r)
  if (k % 4 == 2) d = sprintf("M%.1f %.1fh%gv%gh-%gz", px - r, py - r, 2 * r, 2 * r, 2 * r)
  if (k % 4 == 3) d = sprintf("M%.1f %.1fl%g %gh-%gz", px, py - r - 1, r + 1, 2 * r + 1, 2 * r + 2)
  if (k % 4 == 0) d = sprintf("M%.1f %.1fl%g %gl-%g %gl-%g -%gz", px, py - r - 1, r + 1, r + 1, r + 1, r + 1, r + 1, r + 1)
  printf "<path class=\"%s\" d=\"%s\"%s/>\n",
    (outlined[i] ? "s" : "f") ((k - 1) % 6 + 1), d, outlined[i] ? " fill=\"none\" stroke-width=\"1.6\"" : ""
}

function scaled(v) {
  if (!log_from) return v
  return log(v > log_from ? v / log_from : 1) / log(10)
}

function place(v) { return left + (scaled(v) - least) / (most - least) * wide }

function grid(v, label) {
  printf "<path class=\"grid\" d=\"M%.1f %dv%d\"/>\n", place(v), top - 6, high + 6
  svg_text(place(v), top + high + 14, "middle", label)
}

function axis(    step, v) {
  if (log_from)
    for (v = log_from; scaled(v) <= most + 1e-9; v *= 10) grid(v, v)
  else {
    step = svg_tick(most - least)
    for (v = step * int(least / step); v <= most + step / 1000; v += step) grid(v, v + 0)
  }
  svg_text(left + wide / 2, top + high + 34, "middle", xlabel)
}

function legend(    i, px) {
  px = left
  for (i = 1; i <= columns; i++) {
    shape(i, px + 4, 42)
    svg_text(px + 14, 46, "start", column[i])
    px += 30 + 6.8 * length(column[i])
  }
}

function note(v) {
  if (!any++ || scaled(v) < least) least = scaled(v)
  if (any == 1 || scaled(v) > most) most = scaled(v)
}

function rows_out(    r, i, py) {
  for (r = 1; r <= rows; r++) {
    py = top + (r - 0.5) * row_high
    svg_text(left - 8, py + 4, "end", name[r])
    printf "<path class=\"grid\" stroke-dasharray=\"1 3\" d=\"M%d %.1fh%d\"/>\n", left, py, wide
    for (i = 1; i <= columns; i++)
      if (value[r, i] != "") shape(i, place(value[r, i]), py)
  }
}

NR == 1 {
  columns = split_csv($0, field) - 1
  for (i = 1; i <= columns; i++) {
    column[i] = field[i + 1]
    if (!style[i]) style[i] = i
    if (index("," hollow ",", "," column[i] ",")) outlined[i] = 1
  }
  next
}

{
  split_csv($0, field)
  name[++rows] = field[1]
  if (length(field[1]) > longest) longest = length(field[1])
  for (i = 1; i <= columns; i++)
    if (field[i + 1] ~ /^-?[0-9.]+(e[-+]?[0-9]+)?$/) {
      value[rows, i] = field[i + 1] + 0
      note(value[rows, i])
    }
}

END {
  if (!any) {
    print "dots.awk: no number in " FILENAME >"/dev/stderr"
    exit 1
  }
  if (at != "") note(at)
  least = 0
  most = log_from ? int(most + 0.999) : most * 1.03
  left = 16 + 6.6 * longest
  high = rows * row_high
  svg_begin(left + wide + 24, top + high + 46)
  svg_text((left + wide + 24) / 2, 20, "middle", title, " font-weight=\"bold\"")
  axis()
  if (at != "") printf "<path class=\"mark\" d=\"M%.1f %dv%d\"/>\n", place(at), top - 6, high + 6
  legend()
  rows_out()
  svg_end()
}
