//! Elements that two sets have in common.

use std::collections::HashMap;

use crate::value::Value;

/// For each element on the left, the place of an equal one on the right; each place is given once.
///
/// Takes time in proportion to the sets: comparing each element with each takes minutes for some ten
/// thousand.
pub(super) fn equal_elements(left: &[Value], right: &[Value]) -> Vec<Option<usize>> {
    let mut places: HashMap<String, Vec<usize>> = HashMap::new();
    for (place, value) in right.iter().enumerate().rev() {
        places.entry(value.to_string()).or_default().push(place);
    }
    let equal = |value: &Value| {
        let alike = places.get_mut(&value.to_string())?;
        let found = alike.iter().rposition(|place| right[*place] == *value)?;
        Some(alike.remove(found))
    };
    left.iter().map(equal).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Type;

    #[test]
    fn each_element_has_a_partner_of_its_own() {
        let texts = |texts: &[&str]| texts.iter().map(|text| Value::string(text)).collect::<Vec<_>>();
        let found = equal_elements(&texts(&["b", "c", "a"]), &texts(&["a", "b"]));
        assert_eq!(found, [Some(1), None, Some(0)]);
        let unknowns = vec![Value::unknown(Type::String); 3];
        assert_eq!(equal_elements(&unknowns, &unknowns[..2]), [Some(0), Some(1), None]);
    }
}
