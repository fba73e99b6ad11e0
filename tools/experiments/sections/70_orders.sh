# Wahlster: orders of blocks for the reconverging transform.
cat <<TEXT
## Wahlster: orders of blocks

The thesis' own graphs (its figures 4.8, 4.10, 4.13), flow blocks: \`spvreconv --transform=reconverge --order=…\`
TEXT
table thesis_graphs "
  SELECT o.figure, o.blocks AS 'order of blocks', o.flow_blocks AS ours, p.flow_blocks AS published
  FROM flow_blocks o JOIN published_flow_blocks p USING (graph, figure, blocks) ORDER BY o.rowid"
cat <<TEXT
Over the applications, sums: flow blocks, virtual blocks, instructions added, uniform branches kept (of those there
were), and issues under \`exec\` of the result, by those of order \`dfpd\` (geometric mean over the programs that run in all
orders). The thesis recommends DFPD for few flow blocks and kept uniform branches and loops.
TEXT
table orders "
  SELECT \"order\", sum(flow_blocks) AS 'flow blocks', sum(virtual_blocks) AS 'virtual blocks',
    sum(added_instructions) AS 'instructions added', sum(added_phis) AS 'phis added',
    sum(uniform) - sum(rerouted_uniform) || ' of ' || sum(uniform) AS 'uniform branches kept',
    (SELECT printf('%.4f', exp(avg(ln(1.0 * n.issued / d.issued)))) FROM orders n JOIN orders d ON d.program = n.program AND d.\"order\" = 'dfpd'
      WHERE n.\"order\" = o.\"order\" AND n.program IN (SELECT program FROM orders GROUP BY program HAVING sum(status <> 'ok') = 0)) AS 'issues by dfpd',
    sum(status <> 'ok') AS 'not run'
  FROM orders o GROUP BY \"order\" ORDER BY min(o.rowid)"
cat <<TEXT
Not run: $(query "SELECT coalesce(group_concat(program || ' in ' || \"order\" || ' (' || status || ')', ', '), 'none') FROM orders WHERE status <> 'ok'").
By program, flow blocks and issues under \`exec\`:
TEXT
order() {
  echo "max(CASE WHEN \"order\" = '$1' THEN flow_blocks || ' : ' || issued END) AS $1"
}
table orders_by_program "
  SELECT program, $(order df), $(order dfpd), $(order bf), $(order bfpd), $(order rpo), $(order domreg), $(order lrpo)
  FROM orders GROUP BY program ORDER BY program"
