# SPDX-License-Identifier: Apache-2.0
# The words and figures that a page explains, as a script: GLOSSARY, the entries of docs/glossary.md by their heading, and
# FIGURES, the rows of a table of docs/emulator.md by their name in JSON.
# cmake -DOUT=FILE.js -DGLOSSARY=FILE.md -DTABLE=FILE.md -P words.cmake

set(words "active, inactive" "activity factor" "diverge, reconverge" "issue" "lane, subgroup, wave" "opt ratio" "policy")
set(figures issued lane_instructions activity_factor divergent_branches reconvergences stack.max_depth memory.efficiency
            overhead cycles)

# plain TEXT OUT: Markdown as text, in a JSON string
function(plain text out)
  string(REGEX REPLACE " *\\([^()]*\\[[^]]*\\.md\\]\\([^)]*\\)[^()]*\\)" "" text "${text}") # pages of the documentation
  string(REGEX REPLACE " *\\(`[^)]*\\)" "" text "${text}") # files
  string(REGEX REPLACE "[,:]? *\\[[^]]*\\.md\\]\\([^)]*\\)" "" text "${text}")
  string(REGEX REPLACE "\\[([^]]*)\\]\\([^)]*\\)" "\\1" text "${text}")
  string(REGEX REPLACE "[*`]" "" text "${text}")
  string(REGEX REPLACE "[ \n]+" " " text "${text}")
  string(STRIP "${text}" text)
  string(REPLACE "\\" "\\\\" text "${text}")
  string(REPLACE "\"" "\\\"" text "${text}")
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

# after TEXT START END OUT: what lies between START, at the beginning of a line, and END
function(after text start end out)
  string(FIND "${text}" "\n${start}" from)
  if(from EQUAL -1)
    message(FATAL_ERROR "there is no '${start}'")
  endif()
  string(LENGTH "\n${start}" length)
  math(EXPR from "${from} + ${length}")
  string(SUBSTRING "${text}" ${from} -1 text)
  string(FIND "${text}" "${end}" to)
  string(SUBSTRING "${text}" 0 ${to} text)
  plain("${text}" text)
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

# Semicolons would separate elements of a list.
file(READ ${GLOSSARY} glossary)
string(REPLACE ";" "@semicolon@" glossary "${glossary}")
file(READ ${TABLE} table)
string(REPLACE ";" "@semicolon@" table "${table}")
string(REGEX REPLACE "\n\\|[^|\n]*\\| `" "\n| `" table "${table}") # without the first column

set(script "\"use strict\"@semicolon@\n\nconst GLOSSARY = {\n")
foreach(word ${words})
  after("${glossary}" "### ${word}\n" "\n\n" meaning)
  string(APPEND script "  \"${word}\": \"${meaning}\",\n")
endforeach()
string(APPEND script "}@semicolon@\nconst FIGURES = {\n")
foreach(figure ${figures})
  after("${table}" "| `${figure}` |" " |\n" meaning)
  string(APPEND script "  \"${figure}\": \"${meaning}\",\n")
endforeach()
string(APPEND script "}@semicolon@\n")
string(REPLACE "@semicolon@" ";" script "${script}")
file(WRITE ${OUT} "${script}")
