# SPDX-License-Identifier: Apache-2.0
# man_page.awk: a manual page in roff from a tool's --help and a page in Markdown with the rest
# (docs/man). Each option is described in one place, the tool's source.
#
#   TOOL --help | awk -v name=TOOL -v section_number=1 -v version=V -v date=D -v subst='WORD=TEXT …' \
#     -f man_page.awk - docs/man/TOOL.1.md
#
# --help consists of blocks separated by empty lines. A block that starts with "Usage:" is the synopsis, with
# "Exit status:" and "Example:" the section of that name. "  --option, --other   text", with more text
# indented below it, describes options; "Heading:" alone on the line before, or a heading with "(…)"
# in it, makes a subsection of them. All other blocks are the description. The page's Markdown has
# "# SECTION" lines, paragraphs, literal text indented by four spaces, and
# "term" / ": meaning". Sections that both have begin with that of --help.

BEGIN {
  order = "NAME SYNOPSIS DESCRIPTION OPTIONS ENVIRONMENT FILES EXIT_STATUS EXAMPLES SEE_ALSO"
  count = split(subst, pairs, " ")
  for (i = 1; i <= count; i++)
    replaced["@" substr(pairs[i], 1, index(pairs[i], "=") - 1) "@"] = substr(pairs[i], index(pairs[i], "=") + 1)
}

# ---- roff ------------------------------------------------------------------------------------------

function add(section, line) { text[section] = text[section] line "\n" }

# Literal text: every hyphen is a minus.
function plain(s) {
  gsub(/\\/, "\\e", s)
  gsub(/-/, "\\-", s)
  gsub(/…/, "...", s)
  sub(/^[.']/, "\\\\\\&&", s)
  return s
}

function bold(s) { return "\\fB" plain(s) "\\fR" }

# "--order=ORDER, -o FILE": literal text is bold, placeholders are not.
function tag(s,   out, part) {
  out = ""
  while (match(s, /[A-Z][A-Z_]*/)) {
    part = substr(s, 1, RSTART - 1)
    out = out (part == "" ? "" : bold(part)) "\\fI" substr(s, RSTART, RLENGTH) "\\fR"
    s = substr(s, RSTART + RLENGTH)
  }
  return out (s == "" ? "" : bold(s))
}

# A line of running text: options, and text between backticks, are bold.
function prose(s,   words, n, i, word, out, quoted) {
  gsub(/\\/, "\\e", s)
  gsub(/…/, "...", s)
  while (match(s, /`[^`]*`/)) {
    quoted = substr(s, RSTART + 1, RLENGTH - 2)
    gsub(/-/, "\\-", quoted)
    s = substr(s, 1, RSTART - 1) "\\fB" quoted "\\fR" substr(s, RSTART + RLENGTH)
  }
  n = split(s, words, " ")
  out = ""
  for (i = 1; i <= n; i++) {
    word = words[i]
    if (match(word, /^\(?--?[a-z][-a-z]*/)) {
      quoted = substr(word, RSTART, RLENGTH)
      gsub(/-/, "\\-", quoted)
      word = "\\fB" quoted "\\fR" substr(word, RSTART + RLENGTH)
    }
    out = out (i > 1 ? " " : "") word
  }
  sub(/^[.']/, "\\\\\\&&", out)
  return out
}

# ---- --help ----------------------------------------------------------------------------------------

function entry(line,   at, first, rest) {
  first = substr(line, 3)
  rest = ""
  at = match(first, /[^ ]  +[^ ]/)
  if (at) {
    rest = substr(first, at + RLENGTH - 1)
    first = substr(first, 1, at)
  } else if (length(line) > 23 && substr(line, 23, 1) == " ") {
    rest = substr(line, 24)
    first = substr(line, 3, 20)
  }
  add("OPTIONS", ".TP")
  add("OPTIONS", tag(first))
  if (rest != "")
    add("OPTIONS", prose(rest))
}

function entries(lines, from, n,   i) {
  for (i = from; i <= n; i++)
    if (lines[i] ~ /^  [^ ]/)
      entry(lines[i])
    else
      add("OPTIONS", prose(lines[i]))
}

function example(lines, from, n,   i) {
  add("EXAMPLES", ".EX")
  for (i = from; i <= n; i++)
    add("EXAMPLES", plain(substr(lines[i], 3)))
  add("EXAMPLES", ".EE")
}

function paragraph(section, lines, from, n,   i) {
  add(section, ".PP")
  for (i = from; i <= n; i++)
    add(section, prose(lines[i]))
}

function synopsis(lines, n,   i) {
  add("SYNOPSIS", ".nf")
  for (i = 1; i <= n; i++)
    add("SYNOPSIS", plain(substr(lines[i], 8)))
  add("SYNOPSIS", ".fi")
}

function help_block(block,   lines, n) {
  n = split(block, lines, "\n") - 1
  if (n == 0)
    return
  if (lines[1] ~ /^Usage:/)
    synopsis(lines, n)
  else if (lines[1] ~ /^Exit status: /) {
    sub(/^Exit status: /, "", lines[1])
    paragraph("EXIT_STATUS", lines, 1, n)
  } else if (lines[1] == "Example:")
    example(lines, 2, n)
  else if (lines[1] ~ /^  /)
    entries(lines, 1, n)
  else if (n > 1 && lines[1] ~ /:$/ && lines[2] ~ /^  [^ ]/) {
    sub(/:$/, "", lines[1])
    add("OPTIONS", ".SS " prose(lines[1]))
    entries(lines, 2, n)
  } else
    paragraph("DESCRIPTION", lines, 1, n)
}

FILENAME == "-" {
  if ($0 == "") {
    help_block(block)
    block = ""
  } else
    block = block $0 "\n"
  next
}

# ---- the page --------------------------------------------------------------------------------------

block != "" { help_block(block); block = "" }

{
  for (word in replaced)
    while ((at = index($0, word)))
      $0 = substr($0, 1, at - 1) replaced[word] substr($0, at + length(word))
}

/^# / {
  section = substr($0, 3)
  gsub(/ /, "_", section)
  fresh = 1
  next
}

/^$/ {
  if (verbatim)
    add(section, ".EE")
  verbatim = 0
  fresh = 1
  next
}

/^    / {
  if (!verbatim) {
    add(section, fresh ? ".PP" : "")
    add(section, ".EX")
  }
  verbatim = 1
  add(section, plain(substr($0, 5)))
  next
}

/^: / {
  add(section, prose(substr($0, 3)))
  next
}

{
  if (section == "NAME") {
    sub(/ - /, " \\- ")
    add(section, $0)
    next
  }
  line = $0
  if (fresh) {
    following = ""
    getline following
    fresh = 0
    if (following ~ /^: /) {
      add(section, ".TP")
      add(section, bold(line))
      add(section, prose(substr(following, 3)))
      next
    }
    add(section, ".PP")
    add(section, prose(line))
    if (following == "")
      fresh = 1
    else
      add(section, prose(following))
    next
  }
  add(section, prose(line))
}

END {
  if (block != "")
    help_block(block)
  if (verbatim)
    add(section, ".EE")
  printf ".\\\" Made by tools/man_page.awk from --help and docs/man; not to be edited.\n"
  printf ".TH %s %s \"%s\" \"%s\"\n", toupper(name), section_number, date, version
  count = split(order, names, " ")
  for (i = 1; i <= count; i++) {
    if (!(names[i] in text))
      continue
    title = names[i]
    gsub(/_/, " ", title)
    body = text[names[i]]
    sub(/^\.PP\n/, "", body) # a section starts with a paragraph anyway
    printf ".SH %s\n%s", title, body
    delete text[names[i]]
  }
  for (title in text) {
    printf "%s: no such section: %s\n", name, title >"/dev/stderr"
    exit 1
  }
}
