-- SPDX-License-Identifier: Apache-2.0
-- The views that the pages of docs/results/ query: numbers as numbers, and the figures of a program side by side.

CREATE VIEW run AS
  SELECT program, transform, priority, size, policy, status, message,
    CAST(subgroup_size AS INTEGER) AS lanes,
    CAST(issued AS INTEGER) AS issued,
    CAST(cycles AS INTEGER) AS cycles,
    CAST(overhead AS INTEGER) AS overhead,
    CAST(noop_issues AS INTEGER) AS noops,
    CAST(activity_factor AS REAL) AS activity,
    CAST(stack_max_depth AS INTEGER) AS depth,
    CAST(memory_issues AS INTEGER) AS memory_issues,
    CAST(memory_transactions AS INTEGER) AS transactions,
    CAST(reconvergences AS INTEGER) AS reconvergences,
    CAST(expansion_area AS INTEGER) AS area,
    exact = 'true' AS exact,
    CAST(expect_failed AS INTEGER) AS failed
  FROM counts;

-- The schemes of Diamos et al. and the others, each as its rows of `run`.
CREATE VIEW scheme AS
  SELECT *, CASE
      WHEN transform = 'struct-copy:any' AND policy = 'pdom' THEN 'STRUCT'
      WHEN transform = 'reconverge' AND policy = 'exec' THEN 'exec'
      WHEN transform = 'structurize' AND policy = 'structured' THEN 'structurize'
      WHEN transform <> 'none' THEN NULL
      WHEN policy = 'pdom' THEN 'PDOM'
      WHEN policy = 'tf-stack' THEN 'TF-STACK'
      WHEN policy = 'tf-sandy' THEN 'TF-SANDY'
      WHEN policy IN ('none', 'opt', 'maximal', 'ssy') THEN policy
    END AS name
  FROM run WHERE priority = 'lrpo' AND status = 'ok';

-- Issues of the schemes, a row for each program and size.
CREATE TABLE issues AS
  SELECT program, size,
    max(CASE WHEN name = 'PDOM' THEN issued END) AS pdom,
    max(CASE WHEN name = 'TF-STACK' THEN issued END) AS tf,
    max(CASE WHEN name = 'TF-SANDY' THEN issued END) AS sandy,
    max(CASE WHEN name = 'STRUCT' THEN issued END) AS struct,
    max(CASE WHEN name = 'structurize' THEN issued END) AS structurize,
    max(CASE WHEN name = 'exec' THEN issued END) AS exec,
    max(CASE WHEN name = 'none' THEN issued END) AS none,
    max(CASE WHEN name = 'maximal' THEN issued END) AS maximal,
    max(CASE WHEN name = 'ssy' THEN issued END) AS ssy,
    max(CASE WHEN name = 'opt' THEN issued END) AS opt,
    max(CASE WHEN name = 'opt' THEN exact END) AS exact,
    max(CASE WHEN name = 'TF-STACK' THEN depth END) AS entries
  FROM scheme WHERE name IS NOT NULL GROUP BY program, size;

CREATE VIEW figures AS
  SELECT program, transform, status,
    CAST(branches AS INTEGER) AS branches,
    CAST(divergent_branches AS INTEGER) AS divergent,
    CAST(multi_exit_loops AS INTEGER) AS multi_exit,
    CAST(irreducible_loops AS INTEGER) AS irreducible,
    CAST(code_before AS INTEGER) AS code_before,
    CAST(code_after AS INTEGER) AS code_after,
    CAST(forward_copies AS INTEGER) AS forward,
    CAST(backward_copies AS INTEGER) AS backward,
    CAST(cuts AS INTEGER) AS cuts,
    100.0 * (code_after - code_before) / code_before AS expansion,
    CAST(frontier_average AS REAL) AS frontier_average,
    CAST(frontier_max AS INTEGER) AS frontier_max,
    CAST(tf_joins AS INTEGER) AS tf_joins,
    CAST(tf_join_edges AS INTEGER) AS tf_join_edges,
    CAST(pdom_joins AS INTEGER) AS pdom_joins,
    CAST(milliseconds AS REAL) AS milliseconds,
    status = 'ok' AS ok
  FROM static;

CREATE VIEW copied AS SELECT * FROM figures WHERE transform = 'struct-copy:any';

-- Which benchmarks of Wu et al. a program corresponds to.
CREATE VIEW benchmarks AS
  SELECT a.program, t.*
  FROM applications a JOIN published_table2 t ON instr('+' || a.wu || '+', '+' || t.benchmark || '+');

-- The programs that a paper names; the last is listing B.1 of Wahlster.
CREATE VIEW paper_programs AS
  SELECT program FROM applications WHERE diamos <> '' OR wu <> '' OR program = 'render/vr_lighting';

-- TF-STACK in the orders of the papers. An order that ends in a deadlock has no issues.
CREATE TABLE tf_orders AS
  SELECT program, size, priority, status, CASE status WHEN 'ok' THEN issued END AS issued
  FROM run WHERE policy = 'tf-stack' AND transform = 'none' AND priority IN ('lrpo', 'rpo', 'ocelot');

-- Kernels made of graphs: issues of the schemes, where they ended. Cycles differ from issues by what the
-- insertions in sorted stacks take.
CREATE TABLE graph_issues AS
  SELECT graph, CAST(turns AS INTEGER) AS turns, CAST(together AS INTEGER) AS together, scheme,
    CAST(issues AS INTEGER) AS issues, CAST(entries AS INTEGER) AS entries, CAST(cycles AS INTEGER) AS cycles,
    CAST(activity AS REAL) AS activity
  FROM graphs_dynamic WHERE status = 'ok';

-- Graphs of programs under the forms of struct-copy. `code`: how much code the paper would print, in percent.
CREATE TABLE modules AS
  SELECT program, kind, form, CAST(functions AS INTEGER) AS functions, CAST(branches AS INTEGER) AS branches,
    CAST(instructions AS INTEGER) AS instructions, CAST(forward_copies AS INTEGER) AS forward_copies,
    CAST(copy_edges AS INTEGER) AS copy_edges, CAST(backward_copies AS INTEGER) AS backward_copies,
    CAST(cuts AS INTEGER) AS cuts, CAST(copied AS INTEGER) AS copied, CAST(cut_edges AS INTEGER) AS cut_edges,
    100.0 * (copied + copy_edges + 5 * cut_edges) / instructions AS code
  FROM measured_modules;

-- Thread frontiers of kernels in each order of priorities.
CREATE TABLE frontier AS
  SELECT graph, "order", CAST(frontier_average AS REAL) AS frontier_average, CAST(frontier_max AS INTEGER) AS frontier_max,
    CAST(join_blocks AS INTEGER) AS join_blocks, CAST(join_edges AS INTEGER) AS join_edges,
    CAST(checks AS INTEGER) AS checks, CAST(pdom_joins AS INTEGER) AS pdom_joins
  FROM frontiers;

-- TF-SANDY on kernels, by how lanes go; only where all three policies end.
CREATE TABLE sandy_sweep AS
  SELECT graph, taken, CAST(together AS INTEGER) AS together, CAST(pdom AS INTEGER) AS pdom, CAST(tf_stack AS INTEGER) AS tf_stack,
    CAST(sandy AS INTEGER) AS sandy, CAST(entries AS INTEGER) AS entries,
    CAST(nullif(sandy_frontier, '') AS INTEGER) AS sandy_frontier, CAST(nullif(sandy_static, '') AS INTEGER) AS sandy_static
  FROM measured_sandy WHERE sandy <> '';

-- Applications under the variants of TF-SANDY: frontier, static, both.
CREATE TABLE sandy_programs AS
  SELECT program, variant, CAST(issued AS INTEGER) AS issued, CAST(expect_failed AS INTEGER) AS expect_failed FROM measured_sandy_programs;

-- Issues of TF-STACK after struct-copy and its inverse.
CREATE TABLE merge_back AS
  SELECT program,
    max(CASE transform WHEN 'none' THEN CAST(issued AS INTEGER) END) AS none,
    max(CASE transform WHEN 'strip-merges+structurize' THEN CAST(issued AS INTEGER) END) AS structurized,
    max(CASE transform WHEN 'strip-merges+struct-copy:any' THEN CAST(issued AS INTEGER) END) AS copied,
    max(CASE transform WHEN 'strip-merges+struct-copy:any+merge-copies' THEN CAST(issued AS INTEGER) END) AS merged
  FROM measured_merge_back WHERE status = 'ok' GROUP BY program;

-- The loops of Bialas and Strzelecki under the token stack; `late`: how many lanes more than fit the stack leave early.
CREATE TABLE tokens AS
  SELECT loop, model, CAST(m AS INTEGER) AS m, CAST(divergences AS INTEGER) AS divergences, CAST(pushes AS INTEGER) AS pushes,
    CAST(pops AS INTEGER) AS pops, CAST(depth AS INTEGER) AS depth, CAST(spills AS INTEGER) AS spills, CAST(cycles AS INTEGER) AS cycles,
    CAST(issue_cycles AS INTEGER) AS issue_cycles, CAST(branch_cycles AS INTEGER) AS branch_cycles,
    CAST(unwinding_cycles AS INTEGER) AS unwinding_cycles, max(CAST(m AS INTEGER) - 15, 0) AS late
  FROM measured_tokens;

-- Lane 0 of the loop with a clock; how many cycles more than with M = 0.
CREATE TABLE timeline AS
  SELECT a.model, CAST(a.m AS INTEGER) AS m, a.loop - b.loop AS in_loop, a.unwinding - b.unwinding AS after
  FROM measured_timeline a JOIN measured_timeline b USING (model) WHERE b.m = '0';

-- Static mask and branch instructions: LLVM's AMDGPU backend, reconverge's wave-level program, and this with needed skips only.
CREATE TABLE amdgpu AS
  SELECT graph, CAST(irreducible AS INTEGER) AS irreducible, CAST(llvm_masks AS INTEGER) AS llvm_masks, CAST(llvm_branches AS INTEGER) AS llvm_branches,
    CAST(masks AS INTEGER) AS masks, CAST(branches AS INTEGER) AS branches, CAST(needed_masks AS INTEGER) AS needed_masks,
    CAST(needed_branches AS INTEGER) AS needed_branches,
    CAST(nullif(run_llvm_masks, '') AS INTEGER) AS run_llvm_masks, CAST(run_llvm_branches AS INTEGER) AS run_llvm_branches, CAST(run_llvm_blocks AS INTEGER) AS run_llvm_blocks,
    CAST(run_masks AS INTEGER) AS run_masks, CAST(run_branches AS INTEGER) AS run_branches, CAST(run_blocks AS INTEGER) AS run_blocks,
    CAST(run_needed_masks AS INTEGER) AS run_needed_masks, CAST(run_needed_branches AS INTEGER) AS run_needed_branches, CAST(run_needed_blocks AS INTEGER) AS run_needed_blocks
  FROM measured_amdgpu;
