//! Where alerts go: in an agent of your own a pager, here the transcript.

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use toolgate::BoxFuture;
use toolgate::alert::{Alert, AlertSink};

/// Hands alerts on.
#[derive(Debug)]
pub(crate) struct Pager {
    to: UnboundedSender<Alert>,
}

impl Pager {
    /// The pager, and where its alerts come out.
    pub(crate) fn new() -> (Self, UnboundedReceiver<Alert>) {
        let (to, from) = unbounded_channel();
        (Self { to }, from)
    }
}

impl AlertSink for Pager {
    fn tell<'a>(&'a self, alert: &'a Alert) -> BoxFuture<'a, Result<(), String>> {
        let told = self.to.send(alert.clone()).map_err(|_| "nobody reads the transcript".to_owned());
        Box::pin(std::future::ready(told))
    }
}
