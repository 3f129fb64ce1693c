//! Handlers that are futures (feature `async`).
#![cfg(feature = "async")]

use std::pin::pin;
use std::sync::Arc;
use std::task::{Context as Waiting, Poll, Waker};

use policy_gate::{DiskFiles, Door, HandlerError, MemoryStore, ReceiptKind, ToolCall};
use policy_matcher::{Context, Policies};

/// Polls to the end.
fn finished<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    let mut waiting = Waiting::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(result) = future.as_mut().poll(&mut waiting) {
            return result;
        }
    }
}

/// Is ready when it is polled again.
async fn rest() {
    let mut rested = false;
    std::future::poll_fn(|_| if std::mem::replace(&mut rested, true) { Poll::Ready(()) } else { Poll::Pending }).await;
}

#[test]
fn futures_go_through_the_same_door() {
    let policies = Arc::new(Policies::new(builtin_policies::policies("tables/ask-first").unwrap()));
    let store = MemoryStore::default();
    let door = Door::new(policies, Context::default(), &DiskFiles, &store);
    let call = |id: &str, tool: &str, arguments: &str| ToolCall {
        id: Some(id.into()),
        tool: tool.into(),
        arguments: arguments.into(),
    };
    let read = |id: &str| call(id, "read", r#"{"file":"a.txt"}"#);
    let kind = |call: &ToolCall, handler: fn() -> Result<String, HandlerError>| {
        finished(door.receipt_async(call, async |_: &policy_gate::Permit<'_>| {
            rest().await;
            handler()
        }))
        .kind
    };
    assert_eq!(kind(&read("a"), || Ok("text".into())), ReceiptKind::Done);
    assert_eq!(kind(&read("a"), || panic!("it ran twice")), ReceiptKind::Unpaired);
    assert_eq!(kind(&read("b"), || Err(HandlerError("no".into()))), ReceiptKind::Failed);
    assert_eq!(kind(&read("c"), || panic!("a bug")), ReceiptKind::Panicked);
    let denied = call("d", "bash", r#"{"command":"sudo ls"}"#);
    assert_eq!(kind(&denied, || panic!("it ran")), ReceiptKind::Denied);
    // Dropped while it runs: it counts as run.
    let dropped = read("e");
    let future = door.receipt_async(&dropped, async |_: &policy_gate::Permit<'_>| {
        rest().await;
        Ok(String::new())
    });
    let mut boxed = Box::pin(future);
    assert!(boxed.as_mut().poll(&mut Waiting::from_waker(Waker::noop())).is_pending());
    drop(boxed);
    assert_eq!(kind(&read("e"), || panic!("it ran twice")), ReceiptKind::Unpaired);
}
