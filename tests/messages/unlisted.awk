# SPDX-License-Identifier: Apache-2.0
# Prints the lines of formats.awk's output whose message is not in a text, except messages with too few
# letters to be recognized, and "out of memory", which other tests cause by failing allocators.
# Usage: awk -f unlisted.awk RS='\001' TEXTS RS='\n' FORMATS      (the texts are one record)
function longest(format,   parts, n, i, best) {
  gsub(/\\n/, "", format)
  gsub(/\\"/, "\"", format)
  gsub(/%%/, "\001", format)
  n = split(format, parts, /%[-+# 0-9.*]*(hh|h|ll|l|z)?[a-zA-Z]/)
  best = ""
  for (i = 1; i <= n; i++)
    if (length(parts[i]) > length(best)) best = parts[i]
  gsub(/\001/, "%", best)
  sub(/[ :;]+$/, "", best)
  return best
}
NR == FNR { texts = $0; next }
{
  tab = index($0, "\t")
  part = longest(substr($0, tab + 1))
  letters = part
  gsub(/[^a-zA-Z]/, "", letters)
  if (length(letters) > 5 && part != "out of memory" && !index(texts, part)) print
}
