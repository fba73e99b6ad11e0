# Wu et al., table 1: how much is unstructured at all.
cat <<TEXT
## Wu et al., table 1: existence of unstructured control flow

\`./setup.sh survey shaders\`, which takes any folder. A function is *unstructured* if no merge instructions could
declare it structured; the paper counts benchmarks of which a kernel needs one of its three transformations.
TEXT
table table1 "
  SELECT folder, count(DISTINCT file) AS files,
    (SELECT count(*) FROM (SELECT file FROM survey t WHERE t.folder = s.folder GROUP BY file HAVING sum(unstructured) > 0)) AS 'files unstructured',
    count(*) AS functions, sum(unstructured) AS unstructured, sum(irreducible) AS irreducible,
    sum(multi_exit) AS 'multi-exit loops', sum(divergent) AS divergent
  FROM survey s GROUP BY folder
  UNION ALL
  SELECT 'all', count(DISTINCT file),
    (SELECT count(*) FROM (SELECT file FROM survey GROUP BY file HAVING sum(unstructured) > 0)),
    count(*), sum(unstructured), sum(irreducible), sum(multi_exit), sum(divergent) FROM survey"
echo "Published:"
table table1_published "
  SELECT suite, benchmarks, unstructured AS 'with unstructured control flow' FROM published_table1"
cat <<TEXT
The share here says nothing about shaders in general: this corpus was written to have such control flow. SPIR-V
declares more as structured than the paper's hammocks: breaks, continues and early returns are no fault.
TEXT
