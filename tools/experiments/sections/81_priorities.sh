# Which priority order suits thread frontiers.
cat <<TEXT
## Priorities

Issues under TF-STACK and TF-SANDY by those in order \`lrpo\`: \`spv-emu --policy=tf-stack --priority=…\`, geometric mean over all
programs and all sizes of subgroups; in how many pairs of both the order is better or worse; and how much of the gap
between \`lrpo\` and opt (bounds included) it closes on average where there is one.
TEXT
table priorities "
  WITH given AS (SELECT r.program, r.size, r.priority, r.policy, r.issued, l.issued AS lrpo, i.opt
    FROM run r JOIN run l ON l.program = r.program AND l.size = r.size AND l.policy = r.policy AND l.priority = 'lrpo' AND l.transform = 'none'
      JOIN issues i ON i.program = r.program AND i.size = r.size
    WHERE r.transform = 'none' AND r.priority <> 'lrpo' AND r.status = 'ok' AND l.status = 'ok')
  SELECT priority, policy, printf('%.4f', exp(avg(ln(1.0 * issued / lrpo)))) AS 'issues by lrpo', sum(issued < lrpo) AS better, sum(issued > lrpo) AS worse, count(*) AS pairs,
    CASE policy WHEN 'tf-stack' THEN printf('%.1f', 100 * (1 - exp(avg(CASE WHEN lrpo > opt AND issued >= opt THEN ln(max(1e-3, 1.0 * (issued - opt) / (lrpo - opt))) END)))) END AS 'gap to opt closed %'
  FROM given GROUP BY policy, priority ORDER BY policy, priority"
