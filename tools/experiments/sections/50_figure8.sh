# Diamos et al., figure 8: memory efficiency.
cat <<TEXT
## Diamos et al., figure 8: memory efficiency

Loads, stores and atomics on buffers; a transaction is an aligned segment of 128 bytes. The figure's caption has
memory instructions by transactions (*efficiency*: 1 is best, may exceed it only where lanes are all off), the text its
reciprocal, the average number of *transactions* an instruction takes; both are here. The paper gives no numbers.
TEXT
memory() {
  echo "max(CASE WHEN name = '$1' AND transactions THEN printf('%.3f', 1.0 * memory_issues / transactions) END)"
}
reciprocal() {
  echo "max(CASE WHEN name = '$1' AND memory_issues THEN printf('%.2f', 1.0 * transactions / memory_issues) END)"
}
from="FROM applications a JOIN scheme s ON s.program = a.program AND s.size = '32' GROUP BY a.program ORDER BY a.program"
chart figure8 "Memory efficiency, subgroups of 32" "memory instructions / transactions" \
  "SELECT a.program, $(memory PDOM) AS PDOM, $(memory TF-STACK) AS 'TF-STACK', $(memory STRUCT) AS STRUCT $from"
table figure8 "
  SELECT a.program, $(memory PDOM) AS 'PDOM, efficiency', $(memory TF-STACK) AS 'TF-STACK, efficiency',
    $(memory STRUCT) AS 'STRUCT, efficiency', $(reciprocal PDOM) AS 'PDOM, transactions',
    $(reciprocal TF-STACK) AS 'TF-STACK, transactions', $(reciprocal STRUCT) AS 'STRUCT, transactions' $from"
cat <<TEXT
The ratio alone misleads: an instruction that runs twice with half the lanes each may take one transaction each time,
which is "more efficient" than once with all lanes and two transactions, though it moves the same segments and costs an
issue more. So the ratio can fall where TF-STACK joins lanes; the paper expects it to rise. Of the programs here it rises for
$(query "SELECT sum(t.memory_issues * p.transactions > p.memory_issues * t.transactions) || ', falls for ' || sum(t.memory_issues * p.transactions < p.memory_issues * t.transactions) || ', stays for ' || sum(t.memory_issues * p.transactions = p.memory_issues * t.transactions) FROM applications a JOIN scheme p ON p.program = a.program AND p.size = '32' AND p.name = 'PDOM' JOIN scheme t ON t.program = a.program AND t.size = '32' AND t.name = 'TF-STACK'"); the number of transactions itself falls for
$(query "SELECT sum(t.transactions < p.transactions) || ' and rises for ' || sum(t.transactions > p.transactions) FROM applications a JOIN scheme p ON p.program = a.program AND p.size = '32' AND p.name = 'PDOM' JOIN scheme t ON t.program = a.program AND t.size = '32' AND t.name = 'TF-STACK'").
TEXT
