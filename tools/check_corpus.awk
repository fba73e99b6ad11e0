# SPDX-License-Identifier: Apache-2.0
# Makes the table of check_corpus.sh from its rows: list of transforms, outcome, changed functions,
# edges and how many are covered, pairs and how many are covered, milliseconds of the passes and of
# the check, exit status, module, message; separated by tabs. Lists come in the order of the first
# module.

# The message without the parts that are specific to the module, so that equal reasons can be counted.
function reason(message) {
  sub(/^function [^ ]*(, block %[0-9]+)?: /, "", message)
  sub(/ \((word|line) [0-9]+\)$/, "", message)
  gsub(/[0-9]+/, "N", message)
  return message
}

function percent(part, all) {
  return all ? sprintf("%.1f %%", 100 * part / all) : "-"
}

function line(list) {
  printf "%-*s %7d %7d %7d %8d %8s %8d %8s %9d %6d\n", width, list, modules[list],
    count[list, "refused"], functions[list], edges[list], percent(edges_covered[list], edges[list]),
    pairs[list], percent(pairs_covered[list], pairs[list]), count[list, "differing"],
    count[list, "failed"]
}

# The reasons, the most frequent first; equally frequent ones in alphabetical order.
function counted(times,    text, sorter) {
  print "\nrefused, by reason:"
  fflush()
  sorter = "LC_ALL=C sort -k1,1nr -k2"
  for (text in times) printf "%8d  %s\n", times[text], text | sorter
  close(sorter)
}

function named(title, lines, n,    i) {
  if (n) print "\n" title
  for (i = 1; i <= n; i++) print "  " lines[i]
}

$2 == "unreadable" {
  unreadable[++unread] = $11 ": " $12
  next
}

!($1 in modules) {
  order[++lists] = $1
  if (length($1) > width) width = length($1)
}

{
  modules[$1]++
  count[$1, $2]++
  functions[$1] += $3; changed += $3
  edges[$1] += $4; edges_covered[$1] += $5
  pairs[$1] += $6; pairs_covered[$1] += $7
  transforming += $8; checking += $9
}

$2 == "refused" { refused[reason($12)]++; refusals++ }
$2 == "differing" { bad[++wrong] = "differs: " $11 ", " $1 ": " $12 }
$2 == "failed" { bad[++wrong] = "failed, exit status " $10 ": " $11 ", " $1 ": " $12 }

END {
  printf "%-*s %7s %7s %7s %8s %8s %8s %8s %9s %6s\n", width, "transforms", "modules", "refused",
    "changed", "edges", "covered", "pairs", "covered", "differing", "failed"
  for (i = 1; i <= lists; i++) line(order[i])
  printf "\n%.1f s in the passes, %.1f s in the check\n", transforming / 1000, checking / 1000
  if (refusals) counted(refused)
  named("that cannot be read:", unreadable, unread)
  named("differing or failed:", bad, wrong)
  if (!lists) print "check: no module to check" >"/dev/stderr"
  else if (!changed && !wrong) print "check: nothing was compared: no transform changed a function" >"/dev/stderr"
  exit wrong > 0 || !changed
}
