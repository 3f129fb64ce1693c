//! Receipts, read by the SDKs of the protocols that they are written in.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use policy_gate::protocol::Protocol;
use policy_gate::{Receipt, ReceiptKind};
use serde_json::{Value, json};

use crate::{repository, text};

/// The SDKs, at versions whose shapes these are.
const PACKAGES: [&str; 3] = ["openai>=1.60,<3", "anthropic>=0.40,<1", "mcp>=1.2,<2"];

/// A Python that has the SDKs; `None` where they cannot be installed.
fn python() -> Option<String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sdk");
    let python = folder.join("bin/python");
    let installed = folder.join("installed");
    let wanted = PACKAGES.join(" ");
    if fs::read_to_string(&installed).ok().as_deref() != Some(&wanted) {
        let made = Command::new("python3").args(["-m", "venv"]).arg(&folder).status().ok()?.success();
        let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
        let filled = made && Command::new(&python).args(pip).args(PACKAGES).status().ok()?.success();
        if !filled {
            return None;
        }
        fs::write(installed, wanted).unwrap();
    }
    Some(python.to_str()?.to_owned())
}

#[test]
fn the_sdks_read_every_receipt() {
    let Some(python) = python() else {
        println!("skipped: the SDKs cannot be installed here");
        return;
    };
    let kinds = [
        ReceiptKind::Done,
        ReceiptKind::Failed,
        ReceiptKind::Panicked,
        ReceiptKind::Denied,
        ReceiptKind::Refused,
        ReceiptKind::Unpaired,
    ];
    let mut child = Command::new(python)
        .arg(repository().join("tests/cli/sdk.py"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    for protocol in Protocol::ALL {
        for kind in kinds {
            let id = if protocol == Protocol::Mcp { "7" } else { "call_1" };
            let receipt = Receipt { id: Some(id.into()), kind, text: "text ü \u{202e}\n".into() };
            let line: Value = json!({ "protocol": protocol.name(), "receipt": protocol.receipt(&receipt) });
            writeln!(input, "{line}").unwrap();
        }
    }
    drop(input);
    let output = child.wait_with_output().unwrap();
    let counts: Value = serde_json::from_str(text(&output.stdout)).unwrap_or_default();
    for protocol in Protocol::ALL {
        assert_eq!(counts[protocol.name()], kinds.len(), "{}", protocol.name());
    }
}
