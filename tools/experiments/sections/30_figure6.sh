# Diamos et al., figure 6: dynamic instruction counts.
cat <<TEXT
## Diamos et al., figure 6: dynamic instruction counts

Issues by those of PDOM. The paper gives its bars without numbers; its text: TF-STACK always least, PDOM
needs 1.5 % (mcx) to 633 % (raytrace) more; STRUCT worst, by at most 5.63 % (optix); TF-SANDY
3.8 % above PDOM on mcx.
TEXT
figure6="SELECT program, printf('%.3f', 1.0 * tf / pdom) AS 'TF-STACK', printf('%.3f', 1.0 * sandy / pdom) AS 'TF-SANDY',
    CASE WHEN struct IS NULL THEN NULL ELSE printf('%.3f', 1.0 * struct / pdom) END AS STRUCT
  FROM issues JOIN applications USING (program)"
chart figure6 "Issues by those of PDOM, subgroups of 32" "issues / issues of PDOM" \
  "$figure6 WHERE size = '32' ORDER BY program" at=1
table figure6 "
  SELECT i.program, nullif(a.diamos, '') AS 'Diamos et al.', i.pdom AS PDOM, i.tf AS 'TF-STACK', i.sandy AS 'TF-SANDY', i.struct AS STRUCT,
    printf('%.1f', 100.0 * (i.pdom - i.tf) / i.tf) AS 'PDOM over TF-STACK %',
    printf('%.1f', 100.0 * (i.sandy - i.pdom) / i.pdom) AS 'TF-SANDY over PDOM %',
    CASE WHEN i.struct IS NULL THEN NULL ELSE printf('%.1f', 100.0 * (i.struct - i.pdom) / i.pdom) END AS 'STRUCT over PDOM %',
    w.pdom AS 'PDOM, whole workgroup', w.tf AS 'TF-STACK, whole workgroup'
  FROM applications a JOIN issues i ON i.program = a.program AND i.size = '32'
    LEFT JOIN issues w ON w.program = a.program AND w.size = 'workgroup' ORDER BY i.program"
exceptions=$(query "
  SELECT group_concat(program || ' (subgroups of ' || size || ': ' || tf || ' against ' || pdom || ')', ', ')
  FROM issues JOIN applications USING (program) WHERE tf > pdom")
above=$(query "SELECT count(*) FROM issues JOIN applications USING (program) WHERE size = '32' AND struct >= pdom")
of=$(query "SELECT count(*) FROM issues JOIN applications USING (program) WHERE size = '32' AND struct IS NOT NULL")
cat <<TEXT
- *TF-STACK at most PDOM*, in all $(query "SELECT count(*) FROM issues JOIN applications USING (program) WHERE pdom IS NOT NULL AND tf IS NOT NULL") pairs of a program and a size of subgroups: ${exceptions:-no exception}.
- PDOM needs up to $(query "SELECT printf('%.0f', max(100.0 * (pdom - tf) / tf)) FROM issues JOIN applications USING (program) WHERE size = '32'") % more than TF-STACK (the paper: 633 %); where it needs none, all loops have one exit and all
  branches meet as they nest.
- TF-SANDY is above PDOM on $(query "SELECT coalesce(group_concat(program, ', '), 'no program') FROM issues JOIN applications USING (program) WHERE size = '32' AND sandy > pdom"): blocks that no lane runs are
  issued as no-ops on its way along the layout.
- *STRUCT at least PDOM* holds for $above of $of programs, not for the others, which contradicts the paper; see below.
TEXT
