//! tfconform: conformance testing for Terraform and OpenTofu providers.
//!
//! It starts any provider binary, reads its schema, generates configurations, plays
//! whole lifecycles against it as an engine would, and judges every answer by what
//! the engines and their documents require. The program is `tfconform`; the same
//! code runs as `cargo test` through [`harness`].
//!
//! # Architecture
//!
//! The main idea: **a provider run becomes data, and everything after that is a
//! pure function of the data.** Five types cross the boundaries.
//!
//! | Boundary | The one type | Made by | Read by |
//! | --- | --- | --- | --- |
//! | user → harness | [`suite::Suite`] | a TOML file, with keys replaced by the command line | [`session`] |
//! | generator → lifecycle | [`scenario::Scenario`] | [`generate`] | [`lifecycle`] |
//! | the world → judgement | [`transcript::Transcript`] | [`lifecycle`], or a file ([`record`]) | [`judge`](mod@judge) |
//! | judgement → presentation | [`judge::Judgement`], seen as a [`record::MaskedJudgement`] | [`judge`](mod@judge) | everything that stores part of a run |
//! | harness → people and CI | [`report::Report`], made of [`report::events`] | [`run`](mod@run) | the printers of [`report`] |
//!
//! What is kept of a run (reports, cases, transcripts, snapshots) is [`record::Masked`], which only
//! [`record`] creates: after judgement, once, and on demand.
//!
//! Calls are async: [`provider`] makes them, [`lifecycle`] and [`run`](mod@run) decide which. [`learn`] waits for
//! answers, and makes no call itself.
//! Those three, what they build on ([`files`], [`process`], [`sandbox`]), and what faces users ([`suite`], [`record`],
//! [`reference`](mod@reference), [`snapshot`] and the layers from 6 on), touch the world:
//! files, processes, the environment, the clock. The others are plain functions: [`engine`],
//! [`proto`], [`value`](mod@value), [`schema`], [`core`], [`calls`], [`transcript`], [`scenario`], [`generate`], [`examples`],
//! [`rule`], [`rules`], [`sdk`], [`reproduction`], [`shrink`] and [`judge`](mod@judge) do no I/O, read no clock and hold no client.
//!
//! # Code map
//!
//! Lower layers first; a module uses its own layer and those below.
//!
//! | Layer | Module | In one sentence |
//! | --- | --- | --- |
//! | 0 | [`engine`] | the engine that is imitated: what it sends, checks and forgives |
//! | 0 | [`files`] | reading and writing the files that a user names |
//! | 0 | [`proto`] | the messages of the provider protocol, generated from its definitions |
//! | 0 | [`value`](mod@value) | what a value is, its encodings (MessagePack, state JSON, HCL), and masked trees for display |
//! | 1 | [`schema`] | the kinds of things a provider offers and their shape, implied types, what engines refuse |
//! | 2 | [`core`] | the engines' own algorithms as pure functions, and what they check at each step, in order |
//! | 2 | [`calls`] | one file per RPC: its messages, their encoding and decoding, and what they hold |
//! | 2 | [`transcript`] | requests and responses: facts only |
//! | 2 | [`scenario`] | what to do: engine runs over a world, as data |
//! | 2 | [`process`] | child processes that die with us: starting, watching, measuring, explaining crashes |
//! | 2 | [`sandbox`] | where processes can do no harm |
//! | 3 | [`provider`] | calls over a channel: a process, a socket or memory; the only place with gRPC and TLS |
//! | 3 | [`generate`] | scenarios a user could have written, from the schema alone |
//! | 3 | [`rule`] | what a rule is, and the parts of faults |
//! | 4 | [`rules`] | the catalogue: one file per rule, one line of registration |
//! | 4 | [`sdk`] | the Go modules a program was built of, and defects of SDKs that no author can mend |
//! | 4 | [`reproduction`] | a scenario as a folder in which a real engine plays it, and what its output says |
//! | 4 | [`learn`] | from a provider's answers to the configurations that it accepts; whom to ask is for the caller to say |
//! | 4 | [`lifecycle`] | plays a scenario as an engine would, walking graphs of instances, and writes the transcript |
//! | 4 | [`shrink`] | from a scenario to smaller ones that may show the same finding |
//! | 5 | [`judge`](mod@judge) | applies rules to transcripts |
//! | 5 | [`suite`] | what a user selected, and known findings |
//! | 5 | [`examples`] | what a provider's author wrote: configurations in documentation and acceptance tests, prose, literals of sources |
//! | 5 | [`record`] | what may be kept of a judged transcript, without secrets; transcripts and cases as files |
//! | 5 | [`reference`](mod@reference) | a conforming provider that breaks one rule on request |
//! | 5 | [`snapshot`] | what a provider showed, without secrets and volatile values; stored and compared as files |
//! | 6 | [`report`] | events of a run, the one model of its result, and its printers |
//! | 7 | [`run`](mod@run) | program × options → report |
//! | 7 | [`session`] | suite → run: scratch folder, sandbox, options, exit code |
//! | 8 | [`role`] | the program's other roles: reference provider, sandbox supervisor |
//! | 8 | [`harness`] | suites as trials of a libtest-mimic target |
//! | 8 | [`cli`] | arguments, streams, exit codes |
//!
//! # How to add a rule
//!
//! 1. See whether a rule says it already: `tfconform list rules`. Then `ci/new-rule.sh plan/stays-null plan/conforms`
//!    makes `src/rules/plan/stays_null.rs`, a copy of the second rule with `TODO` where something is left to write, and
//!    its two lines in `src/rules/plan/mod.rs`. Name the rule that is most like yours, of any group; without a name,
//!    the group's shortest is copied.
//! 2. Write what is `TODO`, then the check, its fault and its control:
//!
//!    | Part | What it says |
//!    | --- | --- |
//!    | doc comment | one sentence, a blank line, advice for an author who has just been told they are wrong |
//!    | level | what a user would see: an error makes a rule `must` (step 6) |
//!    | `legacy: Excused` | the flag of the legacy type system excuses it |
//!    | `presumes: Applied` | it holds only for states that the provider returned |
//!    | `presumes: Nothing` | it holds for any state, a made-up one too |
//!    | `behaviours: […]` | the planning behaviours that alone can break it |
//!    | `covers:` | entries of the contract, at least one; `tfconform explain PLAN-013` says what an entry requires, `tfconform list contract` which rules cover it |
//!    | `title:` or `shows:` | the title that an engine shows, or what else it does ([`rule::Shows`]) |
//!    | `enforced:` | since which release, where not every imitated one does |
//!    | `fix:` | what to do, in one sentence of at most 90 characters, with places for names ([`rule::Fix`]) |
//!    | `framework:`, `sdkv2:` | how that is done there, if one sentence can say it |
//!    | `cites:` | the document; in our own words where it only implies the duty |
//!    | `check:` | the check over the narrowest view ([`rule::Check`]); a rule about diagnostics or failures of any call takes `Check::Asked`. [`transcript::Purpose`] says what an exchange was made for |
//!    | `fault:`, `control:` | what breaks the rule, and the nearest legal thing, each with a name of its own; made of the parts in [`rule::edit`] |
//!
//!    A finding names its place, its message and, unless all are alike, its cause: a template, never an ID. Values that
//!    may be sensitive are guarded.
//! 3. `cargo test --lib rules` checks it on the shared example
//!    ([`rule::example`]): it passes there, its fault is caught, its control is not, no other
//!    rule reports its fault (the matrix snapshot), and the finding and the `explain` page read
//!    well. Three files are generated, in this order: `UPDATE_GENERATED=1 cargo test --lib every_example`
//!    (`src/cli/explain/examples.json`, which the next build compiles in), `INSTA_UPDATE=always cargo test --lib rules`
//!    (`src/rules/snapshots`, and the related rules that other pages name), `UPDATE_GENERATED=1 cargo test --lib
//!    documents_of_the_rules` (`docs/rules`). Then read `git diff`. Where the example lacks what your rule looks at, extend the example. If
//!    another rule cannot avoid reporting it, that rule is
//!    named in the `COMPANIONS` of `src/rules/matrix.rs`, with the reason. A fault is one finding: if yours is more,
//!    give them the same place and cause, or list the fault in `SEVERAL` of `src/rules/tests/one_finding.rs`.
//! 4. `tfconform check --fault <its fault> -v` shows it live on the reference provider; below
//!    `must` it needs `--strict` to fail the run, and what only protocol 5 can express needs
//!    `--protocol 5`. `--resource` makes it faster, with a type that has what the fault
//!    corrupts.
//! 5. `cargo test --test faults <its name>` does the same in both protocols (`TFCONFORM_SEEDS=3`:
//!    with three seeds); and if the rule says `legacy: Excused`, once more on the type that sets the
//!    legacy flag. `cargo test --test faults perfect` requires that it passes at least ten times
//!    in two types. Its line in the live matrix is accepted as above (`INSTA_UPDATE=always cargo
//!    test --test faults`). Unavoidable exceptions are in `tests/matrix/tables.rs`, with the
//!    reason: the `COMPANIONS` of the live matrix, and the faults that a protocol has no place
//!    for. The README's summary counts the rules: `cargo test --test cli documents` names the line.
//! 6. `TFCONFORM_LEVELS=all UPDATE_GENERATED=1 cargo test --test levels <its name>` plays the fault and its
//!    control under the real `terraform` and writes what that shows into `docs/levels.md`: it is what the
//!    rule's `title:` or `shows:` says ([`rule::Shows`]), and an error is what makes a rule `must`.
//!
//! What an engine itself checks is in [`core::checks`]: a run stops at it, and the rule takes it from there
//! ([`rule::Context`]); `src/rules/engine_checks.rs` shows which rule maps which check.
//!
//! A rule that looks at something no scenario produces needs a new vertex or call in
//! [`lifecycle`], not a call of its own.
//!
//! `tfconform list contract` ([`rules::contract`]) shows the entries that engines enforce or
//! that a rule covers, and what covers each: a rule, the lifecycle, [`core`], the start of
//! a run, or nothing yet.
//!
//! # How to add a call
//!
//! 1. Copy the nearest file of `src/calls/`; it is named after the RPC, by its protocol 6 name:
//!    `PlanResourceChange` lives in `src/calls/plan_resource_change.rs`. It holds a unit struct of
//!    that name, the request and the response, what the RPC addresses ([`calls::Method`]), its
//!    encoding and decoding ([`calls::Message`]), and what each field holds (`fields!`): a value
//!    and its declaration, opaque bytes, a text; the kinds are listed in `src/calls/field.rs`. If a field is missing
//!    there, rustc reports a pattern that does not mention it: add it to `fields!`; do not add `..` as rustc suggests. A side that streams is a [`calls::Stream`] of
//!    messages.
//! 2. Name the module in `src/calls/mod.rs`: a `mod` line, and at the end of the RPC's row in the
//!    table. [`calls::AnyCall`] then has it, and masking, decoding, files, faults and the client
//!    know it.
//! 3. Have the reference provider answer it: a file in `src/reference/answer/`, and in its `mod.rs` a `mod` line and
//!    an arm in `Reference::conform`, `RpcFailure::unimplemented` until it can answer; where engines make the call
//!    only if a capability is declared, declare it in `src/reference/schema/mod.rs` and accept the snapshots
//!    (`cargo test --test snapshots`).
//! 4. Test it in `src/reference/tests/`, with `Driver::carried` (`driver.rs`), which sends it over the wire.
//!
//! Two more things depend on the RPC: at which step a failure counts (`src/report/refusals.rs`), and whether a provider
//! may lack it ([`calls::Rpc::is_optional`]). Check both; the compiler asks only for the first, and only if the RPC itself
//! is new.
//!
//! Nothing makes the call yet: [`lifecycle`] must do that, and a rule that looks at it gets a view
//! in [`rule`] or takes any call ([`rule::Asked`]).
//!
//! # How to add a planning behaviour
//!
//! Something that engines do to resource instances is a [`generate::behaviour::Behaviour`]: a name, what happens
//! in a few words, and the engine runs that make it happen with the type at hand, or the reason why that type does
//! not allow it. Add it to the list of its group, a file of `src/generate/behaviour/`. `tfconform list scenarios`
//! then names it, `check` plays it with every type, and the summary counts it. `cargo test --lib sent` plays it
//! with the reference provider and keeps what is sent, and `cargo test --test faults perfect` judges it. What engines do that no [`scenario::EngineRun`] can say yet is a new
//! field there, and its walk in [`lifecycle`].
//!
//! # How to add an option
//!
//! An option of a run is a key of a suite: a field of [`suite::Run`] with its default in the one
//! table of defaults, below it; a field of `Overrides` in `src/cli/overrides.rs`, and a line in the
//! table there, which maps the option to the key; and its use where [`session::options`] builds
//! the options of a run. `cargo test --lib cli` then requires a test of it with and without a
//! suite, and the key's row in `docs/suites.md`.
//!
//! # How to add a kind of report
//!
//! A kind is a row of [`suite::ReportKind`], for `--format` and `--report` alike, and a printer in a file of
//! [`report`]: a pure function of a [`report::Report`] and its [`report::Exit`], like [`report::junit::print`].
//! [`report::printer`] leads from one to the other. It makes the report legible first, and escapes what others
//! wrote; `tests/cli/reports.rs` and `tests/cli/secrets.rs` then play it.
//!
//! # Hostile input
//!
//! Everything a provider, a file or a user sends is read by total functions: the bodies in
//! `fuzz/bodies.rs` do so with any bytes, briefly in `tests/fuzz.rs` and at length under
//! `cargo +nightly fuzz run TARGET`. What a user sees of a provider that misbehaves at any
//! call is a row in `tests/cli/misbehaving.rs`. Secrets are in no output, wherever and in whatever form
//! a provider spills them: `tests/cli/secrets.rs` plays every place and form, `tests/forms` has the forms.

pub mod calls;
pub mod cli;
pub mod core;
pub mod engine;
pub mod examples;
pub mod files;
pub mod generate;
pub mod harness;
pub mod judge;
pub mod learn;
pub mod lifecycle;
pub mod process;
pub mod proto;
pub mod provider;
pub mod record;
pub mod reference;
pub mod report;
pub mod reproduction;
pub mod role;
pub mod rule;
pub mod rules;
pub mod run;
pub mod sandbox;
pub mod scenario;
pub mod schema;
pub mod sdk;
pub mod session;
pub mod shrink;
pub mod snapshot;
pub mod suite;
pub mod transcript;
pub mod value;
