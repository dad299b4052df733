//! Why a provider refuses a type.

use std::path::Path;

use libtest_mimic::Trial;

use super::{Folder, trial, trial_on};

pub fn trials() -> Vec<Trial> {
    vec![
        trial("why/an_accepted_type_is_shown_with_what_was_accepted", accepted),
        trial("why/a_data_source_is_asked_about_on_its_own", data_source),
        trial_on(
            "terraform-provider-zoofw",
            "why/a_refusal_is_shown_with_its_words_and_what_to_say",
            refused,
        ),
        trial("why/secrets_are_not_shown", secret),
        trial("why/a_type_that_does_not_exist_is_an_error", unknown),
        trial("why/a_provider_that_cannot_be_used_says_why", unusable),
        trial("why/an_option_without_an_effect_is_refused", without_effect),
    ]
}

fn accepted() {
    let ran = Folder::new().tfconform("why reference_plain");
    ran.says(
        0,
        &[
            "reference_plain: ",
            "; one was applied",
            "the last one that was accepted",
            "resource \"reference_plain\"",
        ],
    );
    assert!(!ran.out.contains("what would help"), "{}", ran.out);
}

fn refused(provider: &Path) {
    let ran = Folder::new().tfconform(&format!("why zoofw_untold {} --examples none", provider.display()));
    let shown = [
        "zoofw_untold: ",
        "; none was accepted",
        "not validated: ",
        "the last one that was refused",
        "resource \"zoofw_untold\"",
        "what stopped it",
        "[resource.zoofw_untold.attr]",
        "\"code\" = { values = [\"…\"] }",
    ];
    ran.says(4, &shown);
}

fn data_source() {
    let ran = Folder::new().tfconform("why data.reference_lookup");
    ran.says(0, &["data.reference_lookup: ", "; one was applied", "data \"reference_lookup\""]);
}

fn secret() {
    let ran = Folder::new().tfconform("why reference_secret");
    ran.says(0, &["resource \"reference_secret\"", "secret = \"secret-"]);
}

fn unknown() {
    let wrong = "no type of the provider matches `reference_plian`, did you mean `reference_plain`?";
    Folder::new().tfconform("why reference_plian").fails(2, &[wrong]);
}

fn unusable() {
    let ran = Folder::new().tfconform("why reference_plain --fault schema/needs-credentials");
    ran.fails(3, &["GetProviderSchema failed: Missing credentials"]);
    Folder::new().tfconform("why reference_plain -- /bin/false").fails(3, &["ended before the handshake"]);
}

fn without_effect() {
    let words = "'<TYPE>' cannot be used with '--report <KIND=FILE>'";
    Folder::new().tfconform("why reference_plain --report html=report.html").fails(2, &[words]);
}
