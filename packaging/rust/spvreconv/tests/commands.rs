// SPDX-License-Identifier: Apache-2.0
//! The crate gives what the commands give: the same words, JSON and messages. tests/languages/rust.sh runs this with the
//! names of the files in the environment.

use spvreconv::{compare, emulate, run, run_text, transforms, version, words_of, Options, Output, Status};
use spvreconv_sys::*;
use std::{env, fs, thread};

fn file(variable: &str) -> Vec<u8> {
    fs::read(env::var(variable).expect(variable)).expect(variable)
}

fn shader() -> String {
    String::from_utf8(file("SHADER")).unwrap()
}

fn expected() -> Vec<u32> {
    words_of(&file("EXPECTED"))
}

fn unchanged() -> Output {
    run_text(&shader(), &Options::of("none")).unwrap()
}

#[test]
fn same_words() {
    let structurize = Options::of("structurize");
    assert_eq!(run_text(&shader(), &structurize).unwrap().words(), expected());
    let output = run(unchanged().words(), &structurize).unwrap();
    assert!(output.changed() && !output.needs_structure() && output.notices.is_empty());
    assert_eq!(output.words(), expected());
    assert!(!run(output.words(), &structurize).unwrap().changed());
}

#[test]
fn figures() {
    let options = Options::of("structurize").want(SPVRECONV_WANT_STATS).want(SPVRECONV_WANT_CHECK);
    let output = run(unchanged().words(), &options.want(SPVRECONV_WANT_ASSEMBLY)).unwrap();
    let functions: Vec<_> = output.functions().collect();
    assert_eq!((functions.len(), &*functions[0].name, &*functions[0].structure), (1, "main", "portable"));
    assert!(functions[0].after.structured && !functions[0].before.structured);
    assert_eq!(functions[0].order.len(), functions[0].before.blocks as usize);
    assert_eq!(functions[0].transform.selectors, 1);
    assert!(functions[0].chosen.is_none() && functions[0].cost_before.is_none());
    assert!(output.passes().any(|pass| pass.name == "structurize" && pass.milliseconds >= 0.0));
    assert_eq!(output.repairs().map(|repair| repair.violations).sum::<u32>(), 1);
    assert_eq!(output.check().map(|check| (check.functions, check.differences)), Some((1, 0)));
    assert!(output.text(SPVRECONV_WANT_ASSEMBLY).unwrap().contains("OpLoopMerge"));
    assert!(output.text(SPVRECONV_WANT_WAVE).is_none());
    let best = Options::of("best").want(SPVRECONV_WANT_STATS | SPVRECONV_WANT_COST);
    let best = run(unchanged().words(), &best).unwrap();
    assert!(best.functions().all(|function| function.chosen.is_some() && function.cost_after.is_some()));
}

#[test]
fn violations_and_findings() {
    let explained = run(unchanged().words(), &Options::default().want(SPVRECONV_WANT_EXPLAIN)).unwrap();
    let violations: Vec<_> = explained.violations().collect();
    assert_eq!((violations.len(), &*violations[0].rule), (1, "back_edge_target"));
    assert_eq!((violations[0].entries.len(), violations[0].to), (2, violations[0].construct));
    let linted = run(&words_of(&file("DIVERGENT")), &Options::default().want(SPVRECONV_WANT_LINT)).unwrap();
    let findings: Vec<_> = linted.findings().collect();
    assert_eq!(&*findings[0].rule, "subgroup");
    assert_eq!((&*findings[0].scope, &*findings[0].function), ("subgroup", "main"));
    assert!(findings[0].reasons.last().unwrap().text.contains("differs between the lanes"));
}

#[test]
fn comparison() {
    let before = unchanged();
    assert_eq!(compare(before.words(), &expected(), &Options::default()).unwrap().check().unwrap().functions, 1);
    let other = run_text(&shader().replace("OpIAdd", "OpISub"), &Options::of("none")).unwrap();
    let error = compare(other.words(), &expected(), &Options::default()).unwrap_err();
    assert_eq!((error.status, error.output.unwrap().check().unwrap().differences), (Status::Bug, 1));
}

#[test]
fn errors() {
    let status = |words: &[u32], options: &Options| {
        let error = run(words, options).unwrap_err();
        assert!(!error.message.is_empty());
        error.status
    };
    assert_eq!(status(&[1, 2, 3, 4, 5, 6], &Options::default()), Status::BadInput);
    assert_eq!(status(&[], &Options::default()), Status::BadInput);
    assert_eq!(status(&expected(), &Options::of("polish")), Status::BadOption);
    assert_eq!(status(&expected(), &Options::of("none\0")), Status::BadOption);
    assert_eq!(run_text("OpNothing", &Options::default()).unwrap_err().status, Status::BadInput);
    for (name, limits) in [
        ("max-ids=10", Options { max_ids: 10, ..Options::of("none") }),
        ("max-blocks=2", Options { max_blocks: 2, ..Options::of("none") }),
    ] {
        let error = run_text(&shader(), &limits).unwrap_err();
        assert!(error.message.contains(name), "{}", error.message);
    }
}

#[test]
fn threads() {
    let words = unchanged().words().to_vec();
    let output = run(&words, &Options::of("structurize")).unwrap();
    let shared = &output;
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| assert_eq!(run(&words, &Options::of("structurize")).unwrap().words(), shared.words()));
        }
    });
}

#[test]
fn emulator() {
    let arguments: Vec<String> = env::var("ARGUMENTS").unwrap().split(' ').map(str::to_owned).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let results = |json: &str| json[json.find("\"results\"").expect("results")..].to_owned();
    let known = String::from_utf8(file("EMULATED")).unwrap();
    assert_eq!(results(&emulate(&expected(), &arguments).unwrap()), results(&known));
    let error = emulate(&expected(), &["--policy=x"]).unwrap_err();
    assert_eq!(error.status, Status::BadOption);
    assert!(error.to_string().contains("unknown policy 'x'"));
    assert_eq!(emulate(&[1, 2, 3], &[]).unwrap_err().status, Status::BadInput);
}

#[test]
fn names() {
    assert!(transforms().iter().any(|(name, purpose)| name == "structurize" && !purpose.is_empty()));
    assert_eq!(version(), env!("CARGO_PKG_VERSION"));
}
