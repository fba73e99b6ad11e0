# SPDX-License-Identifier: Apache-2.0
# The table of survey.sh from its rows of functions, then its rows of modules; after csv.awk.

BEGIN {
  titles = split("folder|modules|invalid|ours|functions|left alone|branching|unstructured|undeclared|" \
    "irreducible|multi-exit|divergent|structured", title, "|")
  column["read"] = 2; column["invalid"] = 3; column["ours"] = 4; column["alone"] = 6
}

# of each group, and of all (SUBSEP)
function group(name) {
  if (name in known) return
  known[name]
  if (name == SUBSEP) return
  folder[++folders] = name
  if (length(name) > width) width = length(name)
}

function count(of) {
  group(of)
  value[of, 5]++
  value[of, 7] += field[9]
  for (i = 4; i <= 8; i++) value[of, i + 4] += field[i]
  value[of, 13] += field[8] - 0 > field[4] - 0
}

function count_module(of) {
  group(of)
  value[of, column[field[1]]]++
}

# The share of the functions that branch, from the column "unstructured" on.
function cell(of, i,    n) {
  n = value[of, i] + 0
  return markdown && i > 7 && value[of, 7] ? sprintf("%d (%.1f%%)", n, 100 * n / value[of, 7]) : n
}

function line(name, of,    i) {
  if (markdown) printf "| %s", name
  else printf "%-*s", width, name
  for (i = 2; i <= titles; i++)
    if (markdown) printf " | %s", cell(of, i)
    else printf " %*d", length(title[i]), value[of, i]
  print markdown ? " |" : ""
}

function head(    i) {
  if (!markdown) {
    printf "%-*s", width, title[1]
    for (i = 2; i <= titles; i++) printf " %s", title[i]
    print ""
    return
  }
  for (i = 1; i <= titles; i++) printf "| %s ", title[i]
  print "|"
  for (i = 1; i <= titles; i++) printf i == 1 ? "| --- " : "| ---: "
  print "|"
}

# Ids and offsets differ from module to module: the reason is the rest.
function reason(message) {
  gsub(/%[0-9A-Za-z_]+/, "%N", message)
  gsub(/\((word|line) [0-9]+/, "(word N", message)
  return message
}

FNR == 1 { if (NR == 1) width = length("folder"); next }
{ split_csv($0, field) }
NR == FNR { count(field[1]); count(SUBSEP); next }
{
  count_module(field[2])
  count_module(SUBSEP)
  if (field[1] == "read") next
  row[++rows] = field[1]
  text[rows] = field[3] ": " field[4]
  r = field[1] ": " reason(field[4])
  if (!(r in reasons)) order[++orders] = r
  reasons[r]++
}

END {
  group(SUBSEP)
  head()
  for (i = 1; i <= folders; i++) line(folder[i], folder[i])
  line("all", SUBSEP)
  if (!rows) exit
  print markdown ? "" : "\nrefused, or left alone:"
  for (i = 1; i <= orders; i++)
    printf markdown ? "- %s: %d\n" : "  %s: %d\n", order[i], reasons[order[i]]
  if (markdown) exit
  print ""
  for (i = 1; i <= rows; i++) print "  " text[i]
}
