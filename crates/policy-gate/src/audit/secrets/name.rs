//! Names of secrets.

use heck::ToSnakeCase as _;

/// Words in names of what is a secret, whatever it looks like.
const WORDS: [&str; 38] = [
    "password",
    "passwords",
    "passwd",
    "pass",
    "passphrase",
    "passphrases",
    "passcode",
    "passwort",
    "pwd",
    "pw",
    "psk",
    "pin",
    "secret",
    "secrets",
    "token",
    "tokens",
    "credential",
    "credentials",
    "authorization",
    "authentication",
    "auth",
    "bearer",
    "jwt",
    "otp",
    "cookie",
    "cookies",
    "apikey",
    "apikeys",
    "mnemonic",
    "accesskey",
    "privatekey",
    "secretkey",
    "sshkey",
    "sessionkey",
    "sessionid",
    "signature",
    "dsn",
    "pgpass",
];

/// Two words that only together say it.
const PAIRS: [(&str, &str); 27] = [
    ("api", "key"),
    ("access", "key"),
    ("private", "key"),
    ("secret", "key"),
    ("encryption", "key"),
    ("signing", "key"),
    ("master", "key"),
    ("session", "key"),
    ("account", "key"),
    ("storage", "key"),
    ("service", "key"),
    ("license", "key"),
    ("shared", "key"),
    ("ssh", "key"),
    ("app", "key"),
    ("deploy", "key"),
    ("admin", "key"),
    ("webhook", "key"),
    ("client", "key"),
    ("subscription", "key"),
    ("session", "id"),
    ("access", "keys"),
    ("api", "keys"),
    ("connection", "string"),
    ("seed", "phrase"),
    ("totp", "seed"),
    ("preshared", "key"),
];

/// Ends of words that were written together (`PGPASSWORD`, `githubtoken`).
const ENDS: [&str; 10] =
    ["password", "passwd", "passphrase", "secret", "token", "apikey", "sshpass", "dbpass", "bindpw", "rootpw"];

/// Words in names of what only speaks of a secret.
const SPEAKING: [&str; 21] = [
    "max", "min", "count", "limit", "length", "total", "usage", "used", "policy", "type", "url", "uri", "name", "file",
    "path", "expires", "expiry", "enabled", "required", "endpoint", "helper",
];

/// Whether a name says that what it names is a secret: a member's, a variable's, an option's, a header's, a parameter's.
pub(crate) fn is_secret_name(name: &str) -> bool {
    let snake = name.to_snake_case();
    let words: Vec<&str> = snake.split('_').filter(|word| !word.is_empty()).collect();
    let is_pair = |pair: &[&str]| matches!(pair, [one, other] if PAIRS.contains(&(*one, *other)));
    let is_word = |word: &&str| WORDS.contains(word) || ENDS.iter().any(|end| word.ends_with(end));
    (words.iter().any(is_word) || words.windows(2).any(is_pair)) && !words.iter().any(|word| SPEAKING.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_by_their_words() {
        for name in [
            "password",
            "api_key",
            "apiKey",
            "APIKey",
            "API-KEY",
            "client_secret",
            "Authorization",
            "accessToken",
            "db-password",
            "DB_PASSWORD",
            "PGPASSWORD",
            "MYSQL_PWD",
            "sessionId",
            "X-Auth-Token",
            "set-cookie",
            "aws_secret_access_key",
            "githubtoken",
            "SECRET_KEY_BASE",
            "pin",
            "x.y.password",
            "//r/:_authToken",
        ] {
            assert!(is_secret_name(name), "{name}");
        }
        for name in [
            "author",
            "authors",
            "keyboard",
            "key",
            "tokenizer",
            "max_tokens",
            "token_type",
            "passenger",
            "compass",
            "secretName",
            "password_file",
            "pinned",
            "cookie_policy",
            "session",
            "id",
            "tokenUrl",
            "primary_key",
            "",
        ] {
            assert!(!is_secret_name(name), "{name}");
        }
    }
}
