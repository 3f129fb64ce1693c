//! From text to tree, beside other parsers of shell: `cargo bench --manifest-path tests/peers/Cargo.toml`.
//!
//! Each parser gets the same text in the same run, in turn, and makes its tree anew each time, with what it needs
//! for that and nothing else: no parser is asked for its tree's text. Nothing is asserted but that the text is read.

use std::hint::black_box;
use std::time::{Duration, Instant};

use shell_parser::{Arena, SourceMap};

/// An ordinary build script, 500 bytes long or a little more.
const SCRIPT: &str = include_str!("../speed/ordinary.sh");

/// The size of a large script.
const LARGE: usize = 100_000;

/// The least time over which one sample runs, so that the clock's own cost does not count.
const SAMPLE: Duration = Duration::from_millis(5);

/// How many samples of each parser are taken.
const SAMPLES: usize = 31;

fn main() {
    let large = SCRIPT.repeat(LARGE.div_ceil(SCRIPT.len()));
    let texts = [("30 bytes", "git commit -m 'fix the parser'"), ("500 bytes", SCRIPT), ("100 kB", &large)];
    let mut tree_sitter = tree_sitter::Parser::new();
    tree_sitter.set_language(&tree_sitter_bash::LANGUAGE.into()).expect("the grammar fits the library");
    for (name, text) in texts {
        let mut ours = || {
            let arena = Arena::new();
            let script = shell_parser::parse(&arena, text, SourceMap::Shifted(0));
            assert!(script.fault.is_none());
            black_box(script.list.0.len());
        };
        let mut brush = || {
            // Its other entry remembers the tokens of texts that it has seen.
            let tokens = brush_parser::uncached_tokenize_str(text, &brush_parser::TokenizerOptions::default());
            let tokens = tokens.expect("the text is shell");
            let program = brush_parser::parse_tokens(&tokens, &brush_parser::ParserOptions::default());
            black_box(program.expect("the text is shell"));
        };
        let mut sitter = || {
            let tree = tree_sitter.parse(text, None).expect("a parser with a language gives a tree");
            assert!(!tree.root_node().has_error());
            black_box(tree);
        };
        let medians = medians([&mut ours, &mut brush, &mut sitter]);
        let names = ["shell-parser", "brush-parser", "tree-sitter-bash"];
        for (parser, median) in names.into_iter().zip(medians) {
            let ratio = median.as_secs_f64() / medians[0].as_secs_f64();
            let rate = text.len() as f64 / median.as_secs_f64() / 1e6;
            println!("{name:10} {parser:18} {:10.2} µs  {rate:7.1} MB/s  {ratio:6.1} x", median.as_secs_f64() * 1e6);
        }
    }
}

/// The median time of each parser, samples taken in turn.
fn medians(mut parsers: [&mut dyn FnMut(); 3]) -> [Duration; 3] {
    let calls = parsers.each_mut().map(|parse| {
        let mut calls = 1;
        while sample(*parse, calls) * calls < SAMPLE {
            calls *= 2;
        }
        calls
    });
    let mut times = [const { Vec::new() }; 3];
    for _ in 0..SAMPLES {
        for ((parse, calls), times) in parsers.iter_mut().zip(calls).zip(&mut times) {
            times.push(sample(*parse, calls));
        }
    }
    times.map(|mut times| {
        times.sort_unstable();
        times[times.len() / 2]
    })
}

/// The time of one of `calls` calls.
fn sample(parse: &mut dyn FnMut(), calls: u32) -> Duration {
    let start = Instant::now();
    (0..calls).for_each(|_| parse());
    start.elapsed() / calls
}
