# Diamos et al.: how many entries the sorted stack has.
cat <<TEXT
### Entries of the sorted stack

The paper never saw more than three distinct entries. Largest number here, the running entry included, over all
$(query "SELECT count(DISTINCT program) FROM issues WHERE entries IS NOT NULL") programs that run under TF-STACK:
TEXT
sized() {
  echo "sum(CASE WHEN size = '$1' THEN 1 END) AS '$1'"
}
table entries "
  SELECT entries, $(sized 8), $(sized 32), $(sized 64), $(sized workgroup)
  FROM issues WHERE entries IS NOT NULL GROUP BY entries ORDER BY entries"
cat <<TEXT
More than three in $(query "SELECT sum(entries > 3) || ' of ' || count(*) FROM issues WHERE size = '32' AND entries IS NOT NULL") programs with 32 lanes (columns count programs). These graphs are denser in exits than compiled CUDA:
each exit of a loop nest is a block in which lanes may wait.
TEXT
