// SPDX-License-Identifier: Apache-2.0
//! Where the shared library is: in $LIBSPVRECONV_DIR, else where pkg-config says, else where the linker looks.

use std::{env, process::Command};

fn main() {
    println!("cargo:rerun-if-env-changed=LIBSPVRECONV_DIR");
    if let Ok(folder) = env::var("LIBSPVRECONV_DIR") {
        println!("cargo:rustc-link-search=native={folder}");
    } else if let Ok(found) = Command::new("pkg-config").args(["--libs-only-L", "spvreconv"]).output() {
        for flag in String::from_utf8_lossy(&found.stdout).split_whitespace() {
            println!("cargo:rustc-link-search=native={}", flag.trim_start_matches("-L"));
        }
    }
    println!("cargo:rustc-link-lib=dylib=spvreconv");
}
