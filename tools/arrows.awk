# SPDX-License-Identifier: Apache-2.0
# Checks the arrows of arrows.sh. The first file is arrows.txt; then come lines
#   file PATH    include PATH SPELLING quoted|system    defines PATH SYMBOL    uses PATH SYMBOL
#   guard PATH NAME    type PATH NAME

function folder_of(path) {
  sub(/\/[^\/]*$/, "", path)
  return path ~ /\/include(\/|$)/ ? substr(path, 1, index(path, "/include") + 7) : path
}

function complain(text) {
  if (!(text in said)) print text
  said[text] = 1
  errors++
}

# The file that the include names, from the repository's root or as users of an installed header write it.
function resolve(name) {
  if (name in files) return name
  if (("passes/include/" name) in files) return "passes/include/" name
  if (("spv-emu/include/" name) in files) return "spv-emu/include/" name
  return ""
}

function arrow(from, to, a, b) {
  a = folder_of(from)
  b = folder_of(to)
  if (!(a in named)) complain(a ": not named in arrows.txt (" from ")")
  else if (a != b && !(a SUBSEP b in may))
    complain(from " uses " to ": " a " may not use " b)
  if (!((from, to) in used)) {
    used[from, to] = 1
    next_of[from] = next_of[from] " " to
  }
}

# A folder may also use what the folders of its row may use. Their rows are above it, so one pass does.
FNR == NR {
  if (/^#/ || NF == 0) next
  if ($1 == "circle") {
    for (i = 2; i <= NF; i++) circle[$i] = FNR
    next
  }
  named[$1] = 1
  for (i = 2; i <= NF; i++) {
    if (!($i in named)) complain("arrows.txt: " $1 " names " $i " before its row")
    may[$1, $i] = 1
    for (pair in may) {
      split(pair, two, SUBSEP)
      if (two[1] == $i) closed[two[2]] = 1
    }
    for (b in closed) may[$1, b] = 1
    split("", closed)
  }
  next
}

$1 == "file" { files[$2] = 1 }
$1 == "include" && (to = resolve($3)) != "" { arrow($2, to) }
$1 == "include" && to == "" && $4 == "quoted" && !($3 ~ /^grammar_table/) { # written by the build
  complain($2 " includes \"" $3 "\": write the path from the repository's root")
}
# A symbol that several files define: each program has its own.
$1 == "defines" && !($3 in home) { home[$3] = $2 }
$1 == "defines" && home[$3] != $2 { home[$3] = "" }
$1 == "uses" { refers[$2, $3] = 1 }

# A meaning of a name in a file, and whether it has another one in a file noted before.
function note(what, name, path) {
  if ((what, name) in noted && noted[what, name] != path)
    complain(noted[what, name] " and " path ": " what " " name " in both")
  else
    noted[what, name] = path
}

function file_name(path) {
  sub(/.*\//, "", path)
  return path
}

$1 == "guard" { note("guard", $3, $2) }
# A name says which file is meant; but each program has its main.c.
$1 == "file" && file_name($2) != "main.c" { note("file", file_name($2), $2) }
$1 == "type" { defined[$3] = defined[$3] " " $2 }

# A type of a header has no other definition; but one without a prefix (Frame) may be that of source files, too.
function check_types(name, n, i, paths) {
  for (name in defined)
    if (defined[name] ~ /\.h( |$)/) {
      n = split(defined[name], paths, " ")
      for (i = 1; i <= n; i++)
        if (paths[i] ~ /\.h$/ || name ~ /^[A-Z][a-z]+[A-Z]/) note("type", name, paths[i])
    }
}

# Are both files in one circle that the table declares?
function declared(a, b) {
  gsub(/.*\/|\.[a-z]*$/, "", a)
  gsub(/.*\/|\.[a-z]*$/, "", b)
  return a in circle && b in circle && circle[a] == circle[b]
}

# Depth first over the files, with a stack of its own: an arrow to a file on the stack closes a circle.
function walk(root, depth, n, i, at, to, text, list) {
  depth = 1
  stack[1] = root
  step[1] = 0
  colour[root] = 1
  while (depth > 0) {
    at = stack[depth]
    n = split(next_of[at], list, " ")
    if (++step[depth] > n) {
      colour[at] = 2
      depth--
      continue
    }
    to = list[step[depth]]
    if (!(to in colour)) {
      stack[++depth] = to
      step[depth] = 0
      colour[to] = 1
    } else if (colour[to] == 1 && !declared(at, to)) {
      text = to
      for (i = depth; stack[i] != to; i--) text = stack[i] " -> " text
      complain("circle: " to " -> " text)
    }
  }
}

END {
  check_types()
  for (pair in refers) {
    split(pair, two, SUBSEP)
    if (home[two[2]] != "" && home[two[2]] != two[1]) arrow(two[1], home[two[2]])
  }
  for (file in files)
    if (!(file in colour)) walk(file)
  exit errors > 0
}
