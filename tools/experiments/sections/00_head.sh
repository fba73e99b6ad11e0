# What was measured; sourced by results.sh, as all sections are.
cat <<TEXT
# Results

Written by \`./setup.sh experiments\`; do not edit. Every table is a query over what the tools of this
repository print about the $(query "SELECT count(DISTINCT program) FROM counts") programs of \`shaders/\` that compute; \`docs/results/\` holds each as CSV.
Issues and copies are counts: they come out the same on every machine. Only the [run times](#run-times) do not.

Where nothing else is said, subgroups have 32 lanes, priorities are those of \`lrpo\`, and a program runs with
the inputs of its case. The schemes:

| Scheme | Command |
| --- | --- |
| PDOM, TF-STACK, TF-SANDY | \`spv-emu --policy=pdom\`, \`tf-stack\`, \`tf-sandy\`, the graph as it is written |
| STRUCT | \`spv-emu --policy=pdom --transform=strip-merges,struct-copy\`: made structured by copies first |
| structurize | \`spv-emu --policy=structured --transform=strip-merges,structurize\`: made structured by selectors |
| exec | \`spv-emu --policy=exec --transform=reconverge\`: a wave-level program with an EXEC mask |
| opt | \`spv-emu --policy=opt\`: the least number of issues for the paths that the lanes took; a lower bound where the search ended before |

The papers: *Diamos et al.*, SIMD Re-convergence at Thread Frontiers, MICRO 2011; *Wu et al.*, Characterization
and Transformation of Unstructured Control Flow in Bulk Synchronous GPU Applications, 2012; *Wahlster*,
Vectorising Divergent Control-Flow for SIMD Applications, TU Munich 2018. Their programs are CUDA kernels of the
time, ours are small ones written anew after their description ([corpus.md](corpus.md)): compare what grows and
by how much, not the last digit.
TEXT
