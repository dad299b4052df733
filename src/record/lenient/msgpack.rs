//! Objects in MessagePack.

use super::{Open, Parts, Rewritten};
use crate::schema::Place;
use crate::value::msgpack::{Item, Items};
use crate::value::{Number, Type};

/// An unknown value without refinements.
const UNKNOWN: [u8; 3] = [0xd4, 0, 0];

/// An array or a map, and how many items it still has.
struct Counted<'s> {
    open: Open<'s>,
    left: u64,
    /// The type, if it is a dynamic value: its type, then the value itself.
    dynamic: Option<Type>,
}

/// Rewrites the parts of an object at a place.
pub(in crate::record) fn msgpack(bytes: &[u8], root: Place<'_>, parts: &mut dyn Parts) -> Rewritten {
    let mut out = Vec::with_capacity(bytes.len());
    let mut stack: Vec<Counted<'_>> = Vec::new();
    let mut items = Items::new(bytes);
    // One wrong length moves all that follows to other places: from there on everything may be secret.
    let mut is_lost = false;
    while let Some((item, raw)) = items.next() {
        while stack.last().is_some_and(|top| top.left == 0) {
            stack.pop();
        }
        let place = match stack.last_mut() {
            None => root,
            Some(top) => {
                top.left -= 1;
                match (&top.dynamic, top.open.awaits_key(), text_of(&item)) {
                    _ if is_lost => root.misfit(),
                    (Some(ty), ..) if top.left == 1 => {
                        write(shown_type(ty, top.open.place, parts), raw, &mut out, |ty, out| {
                            write_text(&item, &ty, out)
                        });
                        continue;
                    }
                    (Some(_), ..) => top.open.place,
                    (None, true, Some(key)) if is_doubtful(key, root) => {
                        is_lost = true;
                        let name = String::from_utf8_lossy(key);
                        top.open.key(&name, parts);
                        write(parts.text(root.misfit(), &name), raw, &mut out, |key, out| {
                            write_text(&item, &key, out)
                        });
                        continue;
                    }
                    (None, true, None) => {
                        is_lost = true;
                        root.misfit()
                    }
                    (None, true, Some(key)) => {
                        let key = top.open.key(&String::from_utf8_lossy(key), parts);
                        write(key, raw, &mut out, |key, out| write_text(&item, &key, out));
                        continue;
                    }
                    (None, ..) => top.open.take(),
                }
            }
        };
        let dynamic = match item {
            Item::Array(2) => dynamic_type(place, items.rest()),
            _ => None,
        };
        is_lost |= dynamic.is_none() && !fits(&item, place);
        match item {
            Item::Array(left) => {
                out.extend_from_slice(raw);
                stack.push(Counted { open: Open::array(place), left, dynamic });
            }
            Item::Map(pairs) => {
                out.extend_from_slice(raw);
                let left = pairs.saturating_mul(2);
                stack.push(Counted { open: Open::map(place), left, dynamic: None });
            }
            item => {
                is_lost |= bytes_of(&item).is_some_and(|bytes| is_doubtful(bytes, root));
                let place = if is_lost { root.misfit() } else { place.plain() };
                plain(&item, raw, place, parts, &mut out);
            }
        }
    }
    let rest = items.rest();
    let from = bytes.len() - rest.len();
    if root.holds_secret() && !rest.is_empty() {
        return Rewritten { bytes: out, dropped_from: Some(from) };
    }
    let text = parts.text(Place::object(None), &String::from_utf8_lossy(rest));
    write(text, rest, &mut out, |text, out| out.extend_from_slice(text.as_bytes()));
    Rewritten { bytes: out, dropped_from: None }
}

/// Whether an item that is no dynamic value may be at a place, as far as its declared type tells.
fn fits(item: &Item<'_>, place: Place<'_>) -> bool {
    match (item, place.ty()) {
        (Item::Nil | Item::Extension { .. }, _) | (_, Some(Type::Dynamic)) => true,
        (Item::Array(_), Some(ty)) => matches!(ty, Type::List(_) | Type::Set(_) | Type::Tuple(_)),
        (Item::Map(_), Some(ty)) => matches!(ty, Type::Map(_) | Type::Object(_)),
        (_, Some(ty)) => ty.is_primitive(),
        (Item::Array(_), None) => place.is_plain() || place.has_elements(),
        (Item::Map(_), None) => !place.has_elements(),
        (_, None) => place.is_plain(),
    }
}

/// Whether a text may be part of something else: one wrong length makes it swallow what follows, and the
/// header of what follows is no printable character.
fn is_doubtful(text: &[u8], root: Place<'_>) -> bool {
    root.holds_secret() && !text.iter().all(|byte| (0x20..0x7f).contains(byte))
}

/// The type in an array of two if it is a dynamic value; `rest` begins with its first item.
fn dynamic_type(place: Place<'_>, rest: &[u8]) -> Option<Type> {
    let Some((Item::Binary(text), _)) = Items::new(rest).next() else { return None };
    Type::parse(text).ok().filter(|_| place.may_be_dynamic())
}

/// What replaces a type: names of attributes are as secret as keys.
fn shown_type(ty: &Type, place: Place<'_>, parts: &mut dyn Parts) -> Option<String> {
    let text = ty.to_json_text();
    if place.is_secret() && !ty.is_primitive() {
        return parts.text(place.plain(), &text);
    }
    let renamed =
        place.renamed(ty, &mut |place, name| parts.key(place, name).unwrap_or_else(|| name.to_owned()));
    let open = Place::object(None);
    if renamed == *ty {
        return parts.text(open, &text);
    }
    let text = renamed.to_json_text();
    Some(parts.text(open, &text).unwrap_or(text))
}

/// Rewrites an item that holds no others.
fn plain(item: &Item<'_>, raw: &[u8], place: Place<'_>, parts: &mut dyn Parts, out: &mut Vec<u8>) {
    match item {
        Item::Text(text) | Item::Binary(text) => {
            let text = parts.text(place, &String::from_utf8_lossy(text));
            write(text, raw, out, |text, out| write_text(item, &text, out));
        }
        Item::Bool(value) => {
            write(parts.bool(place, *value), raw, out, |value, out| {
                out.push(if value { 0xc3 } else { 0xc2 })
            });
        }
        Item::Extension { payload, .. } => {
            // A refinement may say how a text begins.
            let is_kept =
                !place.is_secret() && parts.text(place, &String::from_utf8_lossy(payload)).is_none();
            out.extend_from_slice(if is_kept { raw } else { &UNKNOWN });
        }
        _ => {
            let number = number_of(item).and_then(|number| parts.number(place, &number));
            write(number, raw, out, |number, out| {
                let number = number.to_i64().unwrap_or_default();
                match item {
                    Item::Double { .. } => rmp::encode::write_f64(out, number as f64).expect(MEMORY),
                    _ => drop(rmp::encode::write_sint(out, number).expect(MEMORY)),
                }
            });
        }
    }
}

const MEMORY: &str = "writing to memory does not fail";

fn write<T>(new: Option<T>, raw: &[u8], out: &mut Vec<u8>, encode: impl FnOnce(T, &mut Vec<u8>)) {
    match new {
        Some(new) => encode(new, out),
        None => out.extend_from_slice(raw),
    }
}

fn write_text(like: &Item<'_>, text: &str, out: &mut Vec<u8>) {
    match like {
        Item::Binary(_) => rmp::encode::write_bin(out, text.as_bytes()).expect(MEMORY),
        _ => rmp::encode::write_str(out, text).expect(MEMORY),
    }
}

/// The contents of a text, or of an unknown with refinements.
fn bytes_of<'a>(item: &Item<'a>) -> Option<&'a [u8]> {
    match item {
        // A plain unknown is one byte, of any value.
        Item::Extension { payload, .. } if payload.len() > 1 => Some(payload),
        other => text_of(other),
    }
}

fn text_of<'a>(item: &Item<'a>) -> Option<&'a [u8]> {
    match item {
        Item::Text(text) | Item::Binary(text) => Some(text),
        _ => None,
    }
}

fn number_of(item: &Item<'_>) -> Option<Number> {
    match item {
        Item::Unsigned { value, .. } => Some(Number::from_u64(*value)),
        Item::Signed { value, .. } => Some(Number::from_i64(*value)),
        Item::Double { value, .. } if value.is_finite() => Number::from_f64(*value).ok(),
        _ => None,
    }
}
