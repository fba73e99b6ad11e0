# SPDX-License-Identifier: Apache-2.0
# Splits a line of CSV into its fields, quoted ones as in RFC 4180; returns how many there are.
function split_csv(line, field,    n, at, c, quoted) {
  n = 1
  field[1] = ""
  for (at = 1; at <= length(line); at++) {
    c = substr(line, at, 1)
    if (c == "\"" && quoted && substr(line, at + 1, 1) == "\"") { field[n] = field[n] c; at++ }
    else if (c == "\"") quoted = !quoted
    else if (c == "," && !quoted) field[++n] = ""
    else field[n] = field[n] c
  }
  return n
}
