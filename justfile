# Lists the recipes.
default:
    @just --list

# Everything that CI runs.
ready:
    .ci/run

# Every test, or those whose names contain the words given.
test *words:
    cargo test --workspace {{words}}

# Judges a million random inputs: no panic, each within a second, at most 256 MiB.
random count="1000000" seed="1":
    RANDOM_INPUTS={{count}} RANDOM_SEED={{seed}} cargo test --release -p end-to-end --test random -- --nocapture

# Proves every rewriting on every command, and holds a hundred thousand texts to the law.
rewritings seed="1":
    REWRITINGS_ALL=1 REWRITINGS_COUNT=100000 REWRITINGS_SEED={{seed}} cargo test -p end-to-end --test rewritings -- --nocapture

# Builds the program as it ships on Linux with glibc, in `target/release`: libc linked in. The dynamic linker is half of
# an empty process, which `policyctl eval` pays for each command, and `LD_PRELOAD`, which whoever proposes a command may
# set, has nothing to put in front of the judge. What glibc can only do dynamically (name services, `iconv`, `dlopen`)
# the program does not use. These are flags of the last step alone: with them no procedural macro could be built.
release:
    cargo rustc --release -p policyctl --bin policyctl -- -C target-feature=+crt-static -C link-arg=-static

# Kills the gate this often while calls run: nothing runs twice, no record is lost.
kills count="500":
    GATE_KILLS={{count}} cargo test -p policyctl --test cli a_kill -- --nocapture

# Parses the same texts with other parsers of shell, in one run.
peers:
    cargo bench --manifest-path tests/peers/Cargo.toml

# Compares the reader with the shell: all written commands, the whole corpus, 20,000 generated commands.
differential seed="1":
    ORACLE_REQUIRED=1 DIFFERENTIAL=all DIFFERENTIAL_SEED={{seed}} cargo test --release -p end-to-end --test differential -- --nocapture

# Formats and lints, as CI wants it.
fix:
    cargo fmt --all
    cargo clippy --workspace --all-targets -- -D warnings

# Accepts what the command line prints today as its snapshots; read the diff before committing it.
accept:
    UPDATE_DOCUMENTATION=1 cargo test -p policyctl --test cli -- documentation pages
    INSTA_UPDATE=always cargo test --workspace

# Lets the command line judge one command.
judge command:
    cargo run -q -p policyctl -- eval '{{command}}'

# Print how much of nl2bash the default policy denies and asks about, by rule
budget:
    cargo test -q -p end-to-end --test it budget -- --nocapture
