# SPDX-License-Identifier: Apache-2.0
# Common parts of the pictures of plot.awk and dots.awk: colours, text, the frame. They are legible on
# light and on dark pages: viewers that know the page's scheme use it, others draw on white.

function svg_text(px, py, anchor, what, more) {
  gsub(/&/, "\\&amp;", what)
  gsub(/</, "\\&lt;", what)
  printf "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\"%s>%s</text>\n", px, py, anchor, more, what
}

# A distance of ticks that is 1, 2 or 5 times a power of ten.
function svg_tick(range,    step) {
  step = 10 ^ int(log(range / 4) / log(10) - (range < 4))
  return step * (range / step > 20 ? 5 : range / step > 8 ? 2 : 1)
}

# Six colours: class sN strokes, fN fills.
function svg_colors(list,    color, i, n, css) {
  n = split(list, color, " ")
  for (i = 1; i <= n; i++) css = css ".s" i "{stroke:" color[i] "}.f" i "{fill:" color[i] "}"
  return css
}

function svg_begin(width, height) {
  printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" " \
    "font-size=\"12\">\n", width, height
  print "<style>text{fill:#1f2328}.paper{fill:#fff}.grid{stroke:#ddd}.mark{stroke:#555}" \
    svg_colors("#1f6fb4 #d2691e #2e8b57 #8b3a8b #b22222 #555555")
  print "@media(prefers-color-scheme:dark){text{fill:#e6edf3}.paper{fill:#0d1117}.grid{stroke:#333b45}" \
    ".mark{stroke:#9198a1}" svg_colors("#58a6ff #ffa657 #56d364 #d2a8ff #ff7b72 #b1bac4") "}</style>"
  print "<rect class=\"paper\" width=\"100%\" height=\"100%\"/>"
}

function svg_end() { print "</svg>" }
