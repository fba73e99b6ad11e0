# SPDX-License-Identifier: Apache-2.0
# Writes each function of a file of graphs (experiments/graphs/) as a file for spv-graph, DIR/NAME.json:
#
#   awk -v dir=DIR -f graph_json.awk FILE
/^#/ { next }
{
  out = dir "/" $1 ".json"
  printf "{\"name\":\"%s\",\"kernel\":\"%s\",\"entry\":0,\"blocks\":[\n", $1, $1 >out
  for (i = 2; i <= NF; i++) {
    split($i, part, /[:=]/)
    barrier = sub(/!/, "", part[1])
    succ = part[2] == "-" ? "" : part[2]
    count = succ == "" ? 0 : split(succ, to, ",")
    term = index($i, "=") ? "bra" : count == 0 ? "exit" : count == 1 ? "fall" : count == 2 ? "cbra" : "brx"
    printf "{\"id\":%d,\"w\":%d,\"succ\":[%s],\"barrier\":%s,\"term\":\"%s\"}%s\n", i - 2, part[1], succ,
      barrier ? "true" : "false", term, i < NF ? "," : "" >out
  }
  print "]}" >out
  close(out)
}
