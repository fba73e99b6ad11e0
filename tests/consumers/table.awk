# SPDX-License-Identifier: Apache-2.0
# The tables of docs/consumers.md from rows.csv (run.sh): what each reader was given, took, and computed the same with;
# then what it refused or got wrong, by cause. The denominator of what it took after a transform is what it took as its
# front end wrote it (random graphs have no such form), that of equal what was equal then, or had no structure then. Exit status 1: something that a
# reader takes as written was refused or differs after a transform, and is not in the file `known`, or something there
# was not.
#
#   awk -v known=tests/consumers/known.txt -f tests/consumers/table.awk rows.csv
BEGIN {
  FS = ";"
  while ((getline line < known) > 0)
    if (line !~ /^(#|$)/) {
      cause = line
      sub(/^[^ ]+ [^ ]+ [^ ]+ [^ ]+ +/, "", cause)
      split(line, word, " ")
      expected[word[1], word[2], word[3], word[4]] = cause
    }
  says["graphs"] = "random graphs"
  says["compute"] = "compute shaders"
  says["fragment"] = "fragment shaders"
}

function taken(outcome) { return outcome != "refused" }
function same(outcome) { return outcome ~ /^(equal|driver|written)$/ }

{ present[$1, $2, $3, $4] = 1 } # SET LIST LANGUAGE CASE OUTCOME CAUSE
$2 == "none" {
  written[$1, $3, $4] = $5
  given_as_written[$1, $3]++
  taken_as_written[$1, $3] += taken($5)
  same_as_written[$1, $3] += same($5)
  next
}
{
  key = $1 FS $2 FS $3
  if (!(key in given))
    order[++rows] = key
  given[key]++
  if (($1, $3) in given_as_written) {
    if (!taken(written[$1, $3, $4]))
      next
    could_be_same = same(written[$1, $3, $4]) || written[$1, $3, $4] == "unstructured"
  } else
    could_be_same = 1
  could_take[key]++
  could_same[key] += could_be_same
  did_take[key] += taken($5)
  did_same[key] += could_be_same && same($5)
  by_emulator[key] += could_be_same && $5 == "driver"
  if (!taken($5) || could_be_same && !same($5)) {
    why = ($1, $2, $3, $4) in expected ? expected[$1, $2, $3, $4] : $5 ": " $6
    if (!(($1, $2, $3, $4) in expected))
      unknown[$1 " " $2 " " $3 " " $4 ": " $5 " " $6] = 1
    seen[$1, $2, $3, $4] = 1
    causes[$3 " | " why]++
  }
}

function reader(language) {
  return language ~ /^naga/ ? "naga" : language ~ /^tint/ ? "Tint" : "SPIRV-Cross"
}
function name(language) {
  sub(/.*-/, "", language)
  return language == "spirv" ? "SPIR-V" : toupper(language)
}

END {
  print "| Reader | Writes | Given | Taken as written | Equal as written | Transforms | Taken | Equal |"
  print "| --- | --- | --- | ---: | ---: | --- | ---: | ---: |"
  for (i = 1; i <= rows; i++) {
    key = order[i]
    split(key, part, FS)
    set = part[1]
    language = part[3]
    runs = language !~ /-msl$|^naga-hlsl$/
    of = (set, language) in given_as_written
    printf "| %s | %s | %d %s | %s | %s | `%s` | %d of %d | %s |\n", reader(language), name(language),
      given[key], says[set], of ? taken_as_written[set, language] : "", of && runs ? same_as_written[set, language] : "",
      part[2], did_take[key], could_take[key],
      runs ? did_same[key] " of " could_same[key] (by_emulator[key] ? " (" by_emulator[key] " not on lavapipe)" : "") : ""
  }
  print ""
  for (c in causes)
    failures = 1
  if (failures) {
    print "| Writes | Cause | Cases |"
    print "| --- | --- | ---: |"
    for (c in causes)
      print "| " c " | " causes[c] " |" | "sort"
    close("sort")
  }
  for (u in unknown) {
    print "consumers: " u > "/dev/stderr"
    status = 1
  }
  for (k in expected)
    if (k in present && !(k in seen)) {
      gsub(SUBSEP, " ", k)
      print "consumers: " k ": in known.txt, but taken and equal" > "/dev/stderr"
      status = 1
    }
  exit status
}
