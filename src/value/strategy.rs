//! Random types and values for property tests.

use proptest::prelude::*;

use super::*;

pub(crate) fn types() -> impl Strategy<Value = Type> {
    let leaf = prop_oneof![Just(Type::String), Just(Type::Number), Just(Type::Bool), Just(Type::Dynamic)];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            inner.clone().prop_map(Type::list),
            // A set of dynamic elements cannot exist in a schema.
            inner.clone().prop_map(|ty| Type::set(if ty.has_dynamic() { Type::String } else { ty })),
            inner.clone().prop_map(Type::map),
            prop::collection::vec(inner.clone(), 0..3).prop_map(Type::tuple),
            prop::collection::btree_map("[a-cé]{1,2}", inner, 0..3).prop_map(Type::object),
        ]
    })
}

pub(crate) fn numbers() -> impl Strategy<Value = Number> {
    prop_oneof![
        any::<i64>().prop_map(Number::from_i64),
        (-3i64..3).prop_map(Number::from_i64),
        any::<u64>().prop_map(Number::from_u64),
        "-?[0-9]{1,30}(\\.[0-9]{1,20})?".prop_map(|text| Number::parse(&text).unwrap()),
        any::<f64>().prop_filter_map("finite fractions", |value| {
            Number::from_f64(value).ok().filter(|number| !number.is_integer() && !number.is_infinite())
        }),
    ]
}

/// Values that conform to a type; `unknowns` says whether some may be unknown.
pub(crate) fn values(ty: &Type, unknowns: bool) -> BoxedStrategy<Value> {
    let known = match ty {
        Type::String => prop_oneof!["[a-c]{0,3}", "\\PC{0,6}"].prop_map(|text| Value::string(&text)).boxed(),
        Type::Number => numbers().prop_map(Value::number).boxed(),
        Type::Bool => any::<bool>().prop_map(Value::bool).boxed(),
        Type::Dynamic => prop_oneof![
            Just(Type::String),
            Just(Type::Bool),
            Just(Type::list(Type::Number)),
            Just(Type::tuple([Type::String, Type::Bool])),
            Just(Type::object([("a", Type::Number)])),
        ]
        .prop_flat_map(move |ty| values(&ty, unknowns))
        .boxed(),
        Type::List(element) | Type::Set(element) => {
            let (whole, element) = (ty.clone(), Type::clone(element));
            prop::collection::vec(uniform(&element, unknowns), 0..4)
                .prop_map(move |elements| {
                    let (concrete, elements) = alike(&element, elements);
                    if matches!(whole, Type::List(_)) {
                        Value::list(concrete, elements)
                    } else {
                        Value::set(concrete, elements)
                    }
                })
                .boxed()
        }
        Type::Map(element) => {
            let element = Type::clone(element);
            prop::collection::btree_map("[a-cé]{0,2}", uniform(&element, unknowns), 0..4)
                .prop_map(move |entries| {
                    let (keys, elements): (Vec<String>, Vec<Value>) = entries.into_iter().unzip();
                    let (concrete, elements) = alike(&element, elements);
                    Value::map(concrete, keys.into_iter().zip(elements))
                })
                .boxed()
        }
        Type::Tuple(tuple) => {
            let parts: Vec<_> = tuple.elements().iter().map(|ty| values(ty, unknowns)).collect();
            parts.prop_map(Value::tuple).boxed()
        }
        Type::Object(object) => {
            let ty = ty.clone();
            let parts: Vec<_> = object.attributes().iter().map(|(_, ty)| values(ty, unknowns)).collect();
            parts.prop_map(move |values| Value::object_of(&ty, values)).boxed()
        }
    };
    let null = Just(Value::null(ty.clone()));
    if unknowns {
        let unknown = prop_oneof![
            Just(Value::unknown(ty.clone())),
            Just(Value::refined(ty.clone(), Refinements::not_null())),
        ];
        prop_oneof![6 => known, 1 => null, 1 => unknown].boxed()
    } else {
        prop_oneof![6 => known, 1 => null].boxed()
    }
}

/// The elements that have the type of the first concretely typed one, and that type.
pub(crate) fn alike(declared: &Type, mut elements: Vec<Value>) -> (Type, Vec<Value>) {
    let first = elements.iter().find(|element| *element.ty() != Type::Dynamic);
    let ty = collection::element_type(declared, first).expect("one element has one type");
    elements.retain(|element| *element.ty() == ty);
    (ty, elements)
}

/// Element values; a collection of dynamic elements needs one concrete type for all of them.
fn uniform(element: &Type, unknowns: bool) -> BoxedStrategy<Value> {
    values(element, unknowns)
}

/// A type and a value of it.
pub(crate) fn typed_values(unknowns: bool) -> impl Strategy<Value = (Type, Value)> {
    types().prop_flat_map(move |ty| (Just(ty.clone()), values(&ty, unknowns)))
}
