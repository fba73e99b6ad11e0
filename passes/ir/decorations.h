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

/* May this decoration of a parameter be lost, because the parameter's argument takes its place? Not
 * what the argument would need as well, such as Aliased where objects count as separate without it.
 */
bool sr_argument_may_lose(const SrModule *m, SrRef decoration);
/* Gives id `to` the decorations of `from`, of which it is a copy. */
void sr_copy_decorations(SrModule *m, uint32_t from, uint32_t to);

/* ---- values that join others, or take their place ----
 *
 * NonUniform and RelaxedPrecision are properties of a value that a phi, a select or a copy of it
 * keeps. A value that joins others (lanes have one or the other) is NonUniform if one of them is,
 * since an access by it may otherwise count as dynamically uniform; it is RelaxedPrecision only if
 * all of them are. All other decorations belong to an instruction or an object in memory
 * (NoContraction, Restrict, Aliased, Volatile, ...): a transform makes two of these one only if
 * they have the same ones (sr_same_decorations). */

typedef struct SrKept {
  bool non_uniform, relaxed;
} SrKept;

/* Joined with it, any other stays as it is. */
#define SR_KEPT_OF_NONE ((SrKept){false, true})

/* Those that an id has; those of an OpUndef are SR_KEPT_OF_NONE. */
SrKept sr_kept(SrModule *m, uint32_t id);
/* Those of a value that joins values with these. */
SrKept sr_kept_joined(SrKept a, SrKept b);
bool sr_kept_same(SrKept a, SrKept b);
/* What a value that joins `count` ids keeps. */
SrKept sr_kept_of(SrModule *m, const uint32_t *ids, uint32_t count);
/* Gives an id those that it lacks. */
void sr_keep(SrModule *m, uint32_t id, SrKept kept);
/* Can value `to` be used in place of `from`: does it keep NonUniform, and is it no undefined
 * pointer, through which SPIR-V allows no access, while it allows one through a phi of it? */
bool sr_keeps_in_place(SrModule *m, uint32_t from, uint32_t to);
/* If it would not: makes a copy of `to`, of this type, before an instruction of a list, which keeps
 * what `from` has; returns its id. */
uint32_t sr_keep_in_place(SrModule *m, SrList *list, SrRef before, uint32_t type, uint32_t from,
                          uint32_t to);
/* Does any id have such a decoration? */
bool sr_any_kept(SrModule *m);

/* Gives an id a decoration without operands. It comes before the first one that joined values keep
 * (sr_any_kept); if there is none, at sr_decoration_place. */
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
