//! Suffixes under which anybody gets a name, so that `*.` in front of them would mean everybody.
//!
//! Not the whole public suffix list: single labels, the registries of countries by their usual words, and well-known
//! shared hosting. The rest is for who writes the rule.

/// Words under which the registries of countries give names away.
const REGISTRY_WORDS: [&str; 30] = [
    "ac", "asso", "co", "com", "ed", "edu", "go", "gob", "gouv", "gov", "govt", "gv", "id", "ind", "info", "kr", "ltd",
    "me", "mil", "ne", "net", "nhs", "nic", "nom", "or", "org", "plc", "police", "res", "sch",
];

/// Where everybody may put up a site of their own.
const SHARED: [&str; 44] = [
    "amazonaws.com",
    "appspot.com",
    "azureedge.net",
    "azurewebsites.net",
    "blob.core.windows.net",
    "blogspot.com",
    "cloudapp.azure.com",
    "cloudapp.net",
    "cloudflarestorage.com",
    "cloudfront.net",
    "core.windows.net",
    "deno.dev",
    "digitaloceanspaces.com",
    "eu.org",
    "firebaseapp.com",
    "fly.dev",
    "github.io",
    "gitlab.io",
    "glitch.me",
    "googleapis.com",
    "googleusercontent.com",
    "herokuapp.com",
    "hf.space",
    "loca.lt",
    "netlify.app",
    "ngrok-free.app",
    "ngrok.app",
    "ngrok.io",
    "onrender.com",
    "ondigitalocean.app",
    "pages.dev",
    "pythonanywhere.com",
    "r2.dev",
    "railway.app",
    "repl.co",
    "replit.app",
    "run.app",
    "s3.amazonaws.com",
    "surge.sh",
    "trycloudflare.com",
    "vercel.app",
    "web.app",
    "windows.net",
    "workers.dev",
];

/// Whether anybody gets a name directly under this one.
pub(super) fn is_shared(suffix: &str) -> bool {
    let labels: Vec<&str> = suffix.split('.').collect();
    match labels.as_slice() {
        [] | [_] => true,
        [word, country] if country.len() == 2 && REGISTRY_WORDS.contains(word) => true,
        _ => SHARED.contains(&suffix),
    }
}
