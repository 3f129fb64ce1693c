//! Records as a page of HTML that needs nothing else.

use std::fmt::Write as _;

use serde_json::Value;

use super::record::Record;
use crate::visible::Visible;

const STYLE: &str = "body{font:14px/1.4 system-ui,sans-serif;margin:2rem}table{border-collapse:collapse;width:100%}\
td,th{border-bottom:1px solid #ccc;padding:.3rem .6rem;text-align:left;vertical-align:top}code{white-space:pre-wrap;\
overflow-wrap:anywhere}.deny{color:#a00}.ask{color:#850}.allow{color:#060}";

/// The page of these records.
#[must_use]
pub fn page(records: &[Record]) -> String {
    let mut html = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Audit log</title><style>{STYLE}</style></head>\
         <body><h1>Audit log</h1><p>{} records</p><table><thead><tr><th>Time</th><th>Event</th><th>Id</th><th>Tool</th>\
         <th>Arguments</th><th>Verdict</th><th>Why</th><th>Outcome</th></tr></thead><tbody>\n",
        records.len()
    );
    for record in records {
        let cell = |path: &[&str]| escaped(record.text(path).unwrap_or_default());
        let arguments = record.0.get("arguments").map_or_else(String::new, |value| escaped(&value.to_string()));
        let verdict = cell(&["verdict", "decision"]);
        let rule = cell(&["verdict", "rule"]);
        let outcome = record.0.get("outcome").unwrap_or(&Value::Null);
        let told = outcome.get("text").and_then(Value::as_str).map(escaped).unwrap_or_default();
        // Writing to a string cannot fail.
        let _ = writeln!(
            html,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td><code>{arguments}</code></td>\
             <td class=\"{verdict}\">{verdict} {rule}</td><td>{}</td><td>{} {told}</td></tr>",
            cell(&["time"]),
            cell(&["event"]),
            cell(&["id"]),
            cell(&["tool"]),
            cell(&["verdict", "reason"]),
            cell(&["outcome", "kind"]),
        );
    }
    html.push_str("</tbody></table></body></html>\n");
    html
}

/// Text that is text to a browser, and in which nothing hides.
fn escaped(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    for character in Visible::line(text).chars() {
        match character {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\'' => html.push_str("&#39;"),
            other => html.push(other),
        }
    }
    html
}
