# All policies and transforms over the whole corpus.
cat <<TEXT
## All programs, transforms, policies and sizes

Issues by those of PDOM on the program as it is written, geometric means over the programs that run under both
(how many stand behind the colon). [issues.csv](results/issues.csv) has every program's issues.
TEXT
sized() {
  echo "max(CASE WHEN size = '$1' THEN printf('%.3f : %d', mean, programs) END) AS '$1'"
}
table policies "
  WITH ratio AS (SELECT r.transform, r.policy, r.size, exp(avg(ln(1.0 * r.issued / i.pdom))) AS mean, count(*) AS programs
    FROM run r JOIN issues i ON i.program = r.program AND i.size = r.size
    WHERE r.priority = 'lrpo' AND r.status = 'ok' AND r.issued > 0 AND i.pdom > 0 GROUP BY 1, 2, 3)
  SELECT transform, policy, $(sized 8), $(sized 32), $(sized 64), $(sized workgroup)
  FROM ratio GROUP BY transform, policy ORDER BY transform <> 'none', transform, policy"
sqlite3 -csv -header "$db" "
  SELECT program, size, transform,
    max(CASE WHEN policy = 'none' THEN issued END) AS none, max(CASE WHEN policy = 'pdom' THEN issued END) AS pdom,
    max(CASE WHEN policy = 'tf-stack' THEN issued END) AS 'tf-stack', max(CASE WHEN policy = 'tf-sandy' THEN issued END) AS 'tf-sandy',
    max(CASE WHEN policy = 'structured' THEN issued END) AS structured, max(CASE WHEN policy = 'maximal' THEN issued END) AS maximal,
    max(CASE WHEN policy = 'ssy' THEN issued END) AS ssy, max(CASE WHEN policy = 'exec' THEN issued END) AS exec,
    max(CASE WHEN policy = 'opt' THEN issued END) AS opt, max(CASE WHEN policy = 'opt' THEN exact END) AS exact
  FROM run WHERE priority = 'lrpo' AND status = 'ok' GROUP BY program, size, transform
  ORDER BY program, size = 'workgroup', CAST(size AS INTEGER), transform" | tr -d '\r' >"$data/issues.csv"
cat <<TEXT
### What did not run

\`skip\`: the policy does not apply, or the module cannot be run with such subgroups; \`refused\`: the transform gives up; \`deadlock\`: a policy lets lanes reach a
barrier apart, as hardware like it would. Rows of a program, transform, policy and size:
TEXT
table not_run "
  SELECT status, CASE WHEN status = 'skip' THEN '' ELSE program END AS program, transform, policy, count(*) AS times, min(message) AS 'for example'
  FROM run WHERE status <> 'ok' GROUP BY status, CASE WHEN status = 'skip' THEN '' ELSE program END, transform, policy
  ORDER BY status, program, transform, policy"
cat <<TEXT
EXPECTs that failed in a run that ended well: $(query "SELECT coalesce(sum(failed), 0) FROM run WHERE status = 'ok'").
TEXT
