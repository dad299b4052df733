//! Implied types and empty values.
//!
//! Source: contract section 4.1.

use super::{Block, NestedAttributes, NestedBlock, Nesting, Schema};
use crate::value::{Type, Value};

impl Block {
    /// The object type of every value of this block: attributes and nested block types together.
    pub fn implied_type(&self) -> &Type {
        self.implied.get_or_init(|| {
            let attributes =
                self.attributes.iter().map(|attribute| (attribute.name.as_str(), attribute.ty()));
            let blocks = self.block_types.iter().map(|nested| (nested.name.as_str(), nested.implied_type()));
            Type::object(attributes.chain(blocks))
        })
    }

    /// All attributes null, all nested block types empty.
    pub fn empty_value(&self) -> Value {
        let object = self.implied_type().as_object().expect("a block implies an object type");
        let values = object.attributes().iter().map(|(name, ty)| match self.block_type(name) {
            Some(nested) => nested.empty_value(),
            None => Value::null(ty.clone()),
        });
        Value::object_of(self.implied_type(), values.collect())
    }
}

impl Schema {
    pub fn empty_value(&self) -> Value {
        self.block.empty_value()
    }

    pub fn null(&self) -> Value {
        Value::null(self.implied_type().clone())
    }
}

impl NestedBlock {
    /// The type of the attribute that represents the blocks.
    ///
    /// A list or map of blocks that contain a dynamic attribute is itself dynamic, so that each
    /// block may have a different type: concretely a tuple or an object.
    pub fn implied_type(&self) -> Type {
        let inner = self.block.implied_type();
        match self.nesting {
            Nesting::Single | Nesting::Group | Nesting::Invalid(_) => inner.clone(),
            Nesting::List | Nesting::Map if inner.has_dynamic() => Type::Dynamic,
            Nesting::List => Type::list(inner.clone()),
            Nesting::Map => Type::map(inner.clone()),
            Nesting::Set => Type::set(inner.clone()),
        }
    }

    /// The value that represents no blocks.
    pub fn empty_value(&self) -> Value {
        let inner = self.block.implied_type();
        match self.nesting {
            Nesting::Single | Nesting::Invalid(_) => Value::null(inner.clone()),
            Nesting::Group => self.block.empty_value(),
            Nesting::List if inner.has_dynamic() => Value::tuple(Vec::new()),
            Nesting::Map if inner.has_dynamic() => Value::object::<&str>([]),
            Nesting::List => Value::list(inner.clone(), Vec::new()),
            Nesting::Map => Value::map::<&str>(inner.clone(), []),
            Nesting::Set => Value::set(inner.clone(), Vec::new()),
        }
    }

    /// A collection of the given blocks, in the form this nesting has.
    ///
    /// # Panics
    /// For single and group nesting, which have no collection.
    pub fn collect(&self, elements: Vec<Value>) -> Value {
        let inner = self.block.implied_type();
        match self.nesting {
            Nesting::List if inner.has_dynamic() => Value::tuple(elements),
            Nesting::List => Value::list(inner.clone(), elements),
            Nesting::Set => Value::set(inner.clone(), elements),
            other => panic!("{other:?} nesting has no collection of elements"),
        }
    }
}

impl NestedAttributes {
    /// The object type of one element.
    pub fn element_type(&self) -> Type {
        match self.implied_type() {
            Type::List(element) | Type::Set(element) | Type::Map(element) => Type::clone(element),
            single => single.clone(),
        }
    }

    pub fn implied_type(&self) -> &Type {
        self.implied.get_or_init(|| {
            let inner =
                Type::object(self.attributes.iter().map(|attribute| (&attribute.name, attribute.ty())));
            match self.nesting {
                Nesting::Single | Nesting::Group | Nesting::Invalid(_) => inner,
                Nesting::List => Type::list(inner),
                Nesting::Set => Type::set(inner),
                Nesting::Map => Type::map(inner),
            }
        })
    }
}
