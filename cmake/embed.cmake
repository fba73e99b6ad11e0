# SPDX-License-Identifier: Apache-2.0
# The files of an HTML page as C arrays PREFIX_template, PREFIX_style and PREFIX_script, declared in HEADER:
# cmake -DOUT=FILE.c -DPREFIX=NAME -DHEADER=FILE.h -DTEMPLATE=FILE,… -DSTYLE=FILE,… -DSCRIPT=FILE,… -P embed.cmake
# Templates, styles and scripts are joined in their order.

# embed NAME FILE,…
function(embed name files)
  string(REPLACE "," ";" files "${files}")
  set(bytes "")
  foreach(file ${files})
    file(READ ${file} hex HEX)
    string(APPEND bytes "${hex}")
  endforeach()
  string(LENGTH "${bytes}" digits)
  math(EXPR size "${digits} / 2")
  string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  file(APPEND ${OUT}.new "const unsigned char ${PREFIX}_${name}[] = {\n${bytes}\n0};\n"
                         "const size_t ${PREFIX}_${name}_size = ${size};\n")
endfunction()

file(WRITE ${OUT}.new "#include \"${HEADER}\"\n")
embed(template ${TEMPLATE})
embed(style ${STYLE})
embed(script ${SCRIPT})
file(RENAME ${OUT}.new ${OUT})
