# Wu et al., table 3: the upper limit of dynamic code expansion; and their case study.
cat <<TEXT
## Wu et al., table 3: upper limit of dynamic code expansion

Figure \`expansion_area\` of \`spv-emu --policy=pdom\`: issues, while living lanes were elsewhere, of blocks between an
unstructured branch and its immediate post-dominator. As the paper says this overestimates, as the first execution
of each block is needed. *Run again* is what TF-STACK saves, which is what of it was really too much.
TEXT
table table3 "
  SELECT a.program, s.area AS 'expansion area', s.issued AS issues,
    printf('%.2f', 100.0 * s.area / s.issued) AS 'area %',
    (SELECT group_concat(t.percent, ', ') FROM published_table3 t WHERE instr('+' || a.wu || '+', '+' || t.benchmark || '+')) AS 'published %',
    printf('%.2f', 100.0 * (i.pdom - i.tf) / i.pdom) AS 'run again %'
  FROM applications a JOIN scheme s ON s.program = a.program AND s.size = '32' AND s.name = 'PDOM'
    JOIN issues i ON i.program = a.program AND i.size = '32' ORDER BY a.program"
cat <<TEXT
Where a row has more run again than area, lanes part on leaving loops by edges that all lead to one block, which is no
unstructured branch: PDOM meets behind the loop as well, but TF-STACK meets inside.

*Case study* (section 4.3): re-converging at the earliest point takes 14.2 % off mummergpu's instructions in the paper;
TF-STACK takes $(query "SELECT printf('%.1f', 100.0 * (pdom - tf) / pdom) FROM issues WHERE program = 'search/gpumummer' AND size = '32'") % off \`search/gpumummer\`.
TEXT
