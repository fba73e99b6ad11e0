/* SPDX-License-Identifier: Apache-2.0 */
/* decorations: what the module says about an id besides its definition. */
#ifndef SR_DECORATIONS_H
#define SR_DECORATIONS_H

#include "passes/ir/module.h"

/* Does an id have the decoration, directly or through a decoration group? */
bool sr_is_decorated(SrModule *m, uint32_t id, SpvDecoration decoration);
/* The same; *value is the decoration's first literal (0 if it has none). */
bool sr_decoration_value(SrModule *m, uint32_t id, SpvDecoration decoration, uint32_t *value);

/* Do two ids have the same decorations, in the same order? Groups are expanded. */
bool sr_same_decorations(SrModule *m, uint32_t a, uint32_t b);

/* May this decoration of a parameter be dropped when the argument replaces the parameter? No, if
 * the argument would need the decoration too, such as Aliased where undecorated objects count as
 * separate. */
bool sr_argument_may_lose(const SrModule *m, SrRef decoration);
/* Gives id `to`, a copy of `from`, the decorations of `from`. */
void sr_copy_decorations(SrModule *m, uint32_t from, uint32_t to);

/* ---- values that join others, or take their place ----
 *
 * NonUniform and RelaxedPrecision are properties of a value that a phi, a select or a copy of it
 * keeps. A value that joins others (lanes have one or the other) is NonUniform if one of them is,
 * since an access by it may otherwise count as dynamically uniform; it is RelaxedPrecision only if
 * all of them are. All other decorations belong to an instruction or an object in memory
 * (NoContraction, Restrict, Aliased, Volatile, ...): a transform merges two of these only if they
 * have the same decorations (sr_same_decorations). */

typedef struct SrKept {
  bool non_uniform, relaxed;
} SrKept;

/* The neutral element of sr_kept_joined. */
#define SR_KEPT_OF_NONE ((SrKept){false, true})

/* The properties of an id; an OpUndef has SR_KEPT_OF_NONE. */
SrKept sr_kept(SrModule *m, uint32_t id);
/* The properties of a value that joins a value with `a` and one with `b`. */
SrKept sr_kept_joined(SrKept a, SrKept b);
bool sr_kept_same(SrKept a, SrKept b);
/* The properties of a value that joins `count` ids. */
SrKept sr_kept_of(SrModule *m, const uint32_t *ids, uint32_t count);
/* Gives an id those of the properties that it lacks. */
void sr_keep(SrModule *m, uint32_t id, SrKept kept);
/* Can value `to` replace `from`? It must keep NonUniform, and must not be an undefined pointer:
 * SPIR-V allows no access through one, but allows an access through a phi of one. */
bool sr_keeps_in_place(SrModule *m, uint32_t from, uint32_t to);
/* For a `to` that cannot: inserts a copy of `to`, of this type, before an instruction of the list.
 * The copy keeps the properties of `from`. Returns its id. */
uint32_t sr_keep_in_place(SrModule *m, SrList *list, SrRef before, uint32_t type, uint32_t from,
                          uint32_t to);
/* Is any id NonUniform or RelaxedPrecision? */
bool sr_any_kept(SrModule *m);

/* Gives an id a decoration without operands. It is inserted before the first NonUniform or
 * RelaxedPrecision; if there is none, at sr_decoration_place. */
void sr_decorate(SrModule *m, uint32_t id, SpvDecoration decoration);
/* The instruction before which a decoration may be inserted: the first decoration, else the first
 * type; SR_NONE: there is neither. */
SrRef sr_decoration_place(const SrModule *m);
/* Gives id `to` the name of `from`, if it has one. */
void sr_copy_name(SrModule *m, uint32_t from, uint32_t to);

/* Drops the index of decorations by id; the next use builds it again. */
void sr_forget_decorations(SrModule *m);

/* Removes the names and decorations of ids that have lost their definition. */
void sr_forget_undefined(SrModule *m);

#endif
