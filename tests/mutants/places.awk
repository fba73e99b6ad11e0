# SPDX-License-Identifier: Apache-2.0
# Where an error can be planted by program, and which: for the C sources given, lines "file TAB line TAB
# kind TAB the line with the error". Only code in functions counts, without assertions. Kinds:
#
#   relation   < and <=, > and >=, == and != are exchanged
#   logic      && and || are exchanged
#   negate     a condition is negated
#   one        + 1 or - 1 is forgotten
#   constant   another name of the same enum, which the source uses elsewhere
#   delete     a call or an assignment is forgotten
#   value      the other value is returned, or the other arm of ?: taken
#   arguments  two neighbouring arguments of a call are exchanged
#
# -v enums=FILE: a line of names for each enum, as enums.awk writes it.

BEGIN {
  split("< <= > >= == != && ||", from_operator, " ")
  split("<= < >= > != == || &&", to_operator, " ")
  for (i = 1; i <= 8; i++) other[from_operator[i]] = to_operator[i]
  while ((getline names < enums) > 0) {
    members[++enum_count] = names
    count = split(names, name, " ")
    for (i = 1; i <= count; i++) enum_of[name[i]] = enum_count
  }
}

function emit(kind, text) {
  if (text != line) print FILENAME "\t" FNR "\t" kind "\t" text
}

# The line with the characters from..to-1 replaced.
function put(from, to, text) {
  return substr(line, 1, from - 1) text substr(line, to)
}

function between(from, to,   text) {
  text = substr(line, from, to - from)
  sub(/ +$/, "", text)
  return text
}

# ---- tokens --------------------------------------------------------------------------------------

# The line with blanks for comments, and letters for literals. `comment`: it begins inside a comment.
function code_of(text,   out, i, c, quote) {
  out = ""
  for (i = 1; i <= length(text); i++) {
    c = substr(text, i, 1)
    if (comment && substr(text, i, 2) == "*/") { comment = 0; out = out "  "; i++ }
    else if (comment) out = out " "
    else if (quote && c == "\\") { out = out "ss"; i++ }
    else if (quote) { out = out "s"; if (c == quote) quote = "" }
    else if (c == "\"" || c == "'") { quote = c; out = out "s" }
    else if (substr(text, i, 2) == "/*") { comment = 1; out = out "  "; i++ }
    else out = out c
  }
  sub(/[ \t]+$/, "", out)
  return out
}

function token_length(text) {
  if (match(text, /^[A-Za-z_0-9]+/)) return RLENGTH
  if (match(text, /^(<<=|>>=|->|\+\+|--|<=|>=|==|!=|&&|\|\||<<|>>|[-+*\/|&^%]=)/)) return RLENGTH
  return 1
}

# Sets token[1..n] and their columns at[1..n]; returns n.
function split_tokens(code,   n, column, length_) {
  n = 0
  for (column = 1; column <= length(code); column += length_) {
    length_ = token_length(substr(code, column))
    if (substr(code, column, 1) == " ") continue
    token[++n] = substr(code, column, length_)
    at[n] = column
  }
  token[n + 1] = token[n + 2] = ""
  at[n + 1] = length(code) + 1
  return n
}

function opens(i) { return token[i] ~ /^[(\[{]$/ }
function closes(i) { return token[i] ~ /^[)\]}]$/ }

# The token that closes the bracket i, or 0.
function closing(i, n,   depth) {
  for (; i <= n; i++) {
    depth += opens(i) - closes(i)
    if (depth == 0) return i
  }
  return 0
}

function is_balanced(n,   i, depth) {
  for (i = 1; i <= n && depth >= 0; i++) depth += opens(i) - closes(i)
  return depth == 0
}

# ---- kinds ---------------------------------------------------------------------------------------

function forget_one(i) {
  if (token[i] ~ /^[-+]$/ && token[i + 1] ~ /^1u?$/ && token[i - 1] ~ /^[A-Za-z_0-9)\]]/ &&
      token[i + 2] ~ /^([)\];,:?<>]|[<>=!]=|&&|\|\|)$/)
    emit("one", put(at[i - 1] + length(token[i - 1]), at[i + 1] + length(token[i + 1]), ""))
}

function negate(i, n,   end) {
  end = closing(i + 1, n)
  if (end) emit("negate", put(at[i + 1] + 1, at[end], "!(" between(at[i + 1] + 1, at[end]) ")"))
}

function other_names(i,   count, names, k) {
  count = split(members[enum_of[token[i]]], names, " ")
  for (k = 1; k <= count; k++)
    if (names[k] != token[i] && index(source, names[k]))
      emit("constant", put(at[i], at[i] + length(token[i]), names[k]))
}

function exchange_arguments(i, n,   end, k, depth, count, first, last, a, b) {
  end = closing(i, n)
  if (!end) return
  first[count = 1] = i + 1
  for (k = i + 1; k < end; k++) {
    depth += opens(k) - closes(k)
    if (token[k] == "," && depth == 0) { last[count] = k; first[++count] = k + 1 }
  }
  last[count] = end
  for (k = 1; k < count; k++) {
    a = between(at[first[k]], at[last[k]])
    b = between(at[first[k + 1]], at[last[k + 1]])
    emit("arguments", put(at[first[k]], at[last[k + 1]], b ", " a))
  }
}

# ?: whose arms are on this line, and which has no other inside.
function other_arm(i, n,   k, depth, colon) {
  for (k = i + 1; k <= n; k++) {
    depth += opens(k) - closes(k)
    if (depth < 0 || (depth == 0 && token[k] ~ /^[;,]$/)) break
    if (depth == 0 && token[k] == "?") return
    if (depth == 0 && token[k] == ":" && !colon) colon = k
  }
  if (colon && k <= n)
    emit("value", put(at[i], at[k], "? " between(at[colon + 1], at[k]) " : " between(at[i + 1], at[colon])))
}

function other_value(i) {
  if (token[i + 1] == "!") emit("value", put(at[i + 1], at[i + 1] + 1, ""))
  if (token[i + 2] != ";") return
  if (token[i + 1] == "true") emit("value", put(at[i + 1], at[i + 2], "false"))
  if (token[i + 1] == "false") emit("value", put(at[i + 1], at[i + 2], "true"))
  if (token[i + 1] ~ /^[01]$/) emit("value", put(at[i + 1], at[i + 2], 1 - token[i + 1]))
}

# A statement on a line of its own; a declaration has another token second.
function forget_statement(n) {
  if (token[n] != ";" || !is_balanced(n) || before !~ /([;{}:)]|else)$/) return
  if (token[1] ~ /^(return|break|continue|goto|case|default|if|for|while|do|else|switch)$/) return
  if (token[1] ~ /^[*(]$/ || (token[1] ~ /^[A-Za-z_]/ &&
      token[2] ~ /^(\(|\[|\.|->|=|[-+*\/|&^%]=|<<=|>>=|\+\+|--)$/)) {
    match(line, /^ */)
    emit("delete", substr(line, 1, RLENGTH) ";")
  }
}

function places(n,   i) {
  for (i = 1; i <= n; i++) {
    if (token[i] in other)
      emit(token[i] ~ /[&|]/ ? "logic" : "relation", put(at[i], at[i] + length(token[i]), other[token[i]]))
    forget_one(i)
    if (token[i] ~ /^(if|while)$/) negate(i, n)
    if (token[i] in enum_of && token[i - 1] != "case") other_names(i)
    if (token[i] == "(" && token[i - 1] ~ /^[a-z_]/ && token[i - 1] !~ /^(if|while|for|switch|return|sizeof)$/)
      exchange_arguments(i, n)
    if (token[i] == "?") other_arm(i, n)
    if (token[i] == "return") other_value(i)
  }
  forget_statement(n)
}

# ---- lines ---------------------------------------------------------------------------------------

FNR == 1 {
  source = ""
  while ((getline line < FILENAME) > 0) source = source line "\n"
  close(FILENAME)
  comment = inside = head = 0
  before = ""
}

{
  line = $0
  code = code_of(line)
}

/^}/ { inside = head = 0 }

# A function begins in the first column, and its head ends with ") {".
!inside && /^[A-Za-z_]/ { head = code ~ /\(/ && code !~ /[;=]/ && code !~ /^(typedef|enum|union)/ }
!inside && head && code ~ /\) \{$/ { inside = 1; before = code; next }

inside && code !~ /^ *#/ && code !~ /assert/ && line !~ /\\$/ && code != "" { places(split_tokens(code)) }

code != "" { before = code }
