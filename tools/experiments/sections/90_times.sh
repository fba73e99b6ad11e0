# Run times: the only figures that differ from run to run.
cat <<TEXT
## Run times

Not counts: these differ from machine to machine and run to run.

### Drivers

\`spv-harness run --device=lavapipe,swiftshader\`: microseconds of all dispatches of a case, the least of several runs, after
each transform. Both drivers are software for CPUs that run lanes under masks, in subgroups of 8 (lavapipe) and 4
(SwiftShader). Dispatches are small: much of each figure is what the driver needs to start one.
TEXT
timed() {
  echo "max(CASE WHEN device = '$1' AND variant = '$2' THEN CASE outcome WHEN 'pass' THEN printf('%.0f', nanoseconds / 1000.0) ELSE outcome END END) AS '$1, $3'"
}
timed_all() {
  for device in lavapipe swiftshader; do
    printf '%s' ", $(timed $device strip-merges,struct-copy struct-copy), $(timed $device strip-merges,structurize structurize), $(timed $device reconverge,structurize reconverge)"
  done
}
table times "
  SELECT program$(timed_all) FROM times GROUP BY program ORDER BY program"
echo "Time by that of structurize, geometric mean over the cases where both passed:"
table times_mean "
  SELECT t.device, t.variant, printf('%.3f', exp(avg(ln(1.0 * t.nanoseconds / s.nanoseconds)))) AS 'time by structurize', count(*) AS programs
  FROM times t JOIN times s ON s.program = t.program AND s.device = t.device AND s.variant = 'strip-merges,structurize'
  WHERE t.outcome = 'pass' AND s.outcome = 'pass' AND t.nanoseconds > 0 AND s.nanoseconds > 0 GROUP BY 1, 2 ORDER BY 1, 2"
cat <<TEXT
### The transform itself

Milliseconds of struct-copy (\`spvreconv --json\`) beside table 2 of Wu et al., of 2012's machines:
TEXT
table transform_times "
  SELECT b.benchmark, c.program, printf('%.3f', c.milliseconds) AS 'struct-copy', printf('%.3f', s.milliseconds) AS structurize, b.milliseconds AS published
  FROM benchmarks b JOIN copied c ON c.program = b.program JOIN figures s ON s.program = c.program AND s.transform = 'structurize'
  ORDER BY c.program, b.benchmark"
