# Wu et al., figure 15: the transform's effect on execution.
cat <<TEXT
## Wu et al., figure 15: PDOM against STRUCT

The programs of table 3. The paper: STRUCT slightly worse everywhere, not to be told apart for most, over 1 % for those
that spend their time in unstructured code. Issues of STRUCT by those of PDOM, with subgroups of
8, 32, 64 and a whole workgroup:
TEXT
ratio() {
  echo "max(CASE WHEN i.size = '$1' THEN printf('%.4f', 1.0 * i.struct / i.pdom) END)"
}
figure15="SELECT a.program, $(ratio 8) AS '8', $(ratio 32) AS '32', $(ratio 64) AS '64', $(ratio workgroup) AS workgroup
  FROM applications a JOIN issues i ON i.program = a.program
  WHERE i.struct IS NOT NULL AND EXISTS (SELECT 1 FROM published_table3 t WHERE instr('+' || a.wu || '+', '+' || t.benchmark || '+'))
  GROUP BY a.program ORDER BY a.program"
chart figure15 "STRUCT by PDOM" "issues of STRUCT / issues of PDOM" "$figure15" at=1
table figure15 "$figure15"
cat <<TEXT
What is below 1 has a loop that Cut gave one exit ([above](#where-struct-issues-less-than-pdom)).
TEXT
