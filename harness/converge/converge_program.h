/* SPDX-License-Identifier: Apache-2.0 */
/* converge_program: a shader of the conformance test, as a tree of statements.
 *
 * A program is one plain struct without pointers, so that it can be copied, put into memory that
 * processes share, and changed by the reducer. A statement keeps its index for the whole life of
 * the program; the index is also its *point*, the number under which it reports its observations.
 *
 * The path of a lane depends only on a table of values (cv_value), except in loops that elect
 * lanes; no compiler knows the table. Nesting is bounded by CV_DEPTH and the number of functions,
 * so functions that walk the tree may be recursive. */
#ifndef CV_CONVERGE_PROGRAM_H
#define CV_CONVERGE_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#define CV_NONE UINT32_MAX

enum {
  CV_STATEMENTS = 256, /* statements of a program */
  CV_PARTS = 4,        /* blocks of a statement; cases of a switch */
  CV_FUNCTIONS = 4,    /* functions; the last one is main */
  CV_DEPTH = 5,        /* of nested statements in a function */
  CV_ITERATIONS = 3,   /* iterations of a loop, at most */
  CV_ROWS = 64,        /* rows of the table that a program names; loop counters add up to
                          CV_ITERATIONS to them */
  CV_SPLIT = 8,        /* the first row that may differ between lanes of a subgroup */
};

typedef enum CvKind {
  CV_TELL,   /* observes its tangle with a subgroup operation */
  CV_IF,     /* parts: then, else (CV_NONE: there is none) */
  CV_LOOP,   /* part: the body */
  CV_SWITCH, /* parts: the cases 0, 1, … */
  CV_ELECT,  /* a loop that each lane leaves when it is elected. Parts: the elected lane's code; the
                code that all lanes run first in each iteration */
  CV_CALL,   /* of an earlier function */
  CV_BREAK,  /* of the innermost loop or switch */
  CV_CONTINUE, /* of the innermost CV_LOOP */
  CV_RETURN,
} CvKind;

/* Subgroup operations that show a tangle. The first ones give the set of its lanes. */
typedef enum CvTell {
  CV_BALLOT,
  CV_OR, /* a reduction of a bit that is different for each lane */
  CV_ADD,
  CV_VOTE,  /* a ballot of the lanes whose value is not 0 */
  CV_COUNT, /* the number of lanes: a sum */
  CV_RANK,  /* the number of lanes with lower numbers: an exclusive scan */
  CV_FIRST, /* the lowest lane: a broadcast */
  CV_TELLS,
} CvTell;

typedef enum CvLoop { CV_FOR, CV_ENDLESS, CV_DO, CV_LOOPS } CvLoop;

typedef struct CvStatement {
  uint32_t next; /* the next statement in its block, or CV_NONE */
  uint32_t parts[CV_PARTS];
  uint8_t kind;   /* CvKind */
  uint8_t tell;   /* CvTell: for CV_TELL, and for a loop that tells */
  uint8_t loop;   /* CvLoop */
  uint8_t row;    /* row of the table: condition (not 0), number of iterations, selector */
  uint8_t callee; /* for CV_CALL */
  uint8_t cases;  /* for CV_SWITCH */
  uint8_t falls;  /* bit k: case k falls through to the next one */
  bool counter;   /* the innermost loop's counter is added to the row */
  bool tells;     /* CV_LOOP: its continue target observes, too */
  bool has_other; /* CV_SWITCH: the last case is also the default */
} CvStatement;

typedef struct CvProgram {
  CvStatement at[CV_STATEMENTS];
  uint32_t count;
  uint32_t functions[CV_FUNCTIONS]; /* their first statements */
  uint32_t function_count;          /* main included */
  bool two_exits;                   /* each loop has a second exit, which no lane takes */
} CvProgram;

/* The value 0 to 3 of a lane of the workgroup, in a row of the table. Rows below 4 are the same for
 * all lanes, rows below CV_SPLIT for all lanes of a subgroup. */
uint32_t cv_value(uint32_t row, uint32_t lane, uint32_t subgroup_size);

/* The number of the statement's parts. */
uint32_t cv_parts(const CvStatement *s);
/* Is `inner` the statement, or inside it? */
bool cv_holds(const CvProgram *p, uint32_t statement, uint32_t inner);
/* Do jumps have targets, and are they at the ends of their blocks? */
bool cv_is_valid(const CvProgram *p);
/* Removes functions that are never called and statements that nothing reaches, but only from the
 * lists: indices stay. */
void cv_tidy(CvProgram *p);

#endif
