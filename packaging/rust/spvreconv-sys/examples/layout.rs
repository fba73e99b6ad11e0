// SPDX-License-Identifier: Apache-2.0
//! Prints C that a compiler accepts if the declarations here and those of spvreconv.h agree.

fn main() {
    println!("#include <spvreconv/spvreconv.h>");
    for (name, field, offset, size) in spvreconv_sys::layout() {
        if field.is_empty() {
            println!("_Static_assert(sizeof({name}) == {size}, \"{name}\");");
        } else {
            println!(
                "_Static_assert(offsetof({name}, {field}) == {offset} && sizeof((({name} *)0)->{field}) == {size}, \
                 \"{name}.{field}\");"
            );
        }
    }
    for (name, value) in spvreconv_sys::constants() {
        println!("_Static_assert({name} == {value}, \"{name}\");");
    }
}
