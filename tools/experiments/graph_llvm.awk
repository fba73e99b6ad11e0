# SPDX-License-Identifier: Apache-2.0
# Writes each function of a file of graphs (experiments/graphs/) as a kernel in LLVM's language, DIR/NAME.ll. All
# branches go by a word that each lane loads in the block, so they diverge; each block stores its number.
#
#   awk -v dir=DIR -f graph_llvm.awk FILE
/^#/ { next }
{
  out = dir "/" $1 ".ll"
  print "target triple = \"amdgcn-amd-amdhsa\"" >out
  print "declare i32 @llvm.amdgcn.workitem.id.x()" >out
  print "define amdgpu_kernel void @f(ptr addrspace(1) %words) {" >out
  print "start:" >out
  print "  %lane = call i32 @llvm.amdgcn.workitem.id.x()" >out
  print "  %at = getelementptr i32, ptr addrspace(1) %words, i32 %lane" >out
  print "  br label %b0" >out
  for (i = 2; i <= NF; i++) {
    split($i, part, /[:=]/)
    count = part[2] == "-" ? 0 : split(part[2], to, ",")
    b = i - 2
    printf "b%d:\n  store volatile i32 %d, ptr addrspace(1) %%at\n", b, b >out
    if (count > 1)
      printf "  %%v%d = load volatile i32, ptr addrspace(1) %%at\n", b >out
    if (count == 0)
      print "  ret void" >out
    else if (count == 1)
      printf "  br label %%b%d\n", to[1] >out
    else if (count == 2)
      printf "  %%c%d = icmp eq i32 %%v%d, %d\n  br i1 %%c%d, label %%b%d, label %%b%d\n", b, b, b, b, to[1], to[2] >out
    else {
      printf "  switch i32 %%v%d, label %%b%d [", b, to[1] >out
      for (k = 2; k <= count; k++)
        printf " i32 %d, label %%b%d", k, to[k] >out
      print " ]" >out
    }
  }
  print "}" >out
  close(out)
}
