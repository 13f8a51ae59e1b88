//! What the rules leave alone, and the kinds they don't.
//!
//! Not here: registered secrets (`known`).

use serde_json::{Value, json};
use toolgate_core::redact::{MASK, Pack, Redactor};

const SENTENCES: &[&str] = &[
    "The author token-ised the text and the secretary filed it.",
    "Please reset the password before Monday.",
    "Tokens are counted per request; 4096 tokens were used.",
    "max_tokens=4096, token_count: 17, total_tokens: 4113",
    "The secret of good tests is naming.",
    "He passed the passport office at 12:30.",
    "author: Ada Lovelace, authority: none, passenger: 2",
    "See https://docs.example.com/guide?page=2&sort=key#tokens for more.",
    "Clone ssh://git@github.example/acme/repo.git or git@github.example:acme/repo.git.",
    "Mail ada@example.com or https://social.example/@ada about it.",
    "public_key=abc, primary_key: id, foreign_key: order_id, cache_key=page-1",
    "password_policy: strict, token_type=bearer, secret_name: db-main",
    "The bearer of this letter, and basic authentication in general.",
    "let token_id = 7; if key == 3 { return monkey; }",
    "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
    "task-550e8400-e29b-41d4-a716-446655440000 is done, risk-level-2-of-the-desk-lamp too",
    "commit 3f786850e387550fdab836ed7e6dc881de23001b",
    "std::string::String and token::Kind, crate::auth::Pass",
    "SELECT id, total FROM orders WHERE key = 'a' ORDER BY total",
    "order 1234567890123456 shipped on 2026-11-30T12:00:00Z",
    "compass: north, keyboard: qwerty, pinball: yes, spin: 2",
    "Use <b>bold</b> and <key>name</key> as you like.",
    "cargo test --workspace --no-fail-fast -p toolgate-core -- --nocapture",
    "100% of 5 & 6; a=b, c = d",
    "password: null, has_password: true, is_token=false",
    "http://localhost:8080/a/b:c?d=e@f",
    "s3://bucket/folder/file@2x.png oci://registry.example/image@sha256:abcd",
    "C:\\Users\\ada\\token\\file.txt",
    "idempotency_key=order-1, sort key: name, the key: patience",
    "input_tokens=12 output_tokens: 30 reasoning_tokens=0",
];

#[test]
fn ordinary_prose_is_left_alone() {
    let redactor = Redactor::default();
    let harmed: Vec<_> =
        SENTENCES.iter().map(|text| (*text, redactor.text(text))).filter(|(text, after)| text != after).collect();
    assert!(harmed.is_empty(), "{harmed:#?}");
}

#[test]
fn ordinary_keys_are_left_alone() {
    let value = json!({
        "max_tokens": 1, "token_count": "2", "maxTokens": 3, "author": "a", "passport_office": "b", "api_key_id": "k", "password_policy": "p",
        "secret_name": "s", "tokenizer": "t", "tokens": 7, "prompt_tokens": 1, "keyboard": "q", "public_key": "pk", "primaryKey": "id",
        "has_password": true, "token_type": "bearer", "passed": "yes", "compass": "n", "authors": ["x"], "key": "k", "cache_key": "c",
        "password": null, "bypass": "road", "auth": { "type": "none" }, "pass": true, "secretary": "Bob", "name": "ada", "value": "v",
    });
    let after = Redactor::default().value(&value);
    let harmed: Vec<_> =
        value.as_object().unwrap().iter().filter(|(key, value)| after.get(*key) != Some(value)).collect();
    assert!(harmed.is_empty(), "{harmed:#?}");
}

/// Each holds `S3cr3tW0rd`, which must go.
const LEAKS: &[&str] = &[
    "Authorization: Digest username=\"ada\", response=\"S3cr3tW0rd\"",
    "Authorization: Bearer placeholder S3cr3tW0rd",
    "Authorization: Bearer .S3cr3tW0rd",
    "Set-Cookie: sid=S3cr3tW0rd; Path=/; HttpOnly",
    "curl -H \"Authorization: token S3cr3tW0rd\" https://api.example.com",
    "curl -u ada:S3cr3tW0rd https://api.example.com",
    "Proxy-Authorization: Basic\r\n  S3cr3tW0rd",
    "password: |\n  S3cr3tW0rd",
    "  api_key:\n    S3cr3tW0rd\n  other: 1",
    "{\"password\":\"S3cr3tW0rd",
    "log {\"a\":1,\"client_secret\":\"S3cr3tW0rd\"} end",
    "{\\\"token\\\": \\\"a\\\\\\\"S3cr3tW0rd\\\"",
    "user=ada&pass%77ord=x&password=S3cr3tW0rd&next=1",
    "https://h/cb?pass%77ord=S3cr3tW0rd&x=1",
    "https://h/cb#access_token=S3cr3tW0rd&token_type=bearer",
    "https://a:b/S3cr3tW0rd@h/x",
    "amqp://u:p@S3cr3tW0rd/x@h/v",
    "https://x.blob.example/c?sv=1&sig=S3cr3tW0rd%3D",
    "https://discord.example/api/webhooks/123/S3cr3tW0rdS3cr3tW0rd",
    "https://api.telegram.example/bot123:S3cr3tW0rd/send",
    "%7B%22password%22%3A%22S3cr3tW0rd%22%7D",
    "&quot;password&quot;:&quot;S3cr3tW0rd&quot;",
    "\"pass\\u0077ord\":\"S3cr3tW0rd\"",
    "<wsse:Password Type=\"text\">S3cr3tW0rd</wsse:Password>",
    "<token><![CDATA[S3cr3tW0rd]]></token>",
    "<add key=\"DbPassword\" value=\"S3cr3tW0rd\"/>",
    "Server=db;User Id=app;Password=S3cr3tW0rd;Database=x",
    "export PGPASSWORD=S3cr3tW0rd",
    "dbpassword := \"S3cr3tW0rd\"",
    "Config { user: \"ada\", api_key: Some(\"S3cr3tW0rd\") }",
    "secret => 'S3cr3tW0rd'",
    "p\u{430}ssword=S3cr3tW0rd",
    "ｐａｓｓｗｏｒｄ＝S3cr3tW0rd",
    "pass\u{1b}[1mword\u{1b}[0m=S3cr3tW0rd",
    "请输入密码：S3cr3tW0rd",
    "machine h login ada password S3cr3tW0rd",
    "ALTER USER a IDENTIFIED BY 'S3cr3tW0rd'",
    "xxghp_S3cr3tW0rd",
    "AccountName=a;AccountKey=S3cr3tW0rd==;EndpointSuffix=x",
    "The API key: S3cr3tW0rd is new",
    "--header=Cookie: a=b; c=S3cr3tW0rd",
    "[\"--password\", \"S3cr3tW0rd\"]",
    "[(\"x-auth-token\", \"S3cr3tW0rd\"), (\"accept\", \"*/*\")]",
    "S3cr3tW0rd\n-----END RSA PRIVATE KEY-----",
    "-----BEGIN EC PRIVATE KEY-----\\nS3cr3tW0rd\\n",
    "<input name=\"user\" id=\"x\" key=\"password\" value=\"S3cr3tW0rd\">",
    "[\"accept\", \"authorization\", \"S3cr3tW0rd\"]",
    "%ff%22password%22:%22S3cr3tW0rd%22",
    "password = \"\"\"S3cr3tW0rd\"\"\"",
    "token=[REDACTED]S3cr3tW0rd",
    "password=a'b S3cr3tW0rd' 'password: S3cr3tW0rd'; token: 'S3cr3tW0rd'",
    "tokens: [\"a\", \"S3cr3tW0rd\"",
];

#[test]
fn every_kind_of_leak_is_closed() {
    let redactor = Redactor::default();
    let open: Vec<_> =
        LEAKS.iter().map(|text| redactor.text(text)).filter(|after| after.contains("S3cr3tW0rd")).collect();
    assert!(open.is_empty(), "{open:#?}");
}

#[test]
fn structure_names_what_it_holds() {
    let values: [Value; 12] = [
        json!(["run", "--password", "S3cr3tW0rd", "--verbose"]),
        json!(["-u", "ada:S3cr3tW0rd"]),
        json!([["cookie", "S3cr3tW0rd"]]),
        json!(["Accept", "*/*", "Authorization", "S3cr3tW0rd"]),
        json!({ "Name": "X-Api-Key", "Value": "S3cr3tW0rd" }),
        json!({ "headers": [{ "key": "authorization", "value": ["S3cr3tW0rd"] }] }),
        json!({ "credentials": { "a": ["S3cr3tW0rd"] } }),
        json!({ "a": { "b": "[{\"c\":\"{\\\"sessionToken\\\":\\\"S3cr3tW0rd\\\"}\"}]" } }),
        json!({ "body": "{\"password\":\"S3cr3tW0rd\",\"password\":null}" }),
        json!({ "body": "{\"x\":\"token=S3cr3tW0rd\",\"x\":1}" }),
        json!({ "userPassword2": "S3cr3tW0rd", "password_confirmation": "S3cr3tW0rd", "OAuth2Token": "S3cr3tW0rd", "connectionString": "S3cr3tW0rd" }),
        json!({ "token=S3cr3tW0rd": 1 }),
    ];
    let redactor = Redactor::default();
    let open: Vec<_> = values
        .iter()
        .map(|value| redactor.value(value).to_string())
        .filter(|after| after.contains("S3cr3tW0rd"))
        .collect();
    assert!(open.is_empty(), "{open:#?}");
}

#[test]
fn neighbours_of_a_secret_stay() {
    let redactor = Redactor::default();
    assert_eq!(redactor.text("user=ada&password=x&next=1"), format!("user=ada&password={MASK}&next=1"));
    assert_eq!(redactor.text("{\"a\":\"b\",\"token\":\"x\"}"), format!("{{\"a\":\"b\",\"token\":\"{MASK}\"}}"));
    assert_eq!(redactor.text("say \"token\": \"x\", \"a\": 1"), format!("say \"token\": \"{MASK}\", \"a\": 1"));
    assert_eq!(redactor.text("postgres://u:p@db.example:5432/x"), format!("postgres://{MASK}@db.example:5432/x"));
    assert_eq!(redactor.text("curl -H \"Cookie: a=b\" https://h"), format!("curl -H \"Cookie: {MASK}\" https://h"));
}

#[test]
fn own_words_and_packs_are_opt_in() {
    let value = json!({ "staffBadge": "7", "card": "4242 4242 4242 4242", "order": "4242 4242 4242 4241", "n": 4_242_424_242_424_242_i64 });
    assert_eq!(Redactor::default().value(&value), value);
    let strict = Redactor::default().with_sensitive_key("staff_badge").with_pack(Pack::Pci);
    assert_eq!(
        strict.value(&value),
        json!({ "staffBadge": MASK, "card": MASK, "order": "4242 4242 4242 4241", "n": MASK })
    );
}
