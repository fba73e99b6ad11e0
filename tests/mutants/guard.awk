# SPDX-License-Identifier: Apache-2.0
# Prints a C source with planted errors, each to be chosen when the program runs. An error's function is
# copied, with the error, in front of the function; the function calls the copy if guard.h says so.
#
# -v errors=FILE: lines "line TAB number TAB the line with the error". -v header=FILE: guard.h.

BEGIN {
  while ((getline error < errors) > 0) {
    split(error, field, "\t")
    k = ++count[field[1]]
    number[field[1], k] = field[2]
    changed[field[1], k] = substr(error, length(field[1] field[2]) + 3)
  }
}

{ text[FNR] = $0 }

# The name that a parameter declares.
function name_of(parameter) {
  if (match(parameter, /\(\*[A-Za-z_0-9]+\)/)) return substr(parameter, RSTART + 2, RLENGTH - 3)
  gsub(/\[[^\]]*\]/, "", parameter)
  match(parameter, /[A-Za-z_0-9]+ *$/)
  return substr(parameter, RSTART)
}

# The arguments of a call with the function's own parameters.
function own_arguments(parameters,   i, c, depth, from, out) {
  if (parameters == "void") return ""
  parameters = parameters ","
  from = 1
  for (i = 1; i <= length(parameters); i++) {
    c = substr(parameters, i, 1)
    depth += (c == "(") - (c == ")")
    if (c != "," || depth) continue
    out = out (from > 1 ? ", " : "") name_of(substr(parameters, from, i - from))
    from = i + 1
  }
  return out
}

# Prints the copy number k for line l of the function; returns the lines that call it.
function plant(l, k, first, last, type, name, parameters,   copy, m, call) {
  copy = name "_planted_" number[l, k]
  print "static " type copy "(" parameters ") {"
  for (m = first; m <= last; m++) print m == l ? changed[l, k] : text[m]
  call = copy "(" own_arguments(parameters) ");\n"
  return "  if (sr_planted(" number[l, k] "))" \
    (type == "void " ? " {\n    " call "    return;\n  }\n" : "\n    return " call)
}

function has_errors(first, last,   l) {
  for (l = first; l <= last; l++)
    if (l in count) return 1
  return 0
}

# Prints a function whose head is start..first - 1, and whose body ends in last.
function print_function(start, first, last,   l, k, head, type, name, guards) {
  for (l = start; l < first; l++) head = head (l > start ? " " : "") text[l]
  sub(/\) \{$/, "", head)
  match(head, /[A-Za-z_0-9]+\(/)
  type = substr(head, 1, RSTART - 1)
  name = substr(head, RSTART, RLENGTH - 1)
  head = substr(head, RSTART + RLENGTH)
  if (has_errors(first, last) && type !~ /static/) print type name "(" head ");"
  gsub(/(static|inline|extern) /, "", type)
  gsub(/ +/, " ", head)
  for (l = first; l < last; l++)
    for (k = 1; k <= count[l]; k++) guards = guards plant(l, k, first, last, type, name, head)
  for (l = start; l < first; l++) print text[l]
  printf "%s", guards
  for (l = first; l <= last; l++) print text[l]
}

# The line that ends the head of a function that begins at i, or 0. A head names a type and the function.
function end_of_head(i) {
  if (text[i] !~ /^[A-Za-z_][A-Za-z_0-9 ]* [*]*[A-Za-z_0-9]+\(/ || text[i] ~ /^(typedef|enum|union) /) return 0
  for (; text[i] !~ /[;=}]/ && i <= FNR; i++)
    if (text[i] ~ /\) \{$/) return i
  return 0
}

END {
  print "#include \"" header "\""
  for (i = 1; i <= FNR; i++) {
    head = end_of_head(i)
    if (!head) { print text[i]; continue }
    for (last = head; text[last] !~ /^}/; last++) ;
    print_function(i, head + 1, last)
    i = last
  }
}
