# Diamos et al., figure 7: activity factor.
cat <<TEXT
## Diamos et al., figure 7: activity factor

Lane instructions by issues times lanes, "assuming an infinitely wide SIMD machine": one subgroup for each workgroup (of
32 to 256 lanes). The paper: several programs below 20 %, path-finding 80 %.
TEXT
activity() {
  echo "SELECT a.program, $1
  FROM applications a JOIN scheme s ON s.program = a.program AND s.size = '$2' GROUP BY a.program ORDER BY a.program"
}
columns="printf('%.3f', max(CASE WHEN name = 'PDOM' THEN activity END)) AS PDOM,
    printf('%.3f', max(CASE WHEN name = 'TF-STACK' THEN activity END)) AS 'TF-STACK',
    CASE WHEN sum(name = 'STRUCT') THEN printf('%.3f', max(CASE WHEN name = 'STRUCT' THEN activity END)) END AS STRUCT"
chart figure7 "Activity factor, one subgroup for each workgroup" "activity factor" "$(activity "$columns" workgroup)"
table figure7 "$(activity "max(CASE WHEN name = 'PDOM' THEN lanes END) AS lanes, $columns" workgroup)"
cat <<TEXT
As in the paper, what has a low activity under PDOM gains most. STRUCT's lane instructions hold what copies and
selectors add, so its activity is not comparable where it adds much.
TEXT
