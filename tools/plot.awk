# plot: lines through points, as SVG on standard output.
#
#   awk -v title=… -v xlabel=… -v ylabel=… [-v steps=1] -f plot.awk POINTS
#
# A point is a line "series,x,y", x and y at least 0; a series' points stand in the order in which
# they are joined, and the series in that in which they first come. With steps a line goes level to
# the next x before it rises or falls. Both axes start at 0.

BEGIN {
  FS = ","
  width = 720; height = 400; left = 70; right = 20; top = 40; bottom = 50
  split("#0b62a4 #d1495b #2e8540 #8a4fbf #b07d12 #444444", colours, " ")
}

!($1 in index_of) {
  index_of[$1] = ++series
  name[series] = $1
}

{
  s = index_of[$1]
  n = ++points[s]
  x[s, n] = $2; y[s, n] = $3
  if ($2 > most_x) most_x = $2
  if ($3 > most_y) most_y = $3
}

# The distance of an axis' marks: 1, 2 or 5 times a power of ten, at most 8 marks.
function distance(most,    d) {
  for (d = 1; d * 8 >= most && most > 0; d /= 10);
  for (;; d *= 10) {
    if (d * 8 >= most) return d
    if (d * 16 >= most) return d * 2
    if (d * 40 >= most) return d * 5
  }
}

function px(value) { return left + value / range_x * (width - left - right) }
function py(value) { return height - bottom - value / range_y * (height - top - bottom) }

function text(at_x, at_y, anchor, words) {
  gsub(/&/, "\\&amp;", words); gsub(/</, "\\&lt;", words)
  printf "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n", at_x, at_y, anchor, words
}

function line(x1, y1, x2, y2, colour) {
  printf "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>\n", x1, y1, x2, y2, colour
}

function axes(    v, d) {
  d = distance(most_x)
  range_x = most_x > 0 ? most_x : 1
  step_y = distance(most_y)
  for (range_y = step_y; range_y < most_y; range_y += step_y);
  for (v = 0; v <= range_x * 1.0001; v += d) {
    line(px(v), py(0), px(v), py(range_y), "#e4e4e4")
    text(px(v), py(0) + 16, "middle", sprintf("%.9g", v))
  }
  for (v = 0; v <= range_y * 1.0001; v += step_y) {
    line(px(0), py(v), px(range_x), py(v), "#e4e4e4")
    text(px(0) - 6, py(v) + 4, "end", sprintf("%.9g", v))
  }
  line(px(0), py(0), px(range_x), py(0), "#222222")
  line(px(0), py(0), px(0), py(range_y), "#222222")
  text((left + width - right) / 2, height - 12, "middle", xlabel)
  text(left - 60, top - 10, "start", ylabel)
  text(width - right, 18, "end", title)
}

function draw(s,    n) {
  printf "<polyline fill=\"none\" stroke-width=\"1.6\" stroke=\"%s\" points=\"", colours[(s - 1) % 6 + 1]
  for (n = 1; n <= points[s]; n++) {
    if (steps && n > 1) printf "%.1f,%.1f ", px(x[s, n]), py(y[s, n - 1])
    printf "%.1f,%.1f ", px(x[s, n]), py(y[s, n])
  }
  print "\"/>"
}

# Above the plot, one beside the other.
function legend(s,    at) {
  at = left + 90 + 90 * (s - 1)
  line(at, 14, at + 24, 14, colours[(s - 1) % 6 + 1])
  text(at + 30, 18, "start", name[s])
}

END {
  printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\">\n", width, height
  print "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>"
  axes()
  for (s = 1; s <= series; s++) draw(s)
  for (s = 1; s <= series; s++) legend(s)
  print "</svg>"
}
