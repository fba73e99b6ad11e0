/* SPDX-License-Identifier: Apache-2.0 */
/* decorations: what the module says about an id besides its definition. */
#ifndef SR_DECORATIONS_H
#define SR_DECORATIONS_H

#include "ir/module.h"

/* Does an id have the decoration, directly or through a decoration group? */
bool sr_is_decorated(SrModule *m, uint32_t id, SpvDecoration decoration);
/* The same; *value is the decoration's first literal (0 if it has none). */
bool sr_decoration_value(SrModule *m, uint32_t id, SpvDecoration decoration, uint32_t *value);

/* Do two ids have the same decorations, in the same order? Groups are expanded. */
bool sr_same_decorations(SrModule *m, uint32_t a, uint32_t b);

/* Gives id `to` the decorations of `from`; with `only_value` only those that a copied or joined
 * value keeps: RelaxedPrecision and NonUniform. */
void sr_copy_decorations(SrModule *m, uint32_t from, uint32_t to, bool only_value);

/* Does any id have a decoration that a phi of its value keeps: RelaxedPrecision, NonUniform? */
bool sr_any_kept_decoration(SrModule *m);
/* A decoration of the module, or SR_NONE. */
SrRef sr_any_decoration(const SrModule *m);
/* Gives id `to` a decoration without operands, right before the decoration `other`. */
void sr_decorate(SrModule *m, SrRef other, uint32_t to, SpvDecoration decoration);
/* Gives id `to` the name of `from`, if it has one. */
void sr_copy_name(SrModule *m, uint32_t from, uint32_t to);

/* Drops the index of decorations by id; the next use builds it again. */
void sr_forget_decorations(SrModule *m);

/* Removes the names and decorations of ids that have lost their definition. */
void sr_forget_undefined(SrModule *m);

#endif
