# Diamos et al., 6.4.2: exceptions and divergent calls.
cat <<TEXT
### Exceptions and divergent calls

Section 6.4.2 of the paper: TF-STACK suffers nothing from exceptions that are never thrown, while merely having throw
statements degrades PDOM; lanes that call one function from different places run it together under
TF-STACK. \`call/split_merge\` has real calls, \`call/split_merge_inlined\` gotos; none of the four throws.
TEXT
table exceptions "
  SELECT i.program, i.pdom AS PDOM, i.tf AS 'TF-STACK', i.struct AS STRUCT, i.maximal, i.opt || CASE i.exact WHEN 1 THEN '' ELSE ' (bound)' END AS opt,
    printf('%.2f', 1.0 * i.pdom / i.tf) AS 'PDOM / TF-STACK', printf('%.3f', 1.0 * i.tf / i.opt) AS 'TF-STACK / opt'
  FROM issues i WHERE size = '32' AND (program LIKE 'exception/%' OR program LIKE 'call/split_merge%') ORDER BY program"
