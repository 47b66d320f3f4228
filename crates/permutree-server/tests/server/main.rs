//! The server as clients see it: over a socket.

mod client;
mod document;
mod experiments;
mod refusals;
mod searches;
