# The table of check_corpus.sh: its lists of transforms, then its rows. Fields are separated by tabs.

# The reason alone, so that equal ones can be counted: no file, function or block, no number.
function reason(message, file) {
  if (index(message, file ": ") == 1) message = substr(message, length(file) + 3)
  sub(/^[^ ]*\.spv(asm)?: /, "", message)
  sub(/^function [^ ]*(, block %[0-9]+)?: /, "", message)
  sub(/ \(word [0-9]+\)$/, "", message)
  gsub(/%[0-9]+/, "%N", message)
  gsub(/[0-9]+/, "N", message)
  return message
}

function percent(part, all) {
  return all ? sprintf("%.1f %%", 100 * part / all) : "-"
}

function line(list) {
  printf "%-*s %8d %8d %8d %8d %8s %8d %8s %10d %7d\n", width, list, modules - 0,
    count[list, "refused"], functions[list], edges[list], percent(edges_covered[list], edges[list]),
    pairs[list], percent(pairs_covered[list], pairs[list]), count[list, "differing"],
    count[list, "failed"]
}

# The texts of one kind, with how often each came, the most frequent first; equal ones by the alphabet.
function counted(title, times,    text, any) {
  for (text in times) any = 1
  if (!any) return
  print "\n" title
  fflush()
  sorter = "LC_ALL=C sort -k1,1nr -k2"
  for (text in times) printf "%8d  %s\n", times[text], text | sorter
  close(sorter)
}

function named(title, lines, n,    i) {
  if (n) print "\n" title
  for (i = 1; i <= n; i++) print "  " lines[i]
}

FNR == NR {
  order[++lists] = $0
  if (length($0) > width) width = length($0)
  next
}

$2 == "unreadable" {
  unreadable[++unread] = $10 ": " reason($11, $10)
  next
}

{
  if ($1 == order[1]) modules++
  count[$1, $2]++
  functions[$1] += $3
  edges[$1] += $4; edges_covered[$1] += $5
  pairs[$1] += $6; pairs_covered[$1] += $7
  transforming += $8; checking += $9
}

$2 == "refused" { refused[reason($11, $10)]++ }
$2 == "differing" || $2 == "failed" { bad[++wrong] = $2 ": " $10 ", " $1 ": " $11 }

END {
  printf "%-*s %8s %8s %8s %8s %8s %8s %8s %10s %7s\n", width, "transforms", "modules", "refused",
    "changed", "edges", "covered", "pairs", "covered", "differing", "failed"
  for (i = 1; i <= lists; i++) line(order[i])
  printf "\n%.1f s in the transforms, %.1f s in the check\n", transforming / 1000, checking / 1000
  counted("refused, by reason:", refused)
  named("that cannot be read:", unreadable, unread)
  named("differing or failed:", bad, wrong)
  if (!modules) print "check: no module to check" >"/dev/stderr"
  exit wrong > 0 || !modules
}
