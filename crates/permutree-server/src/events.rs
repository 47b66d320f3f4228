//! Streams of server-sent events.

use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::stream::{self, Stream};
use std::convert::Infallible;

/// A stream of events. `next` makes an event of a state, and the state after it; without one, the stream ends.
pub(crate) fn event_stream<S, F>(
    first: S,
    mut next: impl FnMut(S) -> F + Send + 'static,
) -> Sse<impl Stream<Item = Result<Event, Infallible>>>
where
    S: Send + 'static,
    F: Future<Output = Option<(Event, Option<S>)>> + Send + 'static,
{
    let events = stream::unfold(Some(first), move |state| {
        let step = state.map(&mut next);
        async move {
            let (event, state) = step?.await?;
            Some((Ok(event), state))
        }
    });
    Sse::new(events).keep_alive(KeepAlive::default())
}
