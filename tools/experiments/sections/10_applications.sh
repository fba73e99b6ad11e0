# The applications of the papers: size and cost.
cat <<TEXT
## The applications

Conditional branches of our program (each label of a switch is one) beside those that Wu et al. publish in table 2,
then issues. *Entries* is the largest number in the sorted stack of TF-STACK, the running one included.
TEXT
table applications "
  SELECT a.program, c.branches, (SELECT sum(b.branches) FROM benchmarks b WHERE b.program = a.program) AS published,
    i.pdom AS PDOM, i.tf AS 'TF-STACK', i.struct AS STRUCT,
    printf('%.3f', 1.0 * i.tf / i.pdom) AS 'TF / PDOM',
    CASE WHEN i.struct IS NULL THEN NULL ELSE printf('%.3f', 1.0 * i.struct / i.pdom) END AS 'STRUCT / PDOM',
    i.entries
  FROM applications a JOIN copied c ON c.program = a.program JOIN issues i ON i.program = a.program
  WHERE i.size = '32' ORDER BY a.program"
