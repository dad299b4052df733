//! One of several parts of a run, played on machines that know nothing of each other.

use std::cmp::Reverse;
use std::fmt;
use std::str::FromStr;

use crate::generate::{self, Cases};
use crate::schema::{Kind, ProviderSchema};

/// One part of a run, of several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Counted from 1; not above `of`.
    number: usize,
    of: usize,
}

/// The most parts of a run.
const MOST: usize = 1_000;

/// `1/4`.
impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let problem = || format!("`{text}` is not a part of a run, such as `1/4`: the first of four");
        let (number, of) = text.split_once('/').ok_or_else(problem)?;
        let parse = |number: &str| number.parse::<usize>().map_err(|_| problem());
        let (number, of) = (parse(number)?, parse(of)?);
        if !(1..=of).contains(&number) {
            return Err(problem());
        }
        if of > MOST { Err(format!("a run has at most {MOST} parts")) } else { Ok(Shard { number, of }) }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl Shard {
    /// Its types, in their order. Every type is in one of the parts, and all parts take about the same time.
    ///
    /// The costliest go first, each to the part with the least until then; `cost` depends on nothing but the type.
    fn types(
        self,
        types: Vec<(Kind, String)>,
        cost: impl Fn(&(Kind, String)) -> usize,
    ) -> Vec<(Kind, String)> {
        let mut by_cost: Vec<(usize, usize)> = types.iter().map(cost).enumerate().collect();
        by_cost.sort_by_key(|(idx, cost)| (Reverse(*cost), *idx));
        let mut totals = vec![0; self.of];
        let mut owners = vec![0; types.len()];
        for (idx, cost) in by_cost {
            let least = (0..self.of).min_by_key(|part| totals[*part]).expect("there is a part");
            totals[least] += cost.max(1);
            owners[idx] = least;
        }
        let own = |owner: &usize| *owner + 1 == self.number;
        types.into_iter().zip(owners).filter(|(_, owner)| own(owner)).map(|(ty, _)| ty).collect()
    }

    /// Its types of a provider, by what there is to try of each.
    pub(super) fn of(
        self,
        types: Vec<(Kind, String)>,
        schema: &ProviderSchema,
        cases: Cases,
    ) -> Vec<(Kind, String)> {
        // Neither this machine nor what was learned may count: the others know nothing of them.
        let how = generate::Options { cases, apply: true, ..generate::Options::default() };
        self.types(types, |(kind, name)| {
            let schema = schema.get(*kind, name);
            let obligations =
                schema.map_or(0, |schema| generate::obligations(schema, *kind, name, &how).len());
            obligations.min(cases.most())
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use proptest::prelude::*;

    use super::*;

    fn types(costs: &[usize]) -> Vec<(Kind, String)> {
        let kind = |idx: usize| if idx.is_multiple_of(3) { Kind::DataSource } else { Kind::Resource };
        (0..costs.len()).map(|idx| (kind(idx), format!("acme_{idx}"))).collect()
    }

    fn parts(costs: &[usize], of: usize) -> Vec<Vec<(Kind, String)>> {
        let cost =
            |(_, name): &(Kind, String)| costs[name.trim_start_matches("acme_").parse::<usize>().unwrap()];
        (1..=of).map(|number| Shard { number, of }.types(types(costs), cost)).collect()
    }

    proptest! {
        #[test]
        fn every_type_is_in_exactly_one_part(
            costs in proptest::collection::vec(0..1000_usize, 0..40),
            of in 1..9_usize,
        ) {
            let parts = parts(&costs, of);
            let mut all: Vec<(Kind, String)> = parts.concat();
            all.sort();
            let mut expected = types(&costs);
            expected.sort();
            prop_assert_eq!(all, expected);
            for part in &parts {
                let order = types(&costs);
                let at = |ty: &(Kind, String)| order.iter().position(|other| other == ty);
                prop_assert!(part.is_sorted_by_key(at), "the order of types stays");
            }
        }

        #[test]
        fn no_part_costs_more_than_another_by_more_than_one_type(
            costs in proptest::collection::vec(1..1000_usize, 1..40),
            of in 1..9_usize,
        ) {
            let cost = |(_, name): &(Kind, String)| costs[name.trim_start_matches("acme_").parse::<usize>().unwrap()];
            let totals: Vec<usize> = parts(&costs, of).iter().map(|part| part.iter().map(cost).sum()).collect();
            let (least, most) = (totals.iter().min().unwrap(), totals.iter().max().unwrap());
            prop_assert!(most - least <= *costs.iter().max().unwrap(), "{totals:?}");
        }
    }

    #[test]
    fn the_types_of_a_provider_are_divided_by_what_there_is_to_try() {
        let schema = Arc::clone(&crate::rule::example::lifecycle().subject.schema);
        let all: Vec<(Kind, String)> =
            schema.resources.keys().map(|name| (Kind::Resource, name.clone())).collect();
        let both: Vec<_> = ["1/2", "2/2"]
            .iter()
            .flat_map(|shard| shard.parse::<Shard>().unwrap().of(all.clone(), &schema, Cases::Auto))
            .collect();
        assert_eq!(both.len(), all.len());
    }

    #[test]
    fn a_part_is_a_number_of_several() {
        assert_eq!("2/3".parse::<Shard>().unwrap().to_string(), "2/3");
        for wrong in ["", "1", "0/3", "4/3", "a/3", "1/", "-1/3", "1/0"] {
            assert!(wrong.parse::<Shard>().unwrap_err().contains("such as `1/4`"), "{wrong}");
        }
        assert_eq!("1/5000".parse::<Shard>().unwrap_err(), "a run has at most 1000 parts");
    }
}
