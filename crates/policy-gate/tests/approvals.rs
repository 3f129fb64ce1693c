//! What voids an approval between the answer and the run, and how far one goes.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may fail")]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Barrier, Mutex};
use std::thread;
use std::time::Duration;

use jiff::Timestamp;
use policy_gate::{
    Answer, Approval, ApprovalStore, Approver, Clock, DiskFiles, Door, Grant, MemoryStore, Question, Receipt,
    ReceiptKind, Scope, ToolCall,
};
use policy_matcher::{Context, Policies, policy_from_toml};
use serde_json::json;
use tempfile::TempDir;

fn policies(text: &str) -> Arc<Policies> {
    let policy = policy_from_toml("test.toml", text).unwrap_or_else(|problems| panic!("{problems:?}"));
    Arc::new(Policies::new(vec![policy]))
}

const ASKS: &str = r#"
version = 1
[policy]
name = "asks"
[tools.bash]
fields.command = { kind = "shell" }
[[ask]]
id     = "everything"
tool   = "bash"
reason = "Everything is asked about."
"#;

fn bash(id: &str, command: &str) -> ToolCall {
    ToolCall { id: Some(id.into()), tool: "bash".into(), arguments: json!({ "command": command }).to_string() }
}

fn context(folder: &Path) -> Context {
    let path = folder.to_str().unwrap().to_owned();
    Context { workspace: Some(path.clone()), cwd: Some(path), ..Context::default() }
}

fn grant() -> Grant {
    Grant {
        approver: "ana".into(),
        roles: Vec::new(),
        reason: None,
        lasts: Duration::from_secs(60),
        for_session: false,
    }
}

/// A clock that stands until it is set.
struct Still(Mutex<Timestamp>);

impl Clock for Still {
    fn now(&self) -> Timestamp {
        *self.0.lock().unwrap()
    }
}

/// Says yes when the test lets it.
struct Paused {
    asked: Sender<()>,
    go: Mutex<Receiver<()>>,
}

impl Approver for Paused {
    fn answer(&self, _: &Question) -> Answer {
        self.asked.send(()).unwrap();
        self.go.lock().unwrap().recv().unwrap();
        Answer::Approved(grant())
    }
}

/// What a test may change while a person thinks.
struct World<'w> {
    folder: PathBuf,
    door: &'w Door<'w>,
    clock: &'w Still,
}

/// The receipt of `command`, where `change` happens between the question and the answer, and whether it ran.
fn receipt(prepare: impl Fn(&Path), command: &str, change: impl FnOnce(&World<'_>)) -> (Receipt, bool) {
    let folder = TempDir::new().unwrap();
    prepare(folder.path());
    let store = MemoryStore::default();
    let clock = Still(Mutex::new(Timestamp::UNIX_EPOCH));
    let ((asked, was_asked), (go, may_go)) = (channel(), channel());
    let approver = Paused { asked, go: Mutex::new(may_go) };
    let mut door = Door::new(policies(ASKS), context(folder.path()), &DiskFiles, &store);
    door.approver = &approver;
    door.clock = &clock;
    let door = &door;
    let ran = AtomicUsize::new(0);
    let receipt = thread::scope(|scope| {
        let running = scope.spawn(|| {
            door.receipt(&bash("c", command), |_| {
                ran.fetch_add(1, Ordering::SeqCst);
                Ok("ran".to_owned())
            })
        });
        was_asked.recv().unwrap();
        change(&World { folder: folder.path().to_owned(), door, clock: &clock });
        go.send(()).unwrap();
        running.join().unwrap()
    });
    (receipt, ran.load(Ordering::SeqCst) == 1)
}

#[track_caller]
fn voided((receipt, ran): (Receipt, bool), why: &str) {
    assert!(!ran && receipt.kind == ReceiptKind::Refused && receipt.is_error(), "{receipt:?}");
    assert!(receipt.text.contains(why) && receipt.text.contains("Nothing ran"), "{receipt:?}");
}

const CHANGED: &str = "has changed since it was approved";

#[test]
fn what_stays_as_it_was_runs() {
    let write = |folder: &Path| fs::write(folder.join("x.sh"), "ls").unwrap();
    let (receipt, ran) = receipt(write, "bash x.sh; cat missing", |_| {});
    assert!(ran && receipt.kind == ReceiptKind::Done, "{receipt:?}");
}

#[test]
fn another_policy_voids_it() {
    let other = ASKS.replace("Everything", "All");
    voided(receipt(|_| {}, "ls", |world| world.door.set_policies(policies(&other))), CHANGED);
}

#[test]
fn a_policy_that_denies_now_denies() {
    let denies = ASKS.replace("[[ask]]", "[[deny]]");
    let (receipt, ran) = receipt(|_| {}, "ls", |world| world.door.set_policies(policies(&denies)));
    assert!(!ran && receipt.kind == ReceiptKind::Denied, "{receipt:?}");
}

#[test]
fn another_directory_voids_it() {
    let moved = |world: &World<'_>| {
        let inner = world.folder.join("inner");
        fs::create_dir(&inner).unwrap();
        let cwd = inner.to_str().map(str::to_owned);
        world.door.set_context(Context { cwd, ..context(&world.folder) });
    };
    voided(receipt(|_| {}, "ls", moved), CHANGED);
}

#[test]
fn another_context_voids_it() {
    let changed = |world: &World<'_>| {
        let mut context = context(&world.folder);
        context.attributes.insert("environment".into(), vec!["prod".into()]);
        world.door.set_context(context);
    };
    voided(receipt(|_| {}, "ls", changed), CHANGED);
}

#[test]
fn a_link_on_the_path_that_leads_elsewhere_voids_it() {
    let prepare = |folder: &Path| {
        for name in ["a", "b"] {
            fs::create_dir(folder.join(name)).unwrap();
            fs::write(folder.join(name).join("f"), name).unwrap();
        }
        symlink("a", folder.join("link")).unwrap();
    };
    let relinked = |world: &World<'_>| {
        fs::remove_file(world.folder.join("link")).unwrap();
        symlink("b", world.folder.join("link")).unwrap();
    };
    voided(receipt(prepare, "rm link/f", relinked), CHANGED);
}

#[test]
fn a_link_that_appears_where_nothing_was_voids_it() {
    let linked = |world: &World<'_>| symlink("/etc/passwd", world.folder.join("new.txt")).unwrap();
    voided(receipt(|_| {}, "echo x > new.txt", linked), CHANGED);
}

#[test]
fn another_file_of_the_same_name_voids_it() {
    let prepare = |folder: &Path| fs::write(folder.join("f"), "1").unwrap();
    let replaced = |world: &World<'_>| {
        fs::write(world.folder.join("g"), "1").unwrap();
        fs::rename(world.folder.join("g"), world.folder.join("f")).unwrap();
    };
    voided(receipt(prepare, "rm f", replaced), CHANGED);
}

#[test]
fn another_content_of_a_script_voids_it() {
    let prepare = |folder: &Path| fs::write(folder.join("x.sh"), "ls").unwrap();
    for command in ["bash x.sh", "sh < x.sh", ". ./x.sh", "env bash ./x.sh"] {
        // The same file, written in place.
        let rewritten = |world: &World<'_>| fs::write(world.folder.join("x.sh"), "rm").unwrap();
        voided(receipt(prepare, command, rewritten), CHANGED);
    }
    // What is only read may change: who reads it wants what it holds.
    let rewritten = |world: &World<'_>| fs::write(world.folder.join("x.sh"), "rm").unwrap();
    assert!(receipt(prepare, "cat x.sh", rewritten).1);
}

/// A clock on which a minute passes whenever it is looked at.
struct Fleeting(Mutex<Timestamp>);

impl Clock for Fleeting {
    fn now(&self) -> Timestamp {
        let mut now = self.0.lock().unwrap();
        *now = now.checked_add(Duration::from_secs(61)).unwrap();
        *now
    }
}

#[test]
fn it_expires() {
    // Issued when the answer comes: what takes long to answer is not expired by that.
    let late = |world: &World<'_>| *world.clock.0.lock().unwrap() = Timestamp::from_second(10_000).unwrap();
    assert!(receipt(|_| {}, "ls", late).1);
    let folder = TempDir::new().unwrap();
    let store = MemoryStore::default();
    let approver = |_: &Question| Answer::Approved(grant());
    let clock = Fleeting(Mutex::new(Timestamp::UNIX_EPOCH));
    let mut door = Door::new(policies(ASKS), context(folder.path()), &DiskFiles, &store);
    door.approver = &approver;
    door.clock = &clock;
    let ran = AtomicUsize::new(0);
    let receipt = door.receipt(&bash("c", "ls"), |_| {
        ran.fetch_add(1, Ordering::SeqCst);
        Ok(String::new())
    });
    voided((receipt, ran.load(Ordering::SeqCst) == 1), "expired");
}

fn kept(store: &MemoryStore, scope: Scope, fingerprint: &str) -> Approval {
    store.keep(Approval {
        number: 0,
        approver: "ana".into(),
        reason: None,
        fingerprint: fingerprint.into(),
        scope,
        issued: Timestamp::UNIX_EPOCH,
        expires: Timestamp::from_second(60).unwrap(),
    })
}

#[test]
fn an_approval_is_of_one_call_alone() {
    let store = MemoryStore::default();
    let now = Timestamp::UNIX_EPOCH;
    let approval = kept(&store, Scope::Once, "one");
    assert!(!store.spend(approval.number, "other", now));
    assert!(!store.spend(approval.number + 1, "one", now));
    assert!(store.spend(approval.number, "one", now));
    assert!(!store.spend(approval.number, "one", now), "it was for one run");
    assert!(store.standing("one", "s", now).is_none());
}

#[test]
fn of_two_that_race_for_one_approval_one_gets_it() {
    for _ in 0..200 {
        let store = MemoryStore::default();
        let approval = kept(&store, Scope::Once, "f");
        let (start, won) = (Barrier::new(4), AtomicUsize::new(0));
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    start.wait();
                    if store.spend(approval.number, "f", Timestamp::UNIX_EPOCH) {
                        won.fetch_add(1, Ordering::SeqCst);
                    }
                });
            }
        });
        assert_eq!(won.load(Ordering::SeqCst), 1);
    }
}

/// A door that counts its questions, answered by `answer`.
fn counted<T>(answer: impl Fn() -> Grant + Sync, test: impl FnOnce(&mut Door<'_>, &AtomicUsize, &Still) -> T) -> T {
    let folder = TempDir::new().unwrap();
    let asked = AtomicUsize::new(0);
    let approver = |_: &Question| {
        asked.fetch_add(1, Ordering::SeqCst);
        Answer::Approved(answer())
    };
    let store = MemoryStore::default();
    let clock = Still(Mutex::new(Timestamp::UNIX_EPOCH));
    let mut door = Door::new(policies(ASKS), context(folder.path()), &DiskFiles, &store);
    door.approver = &approver;
    door.clock = &clock;
    test(&mut door, &asked, &clock)
}

#[test]
fn once_is_once() {
    counted(grant, |door, asked, _| {
        for number in 1..=3 {
            let receipt = door.receipt(&bash(&format!("c{number}"), "ls"), |_| Ok(String::new()));
            assert_eq!(receipt.kind, ReceiptKind::Done);
            assert_eq!(asked.load(Ordering::SeqCst), number);
        }
    });
}

#[test]
fn for_the_session_is_for_the_exact_call_in_that_session_until_it_expires() {
    counted(
        || Grant { for_session: true, ..grant() },
        |door, asked, clock| {
            let mut number = 0;
            let mut run = |door: &Door<'_>, command: &str| {
                number += 1;
                let receipt = door.receipt(&bash(&format!("c{number}"), command), |_| Ok(String::new()));
                assert_eq!(receipt.kind, ReceiptKind::Done);
                asked.swap(0, Ordering::SeqCst)
            };
            // Without a session there is nothing that an approval could last for.
            assert_eq!([run(door, "ls"), run(door, "ls")], [1, 1]);
            door.session = Some("s1".into());
            assert_eq!([run(door, "ls"), run(door, "ls"), run(door, "ls")], [1, 0, 0]);
            assert_eq!([run(door, "ls "), run(door, "ls -a"), run(door, "ls")], [1, 1, 0], "never wider than the call");
            door.session = Some("s2".into());
            assert_eq!(run(door, "ls"), 1, "another session");
            door.session = Some("s1".into());
            *clock.0.lock().unwrap() = Timestamp::from_second(60).unwrap();
            assert_eq!(run(door, "ls"), 1, "expired");
        },
    );
}

#[test]
fn calls_at_once_do_not_share_an_approval() {
    counted(grant, |door, asked, _| {
        let (door, ran) = (&*door, AtomicUsize::new(0));
        thread::scope(|scope| {
            for number in 0..8 {
                let ran = &ran;
                scope.spawn(move || {
                    door.receipt(&bash(&format!("c{number}"), "ls"), |_| {
                        ran.fetch_add(1, Ordering::SeqCst);
                        Ok(String::new())
                    })
                });
            }
        });
        assert_eq!((asked.load(Ordering::SeqCst), ran.load(Ordering::SeqCst)), (8, 8), "each was asked about");
    });
}

#[test]
fn one_id_at_once_runs_once() {
    for _ in 0..50 {
        counted(grant, |door, _, _| {
            let (door, ran) = (&*door, AtomicUsize::new(0));
            thread::scope(|scope| {
                for _ in 0..4 {
                    scope.spawn(|| {
                        door.receipt(&bash("same", "ls"), |_| {
                            ran.fetch_add(1, Ordering::SeqCst);
                            Ok(String::new())
                        })
                    });
                }
            });
            assert_eq!(ran.load(Ordering::SeqCst), 1);
        });
    }
}

#[test]
fn the_policy_says_who_may_approve() {
    let text = ASKS.to_owned() + "approvers = { roles = [\"maintainer\", \"owner\"] }\n";
    let as_role = |roles: &'static [&'static str]| {
        counted(
            || Grant { roles: roles.iter().map(|role| (*role).to_owned()).collect(), ..grant() },
            |door, _, _| {
                door.set_policies(policies(&text));
                door.receipt(&bash("c", "ls"), |_| Ok(String::new()))
            },
        )
    };
    for roles in [&["owner"][..], &["guest", "maintainer"]] {
        assert_eq!(as_role(roles).kind, ReceiptKind::Done, "{roles:?}");
    }
    for roles in [&[][..], &["guest"], &["Owner"]] {
        let receipt = as_role(roles);
        assert_eq!(receipt.kind, ReceiptKind::Refused, "{roles:?}");
        assert!(receipt.text.contains("ana may not approve this"), "{receipt:?}");
    }
}
