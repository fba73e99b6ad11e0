# How far each policy is from the least number of issues.
cat <<TEXT
## Distance from the optimum

\`spv-emu --policy=opt\` looks for the least number of issues that lets every lane run its path (a weighted shortest common
supersequence). Where the search ends the figure is exact, else a lower bound: the distance is then at most
what stands here. Issues by those of opt, geometric means:
TEXT
distance() {
  echo "printf('%.3f', exp(avg(ln(1.0 * $1 / opt))))"
}
table distance "
  SELECT size, CASE exact WHEN 1 THEN 'exact' ELSE 'lower bound' END AS opt, count(*) AS programs,
    $(distance none) AS none, $(distance pdom) AS PDOM, $(distance tf) AS 'TF-STACK', $(distance sandy) AS 'TF-SANDY', $(distance maximal) AS maximal,
    printf('%.3f', exp(avg(ln(1.0 * ssy / opt)))) AS 'ssy, where it applies'
  FROM issues WHERE opt > 0 GROUP BY size, exact ORDER BY size = 'workgroup', CAST(size AS INTEGER), exact DESC"
echo "By application, subgroups of 32:"
times_opt() {
  echo "printf('%.3f', 1.0 * $1 / opt)"
}
table optimum "
  SELECT program, opt, CASE exact WHEN 1 THEN 'exact' ELSE 'lower bound' END AS kind, $(times_opt none) AS none, $(times_opt pdom) AS PDOM,
    $(times_opt tf) AS 'TF-STACK', $(times_opt sandy) AS 'TF-SANDY', $(times_opt maximal) AS maximal
  FROM issues JOIN applications USING (program) WHERE size = '32' AND opt > 0 ORDER BY program"
