-- SPDX-License-Identifier: Apache-2.0
-- What the sections about lists of transforms and about run times query.

-- Times of the variants, in nanoseconds; for `same` those of the earlier variant with the same module.
CREATE VIEW timed AS
  SELECT program, device, variant, outcome, message,
    CASE WHEN outcome IN ('pass', 'same') THEN nullif(CAST(nanoseconds AS REAL), 0) END AS nanoseconds
  FROM times;

-- Issues after lists of transforms, beside those of opt on the input (and of the best schedule that it found) and those
-- after structurize.
CREATE VIEW list AS
  SELECT l.program, l.list, l.policy, CAST(l.issues AS INTEGER) AS issues, CAST(o.issues AS INTEGER) AS opt, CAST(o.at_most AS INTEGER) AS at_most,
    CAST(s.issues AS INTEGER) AS plain, o.exact = 'true' AS exact, l.program IN (SELECT program FROM applications) AS application
  FROM lists l JOIN lists o ON o.program = l.program AND o.list = 'input' AND o.policy = 'opt'
    LEFT JOIN lists s ON s.program = l.program AND s.list = 'structurize' AND s.policy = l.policy
  WHERE l.policy <> 'opt' AND CAST(o.issues AS INTEGER) > 0;
