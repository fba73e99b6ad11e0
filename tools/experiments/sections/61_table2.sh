# Wu et al., table 2 and figure 13: what struct-copy does and how much code it adds.
cat <<TEXT
## Wu et al., table 2: the structural transform

\`spvreconv --transform=strip-merges,struct-copy --json\`. Ours / published. Code is instructions of SPIR-V here, of PTX
there. How long it took is below, under [run times](#run-times).
TEXT
pair() {
  echo "c.$1 || ' / ' || b.$2"
}
table table2 "
  SELECT b.benchmark, c.program, $(pair branches branches) AS branches, $(pair cuts cuts) AS cuts,
    $(pair forward forward_copies) AS 'forward copies', $(pair backward backward_copies) AS 'backward copies',
    $(pair code_before code_before) AS 'code before', $(pair code_after code_after) AS 'code after',
    printf('%.2f', c.expansion) || ' / ' || b.expansion AS 'expansion %'
  FROM benchmarks b JOIN copied c ON c.program = b.program ORDER BY c.program, b.benchmark"
cat <<TEXT
Of the paper's 30 rows $(query "SELECT count(*) FROM benchmarks") have a program here. Where the paper cuts a loop whose exits all lead to one block we do
not: that is a break, which SPIR-V has (bfs, mri-fhd, hotspot, PathFinder: 1 / 0 in the column of cuts). Backward
copies are needed by none of the paper's programs, and by those of ours that jump into cycles:
$(query "SELECT coalesce(group_concat(program || ' (' || backward || ')', ', '), 'none') FROM copied WHERE backward > 0").
Not transformed: $(query "SELECT coalesce(group_concat(program || ' (' || status || ')', '; '), 'none') FROM copied WHERE NOT ok").

## Wu et al., figure 13: static code expansion

Programs with at least one forward copy. The paper's mean is 18.68 %; ours
$(query "SELECT printf('%.2f', avg(c.expansion)) FROM copied c JOIN applications a ON a.program = c.program WHERE c.forward > 0") % over $(query "SELECT count(*) FROM copied c JOIN applications a ON a.program = c.program WHERE c.forward > 0") applications, larger because the programs are smaller: the shared part is more of them.
TEXT
chart figure13 "Static code expansion of programs with forward copies" "percent" "
  SELECT c.program, round(c.expansion, 2) AS 'struct-copy', round(s.expansion, 2) AS structurize,
    coalesce((SELECT max(CAST(b.expansion AS REAL)) FROM benchmarks b WHERE b.program = c.program),
      (SELECT max(CAST(p.expansion AS REAL)) FROM published_figure5 p WHERE p.application = a.diamos)) AS published
  FROM applications a JOIN copied c ON c.program = a.program
    JOIN figures s ON s.program = a.program AND s.transform = 'structurize'
  WHERE c.forward > 0 ORDER BY c.program" log_from=1 hollow=published
table figure13 "
  SELECT c.program, c.forward AS 'forward copies', printf('%.2f', c.expansion) AS 'struct-copy %', printf('%.2f', s.expansion) AS 'structurize %'
  FROM applications a JOIN copied c ON c.program = a.program
    JOIN figures s ON s.program = a.program AND s.transform = 'structurize'
  WHERE c.forward > 0 ORDER BY c.program"
