//! The server over a socket, as clients see it.

mod client;
mod document;
mod experiments;
mod refusals;
mod searches;
