# SPDX-License-Identifier: Apache-2.0
# The table of survey.sh from its rows of functions; after csv.awk.

function line(name, of) {
  printf "%-*s %6d %9d %12d %10d %11d %10d %9d %10d\n", width, name, files[of], functions[of],
    unstructured[of], undeclared[of], irreducible[of], multi_exit[of], divergent[of], regular[of]
}

function count(of, file) {
  if (!((of, file) in seen)) { seen[of, file]; files[of]++ }
  functions[of]++
  unstructured[of] += field[4]
  undeclared[of] += field[5]
  irreducible[of] += field[6]
  multi_exit[of] += field[7]
  divergent[of] += field[8]
  regular[of] += field[8] - 0 > field[4] - 0
}

NR == 1 { width = length("folder"); next }

{
  split_csv($0, field)
  if (!(field[1] in functions)) folder[++folders] = field[1]
  if (length(field[1]) > width) width = length(field[1])
  count(field[1], field[2])
  count(SUBSEP, field[2])
}

END {
  printf "%-*s %6s %9s %12s %10s %11s %10s %9s %10s\n", width, "folder", "files", "functions",
    "unstructured", "undeclared", "irreducible", "multi-exit", "divergent", "structured"
  for (i = 1; i <= folders; i++) line(folder[i], folder[i])
  line("all", SUBSEP)
}
