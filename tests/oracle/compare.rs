//! What we ask and what an engine asks, object by object and walk by walk.

use std::collections::{BTreeMap, BTreeSet};

use tfconform::scenario::EngineRun;

use super::asked::Asked;
use super::ours::Attempt;
use super::reasons::{REASONS, Reason};
use super::walks::{WalkKind, Walks};

/// Something that we and an engine do not both ask.
pub struct Difference<'a> {
    pub run: &'a EngineRun,
    pub kind: WalkKind,
    pub ours: Option<&'a Asked>,
    pub theirs: Option<&'a Asked>,
    /// The field that differs, if both ask.
    pub field: Option<&'a str>,
    /// What we ask in the whole run.
    pub all_ours: &'a Walks,
    /// What is asked about the object in the walk, by us and by the engine.
    in_walk: [&'a [&'a Asked]; 2],
}

/// What came of comparing.
#[derive(Default)]
pub struct Figures {
    pub n_sequences: usize,
    pub n_objects: usize,
    /// What engines asked.
    pub n_asked: usize,
    /// What we asked in the same way.
    pub n_same: usize,
    pub explained: BTreeMap<&'static str, usize>,
    /// All of those that are alike in kind, by that.
    pub unexplained: BTreeMap<String, Vec<String>>,
    /// What was done before what it depends on.
    pub disordered: Vec<String>,
}

impl Figures {
    pub fn add(&mut self, other: Figures) {
        self.n_sequences += other.n_sequences;
        self.n_objects += other.n_objects;
        self.n_asked += other.n_asked;
        self.n_same += other.n_same;
        for (reason, n) in other.explained {
            *self.explained.entry(reason).or_default() += n;
        }
        for (kind, differences) in other.unexplained {
            self.unexplained.entry(kind).or_default().extend(differences);
        }
        self.disordered.extend(other.disordered);
    }

    fn judge(&mut self, run: usize, difference: &Difference<'_>) {
        match REASONS.iter().find(|reason| (reason.explains)(difference)) {
            Some(Reason { name, .. }) => *self.explained.entry(name).or_default() += 1,
            None => {
                let alike = self.unexplained.entry(difference.sort()).or_default();
                alike.push(format!("run {run}, {}\n{}", difference.asked().object, difference.both()));
            }
        }
    }
}

/// Compares one run; `number` is its position in the sequence, counted from 1.
pub fn run(figures: &mut Figures, number: usize, attempt: &Attempt, theirs: &Walks) {
    for kind in WalkKind::ALL {
        let (ours, theirs) = (attempt.asked.of(kind), theirs.of(kind));
        figures.n_asked += theirs.len();
        let objects = objects(ours.iter().chain(theirs));
        for (object, id) in objects {
            let of = |asked: &&Asked| asked.object == object && id.is_none_or(|id| asked.id == *id);
            let ours: Vec<&Asked> = ours.iter().filter(of).collect();
            let theirs: Vec<&Asked> = theirs.iter().filter(of).collect();
            let in_walk = [&ours[..], &theirs[..]];
            for (ours, theirs) in aligned(&ours, &theirs) {
                let fields: Vec<Option<&str>> = match (ours, theirs) {
                    (Some(ours), Some(theirs)) => ours.differences(theirs).map(Some).collect(),
                    _ => vec![None],
                };
                figures.n_same += usize::from(fields.is_empty());
                let (run, all_ours) = (&attempt.run, &attempt.asked);
                for field in fields {
                    figures.judge(number, &Difference { run, kind, ours, theirs, field, all_ours, in_walk });
                }
            }
        }
    }
}

/// What is asked about, by mark. Where two objects belong to one instance, nothing says which comes first: each is
/// on its own, by ID, and so is what is asked about neither.
fn objects<'a>(asked: impl Iterator<Item = &'a Asked>) -> Vec<(&'a str, Option<&'a Option<String>>)> {
    let mut ids: BTreeMap<&str, BTreeSet<&Option<String>>> = BTreeMap::new();
    for asked in asked {
        ids.entry(&asked.object).or_default().insert(&asked.id);
    }
    let mut objects = Vec::new();
    for (object, ids) in ids {
        match ids.iter().filter(|id| id.is_some()).count() {
            0 | 1 => objects.push((object, None)),
            _ => objects.extend(ids.into_iter().map(|id| (object, Some(id)))),
        }
    }
    objects
}

impl Difference<'_> {
    /// The request that only one side makes, or that of the engine.
    pub fn asked(&self) -> &Asked {
        self.theirs.or(self.ours).expect("one of them asks")
    }

    /// Where it is, and what is asked.
    fn sort(&self) -> String {
        let (mode, kind, name) = (self.run.options.mode, self.kind.name(), self.asked().name());
        let what = match (self.field, self.ours) {
            (Some(field), _) => field,
            (None, Some(_)) => "only we ask it",
            (None, None) => "only the engine asks it",
        };
        format!("{mode:?}, {kind}, {name}: {what}")
    }

    /// Both values of the field that differs, or else what is asked in the walk.
    fn both(&self) -> String {
        let Some(field) = self.field else {
            let [ours, theirs] =
                self.in_walk.map(|all| all.iter().map(|asked| asked.name()).collect::<Vec<_>>().join(", "));
            return format!("  ours    {ours}\n  engine  {theirs}");
        };
        let text = |asked: Option<&Asked>| {
            let field = asked.and_then(|asked| asked.fields.get(field));
            field.map_or("missing", |field| &field.text).to_owned()
        };
        match [self.ours, self.theirs].map(text) {
            [ours, theirs] if ours == theirs => format!("  other bytes for {ours}"),
            [ours, theirs] => format!("  ours    {ours}\n  engine  {theirs}"),
        }
    }
}

type Pair<'a> = (Option<&'a Asked>, Option<&'a Asked>);

/// Pairs what is alike, in order, with as much of it the same as possible.
fn aligned<'a>(ours: &[&'a Asked], theirs: &[&'a Asked]) -> Vec<Pair<'a>> {
    let worth = |a: &Asked, b: &Asked| match (a.is_like(b), a.is(b)) {
        (false, _) => 0,
        (true, false) => 2,
        (true, true) => 3,
    };
    // The best that can be made of what is left on both sides.
    let mut best = vec![vec![0; theirs.len() + 1]; ours.len() + 1];
    for i in (0..ours.len()).rev() {
        for j in (0..theirs.len()).rev() {
            let paired = worth(ours[i], theirs[j]);
            let together = if paired > 0 { paired + best[i + 1][j + 1] } else { 0 };
            best[i][j] = together.max(best[i + 1][j]).max(best[i][j + 1]);
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut pairs = Vec::new();
    while i < ours.len() || j < theirs.len() {
        let paired = match (ours.get(i), theirs.get(j)) {
            (Some(ours), Some(theirs)) => worth(ours, theirs),
            _ => 0,
        };
        if paired > 0 && best[i][j] == paired + best[i + 1][j + 1] {
            pairs.push((Some(ours[i]), Some(theirs[j])));
            (i, j) = (i + 1, j + 1);
        } else if i < ours.len() && (j == theirs.len() || best[i][j] == best[i + 1][j]) {
            pairs.push((Some(ours[i]), None));
            i += 1;
        } else {
            pairs.push((None, Some(theirs[j])));
            j += 1;
        }
    }
    pairs
}
