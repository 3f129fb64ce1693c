//! The door for handlers that are futures (feature `async`).

use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::task::Poll;

use crate::call::ToolCall;
use crate::door::{Door, HandlerError, Permit};
use crate::receipt::Receipt;

impl Door<'_> {
    /// [`Door::receipt`] for a handler that is a future.
    ///
    /// Judging and asking happen when the future is first polled, and asking takes as long as the person does: where a
    /// thread must not wait, let a thread of its own poll it. A future that is dropped while the handler runs leaves a
    /// record that says *started* and none that says *ended*, as a crash does; its id does not run again.
    pub async fn receipt_async(
        &self,
        call: &ToolCall,
        handler: impl AsyncFnOnce(&Permit<'_>) -> Result<String, HandlerError>,
    ) -> Receipt {
        let permitted = match self.permitted(call) {
            Ok(permitted) => permitted,
            Err(receipt) => return receipt,
        };
        let permit = permitted.permit(call);
        let mut running = pin!(handler(&permit));
        let result = poll_fn(|context| match catch_unwind(AssertUnwindSafe(|| running.as_mut().poll(context))) {
            Ok(Poll::Pending) => Poll::Pending,
            Ok(Poll::Ready(result)) => Poll::Ready(Some(result)),
            Err(_) => Poll::Ready(None),
        })
        .await;
        self.ended(call, &permitted, result)
    }
}
