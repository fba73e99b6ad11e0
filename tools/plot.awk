# Draws columns of a CSV file as an SVG picture.
#
#   awk -f tools/plot.awk -v x=COLUMN -v y=COLUMN,COLUMN… [-v series=COLUMN] [-v steps=1]
#       [-v title=TEXT] [-v xlabel=TEXT] [-v ylabel=TEXT] FILE.csv >PICTURE.svg
#
# Columns are named by the first line; fields with commas in them are quoted as in RFC 4180. There is a
# line for each y column and each value of the series column. `steps`: the value holds until the next.

function split_csv(line, field,    n, at, c, quoted) {
  n = 1
  field[1] = ""
  for (at = 1; at <= length(line); at++) {
    c = substr(line, at, 1)
    if (c == "\"") quoted = !quoted
    else if (c == "," && !quoted) field[++n] = ""
    else field[n] = field[n] c
  }
  return n
}

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

# A distance of ticks that is 1, 2 or 5 times a power of ten.
function tick(range,    step) {
  step = 10 ^ int(log(range / 4) / log(10) - (range < 4))
  return step * (range / step > 20 ? 5 : range / step > 8 ? 2 : 1)
}

function place_x(v) { return left + (v - min_x) / (max_x - min_x) * wide }
function place_y(v) { return top + high - (v - min_y) / (max_y - min_y) * high }

function text(px, py, anchor, what, more) {
  gsub(/&/, "\\&amp;", what)
  gsub(/</, "\\&lt;", what)
  printf "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\"%s>%s</text>\n", px, py, anchor, more, what
}

function axes(    step, v) {
  step = tick(max_x - min_x)
  for (v = step * int(min_x / step); v <= max_x; v += step)
    if (v >= min_x) {
      printf "<path class=\"grid\" d=\"M%.1f %.1fv%d\"/>\n", place_x(v), top, high
      text(place_x(v), top + high + 16, "middle", v)
    }
  step = tick(max_y - min_y)
  for (v = step * int(min_y / step); v <= max_y; v += step) {
    printf "<path class=\"grid\" d=\"M%.1f %.1fh%d\"/>\n", left, place_y(v), wide
    text(left - 6, place_y(v) + 4, "end", v)
  }
  text(left + wide / 2, top + high + 36, "middle", xlabel ? xlabel : x)
  text(14, top + high / 2, "middle", ylabel ? ylabel : y,
       sprintf(" transform=\"rotate(-90 14 %d)\"", top + high / 2))
  text(left + wide / 2, 20, "middle", title, " font-weight=\"bold\"")
}

function curve(i,    n, k, p, xy, d) {
  if (steps) points[names[i]] = points[names[i]] " " end[names[i]] "," last[names[i]]
  n = split(points[names[i]], p, " ")
  for (k = 1; k <= n; k++) {
    split(p[k], xy, ",")
    d = d sprintf("%s%.1f %.1f", k == 1 ? "M" : "L", place_x(xy[1]), place_y(xy[2]))
  }
  printf "<path fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\" d=\"%s\"/>\n", color[(i - 1) % 6 + 1], d
  if (lines > 1) {
    printf "<path stroke=\"%s\" stroke-width=\"3\" d=\"M%d %dh20\"/>\n", color[(i - 1) % 6 + 1],
      left + wide + 12, top + 18 * i
    text(left + wide + 38, top + 18 * i + 4, "start", names[i])
  }
}

BEGIN {
  left = 70; top = 34; wide = 640; high = 300
  split("#1f6fb4 #d2691e #2e8b57 #8b3a8b #b22222 #555555", color, " ")
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
  printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" " \
    "font-size=\"12\">\n", left + wide + (lines > 1 ? 140 : 20), top + high + 50
  print "<style>.grid{stroke:#ddd}</style><rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>"
  axes()
  for (i = 1; i <= lines; i++) curve(i)
  print "</svg>"
}
