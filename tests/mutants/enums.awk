# SPDX-License-Identifier: Apache-2.0
# The names of each enum in C headers and sources, a line for each.

function names_of(text,   n, word, i, out) {
  n = split(text, word, /[^A-Za-z0-9_]+/)
  for (i = 1; i <= n; i++)
    if (word[i] ~ /^([A-Z][A-Z0-9_]+|Spv[A-Za-z0-9]+)$/) out = out " " word[i]
  return substr(out, 2)
}

/^ *#/ { next }
{ gsub(/\/\*[^*]*\*\//, "") }
comment && !/\*\// { next }
comment { comment = 0; sub(/.*\*\//, "") }
/\/\*/ { comment = 1; sub(/\/\*.*/, "") }

/enum( [A-Za-z_]+)? \{/ { inside = 1; text = ""; sub(/.*\{/, "") }
inside {
  ends = /\}/
  sub(/\}.*/, "")
  gsub(/=[^,]*/, "")
  text = text " " $0
  if (ends) { print names_of(text); inside = 0 }
}
