//! The examples in the documentation of the reference provider.

/// The files and their texts, in the layout of the documentation generator.
pub fn examples() -> [(&'static str, &'static str); 2] {
    macro_rules! example {
        ($file:literal) => {
            (concat!("examples/", $file), include_str!(concat!("examples/", $file)))
        };
    }
    [
        example!("resources/reference_document/resource.tf"),
        example!("resources/reference_everything/resource.tf"),
    ]
}
