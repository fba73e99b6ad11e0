# SPDX-License-Identifier: Apache-2.0
# Draws columns of a CSV file as an SVG picture.
#
#   awk -f tools/csv.awk -f tools/svg.awk -f tools/plot.awk -v x=COLUMN -v y=COLUMN,COLUMN… [-v series=COLUMN] [-v steps=1]
#       [-v title=TEXT] [-v xlabel=TEXT] [-v ylabel=TEXT] FILE.csv >PICTURE.svg
#
# Columns are named by the first line; fields with commas in them are quoted as in RFC 4180. There is a
# line for each y column and each value of the series column. `steps`: the value holds until the next.

function column(name) {
  if (!(name in number)) {
    print "plot.awk: no column " name >"/dev/stderr"
    failed = 1
    exit 1
  }
  return number[name]
}

function add(name, px, py) {
  if (!(name in points)) names[++lines] = name
  if (steps && points[name] && py == last[name]) { # only where the value changes
    end[name] = px
    return
  }
  if (steps && points[name]) points[name] = points[name] " " px "," last[name]
  points[name] = points[name] (points[name] == "" ? "" : " ") px "," py
  last[name] = py
  end[name] = px
  if (!any++) { min_x = max_x = px; min_y = max_y = py }
  if (px < min_x) min_x = px
  if (py < min_y) min_y = py
  if (py > max_y) max_y = py
}

function place_x(v) { return left + (v - min_x) / (max_x - min_x) * wide }
function place_y(v) { return top + high - (v - min_y) / (max_y - min_y) * high }

# 3000000 as 3,000,000
function grouped(v,    rest) {
  if (v != int(v) || v < 1000) return v
  for (v = sprintf("%d", v); length(v) > 3; v = substr(v, 1, length(v) - 3))
    rest = "," substr(v, length(v) - 2) rest
  return v rest
}

# The highest point is at a line of the grid, or below one.
function round_up(    step, up) {
  step = svg_tick(max_y - min_y)
  up = step * int(max_y / step)
  max_y = up < max_y - step / 1000 ? up + step : max_y
}

function axes(    step, v) {
  step = svg_tick(max_x - min_x)
  for (v = step * int(min_x / step); v <= max_x; v += step)
    if (v >= min_x) {
      printf "<path class=\"grid\" d=\"M%.1f %.1fv%d\"/>\n", place_x(v), top, high
      svg_text(place_x(v), top + high + 16, "middle", grouped(v))
    }
  step = svg_tick(max_y - min_y)
  for (v = step * int(min_y / step); v <= max_y + step / 1000; v += step) {
    printf "<path class=\"grid\" d=\"M%.1f %.1fh%d\"/>\n", left, place_y(v), wide
    svg_text(left - 6, place_y(v) + 4, "end", grouped(v))
  }
  svg_text(left + wide / 2, top + high + 36, "middle", xlabel ? xlabel : x)
  svg_text(14, top + high / 2, "middle", ylabel ? ylabel : y,
       sprintf(" transform=\"rotate(-90 14 %d)\"", top + high / 2))
  svg_text(left + wide / 2, 20, "middle", title, " font-weight=\"bold\"")
}

# A line that coincides with another one is dashed, so that both are visible.
function dashes(i,    k) {
  for (k = 1; k < i; k++)
    if (points[names[k]] == points[names[i]]) return " stroke-dasharray=\"6 6\""
}

function curve(i,    n, k, p, xy, d, dash) {
  if (steps) points[names[i]] = points[names[i]] " " end[names[i]] "," last[names[i]]
  dash = dashes(i)
  n = split(points[names[i]], p, " ")
  for (k = 1; k <= n; k++) {
    split(p[k], xy, ",")
    d = d sprintf("%s%.1f %.1f", k == 1 ? "M" : "L", place_x(xy[1]), place_y(xy[2]))
  }
  printf "<path fill=\"none\" class=\"s%d\" stroke-width=\"1.5\"%s d=\"%s\"/>\n", (i - 1) % 6 + 1, dash, d
  if (lines > 1) {
    printf "<path class=\"s%d\" stroke-width=\"3\"%s d=\"M%d %dh20\"/>\n", (i - 1) % 6 + 1, dash,
      left + wide + 12, top + 18 * i
    svg_text(left + wide + 38, top + 18 * i + 4, "start", names[i])
  }
}

BEGIN {
  left = 84; top = 34; wide = 640; high = 300
  ys = split(y, y_name, ",")
}

NR == 1 {
  fields = split_csv($0, field)
  for (i = 1; i <= fields; i++) number[field[i]] = i
  next
}

{
  split_csv($0, field)
  for (i = 1; i <= ys; i++) {
    name = series ? field[column(series)] : ""
    if (ys > 1) name = name (name == "" ? "" : ", ") y_name[i]
    px = field[column(x)] + 0
    add(name == "" ? y : name, px, field[column(y_name[i])] + 0)
    if (px > max_x) max_x = px
  }
}

END {
  if (failed || !any) exit 1
  if (min_y > 0 && min_y < max_y / 2) min_y = 0
  if (min_x == max_x) max_x++
  if (min_y == max_y) max_y++
  round_up()
  svg_begin(left + wide + (lines > 1 ? 140 : 20), top + high + 50)
  axes()
  for (i = 1; i <= lines; i++) curve(i)
  svg_end()
}
