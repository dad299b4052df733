use proptest::prelude::*;

use super::*;
use crate::value;
use crate::value::strategy::typed_values;

/// Hides the attribute `secret`, and the word in every text.
struct Example;

impl Hide for Example {
    fn in_place_of(&self, _: &Value, at: &AttributePath) -> Option<String> {
        (at.schema_path().to_string() == "secret").then(|| SENSITIVE.to_owned())
    }

    fn text(&self, text: &str) -> String {
        text.replace("hush", SENSITIVE)
    }
}

#[test]
fn a_tree_is_laid_out_as_configuration() {
    let value = value!({ name: "a${b}", tags: ["x", null], n: unknown, disk: [{ size: 1 }], none: {} });
    let tree = Tree::of(&value.of(&Type::Dynamic), &Nothing);
    assert_eq!(
        tree.lines(),
        "{\n  disk = [\n    {\n      size = 1\n    },\n  ]\n  n = (known after apply)\n  \
         name = \"a$${b}\"\n  none = {}\n  tags = [\"x\", null]\n}"
    );
}

#[test]
fn what_is_hidden_is_not_in_the_tree() {
    let value = value!({ secret: [1, 2], name: "the hush", n: 1 }).of(&Type::Dynamic);
    let tree = Tree::of(&value, &Example);
    assert_eq!(tree.to_string(), "{ n = 1, name = \"the (sensitive value)\", secret = (sensitive value) }");
    let path = AttributePath::root().attribute("tags").key("hush").with(PathStep::Element(value));
    assert_eq!(
        TreePath::of(&path, &Example).to_string(),
        "tags[\"(sensitive value)\"][{ n = 1, name = \"the (sensitive value)\", secret = [1, 2] }]"
    );
}

#[test]
fn a_tree_of_any_depth_is_read_back() {
    let mut value = Value::string("x");
    for _ in 0..200 {
        value = Value::list(value.ty().clone(), vec![value]);
    }
    let tree = Tree::of(&value, &Nothing);
    assert_eq!(tree.to_string(), value.to_string());
    let written = serde_json::to_string(&tree).unwrap();
    assert_eq!(serde_json::from_str::<Tree>(&written).unwrap(), tree);
}

proptest! {
    #[test]
    fn a_tree_is_displayed_as_its_value((_, value) in typed_values(true)) {
        let tree = Tree::of(&value, &Nothing);
        prop_assert_eq!(tree.to_string(), value.to_string());
        let written = serde_json::to_string(&tree).unwrap();
        prop_assert_eq!(serde_json::from_str::<Tree>(&written).unwrap(), tree);
    }
}
