# Why STRUCT is below PDOM where it is.
cat <<TEXT
### Where STRUCT issues less than PDOM

The paper has STRUCT worst of all. Copies can only cost: lanes in different copies of a block never meet. But
Cut does not copy: it leads all exits of a loop through one block behind it, and there lanes that left by different exits
meet, while PDOM lets each exit's lanes go on alone to the post-dominator of all. So STRUCT can fall below PDOM only
where a loop was cut; and so it is:
TEXT
table struct_below "
  SELECT CASE WHEN c.cuts > 0 THEN 'at least one loop cut' ELSE 'none cut' END AS 'struct-copy', count(*) AS programs,
    sum(i.struct < i.pdom) AS 'STRUCT < PDOM', sum(i.struct = i.pdom) AS '=', sum(i.struct > i.pdom) AS 'STRUCT > PDOM',
    printf('%.3f', min(1.0 * i.struct / i.pdom)) AS 'least STRUCT / PDOM', printf('%.3f', max(1.0 * i.struct / i.pdom)) AS largest
  FROM applications a JOIN issues i ON i.program = a.program AND i.size = '32' JOIN copied c ON c.program = a.program
  WHERE i.struct IS NOT NULL GROUP BY c.cuts > 0 ORDER BY 1"
