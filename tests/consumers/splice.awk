# SPDX-License-Identifier: Apache-2.0
# An AmberScript case with its compute and fragment shaders read from modules: each SHADER of those stages, up to its
# END, becomes SPIRV-BIN FILE NAME@SHADER.STAGE.spv, where NAME is the variable `name`. With `list`, the names of these
# files only, one a line. Other stages stay: a reader may turn coordinates of a vertex shader over.
/^SHADER (compute|fragment) / {
  file = name "@" $3 ($2 == "compute" ? ".comp" : ".frag") ".spv"
  print list ? file : $1 " " $2 " " $3 " SPIRV-BIN FILE " file
  inside = !/ FILE /
  next
}
inside {
  inside = !/^END/
  next
}
!list
