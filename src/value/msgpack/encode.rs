//! Encoding: byte for byte what Core writes.

use crate::value::{Bound, Data, Number, Refinements, Type, Value};

const REFINED_UNKNOWN: i8 = 0x0c;

/// Encodes a value under the type its position is declared with.
///
/// # Panics
/// If the value does not conform to `ty`: then there is no way to write it.
pub fn encode(value: &Value, ty: &Type) -> Vec<u8> {
    let mut out = Vec::with_capacity(64);
    encode_into(value, ty, &mut out);
    out
}

/// Like [`encode`], appended to `out`.
pub fn encode_into(value: &Value, ty: &Type, out: &mut Vec<u8>) {
    if *ty == Type::Dynamic && *value.ty() != Type::Dynamic {
        rmp::encode::write_array_len(out, 2).expect(NEVER);
        let text = value.ty().to_json_text();
        rmp::encode::write_bin(out, text.as_bytes()).expect(NEVER);
        return encode_into(value, value.ty(), out);
    }
    match value.data() {
        Data::Null => out.push(0xc0),
        Data::Unknown(None) => out.extend([0xd4, 0x00, 0x00]),
        Data::Unknown(Some(refinements)) => write_refined(refinements, out),
        Data::Bool(value) => out.push(if *value { 0xc3 } else { 0xc2 }),
        Data::Number(number) => write_number(number, out),
        Data::String(text) => rmp::encode::write_str(out, text).expect(NEVER),
        Data::Elements(elements) => {
            rmp::encode::write_array_len(out, elements.len() as u32).expect(NEVER);
            for (idx, element) in elements.iter().enumerate() {
                let inner = match ty {
                    Type::Tuple(tuple) => &tuple.elements()[idx],
                    other => other.element().expect("elements stand under a type that has them"),
                };
                encode_into(element, inner, out);
            }
        }
        Data::Map(entries) => {
            let inner = ty.element().expect("a map stands under a map type");
            rmp::encode::write_map_len(out, entries.len() as u32).expect(NEVER);
            for (key, element) in entries.iter() {
                rmp::encode::write_str(out, key).expect(NEVER);
                encode_into(element, inner, out);
            }
        }
        Data::Object(values) => {
            let object = ty.as_object().expect("an object stands under an object type");
            rmp::encode::write_map_len(out, values.len() as u32).expect(NEVER);
            for ((name, ty), value) in object.attributes().iter().zip(values.iter()) {
                rmp::encode::write_str(out, name).expect(NEVER);
                encode_into(value, ty, out);
            }
        }
    }
}

const NEVER: &str = "writing to memory does not fail";

fn write_number(number: &Number, out: &mut Vec<u8>) {
    if let Some(integer) = number.to_i64() {
        rmp::encode::write_sint(out, integer).expect(NEVER);
    } else if let Some(double) = number.to_f64_exact().filter(|_| !number.is_integer()) {
        rmp::encode::write_f64(out, double).expect(NEVER);
    } else {
        rmp::encode::write_str(out, &number.to_string()).expect(NEVER);
    }
}

fn write_refined(refinements: &Refinements, out: &mut Vec<u8>) {
    let mut entries: Vec<Vec<u8>> = Vec::new();
    let mut entry = |key: u8, write: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = vec![key];
        write(&mut bytes);
        entries.push(bytes);
    };
    if refinements.not_null {
        entry(1, &|bytes| bytes.push(0xc2));
    }
    if let Some(prefix) = refinements.sendable_prefix() {
        entry(2, &|bytes| rmp::encode::write_str(bytes, prefix).expect(NEVER));
    }
    for (key, bound) in [(3, &refinements.lower), (4, &refinements.upper)] {
        if let Some(bound) = bound {
            entry(key, &|bytes| write_bound(bound, bytes));
        }
    }
    for (key, length) in [(5, refinements.min_length.filter(|min| *min > 0)), (6, refinements.max_length)] {
        if let Some(length) = length {
            entry(key, &|bytes| {
                rmp::encode::write_uint(bytes, length).expect(NEVER);
            });
        }
    }
    if entries.is_empty() {
        out.extend([0xd4, 0x00, 0x00]);
        return;
    }
    let mut payload = vec![0x80 | entries.len() as u8];
    payload.extend(entries.concat());
    rmp::encode::write_ext_meta(out, payload.len() as u32, REFINED_UNKNOWN).expect(NEVER);
    out.extend(payload);
}

fn write_bound(bound: &Bound, out: &mut Vec<u8>) {
    out.push(0x92);
    write_number(&bound.value, out);
    out.push(if bound.inclusive { 0xc3 } else { 0xc2 });
}
