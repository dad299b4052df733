//! What the types do to states of their earlier versions.

use serde_json::{Map, Value as Json};

/// Version 0 called the name `title`, and stored the size as a string.
pub(super) fn title_becomes_name(mut state: Json) -> Json {
    if let Json::Object(members) = &mut state {
        if let Some(title) = members.remove("title") {
            members.insert("name".to_owned(), title);
        }
        if let Some(Json::String(size)) = members.get("size") {
            let number = serde_json::from_str::<serde_json::Number>(size).map_or(Json::Null, Json::Number);
            members.insert("size".to_owned(), number);
        }
    }
    state
}

/// Version 1 had tags as a list of `key=value`.
pub(super) fn tag_list_becomes_map(mut state: Json) -> Json {
    if let Json::Object(members) = &mut state
        && let Some(Json::Array(tags)) = members.get("tags")
    {
        let pairs: Map<String, Json> = tags
            .iter()
            .filter_map(|tag| tag.as_str())
            .map(|tag| tag.split_once('=').unwrap_or((tag, "")))
            .map(|(key, value)| (key.to_owned(), Json::from(value)))
            .collect();
        members.insert("tags".to_owned(), Json::Object(pairs));
    }
    state
}
