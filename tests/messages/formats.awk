# SPDX-License-Identifier: Apache-2.0
# Prints the formats of the messages in C sources, one "FILE<TAB>FORMAT" a line: for each call of a
# function that takes a message, the string literal at the place where that function expects it.
# A function's row: its name, the number of the argument, and, where other functions have the same
# name, what the call's arguments begin with.
# Usage: awk -f formats.awk FILE.c...
BEGIN {
  n = split("tool_wrong:1: tool_say:2: fprintf:2:stderr fail:2:say fail:2:amber fail:1:\" " \
            "emu_refuse:3: sr_fail:4: hn_message_set:3: complain:1:strdup " \
            "snprintf:3:message wrong:2: amber_fail:3: amber_fail_line:3: refuse:2: bad:3: " \
            "problem:2: compile_wrong:3: hn_maker_fail:3: say:2:cli emu_dropped:3: emu_fault:3: " \
            "amber_unsupported:3: hn_new_fail:2:", rows, " ")
  for (i = 1; i <= n; i++) {
    split(rows[i], f, ":")
    place[f[1], ++kinds[f[1]]] = f[2]
    start[f[1], kinds[f[1]]] = f[3]
  }
}

# The literals at the start of `text`, joined; "": it does not start with one.
function literal(text,   out, c) {
  out = ""
  while (match(text, /^[ \t\n]*"/)) {
    text = substr(text, RLENGTH + 1)
    while ((c = substr(text, 1, 1)) != "\"") {
      if (c == "") return out
      if (c == "\\") { out = out substr(text, 1, 2); text = substr(text, 3); continue }
      out = out c
      text = substr(text, 2)
    }
    text = substr(text, 2)
    while (match(text, /^[ \t\n]*[A-Z][A-Za-z0-9_]+/)) { # a macro between literals
      text = substr(text, RLENGTH + 1)
      out = out (out ~ /%$/ ? "u" : "%s") # PRIu64 ends a conversion
    }
  }
  return out
}

# The text of argument `wanted` of the call whose arguments begin `text`.
function argument(text, wanted,   depth, i, c, quoted) {
  depth = 0
  for (i = 1; i <= length(text) && i < 4000; i++) {
    if (wanted == 1) return substr(text, i)
    c = substr(text, i, 1)
    if (quoted) { if (c == "\\") i++; else if (c == "\"") quoted = 0; continue }
    if (c == "\"") quoted = 1
    else if (c == "(" || c == "{" || c == "[") depth++
    else if (c == ")" || c == "}" || c == "]") { if (--depth < 0) return "" }
    else if (c == "," && depth == 0) wanted--
  }
  return ""
}

function scan(file, text,   name, k, at, rest, format, arguments) {
  for (name in kinds) {
    rest = text
    while (match(rest, "[^a-zA-Z0-9_]" name "[(]")) {
      rest = substr(rest, RSTART + RLENGTH)
      arguments = rest
      sub(/^[ \t\n]*/, "", arguments)
      for (k = 1; k <= kinds[name]; k++) {
        if (start[name, k] != "" && index(arguments, start[name, k]) != 1) continue
        at = argument(rest, place[name, k] + 0)
        sub(/^[ \t\n]*strdup[(]/, "", at)
        format = literal(at)
        if (format != "") { print file "\t" format; break }
      }
    }
  }
}

FNR == 1 && NR > 1 { scan(last, text); text = "" }
{ text = text $0 "\n"; last = FILENAME }
END { scan(last, text) }
