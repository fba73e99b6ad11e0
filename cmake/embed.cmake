# SPDX-License-Identifier: Apache-2.0
# Files as C: cmake -DOUT=FILE.c -DFOLDER=spv-emu/report/page -P embed.cmake
# page.html, page.css and the joined scripts, as the arrays of spv-emu/report/report_page_files.h.

# embed NAME FILE…
function(embed name)
  set(bytes "")
  foreach(file ${ARGN})
    file(READ ${file} hex HEX)
    string(APPEND bytes "${hex}")
  endforeach()
  string(LENGTH "${bytes}" digits)
  math(EXPR size "${digits} / 2")
  string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  file(APPEND ${OUT}.new "const unsigned char emu_page_${name}[] = {\n${bytes}\n0};\n"
                         "const size_t emu_page_${name}_size = ${size};\n")
endfunction()

# Each script after those that it uses.
foreach(name data state colour headline policies schedule graph source page)
  list(APPEND scripts ${FOLDER}/${name}.js)
endforeach()
file(WRITE ${OUT}.new "#include \"report/report_page_files.h\"\n")
embed(template ${FOLDER}/page.html)
embed(style ${FOLDER}/page.css)
embed(script ${scripts})
file(RENAME ${OUT}.new ${OUT})
